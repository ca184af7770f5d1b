package check

import (
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// selection is what of the repo is checked. The zero selection is everything.
type selection struct {
	some  bool
	paths []string // sorted
}

// newSelection selects files and folders by their paths. A changed .apl.yaml can change the verdict on anything.
func newSelection(paths []string) selection {
	if paths == nil || slices.ContainsFunc(paths, func(p string) bool { return p == "." || p == "" || p == layout.ConfigFile }) {
		return selection{}
	}
	paths = slices.Clone(paths)
	slices.Sort(paths)
	return selection{some: true, paths: paths}
}

// touches tells whether one of the files, there or not, is selected, or a folder that it is in.
func (s selection) touches(files ...string) bool {
	return !s.some || slices.ContainsFunc(files, s.has)
}

func (s selection) has(file string) bool {
	for {
		if _, ok := slices.BinarySearch(s.paths, file); ok {
			return true
		}
		i := strings.LastIndexByte(file, '/')
		if i < 0 {
			return false
		}
		file = file[:i]
	}
}
