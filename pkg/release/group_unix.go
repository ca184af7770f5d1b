//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package release

import (
	"os/exec"
	"syscall"
)

// ownGroup puts helmfile, and what it starts, into a session of its own: it can ask nothing on a terminal, and all of it can
// be told to end.
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
