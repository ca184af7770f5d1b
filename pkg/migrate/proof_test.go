package migrate_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

// provable are charts that show what a proof has to deal with.
func provable() map[string]string {
	const object = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {n: {{ .Values.n | quote }}}\n"
	return map[string]string{
		"charts/plain/Chart.yaml":           "apiVersion: v2\nname: plain\nversion: 1.0.0\n",
		"charts/plain/values.yaml":          "n: 0\n",
		"charts/plain/templates/c.yaml":     object,
		"charts/random/Chart.yaml":          "apiVersion: v2\nname: random\nversion: 1.0.0\n",
		"charts/random/templates/s.yaml":    "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {pw: {{ randAlphaNum 12 }}, at: {{ now | unixEpoch | quote }}}\n",
		"charts/random/templates/c.yaml":    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, annotations: {checksum/s: {{ randAlphaNum 4 | sha256sum }}}}\ndata: {n: {{ .Values.n | quote }}, more: {{ .Values.more | default \"\" | quote }}}\n",
		"charts/empty/Chart.yaml":           "apiVersion: v2\nname: empty\nversion: 1.0.0\n",
		"charts/empty/templates/c.yaml":     "# nothing\n{{ if .Values.enabled }}\n" + object + "{{ end }}\n",
		"charts/failing/Chart.yaml":         "apiVersion: v2\nname: failing\nversion: 1.0.0\n",
		"charts/failing/templates/c.yaml":   "{{ fail .Values.n }}",
		"charts/new/Chart.yaml":             "apiVersion: v2\nname: new\nversion: 1.0.0\nkubeVersion: '>=1.99.0'\n",
		"charts/new/templates/c.yaml":       object,
		"charts/with/Chart.yaml":            "apiVersion: v2\nname: with\nversion: 1.0.0\n",
		"charts/with/templates/c.yaml":      "apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: c\n  {{- with .Values.annotations }}\n  annotations: {{ toYaml . | nindent 4 }}\n  {{- end }}\n",
		"charts/truthy/Chart.yaml":          "apiVersion: v2\nname: truthy\nversion: 1.0.0\n",
		"charts/truthy/templates/c.yaml":    "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: c{{ if .Values.extra }}-extra{{ end }}}\n",
		"charts/secretive/Chart.yaml":       "apiVersion: v2\nname: secretive\nversion: 1.0.0\n",
		"charts/secretive/templates/c.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {password: {{ .Values.word | default \"none\" | quote }}}\n",
	}
}

// TestProof holds what a proof comes to, and what it does to the plan.
func TestProof(t *testing.T) {
	manifests := migrate.Options{Verify: migrate.VerifyManifests}
	exact := migrate.Options{Verify: migrate.VerifyManifests, Exact: true}
	accepting := migrate.Options{Verify: migrate.VerifyManifests, AcceptAll: true}
	for name, tc := range map[string]struct {
		reason        string
		chart         string
		live, managed string
		options       migrate.Options
		action        migrate.Action
		result        migrate.Result
		says          string   // part of the proof's reason
		rules         []string // errors
		differences   []migrate.ProofDifference
		random        []string
		custom        string // part of the custom file
		change        func(helm map[string]any)
	}{
		"Values": {reason: "without introduced keys the values are equal to the digit, whatever the chart", chart: "plain",
			live: "n: 1", managed: "n: 0", action: migrate.Migrate, result: migrate.Equal, says: "to the digit"},
		"None": {reason: "nothing was asked for", chart: "plain", live: "n: 1", managed: "n: 0", options: migrate.Options{Verify: migrate.VerifyNone},
			action: migrate.Migrate, result: migrate.Unproven, says: "--verify=none"},
		"Manifests": {reason: "objects are equal", chart: "plain", live: "n: 1", managed: "n: 0", options: manifests,
			action: migrate.Migrate, result: migrate.Equal, says: "1 object rendered alike"},
		"Random": {reason: "I3: random fields are named and left out", chart: "random", live: "n: 1", managed: "n: 0", options: manifests,
			action: migrate.Migrate, result: migrate.Equal, random: []string{"ConfigMap c metadata.annotations.checksum/s", "Secret s data.pw"}},
		"RandomAndMore": {reason: "I3: what is not random is still compared", chart: "random", live: "n: 1", managed: "n: 0\nmore: x", options: accepting,
			action: migrate.Migrate, result: migrate.Differs, random: []string{"ConfigMap c metadata.annotations.checksum/s", "Secret s data.pw"},
			differences: []migrate.ProofDifference{{Object: "ConfigMap c", Source: "random/templates/c.yaml", Change: "changed", Path: "data.more", Before: `""`, After: `"x"`}}},
		"Empty": {reason: "I1: two empty renderings prove nothing", chart: "empty", live: "n: 1", managed: "n: 0", options: manifests,
			action: migrate.Blocked, result: migrate.Unproven, says: "nothing is rendered", rules: []string{"proof-missing"}},
		"Failing": {reason: "what cannot be rendered is not fine", chart: "failing", live: "n: hunter2", managed: "n: 0", options: manifests,
			action: migrate.Blocked, result: migrate.Unproven, says: "failing/templates/c.yaml", rules: []string{"proof-missing"}},
		"KubeVersion": {reason: "I5: the chart wants another Kubernetes", chart: "new", live: "n: 1", managed: "n: 0", options: manifests,
			action: migrate.Blocked, result: migrate.Unproven, says: "wants Kubernetes >=1.99.0", rules: []string{"proof-missing"}},
		"OwnKubeVersion": {reason: "helm.kubeVersion of the Application wins", chart: "new", live: "n: 1", managed: "n: 0", options: manifests,
			action: migrate.Migrate, result: migrate.Equal, change: func(helm map[string]any) { helm["kubeVersion"] = "1.99.1" }},
		"NoChart": {reason: "no chart, no proof", chart: "none", live: "n: 1", managed: "n: 0", options: manifests,
			action: migrate.Blocked, rules: []string{"chart-missing"}},
		"InexpressibleEqual": {reason: "DESIGN 4: a null that templates do not tell from absence is good enough", chart: "truthy",
			live: "n: 1", managed: "n: 0\nextra: x", options: exact, action: migrate.Migrate, result: migrate.Equal, custom: "extra: null"},
		"InexpressibleDiffers": {reason: "a null that shows in an object is not", chart: "with",
			live: "n: 1", managed: "n: 0\nannotations: {a: b}", options: exact, action: migrate.Blocked, result: migrate.Differs, rules: []string{"proof-differs"},
			differences: []migrate.ProofDifference{{Object: "ServiceAccount c", Source: "with/templates/c.yaml", Change: "changed", Path: "metadata.annotations.a", After: `""`}}},
		"Accepted": {reason: "what is accepted may change what runs, and is shown", chart: "with",
			live: "n: 1", managed: "n: 0\nannotations: {a: b}", options: accepting, action: migrate.Migrate, result: migrate.Differs,
			differences: []migrate.ProofDifference{{Object: "ServiceAccount c", Source: "with/templates/c.yaml", Change: "changed", Path: "metadata.annotations.a", After: `"b"`}}},
		"Masked": {reason: "a field that may be secret is masked", chart: "secretive",
			live: "n: 1", managed: "n: 0\nword: hunter2", options: accepting, action: migrate.Migrate, result: migrate.Differs,
			differences: []migrate.ProofDifference{{Object: "ConfigMap c", Source: "secretive/templates/c.yaml", Change: "changed", Path: "data.password", Before: "***", After: "***"}}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.files(t, t.TempDir(), provable())
			application := w.add(t, "web/web", tc.chart, tc.live, tc.managed)
			if tc.change != nil {
				tc.change(at(application, "spec", "source", "helm"))
			}
			in := w.input(t)
			in.Capabilities = &migrate.Capabilities{KubeVersion: "1.34.0", Source: "flags"}
			tc.options.ValuesRepoURL, tc.options.ValuesRevision = "https://git.example.test/values.git", "main"
			plan, err := migrate.New(t.Context(), in, tc.options)
			if err != nil {
				t.Fatal(err)
			}
			a := plan.Apps[0]
			var rules []string
			for _, f := range a.Findings {
				if f.Severity == "error" {
					rules = append(rules, f.Rule)
				}
			}
			if a.Action != tc.action || cmp.Diff(tc.rules, rules) != "" {
				t.Errorf("%s: the app is %s by %v, %q", tc.reason, a.Action, rules, a.Reason)
			}
			if (len(plan.Changes()) > 0) != (tc.action == migrate.Migrate) {
				t.Errorf("%d files are written", len(plan.Changes()))
			}
			if text, _ := json.Marshal(plan); strings.Contains(string(text), "hunter2") && name != "Masked" {
				t.Errorf("a value is shown: %s", text)
			}
			if tc.result == "" {
				return
			}
			if a.Proof.Result != tc.result || !strings.Contains(a.Proof.Reason, tc.says) {
				t.Errorf("%s: the proof is %+v", tc.reason, a.Proof)
			}
			if diff := cmp.Diff(tc.differences, a.Proof.Differences); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.random, a.Proof.Random); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
			for _, c := range plan.Changes() {
				if strings.HasSuffix(c.Path, "custom.yaml") && !strings.Contains(string(c.Data), tc.custom) {
					t.Errorf("custom is %s", c.Data)
				}
			}
		})
	}
}

// TestProofNeedsKubernetes holds that Helm's own default is never taken in silence.
func TestProofNeedsKubernetes(t *testing.T) {
	_, err := migrate.New(t.Context(), newWorld().input(t), migrate.Options{Verify: migrate.VerifyManifests})
	if !errors.Is(err, migrate.ErrNoKubernetes) {
		t.Errorf("the error is %v", err)
	}
}

// TestProofNamesHelm is case A3: the proof names its Helm, and warns when Argo CD's treats nulls otherwise.
func TestProofNamesHelm(t *testing.T) {
	for version, tc := range map[string]struct {
		helm   string
		warned bool
	}{"v3.2.11": {"v3.18.4", false}, "v3.4.7": {"v3.19.4", true}, "v2.8.3": {"v3.12.1", true}, "": {"", false}} {
		in := newWorld().input(t)
		in.ArgoCD = version
		plan, err := migrate.New(t.Context(), in, migrate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		warned := false
		for _, f := range plan.Findings {
			warned = warned || f.Rule == "helm-nulls"
		}
		if plan.Proof.Helm != chart.HelmVersion || plan.Proof.ArgoCDHelm != tc.helm || warned != tc.warned {
			t.Errorf("Argo CD %q: %+v, warned %v", version, plan.Proof, warned)
		}
	}
}

// aplCore names a folder that holds charts/ of linode/apl-core at a commit of August 2026, for the proof on the real charts.
const aplCore = "APL_CORE"

// TestProofOfCorpus proves a real platform on its real charts.
func TestProofOfCorpus(t *testing.T) {
	recorded, charts := corpus(t), os.Getenv(aplCore)
	if charts == "" {
		t.Skip(aplCore + " names no folder with the charts of apl-core, which are not part of the project")
	}
	in := recorded.input(t, memory{}, charts)
	in.Capabilities = &migrate.Capabilities{KubeVersion: "1.34.0", Source: "flags"}
	plan, err := migrate.New(t.Context(), in, migrate.Options{Verify: migrate.VerifyManifests, KeepGoing: true, AcceptAll: true})
	if err != nil {
		t.Fatal(err)
	}
	if plan.Proof.Equal != 42 || plan.Proof.Differs != 1 || plan.Proof.Unproven != 0 {
		t.Errorf("the proofs come to %+v", plan.Proof)
	}
	for _, a := range plan.Apps {
		switch {
		case a.Proof == nil:
		case a.App == "tekton-pipelines/tekton-pipelines":
			want := []migrate.ProofDifference{{Object: "ServiceAccount tekton-bot", Source: "tekton-pipeline/templates/tekton-bot-sa.yaml",
				Change: "changed", Path: "metadata.annotations.test", After: `"v1"`}}
			if diff := cmp.Diff(want, a.Proof.Differences); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		case a.Proof.Result != migrate.Equal:
			t.Errorf("%s: %+v", a.App, a.Proof)
		}
		if a.Proof != nil && (len(a.Proof.Random) > 0) != (a.App == "rabbitmq/rabbitmq") {
			t.Errorf("%s: random are %q", a.App, a.Proof.Random)
		}
	}
}
