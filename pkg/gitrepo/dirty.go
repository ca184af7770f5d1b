package gitrepo

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gitindex"
)

// state is what a change is compared with: the commit, the index, and the rules on paths.
type state struct {
	repo    *Repo
	head    Head
	commit  *snapshot
	index   *gitindex.Index
	written time.Time // when the index was
	rules   *rules
}

func (r *Repo) readState() (*state, error) {
	s := &state{repo: r}
	var err error
	if s.head, err = r.readHead(); err != nil {
		return nil, err
	}
	if s.commit, err = r.snapshotOf(s.head); err != nil {
		return nil, err
	}
	if s.index, s.written, err = r.readIndex(); err != nil {
		return nil, err
	}
	s.rules, err = r.newRules(s.index)
	return s, err
}

// Dirty returns, sorted, the paths at which writing and committing the changes would lose what is not committed: the work
// tree or the index holds there something that is neither what HEAD has nor what is to be written. A deletion counts, and so
// does an untracked file. Other paths do not matter.
func (r *Repo) Dirty(ctx context.Context, changes []Change) ([]string, error) {
	list, err := sorted(changes)
	if err != nil {
		return nil, fmt.Errorf("find uncommitted changes: %w", err)
	}
	w, err := r.openWorktree()
	if err != nil {
		return nil, err
	}
	defer w.close()
	targets, err := w.look(ctx, list)
	if err != nil {
		return nil, fmt.Errorf("find uncommitted changes: %w", err)
	}
	s, err := r.view(ctx, targets)
	if err != nil {
		return nil, fmt.Errorf("find uncommitted changes: %w", err)
	}
	paths, err := s.dirty(ctx, targets)
	if err != nil {
		return nil, fmt.Errorf("find uncommitted changes: %w", err)
	}
	return paths, nil
}

func (s *state) at() Head { return s.head }

func (s *state) unmerged() []string { return s.index.Unmerged() }

func (s *state) untracked(targets []target) []string {
	var paths []string
	for _, t := range targets {
		if _, ok := s.index.Find(t.Path); !ok && !t.Delete {
			paths = append(paths, t.Path)
		}
	}
	return paths
}

func (s *state) drivers(targets []target) ([]string, error) {
	var names []string
	for _, t := range targets {
		if t.Delete {
			continue
		}
		c, err := s.rules.bites(t.Path, t.Data)
		if err != nil {
			return nil, err
		}
		if c.driver != "" && !slices.Contains(names, c.driver) {
			names = append(names, c.driver)
		}
	}
	return names, nil
}

func (s *state) committed(ctx context.Context, targets []target) (map[string]bool, error) {
	found := map[string]bool{}
	for _, t := range targets {
		e, ok, err := s.commit.entry(t.Path)
		if err != nil {
			return nil, err
		}
		if !ok || t.Delete {
			found[t.Path] = ok != t.Delete
			continue
		}
		if found[t.Path] = e.Hash == blobID(t.Data); found[t.Path] {
			continue
		}
		if c, err := s.rules.conversion(t.Path); err != nil {
			return nil, err
		} else if !c.filter {
			continue
		}
		data, there, err := s.repo.headFile(ctx, t.Path) // as its filter writes it
		if err != nil {
			return nil, err
		}
		found[t.Path] = there && bytes.Equal(data, t.Data)
	}
	return found, nil
}

func (s *state) dirty(ctx context.Context, targets []target) ([]string, error) {
	unmerged := map[string]bool{}
	for _, path := range s.index.Unmerged() {
		unmerged[path] = true
	}
	var paths []string
	for _, t := range targets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		lost, err := s.loses(t)
		if err != nil {
			return nil, err
		}
		if lost || unmerged[t.Path] {
			paths = append(paths, t.Path)
		}
	}
	return paths, nil
}

// loses reports whether writing one target would lose something. The zero id stands for "no file".
func (s *state) loses(t target) (bool, error) {
	entry, committed, err := s.commit.entry(t.Path)
	if err != nil {
		return false, err
	}
	var inHead, inIndex plumbing.Hash
	inTree := t.id()
	if committed {
		inHead = entry.Hash
	}
	staged, tracked := s.index.Find(t.Path)
	if tracked && !staged.IntentToAdd() {
		inIndex = staged.ID
	}
	var want plumbing.Hash
	if !t.Delete {
		want = blobID(t.Data)
	}
	if inHead == want && inTree == want {
		return false, nil // nothing would be written, and the index is left alone
	}
	if inIndex != inHead && inIndex != want {
		return true, nil
	}
	if inTree == inHead || inTree == want {
		return false, nil
	}
	// Line ends of a checkout are no change.
	c, err := s.rules.conversion(t.Path)
	if err != nil {
		return false, err
	}
	if (c.crlf || c.always) && !c.filter && blobID(bytes.ReplaceAll(t.old, []byte("\r\n"), []byte("\n"))) == inHead {
		return inIndex != inHead, nil
	}
	// A filter may make an untouched file differ from what is committed. Only git could compare them; but it remembers of
	// the file, in the index, what it looked like when they were the same.
	if t.info == nil || !tracked || inIndex != inHead || !sameStat(staged.Stat, t.info, s.written) {
		return true, nil
	}
	return !c.always && !c.crlf, nil
}

// sameStat reports whether a file looks as it did when the index recorded it, and was not changed in the tick in which the
// index was written, in which a further change could not be seen.
func sameStat(recorded gitindex.Stat, info fs.FileInfo, written time.Time) bool {
	now := statOf(info)
	if !info.ModTime().Before(written) || recorded.Size != now.Size || recorded.MtimeSec != now.MtimeSec {
		return false
	}
	same := func(a, b uint32) bool { return a == 0 || b == 0 || a == b } // not every system fills these
	return same(recorded.MtimeNsec, now.MtimeNsec) && same(recorded.Ino, now.Ino) && same(recorded.CtimeSec, now.CtimeSec)
}
