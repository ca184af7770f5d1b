package gitrepo

import (
	"io/fs"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gitindex"
)

func basicStat(info fs.FileInfo) gitindex.Stat {
	modified := info.ModTime()
	return gitindex.Stat{
		MtimeSec: uint32(modified.Unix()), MtimeNsec: uint32(modified.Nanosecond()),
		Size: uint32(info.Size()),
	}
}
