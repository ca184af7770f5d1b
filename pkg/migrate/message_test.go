package migrate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

// TestMessageIsText holds that names from the input cannot make a message that git refuses, or one that reads as another.
func TestMessageIsText(t *testing.T) {
	const head = "Move 1 app to managed and custom values\n\nWritten by kubectl apl migrate from the live Applications. What runs does not change, but for keys\n" +
		"listed as introduced and accepted.\n\n"
	cases := map[string]struct {
		reason string
		app    migrate.App
		want   string
	}{
		"Plain":       {"a name is written as it is", migrate.App{App: "a/b", Reason: "é: x"}, "* a/b: é: x\n"},
		"NoIdentity":  {"without an identity the Application's name stands", migrate.App{Application: "x", Reason: "y"}, "* x: y\n"},
		"Zero":        {"git refuses NUL", migrate.App{Application: "a\x00b", Reason: "y"}, "* \"a\\x00b\": y\n"},
		"LineBreak":   {"a name cannot pass for a line", migrate.App{Application: "a\n* c/d", Reason: "y\nz"}, "* \"a\\n* c/d\": \"y\\nz\"\n"},
		"Escape":      {"a terminal obeys escapes and directions", migrate.App{Application: "a\x1b[2J", Reason: "\u202ey"}, "* \"a\\x1b[2J\": \"\\u202ey\"\n"},
		"InvalidUTF8": {"git refuses what is no text", migrate.App{Application: "a\xff", Reason: "y"}, "* \"a\\xff\": y\n"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			tc.app.Action = migrate.Blocked
			plan := migrate.Plan{Apps: []migrate.App{tc.app}, Summary: migrate.Summary{Migrate: 1, Blocked: 1}}
			if diff := cmp.Diff(head+"\nNot moved:\n"+tc.want, plan.Message()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
