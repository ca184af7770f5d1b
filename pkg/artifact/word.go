package artifact

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// word is a plain scalar that YAML 1.1 reads as true or false: y, n, on, off and the like.
var word = regexp.MustCompile(`^:[ \t]+([A-Za-z]+)(?:[ \t\r\n,}#]|$)`)

// quoteWords puts metadata.name and metadata.namespace in quotes where they are words that YAML reads as true or false (case C7): no
// name is either, so that there is but one thing which can be meant. It changes tree accordingly, and returns the text and the
// keys; none where there is nothing to quote, or it cannot be done so that nothing else changes.
func quoteWords(text []byte, tree map[string]any) (quoted []byte, keys []string) {
	metadata, _ := tree["metadata"].(map[string]any)
	quoted = text
	was := map[string]any{}
	for _, key := range []string{"name", "namespace"} {
		if value, ok := metadata[key].(bool); ok {
			plain, edited := quoteWord(quoted, key)
			was[key], metadata[key], quoted, keys = value, plain, edited, append(keys, "metadata."+key)
		}
	}
	if len(keys) == 0 {
		return text, nil
	}
	if again, err := values.DecodeObject("", quoted); err != nil || !values.Equal(again, tree) {
		for key, value := range was {
			metadata[key] = value // it is refused as it is
		}
		return text, nil
	}
	return quoted, keys
}

// quoteWord quotes the scalar of one key of metadata. It returns the text as it is where it finds none.
func quoteWord(text []byte, key string) (plain string, quoted []byte) {
	doc, err := values.Parse("", text)
	if err != nil {
		return "", text
	}
	line, column := doc.Position(values.Path{}.Key("metadata").Key(key))
	lines, at := bytes.SplitAfter(text, []byte("\n")), column-1+len(key)
	if line == 0 || line > len(lines) || at > len(lines[line-1]) {
		return "", text
	}
	found := word.FindSubmatchIndex(lines[line-1][at:])
	if found == nil {
		return "", text
	}
	was := lines[line-1]
	plain = string(was[at+found[2] : at+found[3]])
	lines[line-1] = slices.Concat(was[:at+found[2]], []byte(`"`+plain+`"`), was[at+found[3]:])
	return plain, bytes.Join(lines, nil)
}
