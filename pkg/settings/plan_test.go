package settings_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/settings"
)

// repo is a values repo in memory.
type repo map[string]string

func (r repo) input() settings.Input {
	in := settings.Input{Secrets: &passwords{}, Read: func(path string) ([]byte, bool, error) {
		text, ok := r[path]
		return []byte(text), ok, nil
	}}
	for path, text := range r {
		if strings.HasPrefix(path, layout.AppsDir+"/") {
			in.Files = append(in.Files, settings.File{Path: path, Data: []byte(text)})
		}
	}
	return in
}

// with returns the repo with what a plan writes.
func (r repo) with(p *settings.Plan) repo {
	out := repo{}
	for path, text := range r {
		out[path] = text
	}
	for _, c := range p.Changes() {
		if c.Delete {
			delete(out, c.Path)
			continue
		}
		out[c.Path] = string(c.Data)
	}
	return out
}

func plan(t *testing.T, r repo, options settings.Options) *settings.Plan {
	t.Helper()
	p, err := settings.NewPlan(r.input(), options)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// found writes findings as severity, rule, file:line and path.
func found(list []finding.Finding) (out []string) {
	for _, f := range list {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s:%d %s", f.Severity, f.Rule, f.File, f.Line, f.Path)))
	}
	return out
}

// envelope writes an envelope of an app, spec indented by four.
func envelope(name, spec string) string {
	return "kind: AplApp\nmetadata:\n    name: " + name + "\nspec:\n" + spec
}

// body returns apps.yaml less its header.
func body(data []byte) string {
	_, rest, _ := strings.Cut(string(data), "\n")
	_, rest, _ = strings.Cut(rest, "\n")
	return rest
}

func TestGather(t *testing.T) {
	cases := map[string]struct {
		reason  string
		files   repo
		options settings.Options
		want    string
	}{
		"Look": {
			reason: "settings keep comments, quotes, block scalars and order; _rawValues go",
			files: repo{
				"env/apps/gitea.yaml":  "# the forge\nkind: AplApp\nmetadata:\n    name: gitea # ours\nspec:\n    # on since May\n    enabled: true\n    _rawValues:\n        a: 1\n    text: |\n        # no comment\n\n          deeper\n    quoted: '08'\n",
				"env/apps/argocd.yaml": envelope("argocd", "    controller:\n        replicas: 1\n"),
			},
			want: "apps:\n    argocd:\n        controller:\n            replicas: 1\n    # the forge\n    # ours\n    gitea:\n        # on since May\n        enabled: true\n        text: |\n            # no comment\n\n              deeper\n        quoted: '08'\n",
		},
		"Empty": {
			reason: "an app without settings stays",
			files:  repo{"env/apps/a.yaml": "kind: AplApp\nmetadata: {name: a}\nspec:\n    _rawValues: {}\n", "env/apps/b.yaml": "kind: AplApp\nmetadata: {name: b}\n"},
			want:   "apps:\n    a: {}\n    b: {}\n",
		},
		"Flow": {
			reason: "flow style, and spec before the name",
			files:  repo{"env/apps/a.yaml": "{spec: {enabled: true, x: [1, 2]}, kind: AplApp, metadata: {name: a}}\n"},
			want:   "apps:\n  a:\n    enabled: true\n    x:\n    - 1\n    - 2\n",
		},
		"Anchors": {
			reason: "what an anchor of a part that goes named is written out",
			files:  repo{"env/apps/a.yaml": envelope("a", "    _rawValues: &r\n        x: 1\n    y: *r\n")},
			want:   "apps:\n    a:\n        y:\n          x: 1\n",
		},
		"FlagsOnly": {
			reason:  "flags alone: enabled at any depth, and those that gates read by another name; never of _rawValues",
			options: settings.Options{FlagsOnly: true},
			files: repo{
				"env/apps/istio.yaml":    envelope("istio", "    _rawValues:\n        x:\n            enabled: true\n    # no sidecars\n    ambient: true\n    egressGateway:\n        enabled: false\n        port: 1\n"),
				"env/apps/keycloak.yaml": envelope("keycloak", "    theme: otomi\n"),
			},
			want: "apps:\n    istio:\n        # no sidecars\n        ambient: true\n        egressGateway:\n            enabled: false\n",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p := plan(t, tc.files, tc.options)
			if p.Refused() || len(p.Changes()) != 1 {
				t.Fatalf("%s: %v", tc.reason, found(p.Findings))
			}
			if diff := cmp.Diff(tc.want, body(p.Changes()[0].Data)); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
			again := plan(t, tc.files.with(p), tc.options)
			if again.Refused() || len(again.Changes()) > 0 || again.Effect != settings.Same {
				t.Errorf("a second run changes something: %s, %v", again.Reason, found(again.Findings))
			}
		})
	}
}

func TestFindings(t *testing.T) {
	cases := map[string]struct {
		reason  string
		files   repo
		options settings.Options
		want    []string
	}{
		"Kind":     {reason: "what is no app is not guessed at", files: repo{"env/apps/a.yaml": "kind: AplTeam\nmetadata: {name: a}\n"}, want: []string{"error settings-envelope env/apps/a.yaml:1 kind"}},
		"NoName":   {reason: "an app has a name", files: repo{"env/apps/a.yaml": "kind: AplApp\nspec: {}\n"}, want: []string{"error settings-envelope env/apps/a.yaml:1 metadata.name"}},
		"Name":     {reason: "the platform finds an app by its file and by its name", files: repo{"env/apps/a.yaml": envelope("gitea", "    enabled: true\n")}, want: []string{"error settings-name env/apps/a.yaml:3 metadata.name"}},
		"Unknown":  {reason: "keys beside spec would be lost", files: repo{"env/apps/gitea.yaml": "kind: AplApp\nmetadata: {name: gitea, labels: {a: b}}\nenabled: true\n"}, want: []string{"warning settings-envelope env/apps/gitea.yaml:2", "error settings-envelope env/apps/gitea.yaml:3"}},
		"SpecList": {reason: "settings are a map", files: repo{"env/apps/gitea.yaml": "kind: AplApp\nmetadata: {name: gitea}\nspec: []\n"}, want: []string{"error settings-envelope env/apps/gitea.yaml:3 spec"}},
		"Broken":   {reason: "what is no YAML is said with its place", files: repo{"env/apps/gitea.yaml": "kind: AplApp\n\tmetadata:\n"}, want: []string{"error settings-parse env/apps/gitea.yaml:2"}},
		"Repeated": {reason: "of a repeated key one would be lost", files: repo{"env/apps/gitea.yaml": envelope("gitea", "    a: 1\n    a: 2\n")}, want: []string{"error settings-parse env/apps/gitea.yaml:6"}},
		"Second":   {reason: "so would a second document", files: repo{"env/apps/gitea.yaml": envelope("gitea", "    a: 1\n---\nkind: AplApp\n")}, want: []string{"error settings-parse env/apps/gitea.yaml:7"}},
		"Flag":     {reason: "a flag that is text is on or off by chance", files: repo{"env/apps/istio.yaml": envelope("istio", "    ambient: 'yes'\n    egressGateway:\n        enabled: 1\n")}, want: []string{"error settings-flag env/apps/istio.yaml:5 spec.ambient", "error settings-flag env/apps/istio.yaml:7 spec.egressGateway.enabled"}},
		"Twice": {
			reason: "two files for one app, of which the platform reads one",
			files:  repo{"env/apps/gitea.yaml": envelope("gitea", "    a: 1\n"), "env/apps/gitea.yml": envelope("gitea", "    a: 2\n")},
			want:   []string{"error settings-file env/apps/gitea.yml:0", "error settings-twice env/apps/gitea.yml:3"},
		},
		"SecretFiles": {
			reason: "files of secrets, as they are and decrypted",
			files:  repo{"env/apps/secrets.gitea.yaml": "a", "env/apps/secrets.gitea.yaml.dec": "a", "env/apps/harbor.yaml.dec": "a", "env/apps/gitea.yaml": envelope("gitea", "    a: 1\n")},
			want:   []string{"error settings-secret-file env/apps/harbor.yaml.dec:0", "error settings-secret-file env/apps/secrets.gitea.yaml:0", "error settings-secret-file env/apps/secrets.gitea.yaml.dec:0"},
		},
		"Folder":      {reason: "the platform reads no folders there", files: repo{"env/apps/gitea.yaml": envelope("gitea", "    a: 1\n"), "env/apps/old/harbor.yaml": "a"}, want: []string{"warning settings-file env/apps/old/harbor.yaml:0"}},
		"UnknownApp":  {reason: "an app that no release reads is carried over", files: repo{"env/apps/opencost.yaml": envelope("opencost", "    enabled: true\n")}, want: []string{"warning settings-unknown-app env/apps/opencost.yaml:3"}},
		"Secret":      {reason: "a literal secret is named where it can be taken out, by the path of apps.yaml", files: repo{"env/apps/gitea.yaml": envelope("gitea", "    a:\n    - password: x\n")}, want: []string{"error password env/apps/gitea.yaml:6 apps.gitea.a[0].password"}},
		"SecretAbove": {reason: "comments are carried over, and searched too", files: repo{"env/apps/gitea.yaml": envelope("gitea", "    # was s3cret7\n    a: 1\n")}, want: []string{"error password env/apps/gitea.yaml:5"}},
		"SecretRaw": {
			reason: "what is not written is not refused, and shown masked",
			files:  repo{"env/apps/gitea.yaml": envelope("gitea", "    _rawValues:\n        password: x\n")},
			want:   []string{"warning settings-raw env/apps/gitea.yaml:5 spec._rawValues"},
		},
		"Comments": {reason: "comments of what goes are told", files: repo{"env/apps/istio.yaml": envelope("istio", "    _rawValues:\n        # why\n        a: 1\n    b: 1\n")}, want: []string{"info settings-comments env/apps/istio.yaml:0"}},
		"Remove": {
			reason: "nothing is known to read apps.yaml", options: settings.Options{RemoveEnvApps: true},
			files: repo{"env/apps/gitea.yaml": envelope("gitea", "    enabled: true\n")},
			want:  []string{"error settings-remove env/apps:0"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p := plan(t, tc.files, tc.options)
			if diff := cmp.Diff(tc.want, found(p.Findings)); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
			if p.Refused() && (len(p.Changes()) > 0 || p.Effect != settings.Refused) {
				t.Errorf("%s: a refused plan writes", tc.reason)
			}
			for _, f := range p.Findings {
				if f.Message == "" || f.Next == "" {
					t.Errorf("%+v does not say what to do", f)
				}
			}
		})
	}
}

func TestRaw(t *testing.T) {
	tekton := app.ID{Namespace: "tekton-pipelines", Release: "tekton-pipelines"}
	stack := app.ID{Namespace: "monitoring", Release: "prometheus-operator"}
	envelopes := repo{
		"env/apps/tekton.yaml":  envelope("tekton", "    _rawValues:\n        a:\n            b: v1\n            password: x\n"),
		"env/apps/grafana.yaml": envelope("grafana", "    _rawValues:\n        c: 1\n"),
		"env/apps/istio.yaml":   envelope("istio", "    _rawValues:\n        d: [1]\n"),
		"env/apps/listed.yaml":  envelope("listed", "    _rawValues: [{password: x}]\n"),
		"env/apps/other.yaml":   envelope("other", "    _rawValues: text\n"),
	}
	p := plan(t, envelopes.with(plan(t, repo{}.merge(envelopes), settings.Options{})).merge(repo{
		layout.ManagedFile(stack): "{}", layout.CustomFile(stack): "grafana: {c: 2}\n",
	}), settings.Options{})
	got := map[string][]settings.Raw{}
	for _, a := range p.Apps {
		got[a.Name] = a.Raw
	}
	want := map[string][]settings.Raw{
		"grafana": {{Path: "c", Value: "1", State: settings.RawDiffers, App: stack.String(), File: layout.CustomFile(stack), There: "grafana.c", Line: 6, Col: 9}},
		"istio":   {{Path: "d", Value: "[1]", State: settings.RawNoEffect, Line: 6, Col: 9}},
		"listed":  {{Path: ".", Value: "***", State: settings.RawUnknown, Line: 5, Col: 5}},
		"other":   {{Path: ".", Value: `"text"`, State: settings.RawUnknown, Line: 5, Col: 5}},
		"tekton": {
			{Path: "a.b", Value: `"v1"`, State: settings.RawPending, App: tekton.String(), File: layout.CustomFile(tekton), There: "a.b", Line: 7, Col: 13},
			{Path: "a.password", Value: "***", State: settings.RawPending, App: tekton.String(), File: layout.CustomFile(tekton), There: "a.password", Line: 8, Col: 13},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("each raw value is told where it lives on (-want +got)\n%s", diff)
	}
	p = plan(t, envelopes.merge(repo{layout.ManagedFile(tekton): "a: {b: v1}", layout.CustomFile(tekton): "a: {password: x}"}), settings.Options{})
	for _, a := range p.Apps {
		for _, r := range a.Raw {
			if a.Name == "tekton" && r.State != settings.RawKept {
				t.Errorf("managed and custom hold %s together: %s", r.Path, r.State)
			}
		}
	}
	if message := p.Message(); strings.Contains(message, ": x") || !strings.Contains(message, "  a.password: ***\n") {
		t.Errorf("the message shows a secret, or does not say that there is one:\n%s", message)
	}
}

func (r repo) merge(other repo) repo {
	out := r.with(&settings.Plan{})
	for path, text := range other {
		out[path] = text
	}
	return out
}

func TestNothingToPlanWith(t *testing.T) {
	if _, err := settings.NewPlan(repo{}.input(), settings.Options{}); !errors.Is(err, settings.ErrNoApps) {
		t.Errorf("a repo without either is none of a platform: %v", err)
	}
	in := repo{"env/apps/a.yaml": envelope("a", "    b: 1\n")}.input()
	in.Exceptions = []settings.Exception{{Path: "p", Rule: "no-such", Line: 2, Column: 3}}
	if _, err := settings.NewPlan(in, settings.Options{}); err == nil || !strings.HasPrefix(err.Error(), `.apl.yaml:2:3: there is no rule "no-such"`) {
		t.Errorf("an exception for a rule that does not exist accepts nothing: %v", err)
	}
}
