package settings_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/settings"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

func TestExisting(t *testing.T) {
	const file = "env/apps/gitea.yaml"
	on, off := envelope("gitea", "    enabled: true\n"), envelope("gitea", "    enabled: false\n")
	made := string(plan(t, repo{file: on}, settings.Options{}).Changes()[0].Data)
	edited := strings.Replace(made, "enabled: true", "enabled: true\n        theme: dark # ours", 1)
	noted := strings.Replace(made, "apps:", "# a note\napps:", 1)
	_, bare, _ := strings.Cut(made, "apps:")
	bare = "apps:" + bare
	more := string(plan(t, repo{file: on, "env/apps/loki.yaml": envelope("loki", "    enabled: true\n")}, settings.Options{}).Changes()[0].Data)
	cases := map[string]struct {
		reason   string
		env      string
		apps     string
		prefer   settings.Side
		effect   settings.Effect
		body     string // what apps.yaml holds afterwards; "" for as before
		findings []string
	}{
		"Same":      {reason: "neither was edited", env: on, apps: made, effect: settings.Same},
		"EnvEdited": {reason: "only env/apps was edited: it counts", env: off, apps: made, effect: settings.Update, body: "apps:\n    gitea:\n        enabled: false\n"},
		"Edited":    {reason: "only apps.yaml was edited: it is the later word", env: on, apps: edited, effect: settings.Same},
		"Comment":   {reason: "a comment is an edit, and kept", env: on, apps: noted, effect: settings.Same},
		"OnTop":     {reason: "so is one above the header", env: on, apps: "# ours\n" + made, effect: settings.Same},
		"OnTopBoth": {
			reason: "which is not written over", env: off, apps: "# ours\n" + made, effect: settings.Refused,
			findings: []string{"error settings-conflict env/settings/apps.yaml:6 apps.gitea.enabled"},
		},
		"Gone": {
			reason: "one file that comes back, or is left, takes no other app away", env: off, apps: more, effect: settings.Refused,
			findings: []string{"error settings-conflict env/settings/apps.yaml:6"},
		},
		"GonePreferEnv":  {reason: "unless a person says so", env: off, apps: more, prefer: settings.EnvApps, effect: settings.Update, body: "apps:\n    gitea:\n        enabled: false\n"},
		"GonePreferApps": {reason: "or that it is to be kept", env: off, apps: more, prefer: settings.AppsYAML, effect: settings.Update, body: "apps:\n    gitea:\n        enabled: true\n    loki:\n        enabled: true\n"},
		"BothSame":       {reason: "both were edited to say the same", env: off, apps: strings.Replace(noted, "true", "false", 1), effect: settings.Same},
		"Both": {
			reason: "both were edited: nobody but a person can tell which counts", env: off, apps: edited, effect: settings.Refused,
			findings: []string{"error settings-conflict env/settings/apps.yaml:5 apps.gitea.enabled", "error settings-conflict env/settings/apps.yaml:6 apps.gitea.theme"},
		},
		"PreferEnv":  {reason: "a person says that env/apps counts", env: off, apps: edited, prefer: settings.EnvApps, effect: settings.Update, body: "apps:\n    gitea:\n        enabled: false\n"},
		"PreferApps": {reason: "a person says that apps.yaml counts", env: off, apps: edited, prefer: settings.AppsYAML, effect: settings.Update, body: "apps:\n    gitea:\n        enabled: true\n        theme: dark # ours\n"},
		"Bare":       {reason: "a file without the digest, as the platform may write it, that says the same", env: on, apps: bare, effect: settings.Same},
		"BareOther":  {reason: "and one that says something else", env: off, apps: bare, effect: settings.Refused, findings: []string{"error settings-conflict env/settings/apps.yaml:3 apps.gitea.enabled"}},
		"BareKept":   {reason: "which is kept", env: off, apps: bare, prefer: settings.AppsYAML, effect: settings.Update, body: "apps:\n    gitea:\n        enabled: true\n"},
		"Broken":     {reason: "a file that cannot be read is not written over", env: on, apps: "apps: []\n", effect: settings.Refused, findings: []string{"error settings-parse env/settings/apps.yaml:1 apps"}},
		"BrokenGone": {reason: "unless a person says so", env: on, apps: "apps: []\n", prefer: settings.EnvApps, effect: settings.Update, body: "apps:\n    gitea:\n        enabled: true\n"},
		"CRLF":       {reason: "a checkout with other line ends is no edit", env: off, apps: strings.ReplaceAll(made, "\n", "\r\n"), effect: settings.Update, body: "apps:\n    gitea:\n        enabled: false\n"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r := repo{file: tc.env, layout.AppsFile: tc.apps}
			p := plan(t, r, settings.Options{Prefer: tc.prefer})
			if p.Effect != tc.effect {
				t.Errorf("%s: %s (%s)", tc.reason, p.Effect, p.Reason)
			}
			if diff := cmp.Diff(tc.findings, found(p.Findings)); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
			after := r.with(p)
			want := tc.apps
			if tc.body != "" {
				want = tc.body
				if got := body([]byte(after[layout.AppsFile])); got != want {
					t.Errorf("%s: it holds\n%s", tc.reason, got)
				}
			} else if after[layout.AppsFile] != want {
				t.Errorf("%s: it was written", tc.reason)
			}
			if again := plan(t, after, settings.Options{}); tc.effect != settings.Refused && (len(again.Changes()) > 0 || again.Refused()) {
				t.Errorf("%s: a second run without a preference changes something: %s", tc.reason, again.Reason)
			}
		})
	}
}

func TestRemove(t *testing.T) {
	r := repo{"env/apps/gitea.yaml": envelope("gitea", "    enabled: true\n"), "env/apps/README.md": "read me"}
	options := settings.Options{RemoveEnvApps: true, PlatformReads: true}
	p := plan(t, r, options)
	if diff := cmp.Diff([]string{"warning settings-left env/apps/README.md:0"}, found(p.Findings)); diff != "" {
		t.Error(diff)
	}
	after := r.with(p)
	if len(after) != 2 || after[layout.AppsFile] == "" || after["env/apps/README.md"] == "" {
		t.Errorf("the envelopes go, the file comes, and what is no envelope stays: %v", after)
	}
	if again := plan(t, after, options); len(again.Changes()) > 0 || again.Refused() {
		t.Errorf("a second run changes something: %s", again.Reason)
	}
	if p := plan(t, r, settings.Options{PlatformReads: true}); len(p.Changes()) != 1 {
		t.Error("env/apps goes only when that is asked for")
	}
}

// TestGatherKeepsMeaning holds for any settings: apps.yaml says what the envelopes say, less _rawValues, gates read the same,
// and a second run changes nothing.
func TestGatherKeepsMeaning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := repo{}
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"gitea", "istio", "cnpg", "other"}), 1, 4, rapid.ID[string]).Draw(t, "apps") {
			spec := map[string]any{}
			for _, key := range rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "_rawValues", "9", "x y"}), 0, 4).Draw(t, "keys") {
				spec[key] = anything(3).Draw(t, key)
			}
			if rapid.Bool().Draw(t, "flag") {
				spec["enabled"] = rapid.Bool().Draw(t, "enabled")
			}
			text, err := values.Marshal(map[string]any{"kind": "AplApp", "metadata": map[string]any{"name": name}, "spec": spec})
			if err != nil {
				t.Fatal(err)
			}
			r["env/apps/"+name+".yaml"] = commented(t, string(text))
		}
		p, err := settings.NewPlan(r.input(), settings.Options{})
		if err != nil || p.Refused() {
			t.Fatal(err, found(p.Findings))
		}
		before, _ := settings.FromEnvApps(r.input().Files)
		after, err := settings.Parse(layout.AppsFile, p.Changes()[0].Data)
		if err != nil {
			t.Fatalf("%v\n%s", err, p.Changes()[0].Data)
		}
		if !values.Equal(before.Tree(), after.Tree()) {
			t.Fatalf("apps.yaml says something else:\n%s", p.Changes()[0].Data)
		}
		for _, g := range settings.Gates() {
			was, _ := settings.New(before).Evaluate(g.ID)
			is, _ := settings.New(after).Evaluate(g.ID)
			if was.State != is.State {
				t.Fatalf("%s was %s, and is %s", g.ID, was.State, is.State)
			}
		}
		again, err := settings.NewPlan(r.with(p).input(), settings.Options{})
		if err != nil || len(again.Changes()) > 0 {
			t.Fatal("a second run changes something", err)
		}
	})
}

// commented puts comments above and behind some lines.
func commented(t *rapid.T, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		switch rapid.IntRange(0, 5).Draw(t, "comment") {
		case 0:
			b.WriteString(indent + "# above\n" + line)
		case 1:
			b.WriteString(strings.TrimSuffix(line, "\n") + " # behind\n")
		default:
			b.WriteString(line)
		}
	}
	return b.String()
}

// TestManyConflicts holds that places which are not listed are not passed over in silence.
func TestManyConflicts(t *testing.T) {
	made := string(plan(t, repo{"env/apps/gitea.yaml": envelope("gitea", "    enabled: true\n")}, settings.Options{}).Changes()[0].Data)
	for n, want := range map[int]bool{10: false, 19: false, 20: true} {
		spec := "    enabled: true\n"
		for i := range n {
			spec += fmt.Sprintf("    key%d: 1\n", i)
		}
		p := plan(t, repo{"env/apps/gitea.yaml": envelope("gitea", spec), layout.AppsFile: strings.Replace(made, "true", "false", 1)}, settings.Options{})
		if got := strings.Contains(p.Findings[0].Message, "one of more than 20 places"); got != want || len(p.Findings) != min(n+1, 20) {
			t.Errorf("%d places: %d findings, %s", n+1, len(p.Findings), p.Findings[0].Message)
		}
	}
}
