package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	gogit "github.com/go-git/go-git/v5"
	gogitconfig "github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// ErrBehind means that the remote branch names a commit that this clone does not have.
var ErrBehind = errors.New("the clone is behind its upstream")

// HeadFiles returns the paths of the files below a folder in the commit that HEAD names, sorted. Symbolic links and submodules
// are no files.
func (r *Repo) HeadFiles(ctx context.Context, dir string) ([]string, error) {
	if err := checkPath(dir); err != nil {
		return nil, err
	}
	head, err := r.readHead()
	if err != nil {
		return nil, err
	}
	files, err := r.filesOf(ctx, head.Commit, dir)
	if err != nil {
		return nil, fmt.Errorf("list %s in HEAD: %w", dir, err)
	}
	var out []string
	for path := range files {
		out = append(out, path)
	}
	slices.Sort(out)
	return out, nil
}

// Unpushed returns which paths below a folder the upstream of HEAD's branch does not have as HEAD has them, or has and HEAD has
// not, sorted, and that upstream. It asks the remote, and changes nothing. The errors are those of Upstream; ErrBehind where the
// remote has commits that are not here, and ErrDetachedHead.
func (r *Repo) Unpushed(ctx context.Context, dir string) (paths []string, to Upstream, err error) {
	if err := checkPath(dir); err != nil {
		return nil, to, err
	}
	if to, err = r.Upstream(); err != nil {
		return nil, to, err
	}
	head, err := r.readHead()
	if err != nil {
		return nil, to, err
	}
	theirs, err := r.remoteCommit(ctx, to)
	if err != nil {
		return nil, to, fmt.Errorf("ask %s for its commit: %w; see that it can be reached", to, err)
	}
	if theirs == head.Commit {
		return nil, to, nil
	}
	mine, err := r.filesOf(ctx, head.Commit, dir)
	if err != nil {
		return nil, to, fmt.Errorf("list %s in HEAD: %w", dir, err)
	}
	if !r.has(ctx, theirs) {
		return nil, to, fmt.Errorf("%w: %s is at commit %.10s, which is not here; run git pull, and look at what changed", ErrBehind, to, theirs)
	}
	others, err := r.filesOf(ctx, theirs, dir)
	if err != nil {
		return nil, to, fmt.Errorf("list %s in %s: %w", dir, to, err)
	}
	for path, id := range mine {
		if others[path] != id {
			paths = append(paths, path)
		}
	}
	for path := range others {
		if mine[path] == "" {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths, to, nil
}

// has tells whether a commit is here.
func (r *Repo) has(ctx context.Context, commit string) bool {
	if commit == "" {
		return true // a branch that is not there has nothing that could be missing
	}
	if r.foreign != "" {
		_, err := r.git(ctx, call{args: []string{"cat-file", "-e", commit + "^{commit}"}})
		return err == nil
	}
	_, err := r.store.treeOf(commit)
	return err == nil
}

// remoteCommit asks a remote what its branch names, "" for a branch that it does not have.
func (r *Repo) remoteCommit(ctx context.Context, to Upstream) (string, error) {
	ctx, stop := context.WithTimeout(ctx, pushTime)
	defer stop()
	ref := branchPrefix + to.Branch
	if r.findGit() != "" {
		out, err := r.git(ctx, call{args: []string{"ls-remote", "--", to.remote, ref}})
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("it did not answer within %s: %w", pushTime, err)
		}
		if err != nil {
			return "", err
		}
		for line := range strings.Lines(string(out)) {
			if id, name, _ := strings.Cut(strings.TrimSpace(line), "\t"); name == ref {
				return id, nil
			}
		}
		return "", nil
	}
	urls := r.pushURLs(to.remote)
	remote := gogit.NewRemote(r.store.storage, &gogitconfig.RemoteConfig{Name: "origin", URLs: urls[:1]})
	refs, err := remote.ListContext(ctx, &gogit.ListOptions{})
	if err != nil {
		return "", errors.New(r.shown([]byte(err.Error()))) // its text can quote the URL
	}
	for _, found := range refs {
		if found.Name() == plumbing.ReferenceName(ref) {
			return found.Hash().String(), nil
		}
	}
	return "", nil
}

// filesOf returns the files below a folder of a commit, with the ids of what they hold.
func (r *Repo) filesOf(ctx context.Context, commit, dir string) (map[string]string, error) {
	entries, err := r.entriesOf(ctx, commit, []string{dir})
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for path, e := range entries {
		if path != dir && kindOf(e.mode) == "file" {
			files[path] = e.id
		}
	}
	return files, nil
}

// walk visits all that lies below a folder. It calls itself once for each folder.
func (s *snapshot) walk(dir string, visit func(path string, mode filemode.FileMode, id string) error) error {
	entries, err := s.folder(dir)
	if err != nil {
		return err
	}
	for name, e := range entries {
		path := dir + "/" + name
		if e.Mode == filemode.Dir {
			err = s.walk(path, visit)
		} else {
			err = visit(path, e.Mode, e.Hash.String())
		}
		if err != nil {
			return err
		}
	}
	return nil
}
