package secret

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// minText is the length of the shortest text that any text rule can match: a URL with a password of one byte.
const minText = len("a://:b@c")

// ScanText returns the hits of free text, such as the comments of a YAML file: PEM keys, URLs with a password, lines such
// as "password: hunter2", sentences such as "the password is hunter2", and Secret objects in YAML, commented out or not.
// A "#" that opens a line is passed over. The hits have a Line and no Path. The time is linear in the text.
func (d *Detector) ScanText(text string) []Hit {
	var hits []Hit
	leaks := newLeakFinder(d.leaks)
	for _, folded := range foldings(text) {
		hits = append(hits, d.scanFolded(leaks, uncomment(folded))...)
	}
	return tidy(hits)
}

func (d *Detector) scanFolded(leaks *leakFinder, stripped string) []Hit {
	var hits []Hit
	lines := lineCounter{text: stripped}
	taken := map[int]bool{}
	report := func(rule string, offset int, v verdict) {
		line := lines.of(offset)
		taken[line] = true
		hits = append(hits, Hit{Line: line, Rule: rule, Severity: v.severity()})
	}
	for _, find := range d.rules {
		find(stripped, report)
	}
	findObjects(stripped, report)
	findProse(stripped, report)
	for _, leak := range leaks.open(label{}, stripped, taken) {
		hits = append(hits, Hit{Line: lines.of(leak.at), Rule: leak.rule, Severity: literal.severity()})
	}
	return hits
}

// text judges one string of the tree, by what it is and not by its name, and returns the worst verdict of the structural
// rules. Only where none of them has found something, gitleaks' rules do; not at all when the string is judged as a whole.
func (w *walker) text(s string, judged bool) verdict {
	if len(s) < minText {
		return clean
	}
	if v, ok := w.documents(s); ok {
		return v
	}
	worst := clean
	for _, folded := range foldings(s) {
		worst = max(worst, w.search(folded, func(seen reporter) {
			if strings.Contains(s, "\n") {
				findObjects(folded, seen)
				if strings.Contains(s, "#") && mentions(folded) {
					findProse(commentLines(folded), seen)
				}
			}
		}, judged))
	}
	if w.level < maxLevel {
		if decoded, ok := decodeBase64(s); ok {
			w.level++
			worst = max(worst, w.text(decoded, judged))
			w.level--
		}
	}
	return worst
}

// search tries the text rules, those in more and gitleaks' on a text that is folded already, and reports what they find
// at the place where the walk stands. It returns the worst verdict of the structural rules.
func (w *walker) search(folded string, more func(reporter), judged bool) (worst verdict) {
	lines := lineCounter{text: folded}
	taken := map[int]bool{}
	seen := func(rule string, offset int, v verdict) {
		worst = max(worst, v)
		taken[lines.of(offset)] = true
		w.report(rule, v)
	}
	for _, find := range w.rules {
		find(folded, seen)
	}
	more(seen)
	if !judged {
		w.leak(folded, taken)
	}
	return worst
}

// decodeBase64 returns the text that s is the base64 form of. Most long words are base64 by their letters alone, so what
// they decode to must be text, and what is in that text is for the rules to say.
func decodeBase64(s string) (string, bool) {
	if len(s) < len("a://:b@c")*4/3 {
		return "", false
	}
	compact := make([]byte, 0, len(s))
	for i := range len(s) {
		c := s[i]
		switch {
		case c == '\n' || c == '\r' || c == ' ' || c == '\t':
			continue // folded by whoever wrote it
		case c == '-':
			c = '+'
		case c == '_':
			c = '/'
		case c == '=' || c == '+' || c == '/' || isAlnum(c):
		default:
			return "", false
		}
		compact = append(compact, c)
	}
	compact = []byte(strings.TrimRight(string(compact), "="))
	decoded := make([]byte, base64.RawStdEncoding.DecodedLen(len(compact)))
	n, err := base64.RawStdEncoding.Decode(decoded, compact)
	if err != nil || !isText(decoded[:n]) {
		return "", false
	}
	return string(decoded[:n]), true
}

func isText(b []byte) bool {
	for _, c := range b {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' {
			return false
		}
	}
	return utf8.Valid(b)
}

// uncomment takes the comment signs off every line and keeps the number of lines, so that a hit's line is right and a
// key or an object that is commented out line by line is whole again. What was commented out twice has two signs.
func uncomment(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for line := range strings.Lines(text) {
		body := strings.TrimLeft(line, " \t")
		indent := line[:len(line)-len(body)]
		for strings.HasPrefix(body, "#") {
			// The space after the sign belongs to the sign; more than one is indentation.
			body = strings.TrimPrefix(strings.TrimLeft(body, "#"), " ")
			if next := strings.TrimLeft(body, " \t"); strings.HasPrefix(next, "#") {
				body = next
			}
		}
		b.WriteString(indent)
		b.WriteString(body)
	}
	return b.String()
}

func isAlnum(c byte) bool { return isLetter(c) || isDigit(c) }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isLetter(c byte) bool {
	c |= 0x20
	return 'a' <= c && c <= 'z'
}
