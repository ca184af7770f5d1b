package gitmatch

import (
	"fmt"
	"strings"
)

// File is the text of one rule file. Name is how messages call it.
type File struct {
	Name string
	Data []byte
}

// Source says which rule of which file decided.
type Source struct {
	File string
	Line int
	Text string
}

// String returns "file:line".
func (s Source) String() string { return fmt.Sprintf("%s:%d", s.File, s.Line) }

// Ignores answers which untracked paths git leaves out. It asks for each folder's .gitignore once.
type Ignores struct {
	mode    Mode
	general []ignoreList // lowest precedence first
	load    func(dir string) (File, error)
	dirs    map[string]*ignoreDir
}

type ignoreDir struct {
	excluded *Source // the folder itself is left out, and so is all below: nothing there can be taken back in
	lists    []ignoreList
}

type ignoreList struct {
	dir   string
	rules []ignoreRule
}

type ignoreRule struct {
	pattern
	source Source
}

// NewIgnores returns the rules of general (core.excludesFile, then .git/info/exclude; the later wins) and of the
// .gitignore files that load returns: for "" and for each folder by its path, an empty File where there is none.
func NewIgnores(load func(dir string) (File, error), mode Mode, general ...File) *Ignores {
	g := &Ignores{mode: mode, load: load, dirs: map[string]*ignoreDir{}}
	for _, f := range general {
		g.general = append(g.general, parseIgnores("", f))
	}
	return g
}

// Ignored returns the rule that leaves out the file at path, relative to the work tree; ok is false when none does.
// Whether the path is tracked, which makes rules moot, is the caller's to know.
func (g *Ignores) Ignored(path string) (rule Source, ok bool, err error) {
	dir, err := g.folder(parentOf(path))
	if err != nil {
		return Source{}, false, err
	}
	if dir.excluded != nil {
		return *dir.excluded, true, nil
	}
	if r := g.last(dir, path, false); r != nil && !r.negated {
		return r.source, true, nil
	}
	return Source{}, false, nil
}

// folder returns what applies in a folder. It calls itself once for each component of the path.
func (g *Ignores) folder(dir string) (*ignoreDir, error) {
	if known, ok := g.dirs[dir]; ok {
		return known, nil
	}
	state := &ignoreDir{}
	if dir != "" {
		parent, err := g.folder(parentOf(dir))
		if err != nil {
			return nil, err
		}
		*state = *parent
		if r := g.last(parent, dir, true); state.excluded == nil && r != nil && !r.negated {
			state.excluded = &r.source
		}
	}
	if state.excluded == nil { // git does not look into a folder that is left out
		file, err := g.load(dir)
		if err != nil {
			return nil, err
		}
		if list := parseIgnores(dir, file); len(list.rules) > 0 {
			state.lists = append(state.lists[:len(state.lists):len(state.lists)], list)
		}
	}
	g.dirs[dir] = state
	return state, nil
}

// last returns the last rule that matches, the nearest file first.
func (g *Ignores) last(dir *ignoreDir, path string, isDir bool) *ignoreRule {
	for _, lists := range [][]ignoreList{dir.lists, g.general} {
		for i := len(lists) - 1; i >= 0; i-- {
			for j := len(lists[i].rules) - 1; j >= 0; j-- {
				if r := &lists[i].rules[j]; r.match(lists[i].dir, path, isDir, g.mode) {
					return r
				}
			}
		}
	}
	return nil
}

func parseIgnores(dir string, f File) ignoreList {
	list := ignoreList{dir: dir}
	for i, line := range lines(f.Data) {
		if line == "" || line[0] == '#' {
			continue
		}
		line = trimSpaces(line)
		if line == "" {
			continue
		}
		list.rules = append(list.rules, ignoreRule{parsePattern(line), Source{File: f.Name, Line: i + 1, Text: line}})
	}
	return list
}

// trimSpaces drops trailing spaces, but not one that a backslash keeps (dir.c's trim_trailing_spaces).
func trimSpaces(line string) string {
	end := -1
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			if end < 0 {
				end = i
			}
		case '\\':
			i++
			if i == len(line) {
				return line
			}
			end = -1
		default:
			end = -1
		}
	}
	if end >= 0 {
		return strings.Clone(line[:end])
	}
	return line
}
