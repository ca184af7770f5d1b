//go:build !unix

package gitrepo

// childRun is no variable's name: without signals there is no other process to kill.
const childRun = ""

func child() int { return 2 }
