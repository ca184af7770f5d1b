package catalog_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/catalog"
	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
)

const repo = "https://git.example.com/apl/core.git"

// wiki is a chart whose default says which generation it is of, of so many bytes that do not compress.
func wiki(generation string, size int) chart.Interface {
	random := rand.New(rand.NewPCG(1, uint64(len(generation)))) //nolint:gosec // no secret
	var noise strings.Builder
	for noise.Len() < size {
		fmt.Fprintf(&noise, "%016x", random.Uint64())
	}
	return chart.Interface{
		Name: "wiki", Version: "1.0.0", Values: map[string]any{"generation": generation, "noise": noise.String(), "none": nil, "n": float64(3)},
		Schema: []byte(`{"type":"object"}`),
	}
}

func at(path, revision string) chart.Source {
	return chart.Source{RepoURL: repo, Path: path, Revision: revision}
}

func encode(t interface {
	Helper()
	Fatal(...any)
}, in catalog.Input) []*corev1.ConfigMap {
	t.Helper()
	out, err := catalog.Encode(in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// generation reads back which generation of the chart is in the catalog; "" for none.
func generation(c *catalog.Catalog, source chart.Source) string {
	found, ok := c.Chart(source)
	if !ok {
		return ""
	}
	judged, _, err := found.Chart.Judged(nil)
	if err != nil {
		return err.Error()
	}
	text, _ := judged["generation"].(string)
	return text
}

func TestRoundTrip(t *testing.T) {
	id := app.ID{Namespace: "docs", Release: "wiki"}
	in := catalog.Input{
		Charts:  []catalog.Chart{{Source: at("charts/wiki", "v1"), Interface: wiki("one", 2<<20)}, {Source: at("charts/bare", "v1"), Interface: chart.Interface{Name: "bare", Version: "1"}}},
		Managed: []catalog.Managed{{App: id, Text: []byte("a: 1\n")}},
		Config:  []byte("exclude:\n- app: a/b\n  reason: because\n"),
	}
	objects := encode(t, in)
	if len(objects) < 5 {
		t.Errorf("got %d objects: 2 MB that do not compress are split", len(objects))
	}
	var store catalog.Store
	for _, o := range objects {
		size := 0
		for _, data := range o.BinaryData {
			size += len(data)
		}
		if size > 600<<10 {
			t.Errorf("%s has %d bytes", o.Name, size)
		}
		store.Put(o)
	}
	if problems := store.Problems(); len(problems) > 0 {
		t.Errorf("got %v", problems)
	}
	c := store.Catalog()
	found, ok := c.Chart(at("./charts/wiki/", "v1"))
	if !ok || !found.Exact || found.NoSchema || found.Revision != "v1" || generation(c, at("charts/wiki", "v1")) != "one" {
		t.Errorf("got %+v, %v", found, ok)
	}
	if found, ok := c.Chart(at("charts/bare", "v1")); !ok || !found.NoSchema {
		t.Errorf("got %+v, %v", found, ok)
	}
	doc, ok := c.Managed(id)
	if !ok || doc.Text() != "a: 1\n" {
		t.Errorf("got %v, %v", doc, ok)
	}
	if _, excluded := c.Config().Excluded(app.ID{Namespace: "a", Release: "b"}); !excluded {
		t.Error("the config is lost")
	}
	in.Charts[0], in.Charts[1] = in.Charts[1], in.Charts[0]
	if diff := cmp.Diff(objects, encode(t, in)); diff != "" {
		t.Errorf("the order of the input shows (-want +got)\n%s", diff)
	}
	for _, o := range objects {
		store.Delete(o.Name)
	}
	if _, ok := store.Catalog().Managed(id); ok || store.Catalog().Len() != 0 || len(store.Problems()) != 0 {
		t.Error("deleted ones stay")
	}
	if c.Len() != 2 {
		t.Error("a snapshot changed")
	}
}

func TestLastGoodStays(t *testing.T) {
	source := at("charts/wiki", "v1")
	objects := encode(t, catalog.Input{Charts: []catalog.Chart{{Source: source, Interface: wiki("one", 10)}}})
	later := encode(t, catalog.Input{Charts: []catalog.Chart{{Source: source, Interface: wiki("later", 10)}}})
	for name, c := range map[string]struct {
		reason string
		edit   func(*corev1.ConfigMap)
		want   string
	}{
		"Edited":     {"data was changed by hand", func(o *corev1.ConfigMap) { o.BinaryData["part"][20] ^= 1 }, "digest"},
		"NoGzip":     {"data is something else", func(o *corev1.ConfigMap) { o.BinaryData["part"] = []byte("x") }, "digest"},
		"NoData":     {"data is gone", func(o *corev1.ConfigMap) { o.BinaryData = nil }, "missing"},
		"Newer":      {"a later kubectl apl wrote it", func(o *corev1.ConfigMap) { o.Annotations["apl.io/format"] = "2" }, "newer"},
		"NoFormat":   {"annotations were lost", func(o *corev1.ConfigMap) { o.Annotations = nil }, "format"},
		"OtherKey":   {"the name is of another key", func(o *corev1.ConfigMap) { o.Annotations["apl.io/schema-key"] = "path=x" }, "name"},
		"HalfABunch": {"the second part never comes", func(o *corev1.ConfigMap) { o.Annotations["apl.io/part"] = "1/2" }, "missing"},
		"TooMany":    {"a bundle of very many parts", func(o *corev1.ConfigMap) { o.Annotations["apl.io/part"] = "1/2000000000" }, "at most"},
	} {
		t.Run(name, func(t *testing.T) {
			var store catalog.Store
			store.Put(objects[0])
			broken := later[0].DeepCopy()
			c.edit(broken)
			store.Put(broken)
			if got := generation(store.Catalog(), source); got != "one" {
				t.Errorf("%s: got %q", c.reason, got)
			}
			problems := store.Problems()
			if len(problems) != 1 || problems[0].ConfigMap != broken.Name || problems[0].Next == "" || !strings.Contains(problems[0].Message, c.want) {
				t.Errorf("%s: got %+v", c.reason, problems)
			}
			store.Put(later[0])
			if got := generation(store.Catalog(), source); got != "later" || len(store.Problems()) != 0 {
				t.Errorf("mended: got %q, %v", got, store.Problems())
			}
			edited := later[0].DeepCopy()
			edited.BinaryData["part"][20] ^= 1
			store.Put(edited)
			if got := generation(store.Catalog(), source); got != "later" || len(store.Problems()) != 1 {
				t.Errorf("the one that is loaded was edited: got %q, %v", got, store.Problems())
			}
		})
	}
}

// TestNeverAMixture holds that in whatever order the parts of two generations come, the catalog has one of both, whole.
func TestNeverAMixture(t *testing.T) {
	sources := []chart.Source{at("charts/a", "v1"), at("charts/b", "v1")}
	var generations [2][]*corev1.ConfigMap
	for i, name := range []string{"old", "newer"} {
		in := catalog.Input{}
		for j, s := range sources {
			in.Charts = append(in.Charts, catalog.Chart{Source: s, Interface: wiki(name, (i+j)*(700<<10)+10)})
		}
		generations[i] = encode(t, in)
	}
	rapid.Check(t, func(t *rapid.T) {
		var store catalog.Store
		all := append(append([]*corev1.ConfigMap{}, generations[0]...), generations[1]...)
		seen := map[int]bool{}
		for _, o := range append(rapid.Permutation(all).Draw(t, "order"), rapid.SliceOfN(rapid.SampledFrom(all), 0, 5).Draw(t, "again")...) {
			store.Put(o)
			for i, s := range sources {
				got := generation(store.Catalog(), s)
				if got != "" && got != "old" && got != "newer" || got == "" && seen[i] {
					t.Fatalf("got %q", got)
				}
				seen[i] = seen[i] || got != ""
			}
		}
		for _, o := range rapid.Permutation(generations[1]).Draw(t, "last") {
			store.Put(o)
		}
		for _, s := range sources {
			if got := generation(store.Catalog(), s); got != "newer" {
				t.Fatalf("got %q once all parts of a generation are there", got)
			}
		}
	})
}

func TestNearest(t *testing.T) {
	other := "https://other.example.com/core.git"
	for name, c := range map[string]struct {
		reason string
		have   []chart.Source
		want   chart.Source
		found  string
		exact  bool
	}{
		"Exact":        {"the very one", []chart.Source{at("c", "v1.2.3"), at("c", "v1.2.4")}, at("c", "v1.2.3"), "v1.2.3", true},
		"MinorFirst":   {"the same minor, however far the patch", []chart.Source{at("c", "1.2.90"), at("c", "1.3.0"), at("c", "2.2.1")}, at("c", "1.2.1"), "1.2.90", false},
		"Higher":       {"of two as far, the higher", []chart.Source{at("c", "1.2.0"), at("c", "1.2.2")}, at("c", "1.2.1"), "1.2.2", false},
		"Range":        {"the highest that a range takes", []chart.Source{at("c", "1.2.0"), at("c", "1.4.0"), at("c", "2.0.0")}, at("c", "1.x"), "1.4.0", false},
		"RangeText":    {"a range that was published is found by its text", []chart.Source{at("c", "1.x"), at("c", "1.4.0")}, at("c", "1.x"), "1.x", true},
		"Branch":       {"of a branch nothing is known: the highest", []chart.Source{at("c", "1.2.0"), at("c", "2.0.0"), at("c", "zoo")}, at("c", "main"), "2.0.0", false},
		"Head":         {"no revision is HEAD", []chart.Source{at("c", "HEAD"), at("c", "2.0.0")}, at("c", ""), "HEAD", true},
		"OwnRepoFirst": {"a repo's own chart, though another has the revision", []chart.Source{{RepoURL: other, Path: "c", Revision: "1.0.0"}, at("c", "3.0.0")}, at("c", "1.0.0"), "3.0.0", false},
		"OtherRepo":    {"better than none, but not the very one", []chart.Source{{RepoURL: other, Path: "c", Revision: "1.0.0"}}, at("c", "1.0.0"), "1.0.0", false},
		"OtherPath":    {"another chart is none", []chart.Source{at("d", "1.0.0")}, at("c", "1.0.0"), "", false},
		"NameNoPath":   {"a chart's name is no path", []chart.Source{at("c", "1.0.0")}, chart.Source{RepoURL: repo, Chart: "c", Revision: "1.0.0"}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			var store catalog.Store
			for _, source := range c.have {
				for _, o := range encode(t, catalog.Input{Charts: []catalog.Chart{{Source: source, Interface: wiki("x", 10)}}}) {
					store.Put(o)
				}
			}
			got, _ := store.Catalog().Chart(c.want)
			if got.Revision != c.found || got.Exact != c.exact {
				t.Errorf("%s: got %q, exact %v", c.reason, got.Revision, got.Exact)
			}
		})
	}
}

// TestNoCredentials holds that what is written down has no user nor password.
func TestNoCredentials(t *testing.T) {
	source := chart.Source{RepoURL: "https://otter:hunter2@git.example.com/a.git", Path: "c", Revision: "v1"}
	objects := encode(t, catalog.Input{Charts: []catalog.Chart{{Source: source, Interface: wiki("x", 10)}}})
	if text := fmt.Sprint(objects[0].Annotations); strings.Contains(text, "hunter2") || strings.Contains(text, "otter") {
		t.Error(text)
	}
	var store catalog.Store
	store.Put(objects[0])
	if found, ok := store.Catalog().Chart(chart.Source{RepoURL: "https://git.example.com/a.git", Path: "c", Revision: "v1"}); !ok || !found.Exact {
		t.Errorf("credentials tell nothing apart: %+v", found)
	}
}

func TestEncodeRefuses(t *testing.T) {
	a := app.ID{Namespace: "a", Release: "b"}
	for name, in := range map[string]catalog.Input{
		"TwoCharts": {Charts: []catalog.Chart{{Source: at("c", "v1"), Interface: wiki("a", 1)}, {Source: at("./c", "v1"), Interface: wiki("b", 1)}}},
		"NoName":    {Charts: []catalog.Chart{{Source: at("c", "v1")}}},
		"TooLarge":  {Charts: []catalog.Chart{{Source: at("c", "v1"), Interface: wiki("a", 33<<20)}}},
		"TwoApps":   {Managed: []catalog.Managed{{App: a}, {App: a}}},
		"NoValues":  {Managed: []catalog.Managed{{App: a, Text: []byte("- a\n")}}},
		"NoConfig":  {Config: []byte("nonsense: 1\n")},
	} {
		if _, err := catalog.Encode(in); err == nil {
			t.Errorf("%s: it is taken", name)
		}
	}
}

// TestSubchartsInAnyOrder holds that the order of subcharts, which is Helm's by chance, does not show.
func TestSubchartsInAnyOrder(t *testing.T) {
	objects := func(subcharts ...chart.Interface) []*corev1.ConfigMap {
		top := chart.Interface{Name: "top", Version: "1", Subcharts: subcharts}
		return encode(t, catalog.Input{Charts: []catalog.Chart{{Source: at("c", "v1"), Interface: chart.Interface{Name: "over", Subcharts: []chart.Interface{top}}}}})
	}
	a, b, later := chart.Interface{Name: "a"}, chart.Interface{Name: "b", Version: "1"}, chart.Interface{Name: "b", Version: "2"}
	if diff := cmp.Diff(objects(a, b, later), objects(later, b, a)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestStoreOfManyGoroutines is for the race detector: lookups go on while ConfigMaps come and go.
func TestStoreOfManyGoroutines(t *testing.T) {
	source := at("charts/wiki", "v1")
	objects := encode(t, catalog.Input{Charts: []catalog.Chart{{Source: source, Interface: wiki("one", 10)}}})
	var store catalog.Store
	store.Put(objects[0])
	var running sync.WaitGroup
	for range 4 {
		running.Go(func() {
			for range 50 {
				store.Put(objects[0].DeepCopy())
				store.Put(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "other", Labels: map[string]string{catalog.Label: "chart"}}})
				store.Delete("other")
				store.Problems()
			}
		})
		running.Go(func() {
			for range 50 {
				if got := generation(store.Catalog(), source); got != "one" {
					t.Errorf("got %q", got)
				}
			}
		})
	}
	running.Wait()
}
