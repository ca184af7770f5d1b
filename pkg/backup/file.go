package backup

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	fileMode   = 0o600 // the file holds secrets
	folderMode = 0o700
)

// ErrInRepo is wrapped by Outside for a place that git could commit.
var ErrInRepo = errors.New("a backup holds secrets and must not lie in the values repo")

// Folder returns where backups go unless a person says otherwise: below the user's state folder, as the XDG base directory
// specification has it. The error says that there is none.
func Folder(lookup func(string) (string, bool)) (string, error) {
	if dir, _ := lookup("XDG_STATE_HOME"); filepath.IsAbs(dir) { // a relative one is to be ignored, says the specification
		return filepath.Join(dir, "kubectl-apl", "backups"), nil
	}
	if home, _ := lookup("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "state", "kubectl-apl", "backups"), nil
	}
	if home, _ := lookup("USERPROFILE"); filepath.IsAbs(home) { // Windows
		return filepath.Join(home, ".local", "state", "kubectl-apl", "backups"), nil
	}
	return "", errors.New("neither XDG_STATE_HOME nor HOME names a folder for the backup; name a file by --backup=FILE")
}

// Name returns the name of a backup of a values repo: the repo's folder, when, and what tells two backups of one second
// apart. It sorts by time.
func Name(repo string, written time.Time, data []byte) string {
	sum := sha256.Sum256(data)
	const short = 4
	return fmt.Sprintf("%s-%s-%s.yaml", filepath.Base(repo), written.UTC().Format("20060102T150405Z"), hex.EncodeToString(sum[:short]))
}

// Outside demands that a file would lie outside a folder, whatever symbolic links its path passes. Folders that are not there
// yet count as they are written. The error wraps ErrInRepo.
func Outside(path, root string) error {
	real, err := resolve(path)
	if err != nil {
		return err
	}
	if root, err = resolve(root); err != nil {
		return err
	}
	if below, err := filepath.Rel(root, real); err == nil && filepath.IsLocal(below) {
		return fmt.Errorf("%w: %s lies in %s", ErrInRepo, path, root)
	}
	return nil
}

// resolve follows the symbolic links of a path as far as it is there.
func resolve(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", path, err)
	}
	for at, rest := path, ""; ; at, rest = filepath.Dir(at), filepath.Join(filepath.Base(at), rest) { // ends at the root, which is there
		real, err := filepath.EvalSymlinks(at)
		switch {
		case err == nil:
			return filepath.Join(real, rest), nil
		case !errors.Is(err, fs.ErrNotExist), at == filepath.Dir(at):
			return "", fmt.Errorf("find %s: %w", path, err)
		}
		if _, err := os.Lstat(at); err == nil {
			return "", fmt.Errorf("find %s: %s is a symbolic link that leads nowhere", path, at)
		}
	}
}

// WorkTree returns the root of the git work tree that a file would lie in, "" when there is none.
func WorkTree(path string) (string, error) {
	real, err := resolve(path)
	if err != nil {
		return "", err
	}
	for at := filepath.Dir(real); ; at = filepath.Dir(at) { // ends at the root
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", nil
		}
	}
}

// Create writes a new file, durably and all at once, that nobody else may read, and the folders above it. It never writes over
// a file: the error wraps fs.ErrExist then.
func Create(path string, data []byte) (err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, folderMode); err != nil {
		return fmt.Errorf("write the backup: %w", err)
	}
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("write the backup: %s: %w", path, fs.ErrExist)
	}
	temp := filepath.Join(dir, "."+filepath.Base(path)+"."+strings.ToLower(rand.Text())+".tmp")
	defer func() {
		if e := os.Remove(temp); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
		if err != nil {
			err = fmt.Errorf("write the backup: %w", err)
		}
	}()
	if err := writeFile(temp, data); err != nil {
		return err
	}
	if err := place(temp, path); err != nil {
		return err
	}
	if f, err := os.Open(dir); err == nil { // not every file system can make a name durable
		_ = f.Sync()
		_ = f.Close()
	}
	return nil
}

func writeFile(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// place gives a file its name, unless another has it: a link fails then, where a rename would not. Where there are no links
// the name is taken first.
func place(temp, path string) error {
	err := os.Link(temp, path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	taken, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	return errors.Join(taken.Close(), os.Rename(temp, path))
}
