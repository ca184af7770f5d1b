package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

const (
	// fetchedRef keeps what was fetched until it is used: FETCH_HEAD is anybody's.
	fetchedRef   = "refs/kubectl-apl/upstream"
	scratchOnTop = "on-top"
)

// onTop makes our commit anew on top of the remote's, pushes that, and only then lets the branch follow: until the remote
// has it nothing has changed here.
func (p *pushing) onTop(ctx context.Context, pushed *Pushed) error {
	r := p.repo
	theirs, err := p.fetch(ctx)
	if err != nil {
		return p.notPushed(err, "")
	}
	defer func() { _, _ = r.git(context.WithoutCancel(ctx), call{args: []string{"update-ref", "-d", fetchedRef}}) }() // it is used no more
	if there, err := r.ancestor(ctx, p.commit, theirs); err != nil {
		return p.notPushed(err, "")
	} else if there {
		pushed.Already = true
		return nil
	}
	commit, err := p.rebuild(ctx, theirs)
	if err != nil {
		return err
	}
	if commit != theirs {
		if _, err := p.push(ctx, commit); err != nil {
			return p.notPushed(err, "")
		}
	}
	pushed.Commit, pushed.Onto = commit, theirs
	if err := p.follow(ctx, commit); err != nil {
		return fmt.Errorf("the remote has the changes, as commit %.10s, but the branch here could not follow: %w; run git pull --rebase", commit, err)
	}
	return nil
}

func (p *pushing) fetch(ctx context.Context) (string, error) {
	ctx, stop := context.WithTimeout(ctx, pushTime)
	defer stop()
	if err := p.repo.step("fetch"); err != nil {
		return "", err
	}
	args := []string{"fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-auto-maintenance", p.to.remote,
		"+" + branchPrefix + p.to.Branch + ":" + fetchedRef}
	if _, err := p.repo.git(ctx, call{args: args}); err != nil {
		return "", err
	}
	return oneID(p.repo.git(ctx, call{args: []string{"rev-parse", "--verify", fetchedRef + "^{commit}"}}))
}

// rebuild returns our commit on top of theirs, theirs itself when that has all of it, or says why it cannot be.
func (p *pushing) rebuild(ctx context.Context, theirs string) (string, error) {
	r := p.repo
	const pull = "run git pull --rebase, look at what changed, and run this command again"
	if p.commit != p.head.Commit {
		return "", p.notPushed(errors.New("the remote has moved on, and so has the branch here"), pull)
	}
	base, err := r.oneOrNone(ctx, "merge-base", p.commit, theirs)
	if err != nil {
		return "", p.notPushed(err, pull)
	}
	parents, err := r.git(ctx, call{args: []string{"rev-parse", p.commit + "^@"}})
	if err != nil {
		return "", p.notPushed(err, pull)
	}
	if base == "" || strings.TrimSpace(string(parents)) != base {
		return "", p.notPushed(errors.New("the remote has moved on, and the branch has other commits that it lacks"), pull)
	}
	ours, err := p.ours(ctx, base)
	if err != nil {
		return "", p.notPushed(err, pull)
	}
	touched, err := r.git(ctx, call{args: []string{"diff-tree", "-r", "-z", "--no-renames", "--name-only", base, theirs}})
	if err != nil {
		return "", p.notPushed(err, pull)
	}
	there, err := r.askTreeOf(ctx, theirs)
	if err != nil {
		return "", p.notPushed(err, pull)
	}
	if both := p.overlap(ours, records(touched), there); len(both) > 0 {
		shown := strings.Join(both[:min(len(both), shownRefusals)], ", ")
		return "", p.notPushed(fmt.Errorf("the remote has new commits that change what this one stands on: %s", shown), pull)
	}
	ours = slices.DeleteFunc(ours, func(e pathEntry) bool { return there[e.path] == e.treeEntry })
	commit := theirs
	if len(ours) > 0 {
		if commit, err = p.commitOn(ctx, theirs, ours); err != nil {
			return "", p.notPushed(err, pull)
		}
	}
	// Whether the work tree can follow is asked before the remote gets anything.
	_, _ = r.git(ctx, call{args: []string{"update-index", "-q", "--refresh"}}) // it reports what is changed as a failure
	if _, err := r.git(ctx, call{args: []string{"read-tree", "-m", "-u", "--dry-run", p.commit, commit}}); err != nil {
		return "", p.notPushed(fmt.Errorf("the remote's new commits cannot be brought into the work tree: %w", err), "commit or stash what is in the way, and run git pull --rebase")
	}
	return commit, nil
}

// pathEntry is what a commit has at a path.
type pathEntry struct {
	path string
	treeEntry
}

// ours returns what our commit has put where.
func (p *pushing) ours(ctx context.Context, base string) ([]pathEntry, error) {
	out, err := p.repo.git(ctx, call{args: []string{"diff-tree", "-r", "-z", "--no-renames", "--name-status", base, p.commit}})
	if err != nil {
		return nil, err
	}
	tree, err := p.repo.askTreeOf(ctx, p.commit)
	if err != nil {
		return nil, err
	}
	list := records(out)
	var entries []pathEntry
	for i := 0; i+1 < len(list); i += 2 {
		e, ok := tree[list[i+1]]
		if !ok {
			return nil, fmt.Errorf("the commit removes %q, and is not made anew", list[i+1])
		}
		entries = append(entries, pathEntry{list[i+1], e})
	}
	return entries, nil
}

// askTreeOf is askTree without a memory: the trees of both sides are asked for in turn.
func (r *Repo) askTreeOf(ctx context.Context, commit string) (map[string]treeEntry, error) {
	r.listed = nil
	return r.askTree(ctx, commit)
}

// overlap returns the paths touched by the others that matter to our commit: its own, unless both say the same, folders or
// files in their way, what git reads rules from, and what the commit was made from.
func (p *pushing) overlap(ours []pathEntry, touched []string, theirs map[string]treeEntry) []string {
	mine := map[string]treeEntry{}
	for _, e := range ours {
		mine[e.path] = e.treeEntry
		for dir, _ := splitPath(e.path); dir != ""; dir, _ = splitPath(dir) { // ends at the root
			mine[dir] = treeEntry{id: "a folder"} // a file of theirs there is in the way
		}
	}
	var both []string
	for _, path := range touched {
		e, isOurs := mine[path]
		same := isOurs && theirs[path] == e
		input := slices.ContainsFunc(p.inputs, func(in string) bool { return path == in || strings.HasPrefix(path, in+"/") })
		below := false
		for dir, _ := splitPath(path); dir != ""; dir, _ = splitPath(dir) { // ends at the root
			below = below || slices.ContainsFunc(ours, func(o pathEntry) bool { return o.path == dir })
		}
		if isOurs && !same || input || below || steers(path) {
			both = append(both, path)
		}
	}
	return both
}

// commitOn makes a commit on top of another, with the author and the message of ours. Hooks have run on ours.
func (p *pushing) commitOn(ctx context.Context, parent string, entries []pathEntry) (string, error) {
	r := p.repo
	index, err := r.private(scratchOnTop)
	if err != nil {
		return "", err
	}
	env := []string{"GIT_INDEX_FILE=" + index}
	defer r.dropOnTop()
	r.dropOnTop()
	if _, err := r.git(ctx, call{args: []string{"read-tree", parent}, env: env}); err != nil {
		return "", err
	}
	var list bytes.Buffer
	for _, e := range entries {
		fmt.Fprintf(&list, "%06o %s\t%s\x00", uint32(e.mode), e.id, e.path)
	}
	if _, err := r.git(ctx, call{args: []string{"update-index", "-z", "--index-info"}, input: list.Bytes(), env: env}); err != nil {
		return "", err
	}
	tree, err := oneID(r.git(ctx, call{args: []string{"write-tree"}, env: env}))
	if err != nil {
		return "", err
	}
	out, err := r.git(ctx, call{args: []string{"log", "-1", "--no-show-signature", "--date=raw", "--format=%an%x00%ae%x00%ad%x00%B", p.commit}})
	if err != nil {
		return "", err
	}
	parts := strings.SplitN(string(out), "\x00", 4)
	if len(parts) != 4 {
		return "", errors.New("git log prints something else than was asked for")
	}
	args := []string{"commit-tree", tree, "-p", parent, "-F", "-"}
	if sign, err := r.config.Bool("commit.gpgsign", false); err != nil {
		return "", err
	} else if sign {
		args = append(args, "-S")
	}
	env = []string{"GIT_AUTHOR_NAME=" + parts[0], "GIT_AUTHOR_EMAIL=" + parts[1], "GIT_AUTHOR_DATE=@" + parts[2]}
	message := strings.TrimRight(parts[3], "\n") + "\n"
	return oneID(r.git(ctx, call{args: args, input: []byte(message), env: env}))
}

func (r *Repo) dropOnTop() {
	path := filepath.Join(r.gitDir, privateFolder, scratchOnTop)
	removeAll(path, path+lockSuffix)
}

// follow brings index, work tree and branch to the commit that the remote has, as git merge --ff-only would: what a person
// has changed elsewhere stays.
func (p *pushing) follow(ctx context.Context, commit string) error {
	r := p.repo
	ctx = context.WithoutCancel(ctx)
	if err := r.step("follow"); err != nil {
		return err
	}
	if _, err := r.git(ctx, call{args: []string{"read-tree", "-m", "-u", p.commit, commit}}); err != nil {
		return err
	}
	if err := r.step("move branch"); err != nil {
		return err
	}
	_, err := r.git(ctx, call{args: []string{"update-ref", "-m", "kubectl-apl: on top of " + p.to.Remote + "/" + p.to.Branch,
		branchPrefix + p.head.Branch, commit, p.commit}})
	if err != nil { // somebody is at work on the branch, or a hook says no: the next commit would hold what is theirs
		_, back := r.git(ctx, call{args: []string{"read-tree", "-m", "-u", commit, p.commit}})
		err = errors.Join(err, back)
	}
	return err
}
