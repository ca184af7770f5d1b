package secret

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

func TestFilter(t *testing.T) {
	root := values.Path{}
	password := Hit{Path: root.Key("auth").Key("password"), Rule: RuleNamedKey}
	inside := Hit{Path: root.Key("extra").Index(0), Inside: root.Key("stringData").Key("p"), Rule: RuleObject}
	hits := []Hit{password, inside}

	tests := map[string]struct {
		reason     string
		exceptions []Exception
		open       []Hit
		used       []bool
	}{
		"None": {
			reason: "Without exceptions every hit stays.",
			open:   hits, used: []bool{},
		},
		"Accepted": {
			reason: "An exception accepts its place and rule; the rest stays.",
			exceptions: []Exception{
				{App: "a/b", Path: "auth.password", Rule: RuleNamedKey},
				{App: "a/b", Path: "extra[0]#stringData.p", Rule: RuleObject},
			},
			used: []bool{true, true},
		},
		"Stale": {
			reason: "Another app, place or rule accepts nothing, and is told to be unused.",
			exceptions: []Exception{
				{App: "a/c", Path: "auth.password", Rule: RuleNamedKey},
				{App: "a/b", Path: "auth", Rule: RuleNamedKey},
				{App: "a/b", Path: "auth.password", Rule: RulePrivateKey},
				{App: "a/b", Path: "extra[0]", Rule: RuleObject},
			},
			open: hits, used: []bool{false, false, false, false},
		},
		"Twice": {
			reason: "Two exceptions for one place are both used.",
			exceptions: []Exception{
				{App: "a/b", Path: "auth.password", Rule: RuleNamedKey},
				{App: "a/b", Path: "auth.password", Rule: RuleNamedKey},
			},
			open: []Hit{inside}, used: []bool{true, true},
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			open, used := Filter("a/b", hits, tc.exceptions)
			if diff := cmp.Diff(tc.open, open); diff != "" {
				t.Errorf("%s\nFilter(...): -want open, +got:\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.used, used); diff != "" {
				t.Errorf("%s\nFilter(...): -want used, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
