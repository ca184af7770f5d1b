package settings_test

import (
	"bytes"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/settings"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// FuzzGather gives any text for an envelope: nothing panics, and what is not refused is in apps.yaml as it was, at the first
// run and at the second.
func FuzzGather(f *testing.F) {
	for _, spec := range []string{
		"    enabled: true\n", "    text: |+\n        a\n\n\n    b: 1\n", "    'quoted': \"a\n  b\"\n    c: 1\n", "    x: &x {a: 1}\n    y: *x\n",
		"    base: &b\n        a: 1\n    over:\n        <<: *b\n        c: 2\n", "    t: |2\n          deep\n    u: >-\n        folded\n        text\n", "    ? complex\n    : 1\n",
		"    n: 12345678901234567890\n    _rawValues: {n: 12345678901234567890}\n", "    # first\n\n    # second\n    a: 1 # third\n    # last\n", "    a: 'it''s # no comment'\n",
		"    a:\n    - b: 1\n      # in a list\n      c: 2\n    -   - d\n", "    _rawValues:\n        a: 1\n\n        # foot\n", "\n    a: 1\r\n    b: 2\r\n", "    a: |\n\n        x\n    \n        y\n",
	} {
		f.Add("kind: AplApp\nmetadata:\n    name: gitea\nspec:\n"+spec, false)
		f.Add("# top\nspec:\n"+spec+"# end\nmetadata: {name: gitea}\nkind: AplApp\n", true)
	}
	f.Add("{kind: AplApp, spec: &s {a: [1, {b: *s}]}, metadata: {name: gitea}}", false)
	f.Add("\"spec\": {enabled: true}\nkind: AplApp\nmetadata: {name: gitea}\n", false)
	f.Add("--- # doc\nkind: AplApp\nmetadata: {name: gitea}\nspec: !!map\n  a: !x 1\n...\n", false)
	f.Fuzz(func(t *testing.T, text string, flagsOnly bool) {
		r := repo{"env/apps/gitea.yaml": text, "env/apps/argocd.yaml": envelope("argocd", "    controller:\n        replicas: 1\n")}
		options := settings.Options{FlagsOnly: flagsOnly}
		p, err := settings.NewPlan(r.input(), options)
		if err != nil {
			t.Fatal(err)
		}
		if p.Refused() {
			return
		}
		data := p.Changes()[0].Data
		after, err := settings.Parse(layout.AppsFile, data)
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		before, _ := settings.FromEnvApps(r.input().Files)
		if !flagsOnly && !values.Equal(before.Tree(), after.Tree()) {
			t.Fatalf("apps.yaml says something else:\n%s", data)
		}
		if !bytes.HasPrefix(data, []byte("# ")) {
			t.Fatal("the header is missing")
		}
		again, err := settings.NewPlan(r.with(p).input(), options)
		if err != nil || again.Refused() || len(again.Changes()) > 0 {
			t.Fatalf("a second run changes something: %v %v\n%s", err, again, data)
		}
	})
}
