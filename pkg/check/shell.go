package check

import (
	"regexp"
	"strings"
)

// plainWord is what a shell takes as it stands.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./%@:,+=-]+$`)

// gitMove is the command that moves a file. It is there to be pasted, and the names can be those of a stranger's pull request.
func gitMove(from, to string) string { return "git mv " + quoted(from) + " " + quoted(to) }

// quoted writes a word so that a shell takes it for nothing else.
func quoted(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
