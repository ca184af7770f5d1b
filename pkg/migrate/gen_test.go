package migrate_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

// chance is true in one of n draws.
func chance(t *rapid.T, n int, label string) bool { return rapid.IntRange(1, n).Draw(t, label) == n }

func pickOne[T any](t *rapid.T, label string, from ...T) T {
	return rapid.SampledFrom(from).Draw(t, label)
}

// oneOfFew draws one of the words, and "" in most draws.
func oneOfFew(t *rapid.T, label string, words ...string) string {
	if !chance(t, 3, label+"?") {
		return ""
	}
	return rapid.SampledFrom(words).Draw(t, label)
}

// The keys of drawn values mean something to the drawn charts (s and deep are subcharts), so that all sides meet.
func drawKey(t *rapid.T) string {
	return pickOne(t, "key", "a", "b", "c", "s", "twin", "deep", "global", "tags", "enabled", "exports", "prometheus.io/scrape")
}

func drawScalar(t *rapid.T) any {
	return pickOne[any](t, "scalar", nil, nil, true, false, "", "x", "yes", "0777", "1e3", 0, 1, 1.5, 2_000_000)
}

func drawMap(t *rapid.T, depth int) map[string]any {
	out := map[string]any{}
	for range rapid.IntRange(0, 4).Draw(t, "width") {
		out[drawKey(t)] = drawValue(t, depth+1)
	}
	return out
}

func drawValue(t *rapid.T, depth int) any {
	switch kind := rapid.IntRange(0, 9).Draw(t, "kind"); {
	case depth >= 3, kind < 5:
		return drawScalar(t)
	case kind < 8:
		return drawMap(t, depth)
	}
	return []any{drawScalar(t), drawMap(t, depth+1)}
}

// perturb draws a tree that has much in common with one: keys kept, dropped, changed, added.
func perturb(t *rapid.T, tree map[string]any, depth int) map[string]any {
	out := map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(tree)) {
		inner, isMap := tree[key].(map[string]any)
		switch what := rapid.IntRange(0, 11).Draw(t, "what"); {
		case what < 9 && isMap:
			out[key] = perturb(t, inner, depth+1)
		case what < 9:
			out[key] = tree[key]
		case what < 10: // dropped
		default:
			out[key] = drawValue(t, depth+1)
		}
	}
	if chance(t, 4, "add") {
		out[drawKey(t)] = drawValue(t, depth+1)
	}
	return out
}

// drawChart draws the files of a chart: defaults that share much with base, and often a subchart with a condition, a tag,
// an alias, imported values and a subchart of its own.
func drawChart(t *rapid.T, name string, base map[string]any) map[string]string {
	files := map[string]string{}
	put := func(folder, name string, dependencies []any) {
		metadata := map[string]any{"apiVersion": "v2", "name": name, "version": "0.1.0"}
		if dependencies != nil {
			metadata["dependencies"] = dependencies
		}
		files[folder+"/Chart.yaml"] = toYAML(metadata)
		files[folder+"/values.yaml"] = toYAML(perturb(t, base, 0))
	}
	folder := "charts/" + name
	if chance(t, 3, "no subchart") {
		put(folder, name, nil)
		return files
	}
	var dependencies []any
	if !chance(t, 4, "undeclared") {
		dependencies = append(dependencies, drawDependency(t, "s", ""))
		if chance(t, 3, "alias") {
			dependencies = append(dependencies, drawDependency(t, "s", "twin"))
		}
	}
	put(folder, name, dependencies)
	if chance(t, 2, "deep") {
		put(folder+"/charts/s", "s", []any{drawDependency(t, "deep", "")})
		put(folder+"/charts/s/charts/deep", "deep", nil)
	} else {
		put(folder+"/charts/s", "s", nil)
	}
	return files
}

func drawDependency(t *rapid.T, name, alias string) map[string]any {
	out := map[string]any{"name": name, "version": "0.1.0"}
	if alias != "" {
		out["alias"] = alias
	}
	if chance(t, 2, "condition") {
		out["condition"] = pickOne(t, "condition path", name+".enabled", "a.enabled,s.enabled", "enabled")
	}
	if chance(t, 3, "tag") {
		out["tags"] = []any{"a"}
	}
	if chance(t, 3, "import") {
		out["import-values"] = pickOne(t, "imported", []any{"a"}, []any{map[string]any{"child": "a", "parent": "b"}})
	}
	return out
}

func toYAML(v any) string {
	text, err := yaml.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("a drawn tree is no YAML: %v", err))
	}
	return string(text)
}

func toJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("a drawn tree is no JSON: %v", err))
	}
	return string(text)
}

// drawWorld draws a platform of 2 to 6 apps, and the options of a run. Charts go to dir.
func drawWorld(t *rapid.T, tb testing.TB, dir string) (*world, migrate.Options) {
	w := newWorld()
	var ids []app.ID
	for _, text := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{
		"a/b", "a/b-c", "a-b/c", "web/web", "web/db", "web/db-artifacts", "web/cache", "apl-operator/apl-operator", "team-x/shop",
	}), 2, 6, rapid.ID).Draw(t, "ids") {
		id, err := app.Parse(text)
		if err != nil {
			tb.Fatal(err)
		}
		ids = append(ids, id)
		drawApp(t, tb, w, dir, id)
	}
	if chance(t, 10, "twice") {
		twin := maps.Clone(w.applications[0])
		twin["metadata"] = maps.Clone(at(twin, "metadata"))
		at(twin, "metadata")["name"] = pickOne(t, "name of the second", "a-twin", ids[0].Name())
		w.applications = append(w.applications, twin)
	}
	return w, drawOptions(t, ids)
}

// drawApp draws one app, and now and then something that is wrong with it.
func drawApp(t *rapid.T, tb testing.TB, w *world, dir string, id app.ID) {
	base := drawMap(t, 0)
	live, managed := perturb(t, base, 0), perturb(t, base, 0)
	if chance(t, 8, "secret") {
		managed["auth"] = map[string]any{"password": "hunter2-hunter2"}
	}
	text := toYAML(live)
	if chance(t, 4, "flow") {
		text = toJSON(live)
	}
	w.files(tb, dir, drawChart(t, id.Name(), base))
	application := w.add(tb, id.String(), id.Name(), text, toYAML(managed))
	helm, entry := at(application, "spec", "source", "helm"), w.releases[len(w.releases)-1]
	switch oneOfFew(t, "look", "object", "object", "parameters", "nothing inline", "owned", "gitops", "unlabelled", "no destination") {
	case "object":
		delete(helm, "values")
		helm["valuesObject"] = live
	case "parameters":
		helm["parameters"] = []any{map[string]any{"name": "a", "value": "set"}, map[string]any{"name": "n", "value": "3", "forceString": true}}
	case "nothing inline":
		delete(helm, "values")
	case "owned":
		at(application, "metadata")["ownerReferences"] = []any{map[string]any{"kind": "ApplicationSet", "name": "set"}}
	case "gitops":
		at(application, "metadata", "labels")["otomi.io/app"] = "generic-gitops"
	case "unlabelled":
		delete(at(application, "metadata"), "labels")
	case "no destination":
		delete(at(application, "spec", "destination"), "namespace")
	}
	switch oneOfFew(t, "fault", "not installed", "raw", "no managed", "Helm repository", "no chart") {
	case "not installed":
		entry["installed"] = false
	case "raw":
		entry["chart"] = "../charts/raw"
	case "no managed":
		delete(w.managed, id.Name()+".yaml")
	case "Helm repository":
		helmRepository("2.0.0")(application)
	case "no chart":
		if err := os.Remove(dir + "/charts/" + id.Name() + "/Chart.yaml"); err != nil {
			tb.Fatal(err)
		}
	}
}

func drawOptions(t *rapid.T, ids []app.ID) migrate.Options {
	options := migrate.Options{KeepGoing: chance(t, 2, "keep going")}
	switch pickOne(t, "introduced", "blocks", "exact", "exact", "accept all", "accept one", "exact but one") {
	case "exact":
		options.Exact = true
	case "accept all":
		options.AcceptAll = true
	case "accept one":
		options.Accept = ids[:1]
	case "exact but one":
		options.Exact, options.Accept = true, ids[:1]
	}
	if chance(t, 8, "named") {
		options.Apps = []string{ids[0].Name(), ids[1].Name()}
	}
	return options
}
