package migrate_test

import (
	"path/filepath"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

// TestPublicCasesValues holds what is expected of area A: how Helm merges values. A1 and A7 want managed keys undone, which
// is --exact's.
func TestPublicCasesValues(t *testing.T) {
	exact, accept := migrate.Options{Exact: true}, migrate.Options{AcceptAll: true}
	const existing = "existing.yaml"
	runPublicCases(t, map[string]publicCase{
		"A1": {
			reason: "what managed alone has would change what runs, so that somebody has to decide",
			live:   existing, blocked: true, rules: []string{"error introduced-keys"}, introduced: []string{"probe.httpGet.path blocks"},
		},
		"A1Exact": {
			reason: "a null would take the chart's default along: the default is pinned",
			live:   existing, options: exact, introduced: []string{"probe.httpGet.path pinned"},
			custom: "probe:\n  httpGet:\n    path: /ok\n", sees: `"probe":{"httpGet":{"path":"/ok"},"period":5}`,
		},
		"A1Accept": {
			reason: "an accepted key changes itself only",
			live:   existing, options: accept, introduced: []string{"probe.httpGet.path accepted"}, differ: []string{"probe.httpGet.path"},
		},
		"A3": {
			reason: "nulls stay as they are; which of them templates see is Helm's to say, here that of this module",
			live:   existing, managed: "{}\n", kept: [2]int{1, 1}, sees: `{"tls":{"extra":null}}`,
		},
		"A5": {reason: "a list is replaced whole, in live's order", live: existing, kept: [2]int{1, 4}},
		"A5Same": {
			reason: "an identical list is no override",
			live:   "values.managed.yaml",
		},
		"A7": {
			reason: "an empty map clears nothing, so that the key below it is introduced",
			live:   existing, blocked: true, rules: []string{"error introduced-keys"}, introduced: []string{"e.k blocks"},
		},
		"A7Exact": {
			reason: "a null for a key without a chart default would be there for templates, as null",
			live:   existing, options: exact, blocked: true, rules: []string{"error introduced-inexpressible"}, introduced: []string{"e.k inexpressible"},
		},
		"A7ExactDefault": {
			reason: "with a chart default it can be pinned",
			live:   existing, options: exact, chart: "e: {k: 3}\n", introduced: []string{"e.k pinned"},
			custom: "a: false\nb: 0\nc: \"\"\nd: []\ne:\n  k: 3\n", sees: `"e":{"k":3}`,
		},
		"A7Accept": {
			reason: "false, 0, empty text and an empty list are overrides",
			live:   existing, options: accept, introduced: []string{"e.k accepted"}, kept: [2]int{1, 4}, differ: []string{"e.k"},
		},
		"A9":  {reason: "a value of another type replaces the whole, in both directions", live: existing, custom: "auth:\n  existingSecret:\n    name: pg\n    key: pw\nprobe: false\n"},
		"A11": {reason: "0755 is 493; all else is written so that Helm reads it back", live: existing, kept: [2]int{2, 9}},
		"A13": {reason: "a port is one key, with quotes or without", live: existing, custom: "tcp:\n  9090: \"c/d:90\"\n"},
		"A13Bad": {
			reason: "Helm takes no null as a key",
			live:   "bad.yaml", blocked: true, rules: []string{"error values-parse"}, said: "a map has a null key",
		},
		"A15": {
			reason: "of duplicate keys the last counts, whole, and people are told of both lines",
			live:   existing, rules: []string{"warning values-parse"}, said: `this key stands on line 1 and again on line 2`, custom: "image:\n  tag: b\n",
		},
		"A17CRLF": {reason: "line ends are no difference", live: "existing-crlf.yaml"},
		"A17BOM":  {reason: "nor is a byte order mark", live: "existing-bom.yaml"},
		"A17CRLFWritten": {
			reason: "what is kept of such a text has neither",
			live:   "existing-crlf.yaml", managed: "a: 0\n", change: prefix("\ufeff"), custom: "a: 1\ns: |\n  l1\n  l2\n",
		},
		"A17Tab": {
			reason: "what does not parse is named by Application, field and line",
			live:   "existing-tab.yaml", blocked: true, rules: []string{"error values-parse"}, said: "Application web-web spec.source.helm.values:2:1: ",
		},
		"A19": {reason: "line ends and spaces at the end of a text are data", live: existing, kept: [2]int{1, 6}},
		"A21": {
			reason: "a null in global is an override, and no global is copied to a subchart",
			live:   existing, custom: "global:\n  region: null\n", sees: `"global":{"domain":"d.test","region":null}`,
		},
		"A23": {reason: "template expressions are text, and keep their quotes", live: existing, kept: [2]int{2, 2}},
	})
}

// TestPublicCasesArgoCD holds what is expected of area B, as far as a move from recorded Applications goes: B7's rule against
// other Applications is validate's, B13's release Secrets and B15's live object are a cluster's.
func TestPublicCasesArgoCD(t *testing.T) {
	const app = "app.yaml"
	const helm = "spec.source.helm"
	runPublicCases(t, map[string]publicCase{
		"B1": {
			reason: "an empty valuesObject hides values whole",
			app:    app, rules: []string{"warning application-dead-values " + helm + ".values"}, said: "dead text", means: given(""),
		},
		"B1Null": {
			reason: "one that is null does not",
			app:    app, change: setHelm("valuesObject", nil), custom: "replicas: 3\n",
		},
		"B3": {
			reason: "Argo CD replaces $ in parameters, not in values; the host is that of the Application's name here",
			app:    app, config: "secrets: [{app: web/web, path: pw, rule: secret-named-key, reason: a made-up one}]\n",
			rules: []string{"info secret-named-key pw", "warning application-substitution " + helm + ".parameters[0]", "warning application-substitution " + helm + ".parameters[1]"},
			said:  `parameter "pw" holds a $ that Argo CD replaces by nothing`,
			means: given("{inline: pa$sword, pw: pa, host: web-web.example.test, lit: p$w}"), custom: "inline: pa$sword\nhost: web-web.example.test\nlit: p$w\npw: pa\n",
		},
		"B3Revision": {
			reason: "what changes with every commit is not frozen into git",
			app:    app, change: setHelm("parameters", []any{map[string]any{"name": "rev", "value": "x-${ARGOCD_APP_REVISION}"}}),
			blocked: true, rules: []string{"error application-substitution " + helm + ".parameters[0]"},
		},
		"B5": {
			reason: "Argo CD applies parameters in random order, so that those which overlap say nothing",
			app:    app, blocked: true, rules: []string{"error application-parameter " + helm + ".parameters[1]"}, said: `"hosts" and "hosts[0]" overlap`,
		},
		"B5Tag": {
			reason: "the last of a kind counts, and --set-string comes after --set",
			app:    app, change: func(_ *testing.T, _ string, a map[string]any) {
				helm := at(a, "spec", "source", "helm")
				helm["parameters"] = helm["parameters"].([]any)[2:]
			},
			means: given("tag: v2"), custom: "tag: v2\n",
		},
		"B7Glob":     {reason: "a glob puts custom first, or is a missing file", change: valueFilesOf("case1"), blocked: true, rules: []string{"error application-value-files spec.sources[0].helm.valueFiles[0]"}},
		"B7Repeated": {reason: "a repeated file counts where it stands first, or last", change: valueFilesOf("case2"), blocked: true, rules: []string{"error application-value-files spec.sources[0].helm.valueFiles[2]"}},
		"B7Both":     {reason: "and both together are no better", change: valueFilesOf("case3"), blocked: true, rules: []string{"error application-value-files spec.sources[0].helm.valueFiles[0]"}},
		"B7Ignoring": {
			reason: "with it a missing file would sync the chart's defaults: it is not carried over",
			change: setHelm("ignoreMissingValueFiles", true), rules: []string{"warning application-value-files " + helm + ".ignoreMissingValueFiles"},
		},
		"B9": {
			reason: "sources win over source, chart version and all",
			app:    app, rules: []string{"warning application-dead-source spec.source"}, means: given("a: 2"), custom: "a: 2\n",
		},
		"B9Hydrator": {
			reason: "a hydrator wins over both",
			app:    app, change: func(_ *testing.T, _ string, a map[string]any) { at(a, "spec")["sourceHydrator"] = map[string]any{} },
			blocked: true, rules: []string{"warning application-dead-source spec.source", "error application-source spec.sourceHydrator"},
		},
		"B11": {
			reason: "an ApplicationSet puts its own form back",
			app:    app, blocked: true, rules: []string{"error application-owned"}, said: "ApplicationSet apps owns the Application",
		},
		"B11Unowned": {
			reason: "without an owner it moves, and keeps its finalizers",
			app:    app, change: func(t *testing.T, dir string, a map[string]any) {
				delete(at(a, "metadata"), "ownerReferences")
				setHelm("values", "")(t, dir, a)
			},
		},
		"B13": {
			reason: "without any values the source of them is not known, which is not the same as none",
			app:    "../B11/app.yaml", change: func(_ *testing.T, _ string, a map[string]any) { delete(at(a, "metadata"), "ownerReferences") },
			blocked: true, rules: []string{"error no-live-values"},
		},
		"B15": {
			reason: "an old secret is not carried from the cluster to git",
			app:    "before.yaml", blocked: true, rules: []string{"error secret-named-key secret"},
		},
		"B15LastApplied": {
			reason: "nor is one in the annotation in which kubectl keeps what it applied last",
			app:    "before.yaml", change: func(t *testing.T, dir string, a map[string]any) {
				applied := encode(t, at(a, "spec"))
				at(a, "metadata")["annotations"] = map[string]any{"kubectl.kubernetes.io/last-applied-configuration": applied}
				setHelm("values", "a: 1\n")(t, dir, a)
			},
			custom: "a: 1\n",
		},
	})
}

// prefix puts text before the inline values.
func prefix(text string) func(*testing.T, string, map[string]any) {
	return func(t *testing.T, dir string, a map[string]any) {
		setHelm("values", text+at(a, "spec", "source", "helm")["values"].(string))(t, dir, a)
	}
}

func setHelm(key string, value any) func(*testing.T, string, map[string]any) {
	return func(_ *testing.T, _ string, a map[string]any) { at(a, "spec", "source", "helm")[key] = value }
}

// valueFilesOf lets the Application read the value files that case B7 names, from a source of their own.
func valueFilesOf(name string) func(*testing.T, string, map[string]any) {
	return func(t *testing.T, dir string, a map[string]any) {
		var lists map[string][]any
		readYAML(t, readFile(t, filepath.Join(dir, "valueFiles.yaml")), &lists)
		spec := at(a, "spec")
		setHelm("valueFiles", lists[name])(t, dir, a)
		spec["sources"] = []any{spec["source"], map[string]any{"repoURL": valuesRepoURL, "targetRevision": "main", "ref": "values"}}
		delete(spec, "source")
	}
}
