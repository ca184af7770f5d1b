package secret

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// foldings returns the text as the text rules are to read it. People see a no-break space as a space, and a character
// without width not at all; between a name and its value, or inside the name, neither may hide an assignment. Blanks
// become spaces. Characters that cannot be seen are a space in the first reading, and in a second one, which is given
// only when there are some, nothing at all. Line ends stay, so that lines can be counted. ASCII is returned as it is.
func foldings(text string) []string {
	if isASCII(text) {
		return []string{text}
	}
	if !strings.ContainsFunc(text, isHidden) {
		return []string{fold(text, ' ')}
	}
	return []string{fold(text, ' '), fold(text, -1)}
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// fold puts a space for every blank, and hidden, or nothing when that is -1, for every character that cannot be seen.
func fold(text string, hidden rune) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < utf8.RuneSelf:
			return r
		case isHidden(r):
			return hidden
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, text)
}

// isHidden tells the characters that cannot be seen and are no white space to Unicode: format characters (zero-width
// space, byte order mark, direction marks), fillers, variation selectors, and the braille pattern without dots.
func isHidden(r rune) bool {
	const blankBraille = '\u2800'
	return r >= utf8.RuneSelf && (unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) || r == blankBraille)
}
