//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd

package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

const staleLockAdvice = "wait for it, or, if there is no such process, remove %s"

// tryLock takes the lock, or returns who holds it. Where the kernel offers no lock that ends with its process, the file
// itself is the lock. One that a dead process left is never removed here: another process may be about to do the same, and
// would then remove a living one.
func tryLock(path string) (held *heldLock, holder string, err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		text, _ := os.ReadFile(path) // only for the message
		return nil, strings.TrimSpace(string(text)), nil
	}
	if err != nil {
		return nil, "", err
	}
	_, err = fmt.Fprintln(f, os.Getpid())
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, "", errors.Join(err, os.Remove(path))
	}
	return &heldLock{release: func() error { return os.Remove(path) }}, "", nil
}
