package migrate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

// TestNearCasesValues holds neighbours of the public failures of area A; names say of which.
func TestNearCasesValues(t *testing.T) {
	exact := migrate.Options{Exact: true}
	runNearCases(t, map[string]publicCase{
		"A1Empty": {
			reason: "empty text, false, 0 and an empty list are defaults that can be pinned, and so is a map under what is none",
			inline: "own: 1\n", chart: "s: \"\"\nf: false\nz: 0\nl: []\nm: {a: 1}\n", managed: "own: 1\ns: x\nf: true\nz: 4\nl: [1]\nm: 7\n", options: exact,
			introduced: []string{"f pinned", "l pinned", "m pinned", "s pinned", "z pinned"},
			custom:     "f: false\nl: []\nm:\n  a: 1\ns: \"\"\nz: 0\n",
		},
		"A1Null": {
			reason: "a null that managed brings over a default is undone by the default",
			inline: "own: 1\n", chart: "m: {a: 1}\n", managed: "own: 1\nm: null\n", options: exact,
			introduced: []string{"m pinned"}, custom: "m:\n  a: 1\n",
		},
		"A1EmptyMap": {
			reason: "a default of {} is no default for what is below it",
			inline: "own: 1\n", chart: "m: {}\n", managed: "own: 1\nm: {a: 1}\n", options: exact,
			blocked: true, rules: []string{"error introduced-inexpressible"}, introduced: []string{"m.a inexpressible"},
		},
		"A3Nested": {
			reason: "a null over a map takes all of it along, managed's and the chart's",
			inline: "probe: {http: null}\n", chart: "probe: {http: {path: /ok}, period: 5}\n", managed: "probe: {http: {path: /x}}\n",
			custom: "probe:\n  http: null\n", sees: `{"probe":{"period":5}}`,
		},
		"I9Old": {
			reason: "a null takes the chart's default away",
			inline: "selector: {component: null}\n", chart: "selector: {k8s-app: s, component: s}\n", kept: [2]int{1, 1}, sees: `{"selector":{"k8s-app":"s"}}`,
		},
		"I9New": {
			reason: "and stays, for templates to see, where the chart has no such default any more: custom holds it in both",
			inline: "selector: {component: null}\n", chart: "selector: {k8s-app: s}\n", kept: [2]int{1, 1}, sees: `{"selector":{"component":null,"k8s-app":"s"}}`,
		},
		"A5Anchors": {
			reason: "what custom holds stands for itself, although live says it by an anchor that custom does not hold",
			inline: "base: &b {x: 1}\nl: [*b]\na:\n  <<: *b\n  z: 2\n", managed: "base: {x: 1}\n", custom: "l:\n- x: 1\na:\n  x: 1\n  z: 2\n",
		},
		"A11Text": {
			reason: "text that looks like something else stays text, also where it comes from JSON",
			change: setHelm("valuesObject", map[string]any{"a": "0755", "b": "1e3", "c": "yes", "d": "1_000", "e": "null", "f": "~"}),
			means:  given(`{"a": "0755", "b": "1e3", "c": "yes", "d": "1_000", "e": "null", "f": "~"}`),
			custom: "a: \"0755\"\nb: \"1e3\"\nc: \"yes\"\nd: \"1_000\"\ne: \"null\"\nf: \"~\"\n",
		},
		"A11Digits": {
			reason: "two long numbers are one float64 to Helm, and two numbers to people",
			inline: "id: 9007199254740993\nsame: 1.0\n", managed: "id: 9007199254740992\nsame: 1\n", kept: [2]int{1, 1},
		},
		"A13Types": {
			reason: "which of two keys that differ by type counts is chance",
			inline: "tcp: {80: a, \"80\": b}\n", blocked: true, rules: []string{"error values-parse"}, said: "with another type",
		},
		"A15Booleans": {
			reason: "on and yes are one key to Helm",
			inline: "on: 1\nyes: 2\n", rules: []string{"warning values-parse"}, said: `this key stands on line 1 and again on line 2`, kept: [2]int{2, 2},
		},
		"A15Documents": {
			reason: "a second document is none to Helm 3",
			inline: "a: 1\n---\na: 2\n", rules: []string{"warning values-parse"}, said: "further document", kept: [2]int{1, 1},
		},
		"A17UTF8": {
			reason: "bytes that are no text are an error, not replacement characters",
			inline: "a: 1\n", managed: "a: \"\xff\"\n", blocked: true, rules: []string{"error values-parse"}, said: "web-web.yaml:1:5: the text is not UTF-8",
		},
		"A19End": {
			reason: "a last line without a line end is data too",
			inline: "a: |\n  x", managed: "a: |\n  x\n", kept: [2]int{1, 2},
		},
		"A21Global": {
			reason: "a global that no chart has a default for reaches every subchart, and cannot be undone",
			inline: "own: 1\n", sub: "global: {region: eu}\n", managed: "own: 1\nglobal: {region: us}\n", options: exact,
			blocked: true, rules: []string{"error introduced-inexpressible"}, introduced: []string{"global.region inexpressible"},
		},
		"A21GlobalDefault": {
			reason: "with a default it can",
			inline: "own: 1\n", chart: "global: {region: de}\n", sub: "global: {region: eu}\n", managed: "own: 1\nglobal: {region: us}\n", options: exact,
			introduced: []string{"global.region pinned"}, custom: "global:\n  region: de\n",
		},
		"A23Block": {
			reason: "templates in a block are text like any other",
			inline: "a: 1\nb: |\n  {{- if .Values.a }}\n  ---\n  {{ end -}}\n", managed: "a: 1\n", kept: [2]int{2, 5},
		},
	})
}

// TestNearCasesArgoCD holds neighbours of the public failures of area B.
func TestNearCasesArgoCD(t *testing.T) {
	parameter := func(name, value string) func(*testing.T, string, map[string]any) {
		return setHelm("parameters", []any{map[string]any{"name": name, "value": value}})
	}
	const first = "spec.source.helm.parameters[0]"
	runNearCases(t, map[string]publicCase{
		"B1Both": {
			reason: "the object counts and the text does not, key by key either",
			inline: "a: 1\nb: 1\n", change: setHelm("valuesObject", map[string]any{"b": "x"}),
			rules: []string{"warning application-dead-values spec.source.helm.values"}, means: given("b: x"), custom: "b: x\n",
		},
		"B3Follows": {
			reason: "what Argo CD knows of the Application is frozen, and people are told that it no longer follows",
			change: parameter("a", "${ARGOCD_APP_NAMESPACE}@$ARGOCD_APP_SOURCE_TARGET_REVISION"),
			rules:  []string{"warning application-substitution " + first}, means: given("a: web@v1"), custom: "a: web@v1\n",
		},
		"B5Index": {
			reason: "an index goes into the list of the live values, and custom holds all of it",
			inline: "env: [{k: A}, {k: B}]\n", managed: "env: [{k: A}, {k: B}]\n", change: parameter("env[1].k", "C"),
			means: given("env: [{k: A}, {k: C}]"), custom: "env:\n- k: A\n- k: C\n",
		},
		"B5Null": {
			reason: "null is a null",
			inline: "a: 1\n", chart: "a: 2\n", managed: "a: 1\n", change: parameter("a", "null"), means: given("a: null"), custom: "a: null\n", sees: "{}",
		},
		"B5Million": {
			reason: "a file's million is 1e+06 to templates and a parameter's is not, so that no file can say it",
			inline: "a: 1\n", change: parameter("size", "1048576"), blocked: true, rules: []string{"error application-parameter " + first}, said: "powers of ten",
		},
		"B5Millions": {
			reason: "in a list neither",
			inline: "a: 1\n", change: parameter("sizes", "{1,-1000000}"), blocked: true, rules: []string{"error application-parameter " + first},
		},
		"B5Less":     {reason: "smaller numbers look alike", change: parameter("size", "999999"), means: given("size: 999999"), custom: "size: 999999\n"},
		"B5LongText": {reason: "and so does what is no number to Helm", change: parameter("size", "01000000"), means: given(`size: "01000000"`), custom: "size: \"01000000\"\n"},
		"B9Empty": {
			reason: "an empty list of sources is none",
			inline: "a: 1\n", change: func(_ *testing.T, _ string, a map[string]any) { at(a, "spec")["sources"] = []any{} }, kept: [2]int{1, 1},
		},
		"B9Two": {
			reason: "values of one source of two are not those of the app",
			inline: "a: 1\n", change: besides(map[string]any{"repoURL": valuesRepoURL, "path": "manifests"}),
			blocked: true, rules: []string{"error application-source spec.sources"}, said: "2 sources render",
		},
		"B9Ref": {
			reason: "a source of other value files that nothing reads gives its name to ours",
			inline: "a: 1\n", change: besides(map[string]any{"repoURL": "https://git.example.test/other.git", "ref": "values"}), means: given("a: 1"), kept: [2]int{1, 1},
		},
		"B11Other": {
			reason: "other owners do not write Applications",
			inline: "a: 1\n", kept: [2]int{1, 1}, change: func(_ *testing.T, _ string, a map[string]any) {
				at(a, "metadata")["ownerReferences"] = []any{map[string]any{"kind": "ConfigMap", "name": "platform"}}
			},
		},
		"B13Null": {
			reason: "null is no value, and no parameters are none",
			change: func(_ *testing.T, _ string, a map[string]any) {
				at(a, "spec", "source")["helm"] = map[string]any{"releaseName": "web", "values": nil, "parameters": []any{}}
			},
			blocked: true, rules: []string{"error no-live-values"},
		},
	})
}

// besides adds a second source to the Application.
func besides(other map[string]any) func(*testing.T, string, map[string]any) {
	return func(_ *testing.T, _ string, a map[string]any) {
		spec := at(a, "spec")
		spec["sources"] = []any{spec["source"], other}
		delete(spec, "source")
	}
}

func runNearCases(t *testing.T, cases map[string]publicCase) {
	t.Helper()
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) { tc.run(t, "") })
	}
}

// TestNearCaseLeftBehind is B9 and B15 after the move: a root app adopts the written file and leaves the old spec.source,
// with all that was inline, in the live object (DESIGN 10). The app is moved, and people are told.
func TestNearCaseLeftBehind(t *testing.T) {
	w, repo := newWorld(), newRepo(t)
	w.files(t, t.TempDir(), map[string]string{"charts/web/Chart.yaml": topChart})
	live := w.add(t, "web/web", "web", "a: 1\n", "{}\n")
	w.move(t, repo, migrate.Options{})
	at(live, "spec")["sources"] = writtenSources(t, repo)

	a := appOf(t, w.move(t, repo, migrate.Options{}), "web/web")
	if diff := cmp.Diff([]string{"warning application-dead-source spec.source"}, rulesOf(a)); diff != "" || a.Action != migrate.Unchanged {
		t.Errorf("the app is %s (-want +got)\n%s", a.Action, diff)
	}
	delete(at(live, "spec"), "source")
	if a := appOf(t, w.move(t, repo, migrate.Options{}), "web/web"); len(a.Findings) > 0 || a.Action != migrate.Unchanged {
		t.Errorf("once it is gone there is nothing to say: %s, %v", a.Action, rulesOf(a))
	}
}

func writtenSources(t *testing.T, repo string) any {
	t.Helper()
	var written map[string]any
	readYAML(t, readFile(t, applicationPath(repo)), &written)
	return at(written, "spec")["sources"]
}
