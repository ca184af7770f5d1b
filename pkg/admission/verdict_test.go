package admission

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

func TestMessage(t *testing.T) {
	v := Verdict{Denied: []finding.Finding{
		{Rule: "values-schema", File: "values.custom.yaml", Line: 3, Column: 5, Path: "a.b", Message: "got a\nstring", Next: "write a number"},
		{Rule: "submission", Message: "no app\x1b[2J"},
	}}
	want := "values.custom.yaml:3:5: a.b: got a string; write a number (values-schema)\nno app\\x1b[2J (submission)"
	if diff := cmp.Diff(want, v.Message(4096)); diff != "" {
		t.Error(diff)
	}
	if got := v.Message(90); !strings.HasSuffix(got, "\nand 1 more") {
		t.Errorf("got %q", got)
	}
	if got := (Verdict{Warnings: v.Denied}).Message(100); got != "" {
		t.Errorf("warnings refuse nothing: %q", got)
	}
}

// A message has at most limit bytes, is text, and accounts for every violation.
func TestMessageProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var v Verdict
		for i := range rapid.IntRange(1, 40).Draw(t, "findings") {
			v.Denied = append(v.Denied, finding.Finding{Rule: "r", Message: fmt.Sprint(i) + strings.Repeat("é", rapid.IntRange(0, 200).Draw(t, "size"))})
		}
		limit := rapid.IntRange(64, 8192).Draw(t, "limit")
		text := v.Message(limit)
		if len(text) > limit || !utf8.ValidString(text) {
			t.Fatalf("%d bytes of %d: %q", len(text), limit, text)
		}
		lines := strings.Split(text, "\n")
		more := 0
		if _, err := fmt.Sscanf(lines[len(lines)-1], "and %d more", &more); err == nil {
			lines = lines[:len(lines)-1]
		}
		if len(lines)+more != len(v.Denied) {
			t.Fatalf("%d lines and %d more for %d findings", len(lines), more, len(v.Denied))
		}
	})
}
