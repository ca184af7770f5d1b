package values

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// marker stands for a secret. It looks like a name, so that it can stand for an anchor or a tag too: a password can
// begin with "*", "&" or "!".
const marker = "s3cr3tM4rk3r"

// TestErrorsHoldNoValue puts a secret into texts in every way that breaks them, and looks for it in what is said of them.
func TestErrorsHoldNoValue(t *testing.T) {
	snippets := []string{
		marker, "*" + marker, "&" + marker, "!" + marker, "a: *" + marker + "\n", "a: &" + marker + " *" + marker + "\n", "!!int " + marker,
		"!!int \"`" + marker + "`" + marker + "\"", "!!bool '`x` line 7: " + marker + "'", "!!float |\n  `" + marker, "!!null " + marker,
		"!!binary " + marker, "!!timestamp " + marker, "\t" + marker, "[" + marker, "{" + marker, "{" + marker + ": {", "? " + marker, "'" + marker,
		"\"" + marker, "\"" + marker + "\\q\"", "\"\\x" + marker, "%" + marker + " 1\n---\n", "%TAG !" + marker + "! x\n---\n", "@" + marker, "`" + marker,
		"<<: " + marker + "\n", "<<: [" + marker + "]\n", "!<" + marker, "!" + marker + "!x y", "!!" + marker + " y", "{" + marker + ": x}: y\n",
		"[" + marker + "]: y\n", "a: {{ " + marker + " }}\n", "~: " + marker + "\n", ".inf: " + marker + "\n", "a: [" + marker + ", .inf]\n",
		"- " + marker + "\n", marker + "\n", "\"" + marker + "\": [.nan\n", "18446744073709551615: " + marker + "\n", "\xff" + marker, "\x00" + marker, "|9 " + marker,
		">" + marker, "--- " + marker + "\n", "... " + marker, "a: " + marker + ": b\n", "1: " + marker + "\n'1': x\n", "a: " + marker + "\na: x\n",
	}
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t, hostileSpec().drawMap(t, 0))
		at := rapid.IntRange(0, len(text)).Draw(t, "at")
		text = text[:at] + rapid.SampledFrom(snippets).Draw(t, "snippet") + text[at:]
		for _, said := range complaints([]byte(text)) {
			if strings.Contains(said, marker) {
				t.Fatalf("the secret is in what is said of the text: %s\n%s", said, text)
			}
		}
	})
}

// complaints is all that the package says of a text.
func complaints(text []byte) []string {
	var out []string
	doc, err := Parse("v", text)
	if err != nil {
		out = append(out, err.Error())
	} else {
		for _, w := range doc.Warnings {
			out = append(out, w.Message)
		}
		if _, err := Split(doc, doc).Text(); err != nil {
			out = append(out, err.Error())
		}
	}
	if _, err := DecodeObject("o", text); err != nil {
		out = append(out, err.Error())
	}
	return out
}

func TestOtherErrorsHoldNoValue(t *testing.T) {
	cases := map[string]struct {
		reason string
		fail   func() error
	}{
		"Marshal": {"a tree that cannot be written", func() error {
			_, err := Marshal(map[string]any{"a": marker, "b": math.Inf(1)})
			return err
		}},
		"FromTree": {"a tree that is not JSON", func() error {
			_, err := FromTree("v", map[string]any{"a": marker, "b": math.NaN()})
			return err
		}},
		"FromTreeControl": {"a tree that Argo CD's conversion refuses", func() error {
			_, err := FromTree("v", map[string]any{"a": marker + "\x7f"})
			return err
		}},
		"SetName": {"a parameter whose name holds a value", func() error {
			_, err := mustParse(t, "a: 1").Set([]Assignment{{Name: "a.b=" + marker + ",x[", Value: "1"}})
			return err
		}},
		"Set": {"a parameter that does not fit", func() error {
			doc := mustParse(t, "a: "+marker)
			_, err := doc.Set([]Assignment{{Name: "a.b[0].c", Value: marker}, {Name: "x[", Value: marker}})
			return err
		}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			err := tc.fail()
			if err == nil {
				t.Fatalf("%s: no error", tc.reason)
			}
			if strings.Contains(err.Error(), marker) {
				t.Errorf("%s: the error holds the value: %v", tc.reason, err)
			}
		})
	}
}
