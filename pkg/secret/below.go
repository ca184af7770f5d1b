package secret

import "strings"

// maxBelow bounds what is judged of the text below a name.
const maxBelow = 4096

// findBelow finds secrets that stand on another line than their name, in text that no parser takes, such as comments and
// templates: a value below its key ("password: |"), and the name and value of a list entry.
func findBelow(text string, report reporter) {
	if !mentions(text) || !strings.Contains(text, "\n") {
		return
	}
	var b belowReader
	for offset, line := range lines(text) {
		b.line(offset, line, report)
	}
	b.close(report)
}

// belowReader reads a text line by line.
type belowReader struct {
	key    string // whose value is to come; "" for none
	column int    // of that key
	block  bool   // its value is a block scalar, so that whatever is indented deeper is part of it
	item   bool   // its value is an item of a list
	offset int    // where the value begins
	value  strings.Builder

	pair pairReader
}

func (b *belowReader) line(offset int, line string, report reporter) {
	body := strings.TrimLeft(line, " \t")
	if body == "" {
		return
	}
	column := len(line) - len(body)
	isItem := strings.HasPrefix(body, "- ")
	if b.key != "" {
		switch {
		case column <= b.column && (!isItem || column < b.column):
			b.close(report)
		case b.block:
			b.add(offset+column, body)
			return
		default:
			// One word without a colon is the value; anything else is a map, or a sentence.
			if word := strings.TrimSpace(strings.TrimLeft(body, "- ")); !strings.ContainsAny(word, ": \t") && !isCode(word) {
				b.item = isItem
				b.add(offset+column, unquote(word))
			}
			b.close(report)
		}
	}
	rest := strings.TrimLeft(body, "- \t")
	column = len(line) - len(rest)
	key, value, ok := strings.Cut(rest, ":")
	key, value = unquote(key), strings.TrimSpace(value)
	if !ok || !isIdentifier(key) {
		return
	}
	b.pair.entry(offset+column, column, isItem, key, value, report)
	if tierOf(key) == plain {
		return
	}
	switch {
	case value == "":
		b.key, b.column, b.block = key, column, false
	case (value[0] == '|' || value[0] == '>') && len(strings.Fields(value)[0]) <= len("|2-"):
		b.key, b.column, b.block = key, column, true
	}
}

func (b *belowReader) add(offset int, text string) {
	if b.value.Len() == 0 {
		b.offset = offset
	} else {
		b.value.WriteByte('\n')
	}
	b.value.WriteString(text[:min(len(text), max(0, maxBelow-b.value.Len()))])
}

// close judges the value that was read, if any.
func (b *belowReader) close(report reporter) {
	if b.value.Len() > 0 {
		report.found(RuleAssignment, b.offset, b.judge(b.value.String()))
	}
	b.key, b.item = "", false
	b.value.Reset()
}

func (b *belowReader) judge(value string) verdict {
	switch t := tierOf(b.key); {
	case strings.Contains(value, pemBegin):
		return clean // what it holds findPrivateKeys tells
	case t >= eitherOr && strings.ContainsAny(value, " \n"), t >= eitherOr && b.item:
		return clean // names of objects, and what else belongs to each
	}
	return judgeText(b.key, value)
}

// pairReader joins the lines "name: X" and "value: Y" of one list entry, in either order.
type pairReader struct {
	column      int
	name, value string
	offset      int // of the value
}

func (p *pairReader) entry(offset, column int, isItem bool, key, value string, report reporter) {
	switch {
	case isItem || column < p.column:
		*p = pairReader{column: column}
	case p.name == "" && p.value == "":
		p.column = column
	case column > p.column:
		return // below the entry
	}
	switch key {
	case "name", "key", "Name", "envName":
		p.name = unquote(value)
	case "value":
		p.value, p.offset = cutComment(value), offset
	default:
		return
	}
	if p.name != "" && p.value != "" {
		report.found(RuleAssignment, p.offset, judgeText(p.name, p.value))
		*p = pairReader{column: column}
	}
}

// cutComment cuts the comment off an unquoted value. A value of several words is none that a name explains.
func cutComment(value string) string {
	if value != "" && value[0] != '"' && value[0] != '\'' {
		value, _, _ = strings.Cut(value, " #")
		value = strings.TrimSpace(value)
		if strings.ContainsAny(value, " \t") || isCode(value) || strings.IndexByte("|>{[&*", value[0]) >= 0 {
			return ""
		}
	}
	return value
}
