package gitmatch

import (
	"strconv"
	"strings"
)

func parseAttributes(dir string, f File, macros bool) attributeList {
	list := attributeList{dir: dir, macros: map[string]attributeRule{}}
	for i, line := range lines(f.Data) {
		name, rest, ok := splitAttributes(line)
		if !ok {
			continue
		}
		set, ok := parseSettings(rest)
		if !ok {
			continue
		}
		rule := attributeRule{set: set, source: Source{File: f.Name, Line: i + 1, Text: strings.Trim(line, blanks)}}
		if macro, isMacro := strings.CutPrefix(name, macroPrefix); isMacro && macro != "" {
			if macros && validName(macro) {
				list.macros[macro] = rule // the last definition in a file stands
			}
			continue
		}
		if rule.pattern = parsePattern(name); rule.pattern.negated {
			continue // git ignores these, with a warning
		}
		list.rules = append(list.rules, rule)
	}
	return list
}

// splitAttributes cuts a line into its pattern and the rest. ok is false where git sees no rule.
func splitAttributes(line string) (name, rest string, ok bool) {
	if len(line) >= maxAttrLine {
		return "", "", false
	}
	line = strings.TrimLeft(line, blanks)
	if line == "" || line[0] == '#' {
		return "", "", false
	}
	if name, rest, ok := unquote(line); ok {
		return name, rest, true
	}
	end := strings.IndexAny(line, blanks)
	if end < 0 {
		return line, "", true
	}
	return line[:end], line[end:], true
}

// parseSettings reads what follows the pattern. One invalid name makes git skip the line.
func parseSettings(text string) ([]setting, bool) {
	var all []setting
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(blanks, r) }) {
		name, value, hasValue := strings.Cut(word, "=")
		s := setting{name: name, state: Set}
		switch {
		case strings.HasPrefix(name, "-"):
			s.name, s.state = name[1:], Unset
		case strings.HasPrefix(name, "!"):
			s.name, s.state = name[1:], Unspecified
		case hasValue:
			s.state, s.value = Value, value
		}
		if !validName(s.name) {
			return nil, false
		}
		all = append(all, s)
	}
	return all, true
}

// validName follows attr_name_valid. Newer versions of git also skip lines with a name that starts with "builtin_"; to read
// such a line can only refuse more.
func validName(name string) bool {
	if name == "" || name[0] == '-' {
		return false
	}
	for i := range len(name) {
		c := name[i]
		switch {
		case c == '-', c == '.', c == '_', '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		default:
			return false
		}
	}
	return true
}

// unquote reads a pattern in double quotes with C escapes (quote.c's unquote_c_style). ok is false when the text does not
// start with a well-formed one: git then takes it as it stands.
func unquote(text string) (name, rest string, ok bool) {
	if text[0] != '"' {
		return "", "", false
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			return b.String(), text[i+1:], true
		case '\\':
			i++
			if i == len(text) {
				return "", "", false
			}
			if at := strings.IndexByte(`abfnrtv\"`, text[i]); at >= 0 {
				b.WriteByte("\a\b\f\n\r\t\v\\\""[at])
				continue
			}
			if i+3 > len(text) || text[i] > '3' {
				return "", "", false
			}
			n, err := strconv.ParseUint(text[i:i+3], 8, 8)
			if err != nil {
				return "", "", false
			}
			b.WriteByte(byte(n))
			i += 2
		default:
			b.WriteByte(c)
		}
	}
	return "", "", false
}
