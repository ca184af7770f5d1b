package secret

import (
	"regexp"
	"strings"
)

// findAssignments finds a name that says secret and its literal value: lines of configuration files ("password: x",
// "db.password = x", "requirepass x"), NAME=x in a word, in a query or in a connection string, and "name": "x" of JSON.
func findAssignments(text string, report reporter) {
	if !mentions(text) && indexFold(text, "identified") < 0 {
		return
	}
	for offset, line := range lines(text) {
		if v := judgeLine(line); v != clean {
			report(RuleAssignment, offset, v)
			continue
		}
		findStatements(line, offset, report)
		findEquals(line, offset, report)
		findMembers(line, offset, report)
		findClauses(line, offset, report)
		findElements(line, offset, report)
	}
}

// judgeLine judges a line that is one assignment as a whole.
func judgeLine(line string) verdict {
	line = strings.TrimLeft(strings.TrimSpace(line), "; \t") // ;password = x, commented out in an .ini file
	for item := true; item; {
		line, item = strings.CutPrefix(line, "- ")
	}
	if strings.HasPrefix(line, "-") {
		return clean // a flag: findArguments has it
	}
	for _, prefix := range []string{"export ", "set ", "ENV ", "ARG "} {
		line = strings.TrimPrefix(line, prefix)
	}
	for _, directive := range []string{"requirepass ", "masterauth "} {
		if value, ok := strings.CutPrefix(line, directive); ok {
			return judgeText("password", value)
		}
	}
	end := strings.IndexAny(line, ":=")
	if end <= 0 || end > maxName {
		return clean
	}
	name := unquote(line[:end])
	if !isIdentifier(name) {
		return clean
	}
	value := strings.TrimSpace(line[end+1:])
	value = strings.TrimRight(value, ",;")
	if value == "" || strings.ContainsRune("=~:|>{[(&*", rune(value[0])) {
		return clean // a comparison, a block, a structure: no scalar stands here
	}
	if quote := value[0]; quote == '"' || quote == '\'' {
		closing := strings.IndexByte(value[1:], quote)
		if closing < 0 {
			return clean
		}
		return judgeText(name, value[1:1+closing])
	}
	value, _, _ = strings.Cut(value, " #")
	value = strings.TrimSpace(value)
	if strings.ContainsAny(value, " \t") || isCode(value) {
		return clean // a sentence, or a program
	}
	return judgeText(name, value)
}

// statementForm are statements that set a password without a sign between the two: those of SQL, and of a .netrc file.
var statementForm = regexp.MustCompile(`(?:\bPASSWORD|\bIDENTIFIED (?:WITH \S+ )?BY|` +
	`(?i:\b(?:create|alter)\s+(?:user|role)\b.*\b(?:password|by)))\s+'([^']+)'` +
	`|\b(?:machine\s+\S+|default)\s+login\s+\S+\s+password\s+(\S+)`)

func findStatements(line string, offset int, report reporter) {
	if !strings.Contains(line, "'") && !strings.Contains(line, "login") {
		return
	}
	for _, at := range statementForm.FindAllStringSubmatchIndex(line, -1) {
		value := line[max(at[2], at[4]):max(at[3], at[5])]
		report.found(RuleAssignment, offset+at[0], judgeText("password", value))
	}
}

// findEquals finds name=value inside a line, and name = "value".
func findEquals(line string, offset int, report reporter) {
	for at := 0; ; {
		i := strings.IndexByte(line[at:], '=')
		if i < 0 {
			return
		}
		end := at + i
		at = end + 1
		if spaced := strings.TrimLeft(line[at:], " "); spaced != "" && (spaced[0] == '"' || spaced[0] == '\'') {
			at = len(line) - len(spaced)
			end = len(strings.TrimRight(line[:end], " \"':]"))
		}
		start := nameStart(line, end)
		name := line[start:end]
		if name == "" || name[0] == '-' {
			continue // a flag: findArguments has it
		}
		if start > 0 && strings.ContainsRune("$({<>!`|+", rune(line[start-1])) {
			continue // a label matcher, a comparison, an expansion
		}
		if !mentions(name) {
			continue
		}
		value := cutValue(line[at:min(len(line), at+maxAuthority)])
		if value == "" || value[0] == '=' || value[0] == '~' || isCode(value) || value == name {
			continue
		}
		report.found(RuleAssignment, offset+start, judgeText(name, value))
	}
}

// cutValue cuts the value that s opens with.
func cutValue(s string) string {
	s = strings.TrimLeft(s, `\`)
	if s == "" {
		return ""
	}
	if quote := s[0]; quote == '"' || quote == '\'' {
		value, _, ok := strings.Cut(s[1:], string(quote))
		if !ok {
			return ""
		}
		return value
	}
	if end := strings.IndexAny(s, " \t&;,\"'`<>|"); end >= 0 {
		return s[:end]
	}
	return s
}

// findMembers finds "name": "value" inside a line, as scripts and templates hold it where no parser gets at it.
func findMembers(line string, offset int, report reporter) {
	for at := 0; ; {
		i := strings.IndexByte(line[at:], ':')
		if i < 0 {
			return
		}
		colon := at + i
		at = colon + 1
		left := strings.TrimRight(line[max(0, colon-maxName):colon], " ")
		right := strings.TrimLeft(line[at:min(len(line), at+maxAuthority)], " ")
		if !strings.HasSuffix(left, `"`) || !strings.HasPrefix(strings.TrimPrefix(right, `\`), `"`) {
			continue
		}
		left = strings.TrimRight(left, `"\`)
		name := left[strings.LastIndexByte(left, '"')+1:]
		if !isIdentifier(name) {
			continue
		}
		right = strings.TrimLeft(right, `\`)
		if value, _, ok := strings.Cut(right[1:], `"`); ok {
			report.found(RuleAssignment, offset+colon, judgeText(name, value))
		}
	}
}

// isCode reports whether an unquoted value is an expression of a program: a call, an index, a field of something.
func isCode(s string) bool {
	if strings.ContainsAny(s, "([") {
		return true
	}
	if !strings.Contains(s, ".") {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c != '.' && c != '_' && !isLetter(c) {
			return false
		}
	}
	return true
}

func isIdentifier(s string) bool {
	if s == "" || len(s) > maxName {
		return false
	}
	for i := range len(s) {
		if !isNameByte(s[i]) {
			return false
		}
	}
	return true
}

// nameStart returns where the name begins that ends before end, which is end when there is none. A name is cut at maxName.
func nameStart(line string, end int) int {
	start := end
	for start > 0 && end-start < maxName && isNameByte(line[start-1]) {
		start--
	}
	return start
}

func isNameByte(c byte) bool { return isAlnum(c) || c == '_' || c == '-' || c == '.' }
