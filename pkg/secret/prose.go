package secret

import (
	"regexp"
	"strings"
)

// findProse finds what people note down in comments: "# admin password: x", "# old: password: x", "# the password is x",
// "# password -> x", "# password := x for now". It is for comments only, where most text is sentences about passwords
// that hold none: what stands behind the name has to look like a secret, see isNoted.
func findProse(text string, report reporter) {
	if !mentions(text) {
		return
	}
	for offset, line := range lines(text) {
		if !mentions(line) {
			continue
		}
		for at := 0; at < len(line); {
			end, next, verb := cutSeparator(line, at)
			if next < 0 {
				break
			}
			at = next
			name := proseName(line[max(0, end-maxName):end])
			if name == "" {
				continue
			}
			value, quoted := proseValue(line[next:min(len(line), next+maxAuthority)])
			if isNoted(value) || quoted && !verb && !strings.ContainsAny(value, " \t") {
				report.found(RuleAssignment, offset+end, judgeText(name, value))
			}
		}
	}
}

// cutSeparator finds the next separator from at on: where the name before it ends, where it ends itself, or -1 for none,
// and whether it is a verb.
func cutSeparator(line string, at int) (end, next int, verb bool) {
	for i := at; i < len(line); i++ {
		rest := line[i:]
		switch line[i] {
		case ':', '=':
			if len(rest) > 1 && (rest[1] == '=' || rest[1] == '>') {
				return i, i + 2, false
			}
			return i, i + 1, false
		case '-':
			if strings.HasPrefix(rest, "->") {
				return i, i + 2, false
			}
		case ' ', '\t':
			for _, word := range []string{"is", "was"} {
				tail, ok := strings.CutPrefix(rest[1:], word)
				if ok && tail != "" && strings.IndexByte(" \t:", tail[0]) >= 0 {
					return i, i + 1 + len(word) + 1, true
				}
			}
		}
	}
	return 0, -1, false
}

// proseName returns the name that left ends with: its last word, or as many of its last three as say secret together,
// as "api key" does. It returns "" where they say nothing.
func proseName(left string) string {
	left = strings.TrimRight(left, " \t\"'`*_)")
	start, found := len(left), ""
	for range 3 {
		end := start
		start = nameStart(left, end)
		if start == end || left[start] == '-' { // a flag: findArguments has it
			return found
		}
		if t := tierOf(left[start:]); t != plain {
			if start > 0 && strings.IndexByte(" \t:,;(\"'`*", left[start-1]) < 0 {
				return found // a label matcher, an expansion, a path
			}
			found = left[start:]
			if t != accessID { // "access key" is half of "secret access key"
				return found
			}
		}
		trimmed := strings.TrimRight(left[:start], " \t")
		if len(trimmed) == start {
			return found
		}
		left = trimmed + " " + left[start:]
		start = len(trimmed)
	}
	return found
}

// proseValue returns the word that right opens with, without the quotes that it may have and without what ends a sentence.
func proseValue(right string) (value string, quoted bool) {
	right = strings.TrimLeft(right, " \t")
	if right == "" {
		return "", false
	}
	if quote := right[0]; quote == '"' || quote == '\'' {
		value, _, ok := strings.Cut(right[1:], string(quote))
		return value, ok
	}
	value = right
	if end := strings.IndexAny(right, " \t"); end >= 0 {
		value = right[:end]
	}
	return strings.Trim(strings.TrimRight(value, ".,;:)]}"), "`*"), false
}

// technical are the words with digits that people use when they write about secrets: base64, SHA-256, oauth2, v1.2.
var technical = regexp.MustCompile(`(?i)^(base|sha|md|pbkdf|argon|scrypt|utf|oauth|pkcs|hs|rs|es|ps|aes|ed|x|s|k|v|tls|ipv|p|rfc|rsa|http|h|id|ec|hmac)?[0-9]*(s|id|encoded|bit|bits|byte|bytes|chars?|th|nd|st)?$`)

// isNoted reports whether a word looks like a secret that someone noted down and not like a word of a sentence: it has a
// digit or a symbol in it, or its case changes as it does in no word. A plain word such as "hunter" is not told from
// "required". Terms such as SHA-256, versions, code and what ends in punctuation are words.
func isNoted(s string) bool {
	const shortest = 4
	if len(s) < shortest || strings.IndexByte("{[(<&*|>/.", s[0]) >= 0 || isCode(s) || strings.Contains(s, "://") {
		return false
	}
	bare := strings.TrimRight(s, "!?")
	symbols := "!@#$%^&*+~?"
	if strings.Contains(bare, "/") {
		symbols = strings.ReplaceAll(symbols, "#", "") // secret:namespace/name#key is a place
	}
	if strings.Trim(s, "0123456789") == "" || strings.ContainsAny(bare, symbols) {
		return true
	}
	if !strings.ContainsAny(bare, "0123456789") {
		return len(bare) >= 8 && strings.Trim(bare, letters) == "" && !wordy(bare)
	}
	for part := range strings.FieldsFuncSeq(bare, func(r rune) bool { return strings.ContainsRune("-_./:,", r) }) {
		if strings.ContainsAny(part, "0123456789") && !technical.MatchString(part) {
			return true
		}
	}
	return false
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
