package stream

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// TestLimit holds that the limit is one for a document and not for the stream, and that what is over it is told
// with its place before it is read to its end.
func TestLimit(t *testing.T) {
	cases := map[string]struct {
		reason string
		text   string
		want   []string
		line   int // of the document that is over the limit
	}{
		"LongStream": {
			reason: "a stream has no limit",
			text:   strings.Repeat("a: 1\n---\n", 20) + "b: 2",
			want:   append(repeat("a: 1\n", "---\na: 1\n", 20), "---\nb: 2\n"),
		},
		"Exact":         {reason: "the limit itself is within", text: strings.Repeat("x", 32), want: []string{strings.Repeat("x", 32) + "\n"}},
		"LongLine":      {reason: "a line that never ends does not fill the memory", text: "a: 1\n---\n" + strings.Repeat("x", 1<<20), want: []string{"a: 1\n"}, line: 2},
		"ManyLines":     {reason: "nor does a document that never ends", text: "a: 1\n---\n" + strings.Repeat("x: y\n", 1<<10), want: []string{"a: 1\n"}, line: 2},
		"ManyJSONLines": {reason: "nor does JSON", text: "{}\n{\n" + strings.Repeat("\"a\":1,\n", 1<<10), want: []string{"{}"}, line: 2},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := New("in", strings.NewReader(tc.text), 32)
			var got []string
			var err error
			for err == nil {
				var d Document
				if d, err = s.Next(); err == nil {
					got = append(got, string(d.Text))
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
			var placed *values.Error
			switch {
			case tc.line == 0 && !errors.Is(err, io.EOF):
				t.Errorf("%s: %v", tc.reason, err)
			case tc.line != 0 && (!errors.As(err, &placed) || placed.Line != tc.line):
				t.Errorf("%s: %v, want line %d", tc.reason, err, tc.line)
			}
		})
	}
}

// repeat returns first and then n-1 times others.
func repeat(first, others string, n int) []string {
	out := []string{first}
	for range n - 1 {
		out = append(out, others)
	}
	return out
}
