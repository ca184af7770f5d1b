package secret

import (
	"regexp"
	"strings"
)

// maxAuthority bounds the search for the end of a URL's password.
const maxAuthority = 512

// driverForm is what Go's driver for MySQL takes in place of a URL: user:password@tcp(host:3306)/database.
var driverForm = regexp.MustCompile(`[A-Za-z0-9_.-]+:([^\s:/"'` + "`" + `]+)@(?:tcp|unix)\([^\s()]*\)/`)

// findURLPasswords finds user:password in URLs, anywhere in a text: redis://:hunter2@host. A password that is a variable,
// a template or a mask is none; percent-encoding is undone first.
func findURLPasswords(text string, report reporter) {
	if strings.Contains(text, ")/") {
		for _, at := range driverForm.FindAllStringSubmatchIndex(text, -1) {
			report.found(RuleURLPassword, at[0], judgeURLPassword(text[at[2]:at[3]]))
		}
	}
	for at := 0; ; {
		i := strings.Index(text[at:], "://")
		if i < 0 {
			return
		}
		start := at + i
		at = start + len("://")
		if start == 0 || !isAlnum(text[start-1]) {
			continue
		}
		if secret, ok := urlPassword(text[at:min(len(text), at+maxAuthority)]); ok {
			report.found(RuleURLPassword, start, judgeURLPassword(secret))
		}
	}
}

// urlPassword cuts the password out of what follows "://". Expressions in braces are passed over whole, as they may hold
// any of the characters that end something.
func urlPassword(rest string) (string, bool) {
	colon, last, bare := -1, -1, false
	i := 0
scan:
	for i < len(rest) {
		if n := expressionLen(rest[i:]); n > 0 {
			i += n
			continue
		}
		switch c := rest[i]; {
		case c == ':' && colon < 0:
			colon = i
		case c == '@':
			last = i
		case c == '/' || c == '?' || c == '#':
			// Not allowed bare in a password, but people write it; a port before it says that the host is over.
			if last >= 0 || colon < 0 || !bare && isPort(rest[colon+1:i]) || strings.HasPrefix(rest[i:], "//") {
				break scan
			}
			bare = true
		case c <= ' ' || c == '"' || c == '\'' || c == '`' || c == '\\' || c == '(' || c == '|':
			break scan
		}
		i++
	}
	if colon < 0 || last < colon || colon+1 == last || strings.ContainsAny(rest[:colon], "[^/?#") {
		return "", false // no password, or a regular expression about URLs
	}
	return rest[colon+1 : last], true
}

// expressionLen returns the length of the {{ }}, ${ }, $( ) or < > that s opens with, 0 when it does not.
func expressionLen(s string) int {
	for _, pair := range [...][2]string{{"{{", "}}"}, {"${", "}"}, {"$(", ")"}, {"<", ">"}} {
		if !strings.HasPrefix(s, pair[0]) {
			continue
		}
		if end := strings.Index(s[:min(len(s), 256)], pair[1]); end > 0 {
			return end + len(pair[1])
		}
	}
	return 0
}

func isPort(s string) bool {
	const longest = 64 // a port is short, unless an expression stands for it
	return len(s) > longest || strings.Trim(s, "0123456789") == "" || strings.EqualFold(s, "port") || isReference(s) || strings.HasPrefix(s, "$") ||
		strings.HasPrefix(s, "<")
}

func judgeURLPassword(s string) verdict {
	s = unescape(s)
	switch {
	case strings.Contains(s, "[^"), strings.Contains(s, ".*"), strings.Contains(s, ".+"):
		return clean // a regular expression about URLs
	case isReference(s), strings.Trim(s, "*") == "", strings.Trim(s, "•") == "":
		return clean
	case isPlaceholder(s):
		return placeholder
	default:
		return literal
	}
}
