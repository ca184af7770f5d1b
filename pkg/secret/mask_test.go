package secret_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// TestMask holds what is shown of another program's words, and what is not.
func TestMask(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, text, want string
	}{
		"Clean":     {"what says nothing secret stays", "in ./helmfile.d/helmfile-02.init.yaml: error during env.gotmpl\n  line 12\n", "in ./helmfile.d/helmfile-02.init.yaml: error during env.gotmpl\n  line 12\n"},
		"Assigned":  {"a line that sets a password", "password: hunter2Kx\nthe end", "***\nthe end"},
		"Key":       {"a key goes with all its lines", "before\n-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIB\nabc\n-----END RSA PRIVATE KEY-----\nafter", "before\n***\n***\n***\n***\nafter"},
		"Indented":  {"a key in YAML", "tls:\n  key: |\n    -----BEGIN PRIVATE KEY-----\n    MIIEpAIB\n    -----END PRIVATE KEY-----\n  crt: x", "tls:\n  key: |\n***\n***\n***\n  crt: x"},
		"CutKey":    {"a key without its end takes all that follows", "-----BEGIN PRIVATE KEY-----\nMIIE\nfoo", "***\n***\n***"},
		"OneLine":   {"a key with its breaks written out", `k: "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----"` + "\nafter", "***\nafter"},
		"Map":       {"a Go map that is printed", "error: map[auth:map[password:otter user:x]]\nafter", "***\nafter"},
		"Block":     {"a block below a name", "password: |\n  q9Zx8Lm2Tr5Yu7\n  otter umbrella\nafter: x", "password: |\n***\n***\nafter: x"},
		"Quoted":    {"a bare value that an error quotes", `cannot unmarshal string "q9Zx8Lm2Tr5Yu7" into int`, `cannot unmarshal string "***" into int`},
		"BareToken": {"a bare value in a sentence", "got aB3dE6gH9kLmN2pQ5sT8v, wanted a map", "got ***, wanted a map"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := secret.New().Mask(tc.text); got != tc.want {
				t.Errorf("%s: it shows\n%s\nwant\n%s", tc.reason, got, tc.want)
			}
		})
	}
}

// TestMaskHides is the property that nothing of a key's body is ever shown, and that no line is lost.
func TestMaskHides(t *testing.T) {
	detector := secret.New()
	rapid.Check(t, func(t *rapid.T) {
		indent := strings.Repeat(" ", rapid.IntRange(0, 8).Draw(t, "indent"))
		before := rapid.SliceOfN(rapid.SampledFrom([]string{"web:", "  a: b", "# note", "", "map[x:y]", "password:", "error:"}), 0, 5).Draw(t, "before")
		lines := append([]string{}, before...)
		lines = append(lines, indent+"-----BEGIN EC PRIVATE KEY-----", indent+"otterotter", indent+"otter", indent+"-----END EC PRIVATE KEY-----", "after")
		got := detector.Mask(strings.Join(lines, "\n"))
		if strings.Contains(got, "otter") {
			t.Fatalf("it shows a key's body:\n%s", got)
		}
		if strings.Count(got, "\n") != len(lines)-1 || !strings.HasSuffix(got, "\nafter") {
			t.Fatalf("lines are lost:\n%s", got)
		}
	})
}

// TestMaskPath holds that a key which is a secret is not shown, and that the path which was given stays.
func TestMaskPath(t *testing.T) {
	plain := values.Path{}.Key("a").Index(1).Key("b.c")
	leak := plain.Key("https://user:q9Zx8Lm2Tr5Yu7@example.test").Key("d")
	before := leak.String()
	d := secret.New()
	if got := d.MaskPath(plain).String(); got != `a[1]["b.c"]` {
		t.Errorf("a path without a secret: %s", got)
	}
	if got := d.MaskPath(leak).String(); got != `a[1]["b.c"]["***"].d` || leak.String() != before {
		t.Errorf("a path with one: %s", got)
	}
}
