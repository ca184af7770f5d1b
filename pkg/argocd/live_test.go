package argocd_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// told is what a Live says, with findings cut down to rule and path.
type told struct {
	Origin             argocd.Origin
	At, Text           string
	Object             map[string]any
	Files              []string // repo, path, and ? for one that may be missing
	Parameters         []values.Assignment
	NoInline           bool
	Warnings, Blocking []string
}

func tell(l argocd.Live) told {
	short := func(findings []finding.Finding) (out []string) {
		for _, f := range findings {
			out = append(out, f.Rule+" "+f.Path)
		}
		return out
	}
	var files []string
	for _, f := range l.Files {
		files = append(files, strings.TrimSpace(f.Source.RepoURL+" "+f.Path)+map[bool]string{true: "?"}[f.Optional])
	}
	return told{
		Files: files, Origin: l.Origin, At: l.At, Text: l.Text, Object: l.Object, Parameters: l.Parameters, NoInline: l.NoInline(),
		Warnings: short(l.Warnings), Blocking: short(l.Blocking),
	}
}

// chart writes a spec with one chart source and more of it, in flow style.
func chart(more string) string {
	return "{project: team, destination: {namespace: web}, source: {repoURL: https://charts.example.test, chart: web, targetRevision: 1.2.3" + more + "}}"
}

const (
	managedRef = "$values/env/values/web/web/values.managed.yaml"
	customRef  = "$values/env/values/web/web/values.custom.yaml"
)

func TestLiveValues(t *testing.T) {
	const helm = "spec.source.helm"
	cases := map[string]struct {
		reason   string
		metadata string
		spec     string
		want     told
	}{
		"Text": {
			reason: "inline text is the usual form",
			spec:   chart(`, helm: {values: "a: 1"}`),
			want:   told{Origin: argocd.OriginText, At: helm + ".values", Text: "a: 1"},
		},
		"EmptyText": {
			reason: "empty text says that there are no values, which is not the same as saying nothing",
			spec:   chart(`, helm: {values: ""}`),
			want:   told{Origin: argocd.OriginText, At: helm + ".values"},
		},
		"Nothing":    {reason: "the caller decides where else to look", spec: chart(``), want: told{NoInline: true}},
		"EmptyHelm":  {reason: "a release name alone brings no values", spec: chart(`, helm: {releaseName: web, parameters: []}`), want: told{NoInline: true}},
		"NullValues": {reason: "null is absent", spec: chart(`, helm: {values: null, valuesObject: null, parameters: null, valueFiles: null}`), want: told{NoInline: true}},
		"Object": {
			reason: "an object counts in place of text",
			spec:   chart(`, helm: {valuesObject: {a: {b: 1}}}`),
			want:   told{Origin: argocd.OriginObject, At: helm + ".valuesObject", Object: map[string]any{"a": map[string]any{"b": number("1")}}},
		},
		"EmptyObject": {
			reason: "case B1: an empty object hides the text too",
			spec:   chart(`, helm: {values: "replicas: 3", valuesObject: {}}`),
			want: told{
				Origin: argocd.OriginObject, At: helm + ".valuesObject", Object: map[string]any{},
				Warnings: []string{argocd.RuleDeadValues + " " + helm + ".values"},
			},
		},
		"NullObject": {
			reason: "case B1: an object of null does not",
			spec:   chart(`, helm: {values: "replicas: 3", valuesObject: null}`),
			want:   told{Origin: argocd.OriginText, At: helm + ".values", Text: "replicas: 3"},
		},
		"EmptyBoth": {
			reason: "empty text that is hidden hides nothing worth a warning",
			spec:   chart(`, helm: {values: "", valuesObject: {a: x}}`),
			want:   told{Origin: argocd.OriginObject, At: helm + ".valuesObject", Object: map[string]any{"a": "x"}},
		},
		"Sources": {
			reason: "case B9: sources win, and source is dead",
			spec: `{destination: {namespace: web}, source: {chart: web, helm: {values: "a: 1"}},` +
				` sources: [{chart: web, targetRevision: 1.2.4, helm: {valuesObject: {a: x}}}]}`,
			want: told{
				Origin: argocd.OriginObject, At: "spec.sources[0].helm.valuesObject", Object: map[string]any{"a": "x"},
				Warnings: []string{argocd.RuleDeadSource + " spec.source"},
			},
		},
		"EmptySources": {
			reason: "an empty list of sources is none",
			spec:   `{destination: {namespace: web}, sources: [], source: {chart: web, helm: {values: "a: 1"}}}`,
			want:   told{Origin: argocd.OriginText, At: helm + ".values", Text: "a: 1"},
		},
		"SourcesWithRef": {
			reason: "a source that is only referred to renders nothing, wherever it stands",
			spec:   `{destination: {namespace: web}, sources: [{repoURL: r, ref: values}, {repoURL: c, path: charts/web, helm: {values: "a: 1"}}]}`,
			want:   told{Origin: argocd.OriginText, At: "spec.sources[1].helm.values", Text: "a: 1"},
		},
		"RefWithPath": {
			reason: "one that is referred to and has a path deploys what lies there",
			spec:   `{destination: {namespace: web}, sources: [{repoURL: r, ref: values, path: x}, {repoURL: c, chart: web}]}`,
			want:   told{NoInline: true, Blocking: []string{argocd.RuleSource + " spec.sources"}},
		},
		"RefInSource": {
			reason: "a ref in a single source means nothing to Argo CD",
			spec:   `{destination: {namespace: web}, source: {repoURL: r, ref: values, path: x, helm: {values: "a: 1"}}}`,
			want:   told{Origin: argocd.OriginText, At: helm + ".values", Text: "a: 1"},
		},
		"TwoCharts": {
			reason: "values of two charts are not the values of one app",
			spec:   `{destination: {namespace: web}, sources: [{chart: a}, {chart: b}]}`,
			want:   told{NoInline: true, Blocking: []string{argocd.RuleSource + " spec.sources"}},
		},
		"NoSource": {reason: "there is nothing to read from", spec: `{destination: {namespace: web}}`, want: told{NoInline: true, Blocking: []string{argocd.RuleSource + " spec.source"}}},
		"NoChart": {
			reason: "Argo CD refuses a source without chart and path", spec: `{source: {repoURL: r}}`,
			want: told{NoInline: true, Blocking: []string{argocd.RuleSource + " spec.source"}},
		},
		"OCI": {
			reason: "an OCI artifact is named by its URL",
			spec:   `{source: {repoURL: "oci://charts.example.test/web", targetRevision: 1.0.0, helm: {values: "a: 1"}}}`,
			want:   told{Origin: argocd.OriginText, At: helm + ".values", Text: "a: 1"},
		},
		"Hydrator": {
			reason: "case B9: a hydrator wins over both",
			spec:   `{source: {chart: web}, sourceHydrator: {drySource: {path: x}}}`,
			want:   told{NoInline: true, Blocking: []string{argocd.RuleSource + " spec.sourceHydrator"}},
		},
		"Kustomize": {
			reason: "another tool has other values",
			spec:   chart(`, kustomize: {namePrefix: x-}`), want: told{NoInline: true, Blocking: []string{argocd.RuleSource + " spec.source.kustomize"}},
		},
		"Directory": {
			reason: "a folder of manifests has no values",
			spec:   chart(`, directory: {recurse: true}`), want: told{NoInline: true, Blocking: []string{argocd.RuleSource + " spec.source.directory"}},
		},
		"Plugin": {
			reason: "a plugin is found by itself when none is named",
			spec:   chart(`, plugin: {}`), want: told{NoInline: true, Blocking: []string{argocd.RuleSource + " spec.source.plugin"}},
		},
		"EmptyTools": {
			reason: "what says nothing is removed by Argo CD itself",
			spec:   chart(`, kustomize: {}, directory: {recurse: false, jsonnet: {}}, helm: {values: "a: 1"}`),
			want:   told{Origin: argocd.OriginText, At: helm + ".values", Text: "a: 1"},
		},
		"ValueFiles": {
			reason: "files lie below what is inline",
			spec:   chart(`, helm: {valueFiles: [values-prod.yaml], values: "a: 1"}`),
			want:   told{Files: []string{"https://charts.example.test values-prod.yaml"}, Origin: argocd.OriginText, At: helm + ".values", Text: "a: 1"},
		},
		"OurFilesInSource": {
			reason: "in a single source $values refers to nothing",
			spec:   chart(fmt.Sprintf(`, helm: {valueFiles: [%s, %s]}`, managedRef, customRef)),
			want: told{
				NoInline: true,
				Warnings: []string{argocd.RuleSubstitution + " " + helm + ".valueFiles[0]"},
				Blocking: []string{argocd.RuleValueFiles + " " + helm + ".valueFiles"},
			},
		},
		"OurFiles": {
			reason: "the values are in the values repo already, and nowhere else",
			spec:   moved(managedRef, customRef, ""),
			want:   told{Origin: argocd.OriginFiles, At: "spec.sources[0].helm.valueFiles"},
		},
		"OurFilesTurned": {
			reason: "case B7: managed last would win over what people wrote",
			spec:   moved(customRef, managedRef, ""),
			want:   told{NoInline: true, Blocking: []string{argocd.RuleValueFiles + " spec.sources[0].helm.valueFiles"}},
		},
		"OurFilesTwice": {
			reason: "case B7: a repeated entry counts where it stands last, or first, by Argo CD's version",
			spec:   moved(managedRef, customRef+", "+managedRef, ""),
			want:   told{NoInline: true, Blocking: []string{argocd.RuleValueFiles + " spec.sources[0].helm.valueFiles"}},
		},
		"OurFilesByGlob": {
			reason: "case B7: a glob is a missing file, or puts custom before managed, by Argo CD's version",
			spec:   moved("$values/env/values/web/web/values.*.yaml", customRef, ""),
			want:   told{NoInline: true, Blocking: []string{argocd.RuleValueFiles + " spec.sources[0].helm.valueFiles[0]", argocd.RuleValueFiles + " spec.sources[0].helm.valueFiles"}},
		},
		"OurFilesAndMore": {
			reason: "half moved: what is live is files and text together, and the files are not known here",
			spec:   moved(managedRef, customRef, `, values: "a: 1"`),
			want: told{
				Origin: argocd.OriginText, At: "spec.sources[0].helm.values", Text: "a: 1",
				Blocking: []string{argocd.RuleValueFiles + " spec.sources[0].helm.valueFiles"},
			},
		},
		"OurFilesAndEmptyText": {
			reason: "empty text lies over nothing",
			spec:   moved(managedRef, customRef, `, values: "", parameters: []`),
			want:   told{Origin: argocd.OriginFiles, At: "spec.sources[0].helm.valueFiles"},
		},
		"Helm2": {
			reason: "Argo CD refuses every version of Helm that it does not bring",
			spec:   chart(`, helm: {version: v2, values: "a: 1"}`),
			want:   told{Origin: argocd.OriginText, At: helm + ".values", Text: "a: 1", Blocking: []string{argocd.RuleSource + " " + helm + ".version"}},
		},
		"Helm3": {
			reason: "the one that it has always had may be named",
			spec:   chart(`, helm: {version: v3, values: "a: 1"}`),
			want:   told{Origin: argocd.OriginText, At: helm + ".values", Text: "a: 1"},
		},
		"FileParameters": {
			reason: "what files hold is not known here",
			spec:   chart(`, helm: {fileParameters: [{name: a, path: b}]}`),
			want:   told{NoInline: true, Blocking: []string{argocd.RuleValueFiles + " " + helm + ".fileParameters"}},
		},
		"IgnoreMissing": {
			reason: "a missing file would sync chart defaults into production",
			spec:   chart(`, helm: {ignoreMissingValueFiles: true}`),
			want:   told{NoInline: true, Warnings: []string{argocd.RuleValueFiles + " " + helm + ".ignoreMissingValueFiles"}},
		},
		"Deleting": {
			reason:   "an Application on its way out must not come back from git",
			metadata: `, deletionTimestamp: "2026-03-11T09:12:00Z"`,
			spec:     chart(`, helm: {values: "a: 1"}`),
			want: told{
				Origin: argocd.OriginText, At: helm + ".values", Text: "a: 1",
				Blocking: []string{argocd.RuleDeleting + " metadata.deletionTimestamp"},
			},
		},
		"WrongTypes": {
			reason: "what the API server would refuse is told field by field",
			spec:   chart(`, helm: {values: {a: 1}, valuesObject: "a", parameters: {}, valueFiles: x, fileParameters: 1}`),
			want: told{NoInline: true, Blocking: []string{
				argocd.RuleInline + " " + helm + ".valuesObject", argocd.RuleInline + " " + helm + ".values",
				argocd.RuleParameter + " " + helm + ".parameters",
				argocd.RuleValueFiles + " " + helm + ".valueFiles", argocd.RuleValueFiles + " " + helm + ".fileParameters",
			}},
		},
		"WrongSource":     {reason: "a source is an object", spec: `{source: x}`, want: told{NoInline: true, Blocking: []string{argocd.RuleSource + " spec"}}},
		"WrongSources":    {reason: "sources are a list", spec: `{sources: {}}`, want: told{NoInline: true, Blocking: []string{argocd.RuleSource + " spec"}}},
		"WrongSourceItem": {reason: "of objects", spec: `{sources: [x]}`, want: told{NoInline: true, Blocking: []string{argocd.RuleSource + " spec"}}},
		"WrongChart":      {reason: "a chart has a name", spec: `{source: {chart: 1}}`, want: told{NoInline: true, Blocking: []string{argocd.RuleSource + " spec"}}},
		"WrongHelm":       {reason: "helm is an object", spec: `{sources: [{chart: c, helm: []}]}`, want: told{NoInline: true, Blocking: []string{argocd.RuleSource + " spec"}}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			live := one(t, application("web", tc.metadata, tc.spec)).LiveValues()
			if diff := cmp.Diff(tc.want, tell(live)); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
			if live.Blocked() != (len(tc.want.Blocking) > 0) {
				t.Errorf("%s: Blocked() = %v", tc.reason, live.Blocked())
			}
		})
	}
}

// moved writes a spec in the new form with two value files and more of helm.
func moved(first, second, more string) string {
	return fmt.Sprintf("{destination: {namespace: web}, sources: [{repoURL: c, path: charts/web, helm: {releaseName: web, valueFiles: [%s, %s]%s}}, "+
		"{repoURL: https://git.example.test/values.git, targetRevision: main, ref: values}]}", first, second, more)
}

func TestMoved(t *testing.T) {
	form := argocd.Form{ID: app.ID{Namespace: "web", Release: "web"}, ValuesRepoURL: "https://git.example.test/values.git", ValuesRevision: "main"}
	cases := map[string]struct {
		reason string
		spec   string
		form   argocd.Form
		want   bool
	}{
		"Moved":      {reason: "this is the form that Build writes", spec: moved(managedRef, customRef, ""), form: form, want: true},
		"EmptyText":  {reason: "empty inline fields change nothing", spec: moved(managedRef, customRef, `, values: "", fileParameters: []`), form: form, want: true},
		"OtherCase":  {reason: "Argo CD takes both spellings of the URL as one", spec: strings.Replace(moved(managedRef, customRef, ""), "values.git", "VALUES", 1), form: form, want: true},
		"DeadSource": {reason: "a dead source changes nothing that runs", spec: strings.Replace(moved(managedRef, customRef, ""), "{dest", "{source: {chart: x}, dest", 1), form: form, want: true},

		"Old":         {reason: "inline values are the old form", spec: chart(`, helm: {values: "a: 1"}`), form: form},
		"Turned":      {reason: "managed last is another order", spec: moved(customRef, managedRef, ""), form: form},
		"Twice":       {reason: "a repeated entry counts where it stands last", spec: moved(managedRef, customRef+", "+managedRef, ""), form: form},
		"Text":        {reason: "inline values win over both files", spec: moved(managedRef, customRef, `, values: "a: 1"`), form: form},
		"EmptyObject": {reason: "an empty object is a leftover that the order rule forbids", spec: moved(managedRef, customRef, `, valuesObject: {}`), form: form},
		"Parameters":  {reason: "parameters win over both files", spec: moved(managedRef, customRef, `, parameters: [{name: a, value: b}]`), form: form},
		"Ignoring":    {reason: "a missing file must stay an error", spec: moved(managedRef, customRef, `, ignoreMissingValueFiles: true`), form: form},
		"OtherApp":    {reason: "these are another app's files", spec: strings.ReplaceAll(moved(managedRef, customRef, ""), "web/web/", "web/api/"), form: form},
		"OtherID":     {reason: "the caller asked of another app", spec: moved(managedRef, customRef, ""), form: argocd.Form{ID: app.ID{Namespace: "web", Release: "api"}}},
		"OtherRepo":   {reason: "the files of another repo are others", spec: strings.Replace(moved(managedRef, customRef, ""), "values.git", "other.git", 1), form: form},
		"OtherBranch": {reason: "so are those of another branch", spec: strings.Replace(moved(managedRef, customRef, ""), "main", "next", 1), form: form},
		"NoRef":       {reason: "without it $values is a folder of the chart", spec: strings.Replace(moved(managedRef, customRef, ""), ", ref: values", ", ref: value", 1), form: form},
		"RefDeploys":  {reason: "a ref with a path deploys what lies there", spec: strings.Replace(moved(managedRef, customRef, ""), "ref: values", "ref: values, path: env", 1), form: form},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := one(t, application("web-web", "", tc.spec)).Moved(tc.form); got != tc.want {
				t.Errorf("%s: got %v", tc.reason, got)
			}
		})
	}
}

func TestChartSource(t *testing.T) {
	got, err := one(t, platform).ChartSource()
	if err != nil {
		t.Fatal(err)
	}
	if got.Path != "charts/loki" || got.Chart != "" || got.TargetRevision != "v5.0.0" || got.RepoURL != "https://git.example.test/platform/core.git" || got.At != "spec.source" {
		t.Errorf("the chart is found by what the source says: %+v", got)
	}
}
