// Package gitmatch owns git's path patterns: its wildcards, the rules of .gitignore and the attributes of .gitattributes.
// It is pure: it is handed the text of those files and knows nothing of where they stand, of repositories or of go-git.
//
// It exists because go-git's own matchers are not git's: they know no [!a], no character classes, no backtracking over
// "**" and no macros, and they read the whole work tree. The tests compare it with the git binary.
package gitmatch

import "strings"

// Mode changes how Match reads a pattern.
type Mode uint8

const (
	// Pathname makes "/" special: only "**" as a whole path component crosses it (git's WM_PATHNAME).
	Pathname Mode = 1 << iota
	// Fold ignores ASCII case, as git does under core.ignoreCase.
	Fold
)

// Match reports whether the whole text matches pattern, by the rules of git's wildmatch.c. A malformed pattern matches
// nothing. Time is bounded by the product of both lengths: git's own matcher can take exponential time.
func Match(pattern, text string, mode Mode) bool {
	m := matcher{pattern: pattern, text: text, mode: mode}
	return m.match(0, 0)
}

type matcher struct {
	pattern, text string
	mode          Mode
	failed        map[[2]int]bool // places where a star was tried in vain
}

// match reports whether pattern[p:] matches text[t:]. It calls itself at stars only, and each such place once.
func (m *matcher) match(p, t int) bool {
	for p < len(m.pattern) {
		c := m.fold(m.pattern[p])
		if c == '*' {
			return m.star(p, t)
		}
		if t == len(m.text) {
			return false
		}
		have := m.fold(m.text[t])
		switch c {
		case '?':
			if have == '/' && m.mode&Pathname != 0 {
				return false
			}
		case '[':
			next, ok := m.class(p, have)
			if !ok || (have == '/' && m.mode&Pathname != 0) {
				return false
			}
			p = next
		case '\\':
			// What is escaped is compared as it stands, even when case is ignored: git does so.
			if p++; p == len(m.pattern) || m.pattern[p] != have {
				return false
			}
		default:
			if c != have {
				return false
			}
		}
		p, t = p+1, t+1
	}
	return t == len(m.text)
}

// star matches from a run of stars at pattern[p].
func (m *matcher) star(p, t int) bool {
	start := p
	for p < len(m.pattern) && m.pattern[p] == '*' {
		p++
	}
	rest := m.pattern[p:]
	slashes := m.mode&Pathname == 0
	if !slashes && p-start > 1 {
		whole := (start == 0 || m.pattern[start-1] == '/') && (rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `\/`))
		if whole && rest != "" && rest[0] == '/' && m.match(p+1, t) {
			return true // "**/" stands for no folder at all
		}
		slashes = whole
	}
	if rest == "" {
		return slashes || strings.IndexByte(m.text[t:], '/') < 0
	}
	for ; t < len(m.text); t++ {
		if m.failed[[2]int{p, t}] {
			return false // this star, or one that stands for it, has been here and went on to the end
		}
		if m.match(p, t) {
			return true
		}
		if m.failed == nil {
			m.failed = map[[2]int]bool{}
		}
		m.failed[[2]int{p, t}] = true
		if !slashes && m.text[t] == '/' {
			return false
		}
	}
	return false
}

// class matches have against the bracket expression at pattern[p], and returns where its "]" stands. Its oddities are
// git's: "]" may come first, a range may start with "]", and an unknown class name fails the whole pattern.
func (m *matcher) class(p int, have byte) (end int, ok bool) {
	at := func(i int) byte { // 0 past the end, like the NUL that git stops at
		if i < len(m.pattern) {
			return m.pattern[i]
		}
		return 0
	}
	p++
	negated := at(p) == '!' || at(p) == '^'
	if negated {
		p++
	}
	var matched bool
	var prev byte
	for c := at(p); ; {
		switch {
		case c == 0:
			return 0, false
		case c == '\\':
			p++
			if c = at(p); c == 0 {
				return 0, false
			}
			matched = matched || c == have
		case c == '-' && prev != 0 && at(p+1) != 0 && at(p+1) != ']':
			p++
			if c = at(p); c == '\\' {
				p++
				if c = at(p); c == 0 {
					return 0, false
				}
			}
			matched = matched || (prev <= have && have <= c)
			if upper := have - 'a' + 'A'; m.mode&Fold != 0 && 'a' <= have && have <= 'z' {
				matched = matched || (prev <= upper && upper <= c)
			}
			c = 0 // a range cannot start where another one ended
		case c == '[' && at(p+1) == ':':
			close := strings.IndexByte(m.pattern[p+2:], ']')
			if close < 0 {
				return 0, false
			}
			if name := m.pattern[p+2 : p+2+close]; strings.HasSuffix(name, ":") {
				in, known := inClass(strings.TrimSuffix(name, ":"), have, m.mode&Fold != 0)
				if !known {
					return 0, false
				}
				matched = matched || in
				p += 2 + close
				c = 0
			} else {
				matched = matched || have == '['
			}
		default:
			matched = matched || c == have
		}
		prev = c
		p++
		if c = at(p); c == ']' {
			return p, matched != negated
		}
	}
}

// inClass reports whether c is in the POSIX class of that name, in ASCII as git reads it.
func inClass(name string, c byte, fold bool) (in, known bool) {
	lower, upper, digit := 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9'
	graph := '!' <= c && c <= '~'
	switch name {
	case "alnum":
		return lower || upper || digit, true
	case "alpha":
		return lower || upper, true
	case "blank":
		return c == ' ' || c == '\t', true
	case "cntrl":
		return c < ' ' || c == 0x7f, true
	case "digit":
		return digit, true
	case "graph":
		return graph, true
	case "lower":
		return lower, true
	case "print":
		return graph || c == ' ', true
	case "punct":
		return graph && !lower && !upper && !digit, true
	case "space":
		return c == ' ' || ('\t' <= c && c <= '\r'), true
	case "upper":
		return upper || (fold && lower), true
	case "xdigit":
		return digit || ('a' <= c && c <= 'f') || ('A' <= c && c <= 'F'), true
	}
	return false, false
}

func (m *matcher) fold(c byte) byte {
	if m.mode&Fold != 0 && 'A' <= c && c <= 'Z' {
		return c - 'A' + 'a'
	}
	return c
}
