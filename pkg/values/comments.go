package values

import (
	"strings"
	"unicode/utf8"

	yamlv3 "go.yaml.in/yaml/v3"
)

// Comments calls visit for each block of comment in the text, in order: its first line, from 1, and its text, which has
// a line for each line of the block. Comments on adjacent lines are one block, wherever the parser puts them, and empty
// lines do not end it: what is commented out line by line is whole again. A comment that has a line for itself keeps its
// indentation; one behind something begins with its "#".
//
// It is the text that is read, not the comments that a parser keeps, since parsers drop some: those of directives, for
// one. What stands below the first document, and a text that has no nodes, is given from the first "#" of each line on,
// comment or not. Lines are counted as YAML counts them.
func (d *Document) Comments(visit func(line int, text string)) {
	if !strings.Contains(d.text, "#") {
		return
	}
	first, rest := cutLines(d.text, d.last)
	r := commentReader{lines: yamlLines(first)}
	r.comments = make([]string, len(r.lines))
	if d.document != nil {
		r.node(d.document, 0)
	}
	r.advance(len(r.lines), 0)
	lines, comments := r.lines, r.comments
	for _, line := range yamlLines(rest) {
		lines, comments = append(lines, line), append(comments, commentFrom(line, strings.IndexByte(line, '#')))
	}
	visitBlocks(lines, comments, visit)
}

// visitBlocks joins adjacent comments; comments has one for each line, "" for none.
func visitBlocks(lines, comments []string, visit func(line int, text string)) {
	for start := 0; start < len(lines); start++ {
		if comments[start] == "" {
			continue
		}
		last := start
		for i := start + 1; i < len(lines) && (comments[i] != "" || strings.TrimSpace(lines[i]) == ""); i++ {
			if comments[i] != "" {
				last = i
			}
		}
		visit(start+1, strings.Join(comments[start:last+1], "\n"))
		start = last
	}
}

// cutLines cuts a text behind a number of lines that end in LF.
func cutLines(text string, number int) (head, tail string) {
	end := 0
	for range number {
		i := strings.IndexByte(text[end:], '\n')
		if i < 0 {
			return text, ""
		}
		end += i + 1
	}
	return text[:end], text[end:]
}

// yamlLines cuts a text at the line breaks of YAML 1.1, by which nodes count their lines.
func yamlLines(text string) []string {
	if text == "" {
		return nil
	}
	if strings.ContainsAny(text, otherBreaks) {
		text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n").Replace(text)
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// commentFrom returns the comment that begins at a byte of a line, -1 for none, with its indentation when it has the
// line for itself.
func commentFrom(line string, at int) string {
	switch {
	case at < 0:
		return ""
	case strings.Trim(line[:at], " \t") == "":
		return line
	default:
		return line[at:]
	}
}

// commentReader goes through the lines of a document once. A "#" is a comment's where white space, a bracket, a comma or
// nothing stands before it, unless it stands in quoted text or in a block scalar. Where those begin the nodes tell. Of
// one that is not where its node says, all is read as if it were neither: rather too many comments than too few.
type commentReader struct {
	lines    []string
	comments []string
	line, at int // how far it has come; at counts bytes
	broken   bool

	seen struct{ line, at, column int } // the last place that was looked up; a line can hold very many
}

// node passes over a node and those below it.
func (r *commentReader) node(n *yamlv3.Node, depth int) {
	if depth > maxDepth || r.broken {
		return
	}
	const quoted, block = yamlv3.DoubleQuotedStyle | yamlv3.SingleQuotedStyle, yamlv3.LiteralStyle | yamlv3.FoldedStyle
	if n.Kind == yamlv3.ScalarNode && n.Style&(quoted|block) != 0 && n.Line >= 1 && n.Line <= len(r.lines) {
		if r.advance(n.Line-1, r.byteAt(n.Line-1, n.Column)) && r.properties() {
			switch r.lines[r.line][r.at] {
			case '"', '\'':
				r.quoted()
			case '|', '>':
				r.block(n.Value)
			}
		}
	}
	for _, child := range n.Content {
		r.node(child, depth+1)
	}
}

// byteAt returns the byte of a line at which a column begins, which counts characters from 1.
func (r *commentReader) byteAt(line, column int) int {
	s := &r.seen
	if s.line != line || s.column > column || s.column == 0 {
		s.line, s.at, s.column = line, 0, 1
	}
	for text := r.lines[line]; s.column < column && s.at < len(text); s.column++ {
		_, size := utf8.DecodeRuneInString(text[s.at:])
		s.at += size
	}
	return s.at
}

// advance notes the comments between where the reader is and a place, and goes there. It reports false, and stays
// behind the comment, for a place that it is beyond already.
func (r *commentReader) advance(line, at int) bool {
	for r.line < line && r.line < len(r.lines) {
		r.take(len(r.lines[r.line]))
		r.line, r.at = r.line+1, 0
	}
	if r.line != line || r.at > at || line >= len(r.lines) {
		return false
	}
	if r.take(at) {
		return false // the place is in a comment
	}
	r.at = at
	return true
}

// take notes the comment of the line, if one begins before the byte end, and goes behind it.
func (r *commentReader) take(end int) bool {
	line := r.lines[r.line]
	for i := r.at; i < end; i++ {
		if line[i] != '#' || i > 0 && strings.IndexByte(" \t,[]{}", line[i-1]) < 0 && !(i == r.at && strings.IndexByte("\"'", line[i-1]) >= 0) {
			continue
		}
		r.comments[r.line], r.at = commentFrom(line, i), len(line)
		return true
	}
	return false
}

// properties goes behind the anchor and the tag that a node begins with, and to its text. Comments can stand between.
// It reports false where there is no text.
func (r *commentReader) properties() bool {
	for r.line < len(r.lines) {
		line := r.lines[r.line]
		for r.at < len(line) && (line[r.at] == ' ' || line[r.at] == '\t') {
			r.at++
		}
		switch {
		case r.at == len(line) || line[r.at] == '#':
			r.take(len(line))
			r.line, r.at = r.line+1, 0
		case line[r.at] == '&' || line[r.at] == '!':
			for r.at < len(line) && line[r.at] != ' ' && line[r.at] != '\t' {
				r.at++
			}
		default:
			return true
		}
	}
	return false
}

// quoted goes behind the quote that closes. Where there is none, nodes and text do not fit, and no more nodes are asked.
func (r *commentReader) quoted() {
	mark, from := r.lines[r.line][r.at], r.at+1
	for line := r.line; line < len(r.lines); line, from = line+1, 0 {
		if end := closingQuote(r.lines[line][from:], mark); end >= 0 {
			r.line, r.at = line, from+end+1
			return
		}
	}
	r.broken = true
}

// block goes behind the lines of a block scalar. How deep they are indented the first one with text tells, less the
// spaces that are part of the value.
func (r *commentReader) block(value string) {
	r.take(len(r.lines[r.line]))
	r.line, r.at = r.line+1, 0
	value = strings.TrimLeft(value, "\n")
	margin := -1
	for ; r.line < len(r.lines); r.line++ {
		line := r.lines[r.line]
		text := strings.TrimLeft(line, " ")
		switch indent := len(line) - len(text); {
		case strings.Trim(text, "\t") == "":
			continue
		case margin < 0 && strings.Trim(value, " \t\n") == "":
			return // a value of empty lines: what has text is behind it
		case margin < 0:
			margin = indent - leadingSpaces(value)
		case indent < margin:
			return
		}
	}
}

// leadingSpaces counts the spaces that the first line with text begins with.
func leadingSpaces(value string) int {
	for line := range strings.SplitSeq(value, "\n") {
		if strings.Trim(line, " \t") != "" {
			return len(line) - len(strings.TrimLeft(line, " "))
		}
	}
	return 0
}
