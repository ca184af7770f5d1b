package secret

import (
	"regexp"
	"strings"
)

var (
	expressionForm = regexp.MustCompile(`\{\{.*?\}\}|\$\{[^}]*\}|\$\([^)]*\)`)
	defaultForm    = regexp.MustCompile("\\bdefault\\s+(?:\"([^\"]+)\"|'([^']+)'|`([^`]+)`)")
	literalForm    = regexp.MustCompile("^\\s*\\{\\{-?\\s*(?:\"([^\"]+)\"|'([^']+)'|`([^`]+)`)(?:\\s*\\|\\s*(?:quote|squote|b64enc|trim|toString|upper|lower|toJson|toYaml))*\\s*-?\\}\\}\\s*$")
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
	const shortest = 6
	for word := range strings.FieldsSeq(rest) {
		if isRandom(word, shortest) || len(word) >= shortest && strings.ContainsAny(word, "!#^~$%&*+") && !strings.Contains(word, "=") {
			return literal
		}
	}
	return clean
}

// templateLiteral returns what {{ "x" }} and {{ "x" | quote }} are: x, which no one sets from elsewhere. A function that
// could look something up by that name, such as env, makes it a reference.
func templateLiteral(value string) (string, bool) {
	if !strings.Contains(value, "{{") {
		return "", false
	}
	found := literalForm.FindStringSubmatch(value)
	if found == nil {
		return "", false
	}
	return found[1] + found[2] + found[3], true
}

// isRandom reports whether s has a length and letters and digits, and is not made of words.
func isRandom(s string, length int) bool {
	if len(s) < length || !strings.ContainsAny(s, "0123456789") || strings.Trim(s, "0123456789") == "" {
		return false
	}
	return !wordy(s)
}
