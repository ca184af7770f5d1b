package gitrepo

import (
	"io/fs"
	"syscall"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gitindex"
)

// statOf returns what git records of a file. The index has 32 bits for each number and takes the low ones.
func statOf(info fs.FileInfo) gitindex.Stat {
	stat := basicStat(info)
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		stat.CtimeSec, stat.CtimeNsec = uint32(sys.Ctim.Sec), uint32(sys.Ctim.Nsec)
		stat.Dev, stat.Ino = uint32(sys.Dev), uint32(sys.Ino)
		stat.UID, stat.GID = sys.Uid, sys.Gid
	}
	return stat
}
