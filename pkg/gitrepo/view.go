package gitrepo

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// view is what a change is compared with: HEAD, the index, the work tree, and the rules on paths. A state is read by this
// package, an asked one by git.
type view interface {
	// at returns what HEAD names.
	at() Head
	// unmerged returns the paths with conflicts.
	unmerged() []string
	// dirty returns the paths at which writing would lose something.
	dirty(ctx context.Context, targets []target) ([]string, error)
	// refusals returns what stands in the way of a commit of the targets.
	refusals(ctx context.Context, targets []target) ([]Refusal, error)
	// committed returns those of the targets that HEAD has already.
	committed(ctx context.Context, targets []target) (map[string]bool, error)
	// untracked returns the paths that the index does not have.
	untracked(targets []target) []string
	// drivers returns the filters that would run.
	drivers(targets []target) ([]string, error)
}

func (r *Repo) view(ctx context.Context, targets []target) (view, error) {
	if r.foreign == "" {
		return r.readState()
	}
	return r.ask(ctx, targets)
}

// asked is a view of a repository that only git reads.
type asked struct {
	repo      *Repo
	head      Head
	tree      map[string]treeEntry
	index     map[string]indexEntry
	converted map[string]conversion
}

func (r *Repo) ask(ctx context.Context, targets []target) (*asked, error) {
	a := &asked{repo: r}
	var err error
	if a.head, err = r.askHead(ctx); err != nil {
		return nil, err
	}
	if a.tree, err = r.askTree(ctx, a.head.Commit); err != nil {
		return nil, err
	}
	if a.index, err = r.askIndex(ctx); err != nil {
		return nil, err
	}
	if len(targets) > 0 {
		a.converted, err = r.askConversions(ctx, pathsOf(targets))
	}
	return a, err
}

func pathsOf(targets []target) []string {
	paths := make([]string, 0, len(targets))
	for _, t := range targets {
		paths = append(paths, t.Path)
	}
	return paths
}

func (a *asked) at() Head { return a.head }

func (a *asked) unmerged() []string {
	var paths []string
	for path, e := range a.index {
		if e.stage != "0" {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

func (a *asked) untracked(targets []target) []string {
	var paths []string
	for _, t := range targets {
		if _, ok := a.index[t.Path]; !ok && !t.Delete {
			paths = append(paths, t.Path)
		}
	}
	return paths
}

func (a *asked) drivers(targets []target) ([]string, error) {
	var names []string
	for _, t := range targets {
		if name := a.converted[t.Path].driver; name != "" && !t.Delete && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// holds reports whether a blob is data in the work tree.
func (a *asked) holds(ctx context.Context, path, id string, data []byte) (bool, error) {
	got, err := a.repo.askBlob(ctx, path, id)
	return err == nil && bytes.Equal(got, data), err
}

func (a *asked) committed(ctx context.Context, targets []target) (map[string]bool, error) {
	found := map[string]bool{}
	for _, t := range targets {
		e, ok := a.tree[t.Path]
		if !ok || t.Delete {
			found[t.Path] = ok != t.Delete
			continue
		}
		same, err := a.holds(ctx, t.Path, e.id, t.Data)
		if err != nil {
			return nil, err
		}
		found[t.Path] = same
	}
	return found, nil
}

func (a *asked) dirty(ctx context.Context, targets []target) ([]string, error) {
	var paths, unsure []string
	for _, t := range targets {
		inHead, committed := a.tree[t.Path]
		staged, tracked := a.index[t.Path]
		lost := tracked && staged.stage != "0"
		if !lost && (tracked != committed || staged.id != inHead.id) {
			same := t.Delete && !tracked
			if tracked && !t.Delete {
				var err error
				if same, err = a.holds(ctx, t.Path, staged.id, t.Data); err != nil {
					return nil, err
				}
			}
			lost = !same
		}
		switch {
		case lost, committed && t.info == nil && !t.Delete:
			paths = append(paths, t.Path)
		case t.info == nil || !t.changes():
		case !tracked:
			paths = append(paths, t.Path)
		default:
			unsure = append(unsure, t.Path)
		}
	}
	changed, err := a.repo.changedFiles(ctx, unsure)
	if err != nil {
		return nil, err
	}
	paths = append(paths, changed...)
	slices.Sort(paths)
	return paths, nil
}

// changedFiles returns those of the tracked paths whose file is not what the index has, filters and all.
func (r *Repo) changedFiles(ctx context.Context, paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	out, err := r.git(ctx, call{args: []string{"diff-files", "--name-only", "-z", "--no-ext-diff"}})
	if err != nil {
		return nil, fmt.Errorf("compare files: %w", err)
	}
	listed := map[string]bool{}
	for _, path := range records(out) {
		listed[path] = true
	}
	var changed []string
	for _, path := range paths {
		if listed[path] {
			// diff-files goes by the looks of a file; hashing it tells.
			same, err := r.fileIsStaged(ctx, path)
			if err != nil {
				return nil, err
			}
			if !same {
				changed = append(changed, path)
			}
		}
	}
	return changed, nil
}

func (r *Repo) fileIsStaged(ctx context.Context, path string) (bool, error) {
	id, err := oneID(r.git(ctx, call{args: []string{"hash-object", "--", path}}))
	if err != nil {
		return false, fmt.Errorf("compare %q: %w", path, err)
	}
	staged, err := oneID(r.git(ctx, call{args: []string{"rev-parse", "-q", "--verify", ":0:" + path}}))
	return err == nil && id == staged, err
}

func (a *asked) refusals(ctx context.Context, targets []target) ([]Refusal, error) {
	rules, err := a.ignored(ctx, a.untracked(targets))
	if err != nil {
		return nil, err
	}
	var all []Refusal
	for _, t := range targets {
		if at, kind := a.inTheWay(t.Path); kind != "" {
			all = append(all, Refusal{ErrNotAFile, t.Path, fmt.Sprintf("git has a %s at %s", kind, at), "move or remove it, and commit that"})
		}
		if a.index[t.Path].skipped {
			const why = "it is left out of the work tree (sparse checkout, skip-worktree)"
			all = append(all, Refusal{ErrUnsupported, t.Path, why, "run git sparse-checkout add on its folder, or git update-index --no-skip-worktree on it"})
		}
		if t.Delete {
			continue // nothing of it goes into the commit
		}
		if rule := rules[t.Path]; rule != "" {
			all = append(all, Refusal{ErrIgnored, t.Path, "it is ignored by " + rule, "change that rule"})
		}
		c := a.converted[t.Path]
		if refusal := a.repo.conversionRefusal(t.Path, c); refusal != nil {
			all = append(all, *refusal)
		}
	}
	return all, nil
}

// inTheWay returns what HEAD or the index has at a path, or above or below it, that is not a file at it.
func (a *asked) inTheWay(path string) (at, kind string) {
	look := func(at string, mode filemode.FileMode) bool {
		kind = kindOf(mode)
		return at == path && kind != "file" || at != path && kind != "folder"
	}
	for at := path; at != ""; at, _ = splitPath(at) { // ends at the root
		if e, ok := a.tree[at]; ok && look(at, e.mode) {
			return at, kind
		}
		if e, ok := a.index[at]; ok && look(at, e.mode) {
			return at, kind
		}
	}
	for other := range a.index {
		if strings.HasPrefix(other, path+"/") {
			return path, "folder"
		}
	}
	return "", ""
}

// ignored returns, of the paths that git ignores, by which rule.
func (a *asked) ignored(ctx context.Context, paths []string) (map[string]string, error) {
	found := map[string]string{}
	if len(paths) == 0 {
		return found, nil
	}
	out, err := a.repo.git(ctx, call{args: []string{"check-ignore", "-z", "-v", "--stdin"}, input: listOf(paths)})
	if err != nil && exitCode(err) != 1 {
		return nil, fmt.Errorf("read ignore rules: %w", err)
	}
	list := records(out)
	for i := 0; i+3 < len(list); i += 4 {
		source, line, pattern, path := list[i], list[i+1], list[i+2], list[i+3]
		if !strings.HasPrefix(pattern, "!") {
			found[path] = fmt.Sprintf("%s:%s (%s)", source, line, pattern)
		}
	}
	return found, nil
}
