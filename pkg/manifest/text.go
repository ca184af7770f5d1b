package manifest

import (
	"encoding/base64"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// places takes a difference apart that is noise: into the lines of a text, and the items of a list, of which there are
// equally many, so that those beside them are still compared.
func (d Difference) places() []Difference {
	before, isList := d.Before.([]any)
	after, alike := d.After.([]any)
	var out []Difference
	switch {
	case isList && alike && len(before) == len(after):
		for i := range before {
			item := d
			item.Path, item.Before, item.After = d.Path.Index(i), before[i], after[i]
			if item.lines = changedLines(before[i], after[i], false); !values.Equal(before[i], after[i]) {
				out = append(out, item.places()...)
			}
		}
	case len(d.lines) > 1:
		for _, line := range d.lines {
			one := d
			one.lines = []int{line}
			out = append(out, one)
		}
	default:
		out = []Difference{d}
	}
	return out
}

// encoded tells whether what stands at the place is base64 of a text.
func (d Difference) encoded() bool {
	return isSecret(d.Object) && len(d.Path) == 2 && d.Path[0].Key == "data"
}

// changedLines returns which lines of two texts differ; nil unless they have several, and equally many.
func changedLines(before, after any, encoded bool) []int {
	a, b := linesOf(before, encoded), linesOf(after, encoded)
	if len(a) < 2 || len(a) != len(b) {
		return nil
	}
	var out []int
	for i := range a {
		if a[i] != b[i] {
			out = append(out, i)
		}
	}
	return out
}

// linesOf returns the lines of a text; none of what is no text.
func linesOf(v any, encoded bool) []string {
	text, ok := v.(string)
	if ok && encoded {
		data, err := base64.StdEncoding.DecodeString(text)
		text, ok = string(data), err == nil
	}
	if !ok {
		return nil
	}
	return strings.Split(text, "\n")
}

// withoutLines empties lines of a text.
func withoutLines(v any, which []int, encoded bool) any {
	lines := linesOf(v, encoded)
	if lines == nil {
		return v
	}
	for _, i := range which {
		if i < len(lines) {
			lines[i] = ""
		}
	}
	text := strings.Join(lines, "\n")
	if encoded {
		return base64.StdEncoding.EncodeToString([]byte(text))
	}
	return text
}
