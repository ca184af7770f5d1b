package plugin

import (
	"io"
	"regexp"
	"strings"
)

// helmWarnings passes on what Helm's library logs, each line once, without the values that it quotes in brackets.
type helmWarnings struct {
	out  io.Writer
	seen map[string]bool
}

// maxHelmWarnings bounds how many different lines are remembered and shown; a broken chart can log one for each key.
const maxHelmWarnings = 100

var quotedInBrackets = regexp.MustCompile(`(?s) \(.*\)\s*$`)

// Write takes one line of the standard logger.
func (w *helmWarnings) Write(line []byte) (int, error) {
	text := strings.TrimSpace(quotedInBrackets.ReplaceAllString(string(line), ""))
	if w.seen[text] || len(w.seen) >= maxHelmWarnings {
		return len(line), nil
	}
	if w.seen == nil {
		w.seen = map[string]bool{}
	}
	w.seen[text] = true
	text = strings.TrimPrefix(strings.TrimPrefix(text, "warning: "), "Warning: ")
	if _, err := io.WriteString(w.out, "warning: Helm: "+text+"\n"); err != nil {
		return 0, err
	}
	return len(line), nil
}
