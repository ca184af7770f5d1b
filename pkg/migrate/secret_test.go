package migrate_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

// TestNoSecretLands holds that no text with a literal secret is written, wherever in the text it stands, and that no plan
// shows one.
func TestNoSecretLands(t *testing.T) {
	const (
		comment = "# password: hunter2-hunter2\n"
		literal = "auth: {password: hunter2-hunter2}\n"
		url     = "https://bot:hunter2-hunter2@registry.example.test/"
		inKey   = "registries:\n  " + url + ": pull\n"
	)
	cases := map[string]struct {
		reason        string
		live, managed string
		committed     string // a custom file that is in the repo
		config        string
		lands         bool
	}{
		"Managed":        {reason: "a value of managed", live: "x: 1\n", managed: "x: 1\nauth:\n  password: hunter2-hunter2\n"},
		"Custom":         {reason: "a value of live alone", live: "auth:\n  password: hunter2-hunter2\n", managed: "{}\n"},
		"ManagedComment": {reason: "a comment of managed", live: "x: 1\n", managed: comment + "x: 1\n"},
		"CustomComment":  {reason: "a comment that custom keeps", live: comment + "x: 2\n", managed: "x: 1\n"},
		"ObjectInComment": {
			reason:  "a Secret that is commented out line by line",
			live:    "x: 1\n",
			managed: "x: 1\n# kind: Secret\n# stringData:\n#   p: hunter2\n",
		},
		"KeyInComment": {
			reason:  "a private key, with an empty line in it",
			live:    "x: 2\ny: 1\n# -----BEGIN PRIVATE KEY-----\n\n# MIIEhunter2hunter2hunter2\n# -----END PRIVATE KEY-----\n",
			managed: "x: 1\n",
		},
		"BlockInComment": {
			reason:  "a block scalar, which the parser's comments are not of one piece with",
			live:    "x: 1\n",
			managed: "a:\n  x: 1\n  # auth:\n\n#     password: |\n#       hunter2\nx: 1\n",
		},
		"EntryInComment": {
			reason:  "the name and the value of a variable",
			live:    "x: 1\nenv:\n# - name: DB_PASSWORD\n#   value: hunter2\n- {name: A, value: b}\n",
			managed: "x: 1\n",
		},
		"DirectiveComment": {
			reason:  "a comment of a directive, which the parser drops",
			live:    "x: 1\n",
			managed: "%YAML 1.1 # password: hunter2-hunter2\n---\nx: 1\n",
		},
		"CutComment": {
			reason:  "a comment on what is managed is cut",
			live:    comment + "x: 1\ny: 2\n",
			managed: "x: 1\n",
			lands:   true,
		},
		"Shadowed": {
			reason:  "of two equal keys Helm reads the last, and git would hold both",
			live:    "auth:\n  password: \"\"\n",
			managed: "auth:\n  password: hunter2-hunter2\nauth:\n  password: \"\"\n",
		},
		"Flow":             {reason: "a value in a flow map", live: "{auth: {password: hunter2-hunter2}}\n", managed: "{}\n"},
		"ManagedKey":       {reason: "a key can hold a secret", live: "x: 1\n", managed: "x: 1\n" + inKey},
		"CustomKey":        {reason: "in live too", live: inKey, managed: "{}\n"},
		"ManagedAndCustom": {reason: "what both have stands in managed", live: literal, managed: literal},
		"KeptComment": {
			reason:    "a custom file that people wrote is kept, so it is read whole",
			live:      "x: 2\n",
			managed:   "x: 1\n",
			committed: comment + "x: 2\n",
		},
		"DockerConfig": {
			reason:  "credentials of a registry",
			live:    "x: 1\n",
			managed: "x: 1\nauths: {registry.example.test: {auth: \"Ym90Omh1bnRlcjItaHVudGVyMg==\"}}\n",
		},
		"DockerConfigInKey": {
			reason:  "whose name is a secret itself",
			live:    "x: 1\n",
			managed: "x: 1\nauths: {\"" + url + "\": {password: hunter2-hunter2}}\n",
		},
		"Excepted": {
			reason:  "people may accept one place, with a reason; what they accept is written and still not shown",
			live:    "x: 1\n",
			managed: "x: 1\nauth:\n  password: hunter2-hunter2\n",
			config:  "secrets: [{app: one/two, path: auth.password, rule: secret-named-key, reason: opens nothing}]\n",
			lands:   true,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			for _, options := range []migrate.Options{{}, {AcceptAll: true, KeepGoing: true}} {
				w := newWorld()
				w.add(t, "one/two", "c", tc.live, tc.managed)
				w.config = tc.config
				if tc.committed != "" {
					w.repo["env/values/one/two/values.custom.yaml"] = []byte(tc.committed)
				}
				plan := w.plan(t, options)
				a := appOf(t, plan, "one/two")
				landed := slices.ContainsFunc(plan.Changes(), func(c gitrepo.Change) bool {
					return bytes.Contains(c.Data, []byte("hunter2"))
				})
				wantMove := tc.lands && (options.AcceptAll || len(a.Introduced) == 0)
				if (a.Action == migrate.Migrate) != wantMove || landed && tc.config == "" {
					t.Errorf("%s: %s, a secret is written: %v; %+v", tc.reason, a.Action, landed, a.Findings)
				}
				if text := encode(t, plan) + plan.Message(); strings.Contains(text, "hunter2") || strings.Contains(text, "Ym90Omh1") {
					t.Errorf("%s: the plan shows it: %s", tc.reason, text)
				}
			}
		})
	}
}

// TestCommentHitsHaveTheirLine holds that of a comment of many lines the one with the secret is named, as the file that is
// written has it.
func TestCommentHitsHaveTheirLine(t *testing.T) {
	w := newWorld()
	w.add(t, "one/two", "c", "a: 1\n# auth:\n\n#   password: |\n#     hunter2-hunter2\nb: 2\n", "{}\n")
	a := appOf(t, w.plan(t, migrate.Options{}), "one/two")
	var lines []int
	for _, f := range a.Findings {
		if strings.HasPrefix(f.Message, "in a comment: ") {
			lines = append(lines, f.Line)
		}
	}
	if !slices.Equal(lines, []int{6}) { // an intro of one line comes first
		t.Errorf("the secret is in line 6, found in %v: %+v", lines, a.Findings)
	}
}
