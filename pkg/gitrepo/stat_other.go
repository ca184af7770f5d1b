//go:build !linux && !darwin

package gitrepo

import (
	"io/fs"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gitindex"
)

// statOf returns what git records of a file, as far as every system tells it. Git compares the content of a file for which
// the rest differs, and then records it: the status is right, only the first one takes longer.
func statOf(info fs.FileInfo) gitindex.Stat { return basicStat(info) }
