package migrate_test

import (
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

// readsFiles makes the Application read value files, and nothing inline, from its own repo or from one more source.
func readsFiles(files []any, more ...any) func(*testing.T, string, map[string]any) {
	return func(_ *testing.T, _ string, a map[string]any) {
		spec := at(a, "spec")
		helm := at(a, "spec", "source", "helm")
		if helm["values"] == "" {
			delete(helm, "values")
		}
		helm["valueFiles"] = files
		if len(more) > 0 {
			spec["sources"] = append([]any{spec["source"]}, more...)
			delete(spec, "source")
		}
	}
}

// both makes one change after the other.
func both(changes ...func(*testing.T, string, map[string]any)) func(*testing.T, string, map[string]any) {
	return func(t *testing.T, dir string, a map[string]any) {
		for _, change := range changes {
			change(t, dir, a)
		}
	}
}

// TestNearCasesValueFiles holds what value files of an Application come to: neighbours of B1, B3, B5, B7 and B9.
func TestNearCasesValueFiles(t *testing.T) {
	const (
		first  = "application-value-files spec.source.helm.valueFiles[0]"
		second = "application-value-files spec.source.helm.valueFiles[1]"
		many   = "application-value-files spec.sources[0].helm.valueFiles[0]"
	)
	values := map[string]any{"repoURL": valuesRepoURL, "targetRevision": "main", "ref": "v"}
	other := map[string]any{"repoURL": valuesRepoURL, "targetRevision": "next", "ref": "v"}
	runNearCases(t, map[string]publicCase{
		"B7Beside": {
			reason: "a file beside the chart is live, and its text is kept",
			change: readsFiles([]any{"prod.yaml"}), files: map[string]string{"charts/web/prod.yaml": "# why\na: 1 # one\nb: {c: 2}\n"},
			managed: "b: {c: 2}\n", rules: []string{"warning " + first}, means: given("{a: 1, b: {c: 2}}"), custom: "# why\na: 1 # one\n",
		},
		"B7Order": {
			reason: "later files win, inline values over them, key by key; a null stays",
			inline: "c: 3 # mine\nd: {x: null}\n", change: readsFiles([]any{"../a.yaml", "/env/b.yaml"}),
			files: map[string]string{"charts/a.yaml": "a: 1\nb: 1\nd: {x: 1, z: 1}\n", "env/b.yaml": "b: 2\nc: 2\n"},
			rules: []string{"warning " + first, "warning " + second},
			means: given("{a: 1, b: 2, c: 3, d: {x: null, z: 1}}"), custom: "c: 3 # mine\nd:\n  x: null\n  z: 1\na: 1\nb: 2\n",
		},
		"B7EmptyObject": {
			reason: "an empty valuesObject hides helm.values, and no file",
			inline: "a: 2\n", change: both(readsFiles([]any{"a.yaml"}), setHelm("valuesObject", map[string]any{})), files: map[string]string{"charts/web/a.yaml": "a: 1\n"},
			rules: []string{"warning " + first, "warning application-dead-values spec.source.helm.values"}, means: given("a: 1"), custom: "a: 1\n",
		},
		"B7Parameters": {
			reason: "parameters lie over all of it",
			inline: "l: [1, 2]\n", change: both(readsFiles([]any{"a.yaml"}), setHelm("parameters", []any{
				map[string]any{"name": "m.a", "value": "x"}, map[string]any{"name": "l[1]", "value": "7", "forceString": true},
			})),
			files: map[string]string{"charts/web/a.yaml": "m: {a: 1, b: 1}\nl: [9]\n"},
			rules: []string{"warning " + first}, means: given(`{m: {a: x, b: 1}, l: [1, "7"]}`), custom: "l:\n- 1\n- \"7\"\nm:\n  a: x\n  b: 1\n",
		},
		"B7Documents": {
			reason: "of a file with several documents Helm 3 reads the first",
			change: readsFiles([]any{"a.yaml"}), files: map[string]string{"charts/web/a.yaml": "a: 1\n---\nb: 1\n"},
			rules: []string{"warning values-parse", "warning " + first}, said: "further document", means: given("a: 1"), custom: "a: 1\n",
		},
		"B7Empty": {
			reason: "a file of comments is no values, and no reason to look for a release",
			change: readsFiles([]any{"a.yaml"}), files: map[string]string{"charts/web/a.yaml": "# nothing\n"}, rules: []string{"warning " + first}, means: given(""),
		},
		"B7List": {
			reason: "a list is no values",
			change: readsFiles([]any{"a.yaml"}), files: map[string]string{"charts/web/a.yaml": "- a\n"},
			blocked: true, rules: []string{"error " + first}, said: "value file charts/web/a.yaml cannot be read",
		},
		"B7Missing": {
			reason: "Argo CD renders nothing for want of a file, so that what runs is of another time",
			change: readsFiles([]any{"a.yaml"}), blocked: true, rules: []string{"error " + first}, said: "Argo CD renders nothing",
		},
		"B7Tolerated": {
			reason: "one that may be missing is none",
			inline: "a: 1\n", change: both(readsFiles([]any{"b.yaml"}), setHelm("ignoreMissingValueFiles", true)),
			rules: []string{"warning application-value-files spec.source.helm.ignoreMissingValueFiles", "warning " + first}, said: "nothing of it is live",
			means: given("a: 1"), custom: "a: 1\n",
		},
		"B7NotSure": {
			reason: "a folder of charts need not be the whole repo: what is missing elsewhere in it can be there",
			inline: "a: 1\n", change: both(readsFiles([]any{"/env/b.yaml"}), setHelm("ignoreMissingValueFiles", true)),
			blocked: true, rules: []string{"warning application-value-files spec.source.helm.ignoreMissingValueFiles", "error " + first}, said: "need not be all of the repo",
		},
		"B7Link": {
			reason: "nothing outside of the checkout is read, by way of a folder that is none either",
			change: readsFiles([]any{"Chart.yaml/x.yaml"}), blocked: true, rules: []string{"error " + first},
		},
		"B7ValuesRepo": {
			reason: "the values repo is at hand",
			change: readsFiles([]any{"$v/env/web.yaml"}, values), committed: map[string]string{"env/web.yaml": "a: 1\n"},
			rules: []string{"warning " + many}, said: "the values repo, at HEAD", means: given("a: 1"), custom: "a: 1\n",
		},
		"B7ValuesRepoMissing": {
			reason: "and what it does not hold is missing",
			change: readsFiles([]any{"$v/env/web.yaml"}, values), blocked: true, rules: []string{"error " + many}, said: "is missing in the values repo",
		},
		"B7OtherRevision": {
			reason: "another revision of it is another repo, which is fetched, and cannot be here",
			change: readsFiles([]any{"$v/env/web.yaml"}, other), committed: map[string]string{"env/web.yaml": "a: 1\n"},
			blocked: true, rules: []string{"error " + many}, said: "cannot be read",
		},
		"B7Secret": {
			reason: "a secret of a file is no more written than an inline one",
			change: readsFiles([]any{"a.yaml"}), files: map[string]string{"charts/web/a.yaml": "password: hunter\n"},
			blocked: true, rules: []string{"error secret-named-key password", "warning " + first},
		},
		"B9Overrides": {
			reason: "what Argo CD merges over the source from beside the chart is not in the Application",
			inline: "a: 1\n", files: map[string]string{"charts/web/.argocd-source-web-web.yaml": "helm: {parameters: [{name: a, value: b}]}\n"},
			blocked: true, rules: []string{"error application-source"}, said: ".argocd-source-web-web.yaml",
		},
		"B9ChartInValuesRepo": {
			reason: "Argo CD takes one revision of a repo",
			inline: "a: 1\n", change: func(_ *testing.T, _ string, a map[string]any) {
				source := at(a, "spec", "source")
				source["repoURL"], source["targetRevision"] = valuesRepoURL, "v2"
			},
			blocked: true, rules: []string{"error values-repo-revision"},
		},
		"B9Options": {
			reason: "what is no value stays in the Application",
			inline: "a: 1\n", custom: "a: 1\n", options: migrate.Options{}, change: func(_ *testing.T, _ string, a map[string]any) {
				helm := at(a, "spec", "source", "helm")
				for key, value := range map[string]any{
					"version": "v3", "passCredentials": true, "skipCrds": true, "skipTests": true, "skipSchemaValidation": true,
					"namespace": "other", "kubeVersion": "1.34.0", "apiVersions": []any{"batch/v1"},
				} {
					helm[key] = value
				}
			},
		},
		"B9Helm2": {
			reason: "Argo CD renders nothing with a Helm that it does not have",
			inline: "a: 1\n", change: setHelm("version", "v2"), blocked: true, rules: []string{"error application-source spec.source.helm.version"},
		},
		"B9ChartAndRefWithPath": {
			reason: "a source with a ref and a path deploys what lies there",
			inline: "a: 1\n", change: besides(map[string]any{"repoURL": valuesRepoURL, "ref": "v", "path": "env"}),
			blocked: true, rules: []string{"error application-source spec.sources"}, said: "2 sources render",
		},
		"B9FileParameters": {
			reason: "parameters from files are not folded in",
			inline: "a: 1\n", change: setHelm("fileParameters", []any{map[string]any{"name": "a", "path": "b"}}),
			blocked: true, rules: []string{"error application-value-files spec.source.helm.fileParameters"},
		},
	})
}
