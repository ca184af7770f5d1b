package finding

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Place names where a finding is as compilers do, file:line:column, as far as it is known; "" where it is in no file.
func (f Finding) Place() string {
	place := f.File
	if place != "" && f.Line > 0 {
		place += ":" + strconv.Itoa(f.Line)
		if f.Column > 0 {
			place += ":" + strconv.Itoa(f.Column)
		}
	}
	return place
}

// text is all that there is to read about a finding but its place: what is wrong at which path, and the next step on a line of
// its own.
func (f Finding) text() string {
	text := f.Message
	if f.Path != "" {
		text = f.Path + ": " + text
	}
	if f.Next != "" {
		text += "\nNext: " + f.Next
	}
	return Visible(text)
}

// level names a severity; one that nobody knows is an error.
func (f Finding) level() Severity {
	if f.Severity == Info || f.Severity == Warning {
		return f.Severity
	}
	return Error
}

// Visible spells out what a reader cannot see, as Go does: control characters other than tabs and line feeds, characters that turn the
// direction of text, and the like. What is no UTF-8 becomes U+FFFD. XML has no way to write many of these, a terminal obeys some.
func Visible(text string) string {
	if utf8.ValidString(text) && !strings.ContainsFunc(text, hidden) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if hidden(r) {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func hidden(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsPrint(r) }

// oneLine folds text into one line.
func oneLine(text string) string { return strings.Join(strings.Fields(Visible(text)), " ") }

// short cuts text that is longer than most characters.
func short(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

// about names what a finding is about, as far as that is known: its app, or its file.
func (f Finding) about() string { return cmp.Or(f.App, f.File, "the repo") }
