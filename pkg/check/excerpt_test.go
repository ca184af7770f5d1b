package check_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/check"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
)

func excerpts(text string) *check.Excerpts {
	return check.NewExcerpts(func(path string) ([]byte, error) {
		if path != "f" {
			return nil, errors.New("no such file")
		}
		return []byte(text), nil
	}, secret.New())
}

func TestExcerpts(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, text string
		line         int
		want         string
	}{
		"Plain":      {"what is no secret is shown as it is", "a: 1\nb:   x  # why\r\n", 2, "b:   x  # why"},
		"Secret":     {"a secret is hidden, its key is not", "db:\n  password: warm-kettle-19\n", 2, "  password: ***"},
		"Item":       {"in an item of a list too", "env:\n- name: API_TOKEN\n  value: warm-kettle-19\n", 3, "  value: ***"},
		"Flow":       {"what stands in braces is hidden whole", "db: {host: a, password: warm-kettle-19}\n", 1, "db: ***"},
		"Block":      {"a line of a private key has nothing to show", "tls:\n  key: |\n    -----BEGIN EC PRIVATE KEY-----\n    MHcCAQEEIIrYSSNQFaA2Hwf1duRSxKtLYX5CB04fSeQ6tF1aY\n    -----END EC PRIVATE KEY-----\n", 4, "    ***"},
		"Comment":    {"a comment can hold a secret", "# password: warm-kettle-19\na: 1\n", 1, "***"},
		"Again":      {"the same text elsewhere is the same secret", "password: warm-kettle-19\nnote: it was warm-kettle-19 before\n", 2, "note: ***"},
		"Respelled":  {"in other letters too", "password: warm-kettle-19\na: {b: [\"warm\\x2dkettle-19\"]}\n", 2, "a: ***"},
		"Unreadable": {"where nothing tells which values are secret, none is shown", "a: [\npassword: warm-kettle-19\n", 2, "password: ***"},
		"Loose":      {"text without a key", "a: [\nwarm-kettle-19\n", 2, "***"},
		"Twice":      {"a key that stands twice hides one of its values from the search", "password: warm-kettle-19\npassword: ''\n", 1, "password: ***"},
		"KeyAlone":   {"there is nothing to hide", "a: [\nb:\n", 2, "b:"},
		"Empty":      {"nor here", "a: [\n\n", 2, ""},
		"OddKey":     {"a key that may be no key is not shown", "a: [\nuser:pass@host: x\n", 2, "***"},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := excerpts(tc.text).Line(finding.Finding{File: "f", Line: tc.line})
			if diff := cmp.Diff(tc.want, got); diff != "" || !ok {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}

func TestExcerptsOfNothing(t *testing.T) {
	for _, f := range []finding.Finding{{}, {File: "f"}, {File: "f", Line: 9}, {File: "g", Line: 1}, {Line: 1}} {
		if line, ok := excerpts("a: 1\n").Line(f); ok {
			t.Errorf("%+v has no line, and not %q", f, line)
		}
	}
	large := excerpts("a: 1\nb: " + strings.Repeat("x", 1<<20) + "\n")
	for range 2 {
		if line, ok := large.Line(finding.Finding{File: "f", Line: 1}); ok {
			t.Errorf("of a large file no line is shown, and not %q", line)
		}
	}
}

// TestExcerptsHide holds that no line shows a value under a key that says secret, wherever it is put.
func TestExcerptsHide(t *testing.T) {
	const hidden = "Zq8-plain-2024"
	lines := rapid.SliceOfN(rapid.SampledFrom([]string{
		"a: 1", "b:", "  c: x", "- d", "password: " + hidden, "  token: '" + hidden + "'", "- apiKey: \"" + hidden + "\"", "# password: " + hidden,
		"x: {password: " + hidden + "}", "secret: |", "  " + hidden, "\tbad: " + hidden, "---", "'",
	}), 1, 8)
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(lines.Draw(t, "lines"), "\n")
		// What stands under no such key is no secret.
		text = "password: " + hidden + "\n" + text
		e := excerpts(text)
		for line := range strings.Count(text, "\n") + 1 {
			if shown, _ := e.Line(finding.Finding{File: "f", Line: line + 1}); strings.Contains(shown, hidden) {
				t.Fatalf("line %d of\n%s\nis shown as %q", line+1, text, shown)
			}
		}
	})
}
