package gitrepo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Where git would do more than write a commit (hooks, signing, filters, forms of a repository that only git knows), git makes
// it. It works on a copy of the index, under a lock that stands before the index itself: until the commit is made nothing but
// the files has changed, and to give up is to drop the copy. The copy takes the place of the index when all is well.

const (
	scratchIndex   = "index"
	scratchMessage = "message"
)

// dropScratch removes what a run of git works on.
func (r *Repo) dropScratch() error {
	dir := filepath.Join(r.gitDir, privateFolder)
	for _, name := range []string{scratchIndex, scratchIndex + lockSuffix, scratchMessage, scratchOnTop, scratchOnTop + lockSuffix, journalName + ".new"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove temporary file: %w", err)
		}
	}
	return nil
}

// removeAll removes files of ours that may not be there. What is left is overwritten by the next run.
func removeAll(paths ...string) {
	for _, path := range paths {
		_ = os.Remove(path)
	}
}

// commitByGit lets git commit exactly the targets, whose files are written. It returns the id as soon as the commit stands.
func (j *saving) commitByGit(ctx context.Context) (hash string, err error) {
	r := j.repo
	defer func() { err = errors.Join(err, r.dropScratch()) }()
	index, err := r.copyIndex()
	if err != nil {
		return "", fmt.Errorf("copy index: %w", err)
	}
	env := []string{"GIT_INDEX_FILE=" + index}
	failed := j.gitCommit(ctx, env)
	ctx = context.WithoutCancel(ctx) // what stands is not given up
	head, err := r.readHead()
	if err != nil {
		return "", errors.Join(failed, fmt.Errorf("look whether git has committed: %w", err))
	}
	to := head.Commit
	if to == j.view.at().Commit {
		j.rejected()
		return "", cmp.Or(failed, errors.New("git commit ended well, and made no commit"))
	}
	if err := j.verify(ctx, to); err != nil {
		j.rejected()
		return j.takeBack(ctx, to, errors.Join(failed, err))
	}
	if failed != nil { // in a hook that runs afterwards, and maybe before git was done with the index
		if err := r.resetPaths(ctx, env, pathsOf(j.targets)); err != nil {
			return to, fmt.Errorf("%w: commit %s stands; run git reset to bring the index there: %w", ErrIndexStale, to, err)
		}
	}
	if err = r.step("replace index"); err == nil {
		err = r.placeIndex(index)
	}
	if err != nil {
		return to, fmt.Errorf("%w: commit %s stands; run git reset to bring the index there: %w", ErrIndexStale, to, err)
	}
	return to, nil
}

// copyIndex copies the index, with its time: by that git knows which files it has to look at once more.
func (r *Repo) copyIndex() (string, error) {
	if err := r.step("copy index"); err != nil {
		return "", err
	}
	path, err := r.private(scratchIndex)
	if err != nil {
		return "", err
	}
	if err := r.dropScratch(); err != nil {
		return "", err
	}
	from := filepath.Join(r.gitDir, indexFile)
	info, err := os.Stat(from)
	if errors.Is(err, fs.ErrNotExist) {
		return path, nil // git makes one
	}
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		return "", err
	}
	return path, os.Chtimes(path, time.Time{}, info.ModTime())
}

// placeIndex makes the copy the index. The index is locked by us.
func (r *Repo) placeIndex(path string) error {
	if err := syncFile(path); err != nil {
		return err
	}
	if err := os.Rename(path, filepath.Join(r.gitDir, indexFile)); err != nil {
		return err
	}
	syncFolder(r.gitDir)
	return nil
}

// gitCommit runs git commit.
func (j *saving) gitCommit(ctx context.Context, env []string) error {
	r := j.repo
	message, err := r.private(scratchMessage)
	if err != nil {
		return err
	}
	if err := os.WriteFile(message, []byte(j.message), 0o600); err != nil {
		return fmt.Errorf("write message: %w", err)
	}
	required, err := j.requireFilters()
	if err != nil {
		return err
	}
	if paths := j.view.untracked(j.targets); len(paths) > 0 {
		if err := r.step("announce files"); err != nil {
			return err
		}
		args := append(slices.Clone(required), "add", "--intent-to-add", "--pathspec-from-file=-", "--pathspec-file-nul")
		if _, err := r.git(ctx, call{args: args, input: literally(paths), env: env}); err != nil {
			return fmt.Errorf("announce new files: %w", err)
		}
	}
	if err := r.step("run git commit"); err != nil {
		return err
	}
	// Work that git does in the background would go on with our copy of the index when that is gone.
	args := append(required, "-c", "gc.auto=0", "-c", "maintenance.auto=false", "commit", "--quiet", "--only", "--cleanup=verbatim",
		"--file="+message, "--pathspec-from-file=-", "--pathspec-file-nul")
	env = append(slices.Clone(env), "GIT_AUTHOR_DATE="+j.identity.Author.date(), "GIT_COMMITTER_DATE="+j.identity.Committer.date())
	_, err = r.git(ctx, call{args: args, input: literally(pathsOf(j.targets)), env: env, own: true})
	if err == nil {
		return nil
	}
	var failed *gitError
	if errors.As(err, &failed) && failed.pid > 0 {
		// Where git commit --only keeps its own copy of the index; a git that was killed leaves it.
		removeAll(filepath.Join(r.gitDir, fmt.Sprintf("next-index-%d%s", failed.pid, lockSuffix)))
	}
	if failed != nil && exitCode(err) >= 0 {
		said := strings.TrimSpace(strings.Join([]string{failed.said, r.shown(failed.out)}, "\n"))
		return fmt.Errorf("%w (%s); it says:\n%s", ErrRejected, strings.Join(j.reasons, "; "), said)
	}
	return err
}

// date returns the time as git takes it from the environment.
func (p Person) date() string { return fmt.Sprintf("@%d %s", p.When.Unix(), p.When.Format("-0700")) }

// requireFilters makes git give up where a filter fails: unless it is told so, it commits the plain text (case H1).
func (j *saving) requireFilters() ([]string, error) {
	names, err := j.view.drivers(j.targets)
	if err != nil {
		return nil, err
	}
	args := []string{}
	for _, name := range names {
		args = append(args, "-c", "filter."+name+".required=true")
	}
	return args, nil
}

// verify finds what a hook has made of the commit: it must hold the targets and nothing else.
func (j *saving) verify(ctx context.Context, to string) error {
	r := j.repo
	parents, err := r.git(ctx, call{args: []string{"rev-parse", to + "^@"}})
	if err != nil {
		return err
	}
	from := j.view.at().Commit
	if strings.TrimSpace(string(parents)) != from {
		return j.verifyFurther(ctx)
	}
	out, err := r.git(ctx, call{args: []string{"diff-tree", "-r", "-z", "--root", "--no-renames", "--no-commit-id", "--name-only", to}})
	if err != nil {
		return err
	}
	var wrong []string
	want := map[string]bool{}
	for _, t := range j.targets {
		want[t.Path] = true
	}
	for _, path := range records(out) {
		if !want[path] {
			wrong = append(wrong, path)
		}
	}
	after, err := r.view(ctx, j.targets)
	if err != nil {
		return err
	}
	same, err := after.committed(ctx, j.targets)
	if err != nil {
		return err
	}
	for _, t := range j.targets {
		if same[t.Path] {
			continue
		}
		if t.Delete {
			wrong = append(wrong, t.Path)
			continue
		}
		// Line ends are git's to change.
		if ok, err := r.cleansTo(ctx, to, t); err != nil {
			return err
		} else if !ok {
			wrong = append(wrong, t.Path)
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	shown := strings.Join(wrong[:min(len(wrong), shownRefusals)], ", ")
	return fmt.Errorf("%w: a hook changed what was to be committed: %s; exclude env/ from that hook, or use --no-commit", ErrRejected, shown)
}

// errFurther says that somebody, a hook most likely, has gone on from our commit.
var errFurther = errors.New("a hook, or somebody else, has committed since")

// verifyFurther takes HEAD for complete when it still has the targets.
func (j *saving) verifyFurther(ctx context.Context) error {
	after, err := j.repo.view(ctx, j.targets)
	if err != nil {
		return err
	}
	same, err := after.committed(ctx, j.targets)
	if err != nil {
		return err
	}
	for _, t := range j.targets {
		if !same[t.Path] {
			return fmt.Errorf("%w, and %q is not in HEAD as it was to be; see git log", errFurther, t.Path)
		}
	}
	return nil
}

// cleansTo reports whether the commit has at a path what git makes of the data.
func (r *Repo) cleansTo(ctx context.Context, commit string, t target) (bool, error) {
	want, err := oneID(r.git(ctx, call{args: []string{"hash-object", "--stdin", "--path=" + t.Path}, input: t.Data}))
	if err != nil {
		return false, err
	}
	got, err := oneID(r.git(ctx, call{args: []string{"rev-parse", "-q", "--verify", commit + ":" + t.Path}}))
	if exitCode(err) == 1 {
		return false, nil
	}
	return got == want, err
}

// takeBack moves HEAD back to where it was, unless somebody has gone on from there: then the commit stands, and the caller
// is told so by its id.
func (j *saving) takeBack(ctx context.Context, to string, cause error) (string, error) {
	from := j.view.at().Commit
	if errors.Is(cause, errFurther) {
		return to, cause
	}
	args := []string{"update-ref", "-m", "kubectl-apl: take back", "HEAD", from, to}
	if from == "" {
		args = []string{"update-ref", "-d", "HEAD", to}
	}
	if _, err := j.repo.git(ctx, call{args: args}); err != nil {
		return to, errors.Join(cause, fmt.Errorf("commit %s stands, and could not be taken back: %w", to, err))
	}
	return "", cause
}

// rejected lets undo put back also what a hook has made of our files.
func (j *saving) rejected() {
	if j.written != nil {
		j.written.hooked = true
	}
}

// resetPaths gives the index what HEAD has at the paths.
func (r *Repo) resetPaths(ctx context.Context, env, paths []string) error {
	args := []string{"reset", "-q", "--pathspec-from-file=-", "--pathspec-file-nul"}
	if _, err := r.git(ctx, call{args: args, input: literally(paths), env: env}); err != nil {
		return fmt.Errorf("let the index follow the commit: %w", err)
	}
	return nil
}
