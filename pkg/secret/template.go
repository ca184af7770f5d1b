package secret

import (
	"regexp"
	"strings"
)

var (
	expressionForm = regexp.MustCompile(`\{\{.*?\}\}|\$\{[^}]*\}|\$\([^)]*\)`)
	defaultForm    = regexp.MustCompile("\\bdefault\\s+(?:\"([^\"]+)\"|'([^']+)'|`([^`]+)`)")
	lookupForm     = regexp.MustCompile(`\b(index|get|lookup|include|dig)\b`)
)

// judgeTemplate judges what is literal in a value that holds template expressions: a default, which is what runs wherever
// nothing else is set, and text around the expressions that is no name.
func judgeTemplate(value string) verdict {
	if !strings.Contains(value, "{{") && !strings.Contains(value, "${") && !strings.Contains(value, "$(") {
		return clean
	}
	if found := defaultForm.FindStringSubmatch(value); found != nil && !lookupForm.MatchString(value) {
		if v := classify(found[1]+found[2]+found[3], true).verdict(); v != clean {
			return v
		}
	}
	rest := expressionForm.ReplaceAllString(value, " ")
	if strings.Contains(rest, "://") || strings.ContainsAny(rest, "{}()") {
		return clean // a URL, which has its own rule, or expressions in expressions
	}
	for word := range strings.FieldsSeq(rest) {
		if isRandom(word, 8) {
			return literal
		}
	}
	return clean
}

// isRandom reports whether s has a length and letters and digits, and is not made of words.
func isRandom(s string, length int) bool {
	if len(s) < length || !strings.ContainsAny(s, "0123456789") || strings.Trim(s, "0123456789") == "" {
		return false
	}
	return !wordy(s)
}
