//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd

package gitrepo

import "os/exec"

// ownGroup does nothing: there are no process groups as on Unix, and git ends when it is ended.
func ownGroup(*exec.Cmd) {}

func endGroup(*exec.Cmd) {}
