package gitrepo

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

const (
	journalName    = "journal"
	journalVersion = 1
	maxJournal     = 1 << 30 // old contents of some hundred files; far above what is ever written
)

// journal says what a run is about to change in the work tree, and what was there. It is on the disk before the first
// change and goes after the last: who finds one and has the lock knows that a run was killed, and puts things right.
//
// Of each file it decides by what HEAD has. Where that is what was to be written, the commit was made, and the file stays;
// else the file is put back. A file that holds neither is somebody else's work, and stays.
type journal struct {
	Version int           `json:"version"`
	Branch  string        `json:"branch"` // short name; "" for a detached HEAD
	Commit  bool          `json:"commit"` // whether one is to be made
	Files   []journalFile `json:"files"`
	Folders []string      `json:"folders"` // that are to be made, parents first
}

// journalFile is a file that is about to be written, or, with Same, holds already what is to be committed.
type journalFile struct {
	Path  string      `json:"path"`
	Gone  bool        `json:"gone,omitempty"` // whether it is to be taken away
	Same  bool        `json:"same,omitempty"`
	There bool        `json:"there"` // whether there was one
	Old   []byte      `json:"old,omitempty"`
	Mode  fs.FileMode `json:"mode,omitempty"`
	Time  time.Time   `json:"time,omitzero"`
	New   string      `json:"new"` // SHA-256 of what is to be written
}

// holds reports whether a file, found or not, is as it was to be.
func (f journalFile) holds(data []byte, found bool) bool {
	if f.Gone {
		return !found
	}
	return found && digest(data) == f.New
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// begin writes the journal for the targets; commit tells that a commit of them is to follow.
func (r *Repo) begin(w *worktree, branch string, targets []target, commit bool) error {
	j := journal{Version: journalVersion, Branch: branch, Commit: commit, Files: []journalFile{}, Folders: []string{}}
	folders := map[string]bool{}
	for _, t := range targets {
		if !t.changes() {
			j.Files = append(j.Files, journalFile{Path: t.Path, Gone: t.Delete, Same: true, New: digest(t.Data)})
			continue
		}
		f := journalFile{Path: t.Path, Gone: t.Delete, There: t.info != nil, Old: t.old, New: digest(t.Data)}
		if t.info != nil {
			f.Mode, f.Time = t.info.Mode().Perm(), t.info.ModTime()
		}
		j.Files = append(j.Files, f)
		for dir, _ := splitPath(t.Path); dir != "" && !folders[dir]; dir, _ = splitPath(dir) { // ends at the root
			there, err := w.folder(dir)
			if err != nil {
				return err
			}
			if folders[dir] = true; !there {
				j.Folders = append(j.Folders, dir)
			}
		}
	}
	slices.Sort(j.Folders) // a parent is a prefix, and so comes first
	data, err := json.Marshal(j)
	if err != nil {
		return fmt.Errorf("write journal: %w", err)
	}
	if err := r.step("write journal"); err != nil {
		return err
	}
	path, err := r.private(journalName)
	if err == nil {
		err = replaceFile(path, data)
	}
	if err != nil {
		return fmt.Errorf("write journal: %w", err)
	}
	return nil
}

// end removes the journal.
func (r *Repo) end() error {
	if err := r.step("remove journal"); err != nil {
		return err
	}
	err := os.Remove(filepath.Join(r.gitDir, privateFolder, journalName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove journal: %w", err)
	}
	return nil
}

// replaceFile writes a file of ours durably, at once.
func replaceFile(path string, data []byte) error {
	temp := path + ".new"
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	syncFolder(filepath.Dir(path))
	return nil
}

// readJournal returns nil when there is none.
func (r *Repo) readJournal() (*journal, error) {
	path := filepath.Join(r.gitDir, privateFolder, journalName)
	data, err := readLimited(path, maxJournal)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	j := &journal{}
	if err == nil {
		err = json.Unmarshal(data, j)
	}
	if err == nil && j.Version != journalVersion {
		err = fmt.Errorf("version %d is not known", j.Version)
	}
	if err != nil {
		return nil, fmt.Errorf("read what a run that was killed has left: %w; see git status, and remove %s", err, path)
	}
	for _, f := range j.Files {
		if err := checkPath(f.Path); err != nil {
			return nil, fmt.Errorf("read what a run that was killed has left: %w", err)
		}
	}
	for _, dir := range j.Folders {
		if err := checkPath(dir); err != nil {
			return nil, fmt.Errorf("read what a run that was killed has left: %w", err)
		}
	}
	return j, nil
}

// unfinished reports whether a run that was killed has left something to put right.
func (r *Repo) unfinished() bool {
	_, err := os.Lstat(filepath.Join(r.gitDir, privateFolder))
	return err == nil
}

// recover puts right what a run that was killed has left. The lock must be held. It can be killed itself at any time.
func (r *Repo) recover(ctx context.Context) error {
	if !r.unfinished() {
		return nil
	}
	j, err := r.readJournal()
	if err != nil {
		return err
	}
	if j != nil && j.Branch != "" {
		if err := r.breakLock(lockBranch, r.branchPath(j.Branch)); err != nil {
			return fmt.Errorf("remove lock: %w", err)
		}
	}
	if err := r.breakLock(lockHead, filepath.Join(r.gitDir, headFile)); err != nil {
		return fmt.Errorf("remove lock: %w", err)
	}
	if j != nil {
		if err := r.putRight(ctx, j); err != nil {
			return fmt.Errorf("put right what a run that was killed has left: %w", err)
		}
	}
	// The index stays locked until here: whoever works on it finds the files in order.
	if err := r.breakLock(lockIndex, filepath.Join(r.gitDir, indexFile)); err != nil {
		return fmt.Errorf("remove lock: %w", err)
	}
	if err := r.dropScratch(); err != nil {
		return err
	}
	if j == nil {
		return nil
	}
	return r.end()
}

// putRight completes or takes back what the journal tells of.
func (r *Repo) putRight(ctx context.Context, j *journal) error {
	w, err := r.openWorktree()
	if err != nil {
		return err
	}
	defer w.close()
	back := &writing{worktree: w, step: r.step}
	if err := back.sweepFolders(ctx, j.folders(w)); err != nil {
		return err
	}
	for _, f := range slices.Backward(j.Files) {
		if err := errors.Join(ctx.Err(), r.putBack(ctx, back, f)); err != nil {
			return fmt.Errorf("put back %q: %w", f.Path, err)
		}
	}
	for _, dir := range slices.Backward(j.Folders) {
		if there, err := w.folder(dir); err != nil || !there {
			continue // not made yet, or somebody else's by now
		}
		if err := back.removeEmpty(dir); err != nil {
			return fmt.Errorf("remove folder %q: %w", dir, err)
		}
	}
	if !j.Commit {
		return nil
	}
	return r.completeIndex(ctx, w, j)
}

// folders returns those that hold files of the journal. One that is something else by now is none of ours.
func (j *journal) folders(w *worktree) []string {
	var dirs []string
	seen := map[string]bool{}
	for _, f := range j.Files {
		dir, _ := splitPath(f.Path)
		if seen[dir] {
			continue
		}
		seen[dir] = true
		if there, err := w.folder(dir); err == nil && there {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// putBack restores a file, unless it was committed, or is somebody else's by now.
func (r *Repo) putBack(ctx context.Context, back *writing, f journalFile) error {
	if f.Same {
		return nil
	}
	data, info, err := back.read(f.Path)
	if errors.Is(err, ErrUnsafePath) {
		return nil // what stands there now was not made by us
	}
	if err != nil || !f.holds(data, info != nil) {
		return err
	}
	committed, found, err := r.headFile(ctx, f.Path)
	if err != nil || f.holds(committed, found) {
		return err
	}
	if err := r.step("put back " + f.Path); err != nil {
		return err
	}
	if f.Gone {
		return back.bring(f.Path, f.Old, f.Mode, f.Time)
	}
	path := filepath.FromSlash(f.Path)
	if !f.There {
		return back.root.Remove(path)
	}
	dir, _ := splitPath(f.Path)
	return back.replace(dir, path, f.Old, f.Mode, f.Time)
}

// completeIndex lets the index follow a commit that was made before the run was killed. It does so only where our lock still
// stands: nobody else can have changed the index then.
func (r *Repo) completeIndex(ctx context.Context, w *worktree, j *journal) error {
	lock, err := r.adoptLock(lockIndex, filepath.Join(r.gitDir, indexFile))
	if lock == nil || err != nil {
		return err
	}
	var paths []string
	for _, f := range j.Files {
		data, found, err := r.headFile(ctx, f.Path)
		if err != nil {
			return err
		}
		if f.holds(data, found) {
			paths = append(paths, f.Path)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	if r.foreign != "" {
		if err := lock.drop(); err != nil {
			return err
		}
		return r.resetPaths(ctx, nil, paths)
	}
	return r.resetIndex(w, lock, paths)
}

// resetIndex gives the index what HEAD has at the paths.
func (r *Repo) resetIndex(w *worktree, lock *lockFile, paths []string) error {
	state, err := r.readState()
	if err != nil {
		return err
	}
	job := &saving{repo: r, worktree: w, indexLock: lock, state: state}
	modes := make(map[string]filemode.FileMode, len(paths))
	for _, path := range paths {
		e, ok, err := state.commit.entry(path)
		if err != nil {
			return err
		}
		staged, tracked := state.index.Find(path)
		if !ok {
			if tracked {
				job.targets = append(job.targets, target{Change: Change{Path: path, Delete: true}})
			}
			continue
		}
		if tracked && plumbing.Hash(staged.ID) == e.Hash && !staged.IntentToAdd() {
			continue
		}
		data, err := r.store.blob(e.Hash)
		if err != nil {
			return err
		}
		job.targets = append(job.targets, target{Change: Change{Path: path, Data: data}})
		modes[path] = e.Mode
	}
	if len(job.targets) == 0 {
		return nil
	}
	if err := job.prepareIndex(modes); err != nil {
		return err
	}
	if err := r.step("replace index"); err != nil {
		return err
	}
	return lock.commit()
}
