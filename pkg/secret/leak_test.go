package secret

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// TestHitsHoldNoValue: whatever prints a hit, or the finding made of it, must not print what was found (case E11).
func TestHitsHoldNoValue(t *testing.T) {
	const value = "Zk4-quiet-1987"
	const token = "gh" + "p_" + "zQ4mB7xK2vN9cR5tY8wL1pD6sF3hJ0gAeUiO"
	tree := map[string]any{
		"password":              value,
		"env":                   []any{map[string]any{"name": "X_PASSWORD", "value": value}},
		"args":                  []any{"--token", value, "--password=" + value},
		"url":                   "redis://:" + value + "@cache",
		"java":                  "-Dx.password=" + value,
		"header":                "Authorization: Bearer " + value,
		"file":                  "a = b\npassword = " + value + "\n",
		"text":                  "kind: Secret\nstringData: {p: " + value + "}\n",
		"object":                map[string]any{"kind": "Secret", "stringData": map[string]any{"p": value}},
		"docker":                map[string]any{"auths": map[string]any{"https://u:" + value + "@r.test": map[string]any{"password": value}}},
		"u://a:" + value + "@h": map[string]any{"password": value},
		"password=" + value:     map[string]any{"password": value},
		"key":                   "-----BEGIN PRIVATE KEY-----\n" + b64(value) + "\n-----END PRIVATE KEY-----",
		"coded":                 b64("redis://:" + value + "@cache"),
		"hash":                  "admin:$2y$10$" + strings.Repeat("a1./", 13) + "a",
		"note":                  "use " + token + " for now",
		token:                   "a key",
		"codedNote":             b64("use " + token + " for now"),
	}
	hits := New().Scan(tree)
	hits = append(hits, New().ScanText("# password: "+value+"\n# redis://:"+value+"@cache\n# or "+token+"\n")...)
	rules := map[string]bool{}
	for _, h := range hits {
		rules[h.Rule] = true
		if strings.HasPrefix(h.Rule, leakPrefix) {
			rules[RuleGitleaks] = true
		}
		asJSON, err := json.Marshal(h)
		if err != nil {
			t.Fatalf("marshal hit: %v", err)
		}
		for _, shown := range []string{
			fmt.Sprintf("%v %+v %#v", h, h, h), fmt.Sprintf("%+v", h.Finding()), h.Place(), string(asJSON),
		} {
			for _, v := range []string{value, b64(value), token, b64(token)} {
				if strings.Contains(shown, v) {
					t.Errorf("a hit of %s shows the value that was found", h.Rule)
				}
			}
		}
	}
	for _, r := range Rules() {
		if !rules[r.ID] && r.ID != RuleUnscanned {
			t.Errorf("no value was found by rule %s, so nothing was shown of it", r.ID)
		}
	}
}

func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rules() {
		if seen[r.ID] || r.Doc == "" || !strings.HasPrefix(r.ID, "secret-") {
			t.Errorf("rule %q: an id stands for one rule, says whose it is and has a text", r.ID)
		}
		seen[r.ID] = true
		for _, s := range []finding.Severity{finding.Info, finding.Warning, finding.Error} {
			f := Hit{Rule: r.ID, Severity: s}.Finding()
			if f.Rule != r.ID || f.Severity != s || !strings.HasPrefix(f.Message, r.Doc) || f.Next == "" {
				t.Errorf("rule %q: a finding says what is wrong and what to do, got %+v", r.ID, f)
			}
		}
	}
}
