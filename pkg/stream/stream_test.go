package stream

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	yaml "sigs.k8s.io/yaml"
)

// splitAll returns the documents as "line: text", and errors as their text. Text is the document's own.
func splitAll(t *testing.T, text string) []string {
	t.Helper()
	var out []string
	in := New("in", strings.NewReader(text), 64<<20)
	for {
		d, err := in.Next()
		switch {
		case errors.Is(err, io.EOF):
			return out
		case errors.Is(err, ErrDocument):
			out = append(out, "! "+err.Error())
		case err != nil:
			t.Fatal(err)
		default:
			out = append(out, fmt.Sprintf("%d: %s", d.Line, d.Own()))
		}
	}
}

func TestSplit(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, stream string
		want           []string
	}{
		"One":       {"a document without markers", "a: 1\n", []string{"1: a: 1\n"}},
		"NoEnd":     {"the last line gets a line end, as kubectl reads it", "a: |\n  1", []string{"1: a: |\n  1\n"}},
		"Two":       {"line numbers are those of the stream", "a: 1\n---\nb: 2\n", []string{"1: a: 1\n", "2: b: 2\n"}},
		"Inside":    {"C1: what is indented, in quotes or behind text is content", "a: |\n  ---\n  k: v\n  ---\nb: 'x\n  --- y'\nc: x --- y\n---x: 1\n", []string{"1: a: |\n  ---\n  k: v\n  ---\nb: 'x\n  --- y'\nc: x --- y\n---x: 1\n"}},
		"Pem":       {"C1: five dashes in a block are content", "a: |\n  -----BEGIN CERTIFICATE-----\n  AAAA\n", []string{"1: a: |\n  -----BEGIN CERTIFICATE-----\n  AAAA\n"}},
		"Comment":   {"C1: a marker in a comment is none", "a: 1\n# ---\n---\nb: 2\n", []string{"1: a: 1\n# ---\n", "3: b: 2\n"}},
		"Blank":     {"C3: documents that hold nothing come too, to be counted", "# header\n---\n\n---\n~\n---\n# off\n---\na: 1\n---\n", []string{"1: # header\n", "2: \n", "4: ~\n", "6: # off\n", "8: a: 1\n", "10: "}},
		"Windows":   {"C5: BOM, CR LF and the end marker go", "\ufeff---\r\na: \"v\"\r\n---\r\nb: 1\r\n...\r\n", []string{"1: a: \"v\"\n", "3: b: 1\n"}},
		"Directive": {"C5: a directive that says which YAML it is goes", "%YAML 1.1\n---\na: 1\n", []string{"1: \n", "2: a: 1\n"}},
		"Tag":       {"another one changes what is read", "%TAG ! tag:x,2000:\n---\na: !x 1\n---\nb: 2\n", []string{"! bad document: in:1:1: directive %TAG is not supported; write the document without it", "2: a: !x 1\n", "4: b: 2\n"}},
		"Value":     {"and what is none is not quoted: it can be a password", "%hunter2\n", []string{"! bad document: in:1:1: a line that begins with % is a directive, which is not supported; write the document without it"}},
		"Percent":   {"behind content a percent sign is content", "a: \"x\n%YAML\"\n", []string{"1: a: \"x\n%YAML\"\n"}},
		"Behind":    {"what stands behind the marker belongs to the document", "--- # first\na: 1\n--- {b: 2}\n---\t\nc: 3\n", []string{"1: # first\na: 1\n", "3: {b: 2}\n", "4: c: 3\n"}},
		"Spaces":    {"spaces behind the marker are nothing", "a: 1\n---   \nb: 2\n", []string{"1: a: 1\n", "2: b: 2\n"}},
		"Empty":     {"nothing is no document", "", nil},
		"JSON":      {"JSON values follow each other, on one line or many", "{\"a\": 1} {\"b\":\n2}\n---\n{\"c\": \"}\"}\n", []string{"1: {\"a\": 1}", "1: {\"b\":\n2}", "4: {\"c\": \"}\"}"}},
		"Flow":      {"what begins like JSON can be YAML", "{a: 1,\n b: [2]}\nc: 3\n", []string{"1: {a: 1,\n b: [2]}\nc: 3\n"}},
		"NoBlank":   {"what kubectl takes for a document's start with a comment parts documents", "a: 1\n---# x\nb: 2\n\ufeff---#\nc: 3\n", []string{"1: a: 1\n", "2: # x\nb: 2\n", "4: #\nc: 3\n"}},
		"Marks":     {"files that were put together bring their marks along", "\ufeffa: 1\n\ufeff---\nb: 2\n", []string{"1: a: 1\n", "2: b: 2\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, splitAll(t, tc.stream)); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}

// TestSplitLong is case C15: a line has no bound below that of a document, and one document that is too large is named and
// does not hide the next.
func TestSplitLong(t *testing.T) {
	long := "a: \"" + strings.Repeat("x", 6_000_000) + "\"\n"
	got := splitAll(t, long+"---\nb: 2\n")
	if len(got) != 2 || got[0] != "1: "+long || got[1] != "2: b: 2\n" {
		t.Errorf("%d documents", len(got))
	}
	huge := strings.Repeat("a: "+strings.Repeat("x", 1<<20)+"\n", 65)
	got = splitAll(t, "b: 1\n---\n"+huge+"---\nc: 3\n---\na: "+strings.Repeat("y", 65<<20)+"\n---\nd: 4\n")
	want := []string{"1: b: 1\n", "! bad document: in:2:1: the document is larger than 64 MiB", "68: c: 3\n", "! bad document: in:70:1: the document is larger than 64 MiB", "72: d: 4\n"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%.500s", diff)
	}
}

// TestSplitJoins is the property that documents which are joined come apart again as they were, whatever their strings hold.
func TestSplitJoins(t *testing.T) {
	text := rapid.StringOf(rapid.RuneFrom([]rune("-.% \n\t#:a'\"|{}~\ufeff")))
	rapid.Check(t, func(t *rapid.T) {
		var stream bytes.Buffer
		var want []map[string]string
		for _, value := range rapid.SliceOfN(text, 1, 5).Draw(t, "values") {
			tree := map[string]string{"kind": value}
			encoded, err := yaml.Marshal(tree)
			if err != nil {
				t.Fatal(err)
			}
			stream.WriteString("---\n")
			stream.Write(encoded)
			want = append(want, tree)
		}
		var got []map[string]string
		in := New("", &stream, 1<<20)
		for {
			d, err := in.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(d.Own()) == 0 {
				continue
			}
			var tree map[string]string
			if err := yaml.Unmarshal(d.Own(), &tree); err != nil {
				t.Fatal(err)
			}
			got = append(got, tree)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got)\n%s", diff)
		}
	})
}
