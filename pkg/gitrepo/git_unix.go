//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package gitrepo

import (
	"os/exec"
	"syscall"
)

// ownGroup puts git, and what it starts, into a session of its own: without a terminal nothing can ask there, and all of it
// can be told to end. Git removes its locks when it is told so.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

// endGroup ends what is left of it.
func endGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // all of it may have ended
	}
}
