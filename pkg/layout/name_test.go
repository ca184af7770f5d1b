package layout_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

func TestEncodeName(t *testing.T) {
	cases := map[string]struct {
		reason string
		name   string
		want   string
	}{
		"Plain":     {reason: "most names are left as they are", name: "cert-manager.io_v1", want: "cert-manager.io_v1"},
		"Colon":     {reason: "RBAC names hold colons, which Windows refuses", name: "system:node", want: "system%3Anode"},
		"UpperCase": {reason: "Viewer and viewer are two objects", name: "Viewer", want: "%56iewer"},
		"Percent":   {reason: "the escape itself is escaped, or two names could meet", name: "a%3A", want: "a%253%41"},
		"Slash":     {reason: "a name is one part of a path", name: "../x", want: "..%2Fx"},
		"Dot":       {reason: "the folder itself is no file", name: ".", want: "%2E"},
		"DotDot":    {reason: "nor is the folder above", name: "..", want: "%2E%2E"},
		"Bytes":     {reason: "bytes are encoded, not letters", name: "é", want: "%C3%A9"},
		"Zero":      {reason: "a NUL byte ends a path in C", name: "a\x00", want: "a%00"},
		"Empty":     {reason: "an empty name stays empty", name: "", want: ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := layout.EncodeName(tc.name); got != tc.want {
				t.Errorf("%s: EncodeName(%q) = %q, want %q", tc.reason, tc.name, got, tc.want)
			}
		})
	}
}

func TestDecodeName(t *testing.T) {
	cases := map[string]struct {
		reason string
		file   string
	}{
		"LowerHex":  {reason: "only one spelling of an escape is made", file: "a%2f"},
		"Needless":  {reason: "a plain byte is never escaped", file: "%61"},
		"Cut":       {reason: "an escape has two digits", file: "a%2"},
		"Bare":      {reason: "an escape has two digits", file: "%"},
		"UpperCase": {reason: "upper case is always escaped", file: "A"},
		"DotDot":    {reason: "this is never made, and leaves the folder", file: ".."},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got, ok := layout.DecodeName(tc.file); ok {
				t.Errorf("%s: DecodeName(%q) = %q", tc.reason, tc.file, got)
			}
		})
	}
}

func TestNamesDoNotMeet(t *testing.T) {
	names := rapid.OneOf(rapid.String(), rapid.StringMatching(`[aA%2fF./:]{0,5}`))
	rapid.Check(t, func(t *rapid.T) {
		a, b := names.Draw(t, "a"), names.Draw(t, "b")
		file := layout.EncodeName(a)
		if got, ok := layout.DecodeName(file); !ok || got != a {
			t.Fatalf("%q is encoded as %q, which decodes to %q, %v", a, file, got, ok)
		}
		if file == "." || file == ".." || strings.ContainsAny(file, "/\\\x00") {
			t.Fatalf("%q is encoded as %q, which is no file name", a, file)
		}
		if a != b && strings.EqualFold(file, layout.EncodeName(b)) {
			t.Fatalf("%q and %q meet at %q", a, b, file)
		}
	})
}
