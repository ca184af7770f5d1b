package check

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Excerpts shows the lines that findings are about, without what could be a secret in them: it is the reader of a log who sees them,
// not the reader of the repo. It keeps the file that was asked for last, and serves one goroutine.
type Excerpts struct {
	read     func(path string) ([]byte, error)
	detector *secret.Detector

	path   string
	lines  []string
	shaded shade
}

// NewExcerpts returns the excerpts of files that read reads.
func NewExcerpts(read func(path string) ([]byte, error), detector *secret.Detector) *Excerpts {
	return &Excerpts{read: read, detector: detector}
}

// maxExcerpt bounds the files whose lines are shown, in bytes.
const maxExcerpt = 1 << 20

// Line returns the line of a finding's file that it is about; false where it has none, or the file is larger than 1 MiB. What hides in it is
// "***": columns up to there stay those of the file.
func (e *Excerpts) Line(f finding.Finding) (string, bool) {
	if f.File == "" || f.Line < 1 {
		return "", false
	}
	if f.File != e.path {
		text, err := e.read(f.File)
		if err != nil {
			return "", false
		}
		e.path, e.lines = f.File, nil
		if len(text) <= maxExcerpt { // to look for secrets takes long, and nobody reads the lines of larger ones
			e.lines, e.shaded = strings.Split(string(text), "\n"), e.look(text)
		}
	}
	if f.Line > len(e.lines) {
		return "", false
	}
	return e.mask(f.Line, strings.TrimSuffix(e.lines[f.Line-1], "\r")), true
}

// shade is what of a file is not shown.
type shade struct {
	all   bool            // values at all: nothing can tell which of them are secret
	lines map[int]bool    // lines that a secret begins in
	texts map[string]bool // lines that a secret consists of, trimmed
	whole []string        // the secrets: a line of a folded one is a part of it
}

// look finds what of a file is not shown.
func (e *Excerpts) look(text []byte) shade {
	out := shade{lines: map[int]bool{}, texts: map[string]bool{}}
	doc, err := values.Parse("", text)
	if err != nil || len(doc.Warnings) > 0 { // Helm does not read all of it
		return shade{all: true}
	}
	for _, h := range e.detector.Scan(doc.Values) {
		value, ok := values.Lookup(doc.Values, h.Path)
		line, _ := doc.Position(h.Path)
		if !ok || line == 0 {
			return shade{all: true} // a key that is a secret
		}
		out.lines[line] = true
		said, _ := value.(string)
		out.whole = append(out.whole, said)
		for part := range strings.Lines(said) {
			if part = strings.TrimSpace(part); part != "" {
				out.texts[part] = true
			}
		}
	}
	secrets := map[string]bool{}
	for _, said := range out.whole {
		if len(said) >= minRepeated {
			secrets[said] = true
		}
	}
	if len(secrets) > 0 {
		out.repeats(doc, secrets, doc.Values, nil)
	}
	doc.Comments(func(line int, comment string) {
		for _, h := range e.detector.ScanText(comment) {
			out.lines[line+h.Line-1] = true
		}
	})
	return out
}

// repeats hides the lines of values that are one of the secrets, however they are written there.
func (s *shade) repeats(doc *values.Document, secrets map[string]bool, v any, at values.Path) {
	switch v := v.(type) {
	case map[string]any:
		for key, item := range v {
			s.repeats(doc, secrets, item, at.Key(key))
		}
	case []any:
		for i, item := range v {
			s.repeats(doc, secrets, item, at.Index(i))
		}
	case string:
		if secrets[v] {
			line, _ := doc.Position(at)
			s.lines[line] = true
		}
	}
}

var (
	// indented is a line's indentation, and the dashes of the list items that begin in it.
	indented = regexp.MustCompile(`^[ \t]*(?:- +)*`)
	// keyed is the same, and the key behind it.
	keyed = regexp.MustCompile(`^[ \t]*(?:- +)*(?:[A-Za-z0-9_./-]+|"[A-Za-z0-9_./ -]+"|'[A-Za-z0-9_./ -]+'):(?:[ \t]+|$)`)
)

const (
	masked = "***"
	// minRepeated is how long a secret has to be, in bytes, for another line that has the same text to be hidden too.
	minRepeated = 4
)

func (e *Excerpts) mask(line int, text string) string {
	rest := func(pattern *regexp.Regexp) string {
		shown := pattern.FindString(text)
		if shown == "" {
			shown = indented.FindString(text)
		}
		if strings.TrimSpace(text[len(shown):]) == "" {
			return text
		}
		return shown + masked
	}
	switch {
	case e.shaded.texts[strings.TrimSpace(text)], e.continues(text): // text of a scalar of several lines, in which nothing is a key
		return rest(indented)
	case e.shaded.all, e.shaded.lines[line], len(e.detector.ScanText(text)) > 0:
		return rest(keyed)
	}
	for part := range e.shaded.texts {
		if len(part) >= minRepeated && strings.Contains(text, part) {
			return rest(keyed)
		}
	}
	return text
}

// continues tells whether a line can be one of a secret that was folded into one.
func (e *Excerpts) continues(text string) bool {
	text = strings.Trim(text, " \t'\"\\")
	return len(text) >= minRepeated && slices.ContainsFunc(e.shaded.whole, func(secret string) bool { return strings.Contains(secret, text) })
}
