//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

const staleLockAdvice = "wait for it, or end it (%s says which)"

// tryLock takes the lock, or returns who holds it. The file stays when the lock is released: to remove it would let two
// processes lock two files of that name. The kernel releases the lock of a process that dies, once whatever it handed the
// file to (git, see call) has ended too.
func tryLock(path string) (held *heldLock, holder string, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666) // less the umask, as git does
	mine := err == nil
	if errors.Is(err, fs.ErrPermission) {
		// Another user's, in a repository that is shared: it can be locked all the same.
		if other, failed := os.Open(path); failed == nil {
			f, err = other, nil
		}
	}
	if err != nil {
		return nil, "", err
	}
	if err = flock(f, syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		text := make([]byte, 20)
		n, _ := f.ReadAt(text, 0) // only for the message
		return nil, strings.TrimSpace(string(text[:n])), f.Close()
	}
	if err != nil {
		return nil, "", errors.Join(err, f.Close())
	}
	if mine {
		if err = f.Truncate(0); err == nil {
			_, err = fmt.Fprintln(f, os.Getpid())
		}
		if err != nil {
			return nil, "", errors.Join(err, f.Close())
		}
	}
	return &heldLock{file: f, release: func() error {
		// A process that a hook left in the background may still have the file open: closing it would not be enough.
		return errors.Join(flock(f, syscall.LOCK_UN), f.Close())
	}}, "", nil
}

func flock(f *os.File, how int) error {
	for {
		if err := syscall.Flock(int(f.Fd()), how); !errors.Is(err, syscall.EINTR) { // a signal is the only reason to try again at once
			return err
		}
	}
}
