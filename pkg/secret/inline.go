package secret

import "strings"

// findClauses finds name: value inside a line, behind a bracket, a comma or a semicolon: {user: x, password: y}. What
// opens the line judgeLine has.
func findClauses(line string, offset int, report reporter) {
	for at := 0; ; {
		i := strings.IndexByte(line[at:], ':')
		if i < 0 {
			return
		}
		colon := at + i
		at = colon + 1
		if at == len(line) || strings.IndexByte(" \"'", line[at]) < 0 {
			continue
		}
		start := nameStart(line, colon)
		name := line[start:colon]
		before := strings.TrimRight(line[max(0, start-maxName):start], " ")
		if name == "" || before == "" || strings.IndexByte("{,;(", before[len(before)-1]) < 0 || !mentions(name) {
			continue
		}
		value := strings.TrimLeft(line[at:min(len(line), at+maxAuthority)], " ")
		if value != "" && (value[0] == '"' || value[0] == '\'') {
			value = cutValue(value)
		} else {
			if end := strings.IndexAny(value, ",;)}"); end >= 0 && !strings.Contains(value[:end], "{") {
				value = value[:end]
			}
			value = strings.TrimSpace(value)
			if value == "" || strings.ContainsAny(value, " \t") || strings.IndexByte("{[|>&*", value[0]) >= 0 || isCode(value) {
				continue // a structure, a sentence, a program
			}
		}
		if value != name {
			report.found(RuleAssignment, offset+start, judgeText(name, value))
		}
	}
}

// findElements finds <name>value</name> inside a line, as configuration files in XML hold it.
func findElements(line string, offset int, report reporter) {
	for at := 0; ; {
		i := strings.Index(line[at:], "</")
		if i < 0 {
			return
		}
		end := at + i
		at = end + len("</")
		name, _, ok := strings.Cut(line[at:min(len(line), at+maxName)], ">")
		if !ok || !isIdentifier(name) || !mentions(name) {
			continue
		}
		left := line[max(0, end-maxAuthority):end]
		tag := strings.LastIndexByte(left, '>')
		if tag < 0 || !strings.HasPrefix(left[strings.LastIndexByte(left[:tag], '<')+1:], name) {
			continue
		}
		report.found(RuleAssignment, offset+end, judgeText(name, left[tag+1:]))
	}
}
