package printer

import (
	"strconv"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

const (
	// maxExcerpt is how many columns of a line are shown: it fits a terminal with what stands before it.
	maxExcerpt = 100
	// tabColumns is what a tab counts for where a line is cut; a terminal shows up to eight.
	tabColumns = 4
)

// glyph is a character of a line as it is shown, and how many columns of a terminal it takes.
type glyph struct {
	text  string
	width int
}

// excerpt prints a line of a file behind its number, and a caret below the column that the finding names.
func (p *page) excerpt(f finding.Finding, line string) {
	glyphs := glyphsOf(line)
	at := len(glyphs)
	if f.Column > 0 {
		at = min(f.Column-1, len(glyphs))
	}
	from, to := window(glyphs, at, f.Column > 0)
	var text, pad strings.Builder
	if from > 0 {
		text.WriteString("…")
		pad.WriteString(" ")
	}
	for i, g := range glyphs[from:to] {
		text.WriteString(g.text)
		switch {
		case from+i >= at:
		case g.text == "\t":
			pad.WriteString("\t") // whatever a tab is on this terminal, it is the same in both lines
		default:
			pad.WriteString(strings.Repeat(" ", g.width))
		}
	}
	if to < len(glyphs) {
		text.WriteString("…")
	}
	number := strconv.Itoa(f.Line)
	p.write(p.style.paint(faint, "    "+number+" | ") + text.String() + "\n")
	if f.Column > 0 {
		p.write(p.style.paint(faint, "    "+strings.Repeat(" ", len(number))+" | ") + pad.String() + p.style.paint(severityColor(f.Severity), "^") + "\n")
	}
}

// glyphsOf returns the characters of a line, one for each that a column counts. What a terminal would obey is spelled out.
func glyphsOf(line string) []glyph {
	// Not the package's own functions: what they return depends on the locale.
	measure := &runewidth.Condition{StrictEmojiNeutral: true}
	var list []glyph
	for _, r := range strings.TrimRight(line, "\r\n") {
		switch text := finding.Visible(string(r)); {
		case r == '\n':
			list = append(list, glyph{" ", 1})
		case r == '\t':
			list = append(list, glyph{"\t", tabColumns})
		default:
			list = append(list, glyph{text, measure.StringWidth(text)})
		}
	}
	return list
}

// window chooses which glyphs of a line are shown: all of them, or as many around one as there is room for, more of what follows
// it than of what stands before. Without a place it is the beginning.
func window(glyphs []glyph, at int, placed bool) (from, to int) {
	if !placed {
		at = 0
	}
	from, to = at, at
	room := maxExcerpt
	take := func(until int) {
		for from > 0 && room-glyphs[from-1].width >= until {
			from--
			room -= glyphs[from].width
		}
	}
	take(maxExcerpt * 2 / 3)
	for to < len(glyphs) && room-glyphs[to].width >= 0 {
		room -= glyphs[to].width
		to++
	}
	take(0)
	for from > 0 && from < at && glyphs[from].width == 0 {
		from++ // it combines with a character that is not shown
	}
	return from, to
}
