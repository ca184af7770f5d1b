package gitmatch

import (
	"bytes"
	"strings"
)

// pattern is one path pattern of a .gitignore or .gitattributes file (dir.c's parse_path_pattern).
type pattern struct {
	text    string
	literal int  // how many leading bytes hold no wildcard
	negated bool // starts with "!"
	dirOnly bool // ends with "/"
	anyDir  bool // holds no "/": compared with the last path component only
}

func parsePattern(text string) pattern {
	p := pattern{}
	if text, p.negated = strings.CutPrefix(text, "!"); strings.HasSuffix(text, "/") {
		text, p.dirOnly = text[:len(text)-1], true
	}
	p.text = text
	p.anyDir = !strings.Contains(text, "/")
	p.literal = strings.IndexAny(text, `*?[\`)
	if p.literal < 0 {
		p.literal = len(text)
	}
	return p
}

// match reports whether the pattern, from a file in folder dir, takes path. Both are relative to the work tree; dir "" is
// its root. Like git, it compares the leading literal part first and hands only the rest to the wildcard matcher, which
// is visible in patterns like "a**/b".
func (p pattern) match(dir, path string, isDir bool, mode Mode) bool {
	if p.dirOnly && !isDir {
		return false
	}
	if p.anyDir {
		name := path[strings.LastIndexByte(path, '/')+1:]
		if p.literal == len(p.text) {
			return equal(p.text, name, mode)
		}
		return Match(p.text, name, mode)
	}
	if dir != "" {
		if len(path) <= len(dir) || path[len(dir)] != '/' || !equal(dir, path[:len(dir)], mode) {
			return false
		}
		path = path[len(dir)+1:]
	}
	text, literal := p.text, p.literal
	if strings.HasPrefix(text, "/") {
		text, literal = text[1:], literal-1
	}
	if literal > 0 {
		if literal > len(path) || !equal(text[:literal], path[:literal], mode) {
			return false
		}
		text, path = text[literal:], path[literal:]
	}
	if text == "" {
		return path == ""
	}
	return Match(text, path, mode|Pathname)
}

func equal(a, b string, mode Mode) bool {
	if mode&Fold == 0 || len(a) != len(b) {
		return a == b
	}
	m := matcher{mode: mode}
	for i := range len(a) {
		if m.fold(a[i]) != m.fold(b[i]) {
			return false
		}
	}
	return true
}

// lines splits a rule file as git does: a byte order mark goes, and a carriage return before a newline.
func lines(data []byte) []string {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	all := strings.Split(string(data), "\n")
	for i, line := range all {
		all[i] = strings.TrimSuffix(line, "\r")
	}
	return all
}

// parentOf returns the folder of a path, "" for the root.
func parentOf(path string) string { return path[:max(0, strings.LastIndexByte(path, '/'))] }
