package migrate

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// secretTexts are the literal secrets that the app's values hold, in the forms in which a template can put them where nothing
// says what they are, into a name too.
type secretTexts []string

// hide writes "***" for each of them.
func (s secretTexts) hide(text string) string {
	for _, secret := range s {
		text = strings.ReplaceAll(text, secret, masked)
	}
	return text
}

// in tells whether one of them is in a text of v, or in a key.
func (s secretTexts) in(v any) bool {
	within := func(text string) bool { return s.hide(text) != text }
	switch x := v.(type) {
	case map[string]any:
		for key, item := range x {
			if within(key) || s.in(item) {
				return true
			}
		}
		return false
	case []any:
		return slices.ContainsFunc(x, s.in)
	}
	return within(asJSON(v))
}

func (d *decision) secrets() secretTexts {
	const shortest = 4 // less is found in everything
	var out secretTexts
	for _, tree := range []map[string]any{d.live.Values, d.managed.Values, d.files.customValues()} {
		for _, hit := range d.detector.Scan(tree) {
			v, _ := values.Lookup(tree, hit.Path)
			if text := strings.TrimSpace(asJSON(v)); hit.Severity == finding.Error && hit.Inside == nil && len(text) >= shortest {
				out = append(out, forms(text)...)
			}
		}
	}
	return out
}

// forms are how a template can write a secret: as it is, one line of it, in JSON, in a URL, and in base64, alone or with
// something before and after it (user:password).
func forms(text string) []string {
	const longEnough = 8 // for what is a part of it
	out := []string{text, url.QueryEscape(text), url.PathEscape(text)}
	if inJSON, err := json.Marshal(text); err == nil {
		out = append(out, string(inJSON[1:len(inJSON)-1]))
	}
	quoted := strconv.Quote(text)
	out = append(out, quoted[1:len(quoted)-1])
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); len(line) >= longEnough {
			out = append(out, line)
		}
	}
	for before := range 3 { // bytes that share a group of base64 with its first
		bytes := append(make([]byte, before), text...)
		for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
			// Characters that hold bits of a neighbour are left out.
			form := encoding.EncodeToString(bytes)[(before*8+5)/6 : len(bytes)*8/6]
			if len(form) >= longEnough || before == 0 {
				out = append(out, form)
			}
		}
	}
	return out
}
