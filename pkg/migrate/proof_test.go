package migrate_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

// provable are charts that show what a proof has to deal with.
func provable() map[string]string {
	const object = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {size: {{ .Values.size | quote }}}\n"
	return map[string]string{
		"charts/plain/Chart.yaml":           "apiVersion: v2\nname: plain\nversion: 1.0.0\n",
		"charts/plain/values.yaml":          "size: 0\n",
		"charts/plain/templates/c.yaml":     object,
		"charts/random/Chart.yaml":          "apiVersion: v2\nname: random\nversion: 1.0.0\n",
		"charts/random/templates/s.yaml":    "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData:\n  at: {{ now | date \"05.000000000\" | quote }}\n  {{- if not .Values.fixed }}\n  pw: {{ randAlphaNum 12 }}\n  {{- end }}\n",
		"charts/random/templates/c.yaml":    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, annotations: {checksum/s: {{ randAlphaNum 4 | sha256sum }}}}\ndata: {size: {{ .Values.size | quote }}, more: {{ .Values.more | default \"\" | quote }}}\n",
		"charts/empty/Chart.yaml":           "apiVersion: v2\nname: empty\nversion: 1.0.0\n",
		"charts/empty/templates/c.yaml":     "# nothing\n{{ if .Values.enabled }}\n" + object + "{{ end }}\n",
		"charts/failing/Chart.yaml":         "apiVersion: v2\nname: failing\nversion: 1.0.0\n",
		"charts/failing/templates/c.yaml":   "{{ fail .Values.size }}",
		"charts/new/Chart.yaml":             "apiVersion: v2\nname: new\nversion: 1.0.0\nkubeVersion: '>=1.99.0'\n",
		"charts/new/templates/c.yaml":       object,
		"charts/with/Chart.yaml":            "apiVersion: v2\nname: with\nversion: 1.0.0\n",
		"charts/with/templates/c.yaml":      "apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: c\n  {{- with .Values.annotations }}\n  annotations: {{ toYaml . | nindent 4 }}\n  {{- end }}\n",
		"charts/naming/Chart.yaml":          "apiVersion: v2\nname: naming\nversion: 1.0.0\n",
		"charts/naming/templates/c.yaml":    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: n-{{ .Values.password }}}\ndata: {k-{{ .Values.password }}: {{ .Values.more | default \"-\" | quote }}}\n",
		"charts/more/Chart.yaml":            "apiVersion: v2\nname: more\nversion: 1.0.0\n",
		"charts/more/templates/c.yaml":      object,
		"charts/more/templates/d.yaml":      "{{ if .Values.more }}\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: d}\n{{ end }}\n",
		"charts/placed/Chart.yaml":          "apiVersion: v2\nname: placed\nversion: 1.0.0\n",
		"charts/placed/templates/c.yaml":    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n  {{- with .Values.place }}\n  namespace: {{ . }}\n  {{- end }}\n",
		"charts/truthy/Chart.yaml":          "apiVersion: v2\nname: truthy\nversion: 1.0.0\n",
		"charts/truthy/templates/c.yaml":    "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: c{{ if .Values.extra }}-extra{{ end }}}\n",
		"charts/named/Chart.yaml":           "apiVersion: v2\nname: named\nversion: 1.0.0\n",
		"charts/named/templates/j.yaml":     "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: j-{{ randAlphaNum 8 | lower }}\n  annotations: {helm.sh/hook: pre-install}\nspec: {template: {spec: {containers: [{name: c, image: i, env: [{name: R, value: {{ uuidv4 }}}, {name: MORE, value: {{ .Values.more | default \"none\" }}}]}]}}}\n",
		"charts/coin/Chart.yaml":            "apiVersion: v2\nname: coin\nversion: 1.0.0\n",
		"charts/coin/templates/c.yaml":      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {at: {{ now | unixEpoch | quote }}, size: {{ .Values.size | quote }}}\n",
		"charts/mixed/Chart.yaml":           "apiVersion: v2\nname: mixed\nversion: 1.0.0\n",
		"charts/mixed/templates/j.yaml":     "{{ range list (randAlphaNum 8 | lower) (.Values.more | default \"none\") }}\n---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: j-{{ . }}}\n{{ end }}",
		"charts/fixed/Chart.yaml":           "apiVersion: v2\nname: fixed\nversion: 1.0.0\n",
		"charts/fixed/templates/s.yaml":     "apiVersion: v1\nkind: Secret\nmetadata: {name: s, annotations: {sum: {{ randAlphaNum 9 }}}}\nstringData: {pw: {{ .Values.more | default (randAlphaNum 12) }}}\n",
		"charts/generated/Chart.yaml":       "apiVersion: v2\nname: generated\nversion: 1.0.0\n",
		"charts/generated/templates/c.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {id: {{ if .Values.more }}{{ uuidv4 }}{{ else }}mine{{ end }}}\n",
		"charts/text/Chart.yaml":            "apiVersion: v2\nname: text\nversion: 1.0.0\n",
		"charts/text/templates/c.yaml":      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  conf: |\n    id = {{ uuidv4 }}\n    size = {{ .Values.size }}\n    more = {{ .Values.more }}\n",
		"charts/text/templates/s.yaml":      "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData:\n  conf: |\n    id = {{ uuidv4 }}\n    more = {{ .Values.more }}\n",
		"charts/args/Chart.yaml":            "apiVersion: v2\nname: args\nversion: 1.0.0\n",
		"charts/args/templates/p.yaml":      "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: i, args: [--id={{ uuidv4 }}, --more={{ .Values.more }}]}]}\n",
		"charts/number/Chart.yaml":          "apiVersion: v2\nname: number\nversion: 1.0.0\n",
		"charts/number/templates/w.yaml":    "apiVersion: example.test/v1\nkind: W\nmetadata: {name: w, annotations: {id: {{ uuidv4 }}}}\nspec: {id: {{ .Values.more | default \"9007199254740992\" }}}\n",
		"charts/argotest/Chart.yaml":        "apiVersion: v2\nname: argotest\nversion: 1.0.0\n",
		"charts/argotest/templates/c.yaml":  object + "---\napiVersion: v1\nkind: Pod\nmetadata: {name: t, labels: {more: m{{ .Values.more }}}, annotations: {helm.sh/hook: test, argocd.argoproj.io/hook: PostSync}}\n",
		"charts/crd/Chart.yaml":             "apiVersion: v2\nname: crd\nversion: 1.0.0\n",
		"charts/crd/templates/c.yaml":       "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.acme.test}\nspec: {group: acme.test, versions: [{name: v1, served: {{ not .Values.drop }}, storage: true}]}\n",
		"charts/command/Chart.yaml":         "apiVersion: v2\nname: command\nversion: 1.0.0\n",
		"charts/command/templates/p.yaml":   "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: i, args: [/usr/local/bin/server, --port=8080, --metrics-port=8083, --staticassets, --size={{ .Values.size }}, {{ .Values.last | default \"--a\" }}]}]}\n",
		"charts/listless/Chart.yaml":        "apiVersion: v2\nname: listless\nversion: 1.0.0\n",
		"charts/listless/templates/c.yaml":  "apiVersion: v1\nkind: List\nitems: []\n",
		"charts/library/Chart.yaml":         "apiVersion: v2\nname: library\nversion: 1.0.0\ntype: library\n",
		"charts/lacking/Chart.yaml":         "apiVersion: v2\nname: lacking\nversion: 1.0.0\ndependencies: [{name: sub, version: 1.0.0, repository: 'https://charts.example.test'}]\n",
		"charts/lacking/templates/c.yaml":   object,
		"charts/leaky/Chart.yaml":           "apiVersion: v2\nname: leaky\nversion: 1.0.0\n",
		"charts/leaky/templates/c.yaml":     "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {line: {{ printf \"a %s b %s\" (.Values.password | default \"-\") (.Values.more | default \"-\") | quote }}}\n",
		"charts/coded/Chart.yaml":           "apiVersion: v2\nname: coded\nversion: 1.0.0\n",
		"charts/coded/templates/c.yaml":     "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {line: {{ printf \"eu:%s:%s\" .Values.password (.Values.more | default \"-\") | b64enc | quote }}}\n",
		"charts/coded/templates/p.yaml":     "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: i, command: [run, {{ .Values.password | toJson }}{{ if .Values.more }}, more{{ end }}]}]}\n",
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
		accept        bool   // the secrets of the app are accepted
		edited        string // the custom file in the repo
	}{
		"Values": {reason: "without introduced keys the values are equal to the digit, whatever the chart", chart: "plain",
			live: "size: 1", managed: "size: 0", action: migrate.Migrate, result: migrate.Equal, says: "to the digit"},
		"None": {reason: "nothing was asked for", chart: "plain", live: "size: 1", managed: "size: 0", options: migrate.Options{Verify: migrate.VerifyNone},
			action: migrate.Migrate, result: migrate.Unproven, says: "--verify=none"},
		"Manifests": {reason: "objects are equal", chart: "plain", live: "size: 1", managed: "size: 0", options: manifests,
			action: migrate.Migrate, result: migrate.Equal, says: "1 object rendered alike"},
		"Random": {reason: "I3: random fields are named and left out", chart: "random", live: "size: 1", managed: "size: 0", options: manifests,
			action: migrate.Migrate, result: migrate.Equal, random: []string{"ConfigMap c metadata.annotations.checksum/s", "Secret s data.at", "Secret s data.pw"}},
		"RandomAndMore": {reason: "I3: what is not random is still compared", chart: "random", live: "size: 1", managed: "size: 0\nmore: x", options: accepting,
			action: migrate.Migrate, result: migrate.Differs, random: []string{"ConfigMap c metadata.annotations.checksum/s", "Secret s data.at", "Secret s data.pw"},
			differences: []migrate.ProofDifference{{Object: "ConfigMap c", Source: "random/templates/c.yaml", Change: "changed", Path: "data.more", Before: `""`, After: `"x"`}}},
		"Empty": {reason: "I1: two empty renderings prove nothing", chart: "empty", live: "size: 1", managed: "size: 0", options: manifests,
			action: migrate.Blocked, result: migrate.Unproven, says: "nothing is rendered", rules: []string{"proof-missing"}},
		"Failing": {reason: "what cannot be rendered is not fine", chart: "failing", live: "size: hunter2", managed: "size: 0", options: manifests,
			action: migrate.Blocked, result: migrate.Unproven, says: "failing/templates/c.yaml", rules: []string{"proof-missing"}},
		"KubeVersion": {reason: "I5: the chart wants another Kubernetes", chart: "new", live: "size: 1", managed: "size: 0", options: manifests,
			action: migrate.Blocked, result: migrate.Unproven, says: "wants Kubernetes >=1.99.0", rules: []string{"proof-missing"}},
		"OwnKubeVersion": {reason: "helm.kubeVersion of the Application wins", chart: "new", live: "size: 1", managed: "size: 0", options: manifests,
			action: migrate.Migrate, result: migrate.Equal, change: func(helm map[string]any) { helm["kubeVersion"] = "1.99.1" }},
		"RandomGone": {reason: "I3: that a random field goes is no noise, though its value is", chart: "random", live: "size: 1", managed: "size: 0\nfixed: true", options: accepting,
			action: migrate.Migrate, result: migrate.Differs, random: []string{"ConfigMap c metadata.annotations.checksum/s", "Secret s data.at"},
			differences: []migrate.ProofDifference{{Object: "Secret s", Source: "random/templates/s.yaml", Change: "changed", Path: "data.pw", Before: "***", After: "***"}}},
		"RandomName": {reason: "I3: what an object of a random name holds is compared; hooks are", chart: "named", live: "size: 1", managed: "size: 0\nmore: x", options: accepting,
			action: migrate.Migrate, result: migrate.Differs, says: "1 difference of 1 object, 1 hook among them",
			random:      []string{"Job.batch * metadata.name", "Job.batch * spec.template.spec.containers[0].env[0].value"},
			differences: []migrate.ProofDifference{{Object: "Job.batch *", Source: "named/templates/j.yaml", Change: "changed", Path: "spec.template.spec.containers[0].env[1].value", Before: `"none"`, After: `"x"`}}},
		"MixedNames": {reason: "a name that is the same each time is compared, beside one of the same template and kind that is not", chart: "mixed",
			live: "size: 1", managed: "size: 0\nmore: x", options: accepting, action: migrate.Migrate, result: migrate.Differs, random: []string{"Job.batch * metadata.name"},
			differences: []migrate.ProofDifference{{Object: "Job.batch j-none", Source: "mixed/templates/j.yaml", Change: "removed"}, {Object: "Job.batch j-x", Source: "mixed/templates/j.yaml", Change: "added"}}},
		"FixedSince": {reason: "something fixed in place of what was random is a change", chart: "fixed",
			live: "size: 1", managed: "size: 0\nmore: x", options: accepting, action: migrate.Migrate, result: migrate.Differs, random: []string{"Secret s metadata.annotations.sum"},
			differences: []migrate.ProofDifference{{Object: "Secret s", Source: "fixed/templates/s.yaml", Change: "changed", Path: "data.pw", Before: "***", After: "***"}}},
		"RandomSince": {reason: "and something random in place of what was fixed is one with each sync", chart: "generated",
			live: "size: 1", managed: "size: 0\nmore: x", options: accepting, action: migrate.Migrate, result: migrate.Differs, says: "1 difference of 1 object"},
		"LineOfText": {reason: "a text with a random line is compared in its other lines", chart: "text",
			live: "size: 1", managed: "size: 0\nmore: x", options: accepting, action: migrate.Migrate, result: migrate.Differs, random: []string{"ConfigMap c data.conf", "Secret s data.conf"},
			differences: []migrate.ProofDifference{
				{Object: "ConfigMap c", Source: "text/templates/c.yaml", Change: "changed", Path: "data.conf", Before: `"\nsize = 1\nmore =\n"`, After: `"\nsize = 1\nmore = x\n"`},
				{Object: "Secret s", Source: "text/templates/s.yaml", Change: "changed", Path: "data.conf", Before: "***", After: "***"}}},
		"ItemOfList": {reason: "and a list with a random item in its other items", chart: "args",
			live: "size: 1", managed: "size: 0\nmore: x", options: accepting, action: migrate.Migrate, result: migrate.Differs, random: []string{"Pod p spec.containers[0].args[0]"},
			differences: []migrate.ProofDifference{{Object: "Pod p", Source: "args/templates/p.yaml", Change: "changed", Path: "spec.containers[0].args", Before: `["","--more="]`, After: `["","--more=x"]`}}},
		"LongNumber": {reason: "no digit of a number is lost on the way", chart: "number",
			live: "size: 1", managed: "size: 0\nmore: '9007199254740993'", options: accepting, action: migrate.Migrate, result: migrate.Differs, random: []string{"W.example.test w metadata.annotations.id"},
			differences: []migrate.ProofDifference{{Object: "W.example.test w", Source: "number/templates/w.yaml", Change: "changed", Path: "spec.id", Before: "9007199254740992", After: "9007199254740993"}}},
		"ArgoTest": {reason: "a test of Helm's that Argo CD runs as a hook of its own is compared", chart: "argotest",
			live: "size: 1", managed: "size: 0\nmore: x", options: accepting, action: migrate.Migrate, result: migrate.Differs, says: "1 difference of 2 objects, 1 hook among them",
			differences: []migrate.ProofDifference{{Object: "Pod t", Source: "argotest/templates/c.yaml", Change: "changed", Path: "metadata.labels.more", Before: `"m"`, After: `"mx"`}}},
		"CRD": {reason: "I7: a version that is served no more breaks what exists, accepted or not", chart: "crd", live: "size: 1", managed: "size: 0\ndrop: true", options: accepting,
			action: migrate.Blocked, result: migrate.Differs, rules: []string{"crd-breaking"},
			differences: []migrate.ProofDifference{{Object: "CustomResourceDefinition.apiextensions.k8s.io widgets.acme.test", Source: "crd/templates/c.yaml", Change: "changed", Path: "spec.versions[0].served", Before: "true", After: "false"}}},
		"LongList": {reason: "what is shown of a long value is where it differs", chart: "command", live: "size: 1", managed: "size: 0\nlast: --b", options: accepting,
			action: migrate.Migrate, result: migrate.Differs,
			differences: []migrate.ProofDifference{{Object: "Pod p", Source: "command/templates/p.yaml", Change: "changed", Path: "spec.containers[0].args",
				Before: `...sets","--size=1","--a"]`, After: `...sets","--size=1","--b"]`}}},
		"EmptyList": {reason: "I1: a list without items is no object", chart: "listless", live: "size: 1", managed: "size: 0", options: manifests,
			action: migrate.Blocked, result: migrate.Unproven, says: "nothing is rendered: 0 objects before, 0 objects after", rules: []string{"proof-missing"}},
		"Library": {reason: "Helm renders no library chart", chart: "library", live: "size: 1", managed: "size: 0", options: manifests,
			action: migrate.Blocked, result: migrate.Unproven, says: "library", rules: []string{"proof-missing"}},
		"Lacking": {reason: "a subchart that is not there would be missed on both sides alike", chart: "lacking", live: "size: 1", managed: "size: 0", options: manifests,
			action: migrate.Blocked, result: migrate.Unproven, says: "sub", rules: []string{"proof-missing"}},
		"Leaky": {reason: "a literal secret of the values is masked wherever a template puts it", chart: "leaky", live: "password: hunter2x", managed: "password: hunter2x\nmore: y", options: accepting, accept: true,
			action: migrate.Migrate, result: migrate.Differs,
			differences: []migrate.ProofDifference{{Object: "ConfigMap c", Source: "leaky/templates/c.yaml", Change: "changed", Path: "data.line", Before: "***", After: "***"}}},
		"LeakyName": {reason: "E11: in an object's name and in a field's too", chart: "naming", live: "password: hunter2x", managed: "password: hunter2x\nmore: y", options: accepting, accept: true,
			action: migrate.Migrate, result: migrate.Differs,
			differences: []migrate.ProofDifference{{Object: "ConfigMap n-***", Source: "naming/templates/c.yaml", Change: "changed", Path: "data.k-***", Before: `"-"`, After: `"true"`}}},
		"Coded": {reason: "also in base64 with more around it, and among JSON", chart: "coded", live: "password: 'hun&r2<x>\"'", managed: "password: 'hun&r2<x>\"'\nmore: y", options: accepting, accept: true,
			action: migrate.Migrate, result: migrate.Differs,
			differences: []migrate.ProofDifference{
				{Object: "ConfigMap c", Source: "coded/templates/c.yaml", Change: "changed", Path: "data.line", Before: "***", After: "***"},
				{Object: "Pod p", Source: "coded/templates/p.yaml", Change: "changed", Path: "spec.containers[0].command", Before: "***", After: "***"}}},
		"Edited": {reason: "a custom file that says something else is proven too: it says which object and field", chart: "plain", live: "size: 1", managed: "size: 0", options: manifests, edited: "size: 7\n",
			action: migrate.Blocked, result: migrate.Differs, rules: []string{"custom-differs"},
			differences: []migrate.ProofDifference{{Object: "ConfigMap c", Source: "plain/templates/c.yaml", Change: "changed", Path: "data.size", Before: `"1"`, After: `"7"`}}},
		"NoChart": {reason: "no chart, no proof", chart: "none", live: "size: 1", managed: "size: 0", options: manifests,
			action: migrate.Blocked, rules: []string{"chart-missing"}},
		"InexpressibleEqual": {reason: "DESIGN 4: a null that templates do not tell from absence is good enough", chart: "truthy",
			live: "size: 1", managed: "size: 0\nextra: x", options: exact, action: migrate.Migrate, result: migrate.Equal, custom: "extra: null"},
		"InexpressibleDiffers": {reason: "a null that shows in an object is not", chart: "with",
			live: "size: 1", managed: "size: 0\nannotations: {a: b}", options: exact, action: migrate.Blocked, result: migrate.Differs, rules: []string{"proof-differs"},
			differences: []migrate.ProofDifference{{Object: "ServiceAccount c", Source: "with/templates/c.yaml", Change: "changed", Path: "metadata.annotations.a", After: `""`}}},
		"Accepted": {reason: "what is accepted may change what runs, and is shown", chart: "with",
			live: "size: 1", managed: "size: 0\nannotations: {a: b}", options: accepting, action: migrate.Migrate, result: migrate.Differs,
			differences: []migrate.ProofDifference{{Object: "ServiceAccount c", Source: "with/templates/c.yaml", Change: "changed", Path: "metadata.annotations.a", After: `"b"`}}},
		"Placed": {reason: "an object that names no namespace goes to the app's: to name that one changes nothing", chart: "placed",
			live: "size: 1", managed: "size: 0\nplace: web", options: accepting, action: migrate.Migrate, result: migrate.Equal, says: "1 object rendered alike"},
		"Counts": {reason: "I1: both sides' objects are counted", chart: "more", live: "size: 1", managed: "size: 0\nmore: true", options: accepting,
			action: migrate.Migrate, result: migrate.Differs, says: "1 difference of 1 object before, 2 after",
			differences: []migrate.ProofDifference{{Object: "ConfigMap d", Source: "more/templates/d.yaml", Change: "added"}}},
		"Masked": {reason: "a field that may be secret is masked", chart: "secretive",
			live: "size: 1", managed: "size: 0\nword: hunter2", options: accepting, action: migrate.Migrate, result: migrate.Differs,
			differences: []migrate.ProofDifference{{Object: "ConfigMap c", Source: "secretive/templates/c.yaml", Change: "changed", Path: "data.password", Before: "***", After: "***"}}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.files(t, t.TempDir(), provable())
			application := w.add(t, "web/web", tc.chart, tc.live, tc.managed)
			if tc.change != nil {
				tc.change(at(application, "spec", "source", "helm"))
			}
			if tc.accept {
				w.config = "secrets:\n- {app: web/web, rule: secret-named-key, path: password, reason: made up}\n"
			}
			if tc.edited != "" {
				w.repo["env/values/web/web/values.custom.yaml"] = []byte(tc.edited)
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
			if text, _ := json.Marshal(plan); strings.Contains(string(text), "hunter2") && name != "Masked" { // where managed introduces it, nothing says secret
				t.Errorf("a value is shown: %s", text)
			}
			if tc.result == "" {
				return
			}
			if a.Proof.Result != tc.result || !strings.Contains(a.Proof.Reason, tc.says) {
				t.Errorf("%s: the proof is %+v", tc.reason, a.Proof)
			}
			if diff := cmp.Diff(tc.differences, a.Proof.Differences); diff != "" && name != "RandomSince" { // its difference is another each time
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

// TestProofNamesHelm is case A3: the proof names its Helm, and warns when Argo CD's treats nulls otherwise and there are
// nulls that it could matter to.
func TestProofNamesHelm(t *testing.T) {
	manifests := migrate.Options{Verify: migrate.VerifyManifests, AcceptAll: true}
	for name, tc := range map[string]struct {
		reason        string
		argo, helm    string
		live, managed string
		options       migrate.Options
		warns         string
	}{
		"Bundled":    {"Argo CD 3.2 drops a null over a null", "v3.2.11", "v3.18.4", "size: null", "size: 0", manifests, "a null over a chart default that is null"},
		"Older":      {"Argo CD 2.8 does more otherwise", "v2.8.3", "v3.12.1", "size: null", "size: 0", manifests, "falls back to a subchart's own default"},
		"NoNull":     {"without a null there is nothing to differ in", "v3.2.11", "v3.18.4", "size: 1", "size: 0", manifests, ""},
		"ToTheDigit": {"values that are equal to the digit are so in each Helm", "v3.2.11", "v3.18.4", "size: null", "size: 0", migrate.Options{}, ""},
		"Introduced": {"with introduced keys they are not", "v3.2.11", "v3.18.4", "size: null", "size: 0\nm: 1", migrate.Options{AcceptAll: true}, "Helm v3.18.4"},
		"Major":      {"Helm 4 differs in what charts hold", "v3.6.1", "v4.3.1", "size: 1", "size: 0", manifests, "defaults of a chart"},
		"Unknown":    {"the cluster's Argo CD is not known", "", "", "size: null", "size: 0", manifests, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.files(t, t.TempDir(), provable())
			w.add(t, "web/web", "plain", tc.live, tc.managed)
			in := w.input(t)
			in.ArgoCD, in.Capabilities = tc.argo, &migrate.Capabilities{KubeVersion: "1.34.0", Source: "flags"}
			tc.options.ValuesRepoURL, tc.options.ValuesRevision = "https://git.example.test/values.git", "main"
			plan := newPlan(t, in, tc.options)
			if plan.Proof.Helm != chart.HelmVersion || plan.Proof.ArgoCDHelm != tc.helm {
				t.Errorf("the proof is %+v", plan.Proof)
			}
			said := ""
			for _, f := range plan.Findings {
				if f.Rule == "helm-nulls" {
					said += f.Message
				}
			}
			if (said != "") != (tc.warns != "") || !strings.Contains(said, tc.warns) {
				t.Errorf("%s: it says %q", tc.reason, said)
			}
		})
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

// TestProofOfCorpusEdited changes one value of a custom file by hand, as people do: the proof says which object and field
// that is.
func TestProofOfCorpusEdited(t *testing.T) {
	recorded, charts := corpus(t), os.Getenv(aplCore)
	if charts == "" {
		t.Skip(aplCore + " names no folder with the charts of apl-core, which are not part of the project")
	}
	const id, path = "monitoring/loki", "env/values/monitoring/loki/values.custom.yaml"
	repo := memory{}
	prove := func() (*migrate.Plan, migrate.App) {
		in := recorded.input(t, repo, charts)
		in.Capabilities = &migrate.Capabilities{KubeVersion: "1.34.0", Source: "flags"}
		plan := newPlan(t, in, migrate.Options{Verify: migrate.VerifyManifests, Apps: []string{id}})
		i := slices.IndexFunc(plan.Apps, func(a migrate.App) bool { return a.App == id })
		return plan, plan.Apps[i]
	}
	plan, a := prove()
	if a.Proof == nil || a.Proof.Result != migrate.Equal {
		t.Fatalf("before the edit the proof is %+v", a.Proof)
	}
	repo.land(plan)
	edited := bytes.Replace(repo[path], []byte("retention_period: 31d"), []byte("retention_period: 99h"), 1)
	if bytes.Equal(edited, repo[path]) {
		t.Fatalf("there is nothing to edit: %s", repo[path])
	}
	repo[path] = edited
	_, a = prove()
	if a.Action != migrate.Blocked || a.Proof == nil || a.Proof.Result != migrate.Differs {
		t.Fatalf("the app is %s, its proof is %+v", a.Action, a.Proof)
	}
	first := a.Proof.Differences[0]
	if first.Object != "ConfigMap monitoring/loki" || first.Path != `data["config.yaml"]` || !strings.Contains(first.Before, "31d") || !strings.Contains(first.After, "99h") {
		t.Errorf("the first difference is %+v", first)
	}
	for _, d := range a.Proof.Differences[1:] {
		if d.Path != "spec.template.metadata.annotations.checksum/config" {
			t.Errorf("another difference: %+v", d)
		}
	}
}
