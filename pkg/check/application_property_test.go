package check_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/check"
)

type tree = map[string]any

// live draws an Application as a cluster can have it, of some form that can be moved.
func live(t *rapid.T) (*argocd.Application, app.ID) {
	word := rapid.StringMatching(`[a-z]([a-z0-9-]{0,6}[a-z0-9])?`)
	id := app.ID{Namespace: "n" + word.Draw(t, "namespace"), Release: "r" + word.Draw(t, "release")}
	one := func(name string, values ...any) any { return rapid.SampledFrom(values).Draw(t, name) }
	helm := tree{"releaseName": id.Release}
	for key, value := range (tree{
		"values": one("values", nil, "", "a: 1"), "valuesObject": one("valuesObject", nil, tree{}, tree{"a": "b"}),
		"parameters": one("parameters", nil, []any{tree{"name": "a", "value": "b"}}), "valueFiles": one("valueFiles", nil, []any{}, []any{"values-big.yaml"}, []any{"$old/a.yaml"}),
		"ignoreMissingValueFiles": one("ignore", nil, true, false), "skipCrds": one("skipCrds", nil, true), "kubeVersion": one("kubeVersion", nil, "1.31.0"),
	}) {
		if value != nil {
			helm[key] = value
		}
	}
	source := tree{"repoURL": "https://git.example.test/charts.git", "targetRevision": "v1", "path": "charts/" + id.Release, "helm": helm}
	if rapid.Bool().Draw(t, "chart") {
		delete(source, "path")
		source["chart"] = id.Release
	}
	metadata := tree{"name": id.Name(), "namespace": "argocd", "labels": tree{"otomi.io/app": "managed", "x": "y"}}
	if options := one("options", nil, "", "Prune=confirm", "Replace=true,Force=true", "ServerSideApply=true,Delete=false", "Prune=false"); options != nil {
		metadata["annotations"] = tree{argocd.SyncOptionsAnnotation: options, "a": "b"}
	}
	if list := one("finalizers", nil, []any{argocd.ResourcesFinalizer}, []any{argocd.ResourcesFinalizer + "/background", "example.test/theirs"}); list != nil {
		metadata["finalizers"] = list
	}
	spec := tree{
		"project":     "default",
		"destination": one("destination", tree{"namespace": id.Namespace, "server": argocd.InCluster}, tree{"namespace": id.Namespace, "name": "in-cluster"}),
		"syncPolicy":  one("syncPolicy", tree{"syncOptions": []any{"ServerSideApply=true"}}, tree{}),
	}
	switch ref := (tree{"repoURL": "https://git.example.test/old.git", "ref": one("ref", "old", "values", "more")}); {
	case rapid.Bool().Draw(t, "single"):
		spec["source"] = source
	case rapid.Bool().Draw(t, "refFirst"):
		spec["sources"] = []any{ref, source}
	default:
		spec["sources"] = []any{source, ref}
	}
	a, err := argocd.New(tree{"apiVersion": argocd.APIVersion, "kind": argocd.Kind, "metadata": metadata, "spec": spec})
	if err != nil {
		t.Fatal(err)
	}
	return a, id
}

// mutation is one edit of an Application, and what it breaks. CHART and REF are the paths of its sources.
type mutation struct {
	want string // the rule and the path
	edit func(a, chart, ref tree)
}

func mutations() map[string]mutation {
	const options = `metadata.annotations["argocd.argoproj.io/sync-options"]`
	meta := func(a tree) tree { return a["metadata"].(tree) }
	spec := func(a tree) tree { return a["spec"].(tree) }
	helm := func(chart tree) tree { return chart["helm"].(tree) }
	files := func(chart tree) []any { return helm(chart)["valueFiles"].([]any) }
	const list = "CHART.helm.valueFiles"
	return map[string]mutation{
		"namespace": {"application-shape metadata.namespace", func(a, _, _ tree) { meta(a)["namespace"] = "x" }},
		"name":      {"application-shape metadata.name", func(a, _, _ tree) { meta(a)["name"] = "x" }},
		"label":     {`application-shape metadata.labels["otomi.io/app"]`, func(a, _, _ tree) { delete(meta(a)["labels"].(tree), "otomi.io/app") }},
		"protection": {"application-shape " + options, func(a, _, _ tree) {
			meta(a)["annotations"].(tree)[argocd.SyncOptionsAnnotation] = "Delete=false"
		}},
		"annotations": {"application-shape " + options, func(a, _, _ tree) { delete(meta(a), "annotations") }},
		"deploysTo":   {"application-shape spec.destination.namespace", func(a, _, _ tree) { spec(a)["destination"].(tree)["namespace"] = "x" }},
		"noCluster": {"application-shape spec.destination.server", func(a, _, _ tree) {
			spec(a)["destination"] = tree{"namespace": spec(a)["destination"].(tree)["namespace"]}
		}},
		"release":   {"application-shape CHART.helm.releaseName", func(_, chart, _ tree) { helm(chart)["releaseName"] = "x" }},
		"noRelease": {"application-shape CHART.helm.releaseName", func(_, chart, _ tree) { delete(helm(chart), "releaseName") }},
		"hydrator":  {"application-shape spec.sourceHydrator", func(a, _, _ tree) { spec(a)["sourceHydrator"] = tree{} }},
		"dead":      {"application-shape spec.source", func(a, _, _ tree) { spec(a)["source"] = tree{"repoURL": "x", "path": "y"} }},
		"refPath":   {"application-shape REF.path", func(_, _, ref tree) { ref["path"] = "env/manifests" }},
		"noRefRepo": {"application-shape REF.repoURL", func(_, _, ref tree) { delete(ref, "repoURL") }},
		"number":    {"application-shape CHART.targetRevision", func(_, chart, _ tree) { chart["targetRevision"] = 1.5 }},
		"kustomize": {"application-shape CHART.kustomize", func(_, chart, _ tree) { chart["kustomize"] = tree{"namePrefix": "x"} }},
		"values":    {"inline-values CHART.helm.values", func(_, chart, _ tree) { helm(chart)["values"] = "a: 1" }},
		"object":    {"inline-values CHART.helm.valuesObject", func(_, chart, _ tree) { helm(chart)["valuesObject"] = tree{} }},
		"inline": {"inline-values spec.source", func(a, chart, _ tree) {
			delete(spec(a), "sources")
			delete(helm(chart), "valueFiles")
			spec(a)["source"] = chart
		}},
		"ignore":  {"value-files-order CHART.helm.ignoreMissingValueFiles", func(_, chart, _ tree) { helm(chart)["ignoreMissingValueFiles"] = true }},
		"swap":    {"value-files-order " + list + "[0]", func(_, chart, _ tree) { slices.Reverse(files(chart)) }},
		"repeat":  {"value-files-order " + list + "[2]", func(_, chart, _ tree) { helm(chart)["valueFiles"] = append(files(chart), files(chart)[0]) }},
		"glob":    {"value-files-order " + list + "[0]", func(_, chart, _ tree) { files(chart)[0] = "$values/env/values/*/values.managed.yaml" }},
		"another": {"value-files-order " + list + "[1]", func(_, chart, _ tree) { files(chart)[1] = "$values/env/values/x/y/values.custom.yaml" }},
		"cut":     {"value-files-order " + list, func(_, chart, _ tree) { helm(chart)["valueFiles"] = files(chart)[:1] }},
		"none":    {"value-files-order " + list, func(_, chart, _ tree) { delete(helm(chart), "valueFiles") }},
	}
}

// TestBuiltApplications is the property that what argocd.Build writes keeps all rules, and that one edit breaks exactly one.
func TestBuiltApplications(t *testing.T) {
	all := mutations()
	names := slices.Sorted(maps.Keys(all))
	rapid.Check(t, func(t *rapid.T) {
		a, id := live(t)
		object, _, err := a.Build(argocd.Form{ID: id, ValuesRepoURL: "https://git.example.test/values.git", ValuesRevision: "main"})
		if err != nil {
			t.Fatal(err)
		}
		built, err := argocd.New(object)
		if err != nil {
			t.Fatal(err)
		}
		if found := check.Application(built); len(found) > 0 || !check.Binds(built) {
			t.Fatalf("%+v of\n%v", found, object)
		}

		edited := argocd.Copy(object)
		sources := edited["spec"].(tree)["sources"].([]any)
		chartAt := slices.IndexFunc(sources, func(s any) bool { return s.(tree)["helm"] != nil })
		refAt := slices.IndexFunc(sources, func(s any) bool { return s.(tree)["ref"] == "values" })
		m := all[rapid.SampledFrom(names).Draw(t, "mutation")]
		m.edit(edited, sources[chartAt].(tree), sources[refAt].(tree))
		broken, err := argocd.New(edited)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range check.Application(broken) {
			got = append(got, f.Rule+" "+f.Path)
			if f.App != id.String() || f.Message == "" || f.Next == "" {
				t.Errorf("%+v", f)
			}
		}
		want := []string{replace(m.want, "CHART", fmt.Sprintf("spec.sources[%d]", chartAt), "REF", fmt.Sprintf("spec.sources[%d]", refAt))}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("-want +got\n%s\n%v", diff, edited)
		}
		if !check.Binds(broken) {
			t.Fatal("what is broken is taken for somebody else's")
		}
	})
}

func replace(text string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(text) }
