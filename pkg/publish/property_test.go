package publish_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/publish"
)

// TestAnyOrder is the property that what is written does not hang on the order of objects and releases, that doing it again changes
// nothing, and that a release alone changes nothing of the other's (C7).
func TestAnyOrder(t *testing.T) {
	groups := []string{"v1", "serving.knative.dev/v1", "other.test/v1"}
	object := rapid.Custom(func(t *rapid.T) string {
		kind := rapid.SampledFrom([]string{"Service", "Thing"}).Draw(t, "kind")
		group := rapid.SampledFrom(groups).Draw(t, "group")
		if kind == "Thing" {
			group = "other.test/v1"
		}
		release := rapid.SampledFrom([]string{"a-artifacts", "b-artifacts"}).Draw(t, "release")
		return placed(raw(release, group, kind, rapid.SampledFrom([]string{"main", "Main", "x"}).Draw(t, "name")), rapid.SampledFrom([]string{"a", "b"}).Draw(t, "namespace"))
	})
	scopes := map[artifact.GroupKind]bool{{Group: "other.test", Kind: "Service"}: true, {Group: "other.test", Kind: "Thing"}: true}
	registry := registryOf(t, "a/a-artifacts", "b/b-artifacts")
	publishAll := func(rt *rapid.T, repo memory, objects []string, names ...string) *publish.Plan {
		of := map[string][]string{}
		for _, text := range objects {
			stream := sourceOf(t, "a/x", text)
			owner, err := stream.Stream.Objects[0].Owner()
			if err != nil {
				rt.Fatal(err)
			}
			of[owner] = append(of[owner], text)
		}
		var sources []publish.Source
		for _, name := range names {
			sources = append(sources, sourceOf(t, name[:1]+"/"+name, of[name]...))
		}
		plan, err := publish.New(t.Context(), publish.Input{Sources: sources, Registry: registry, Repo: repo, Scopes: artifact.NewScopes(scopes)}, publish.Options{Prune: true})
		if err != nil {
			rt.Fatal(err)
		}
		return plan
	}
	rapid.Check(t, func(rt *rapid.T) {
		key := func(text string) string { // what the object is, whoever renders it
			id := sourceOf(t, "a/x", text).Stream.Objects[0].ID
			return id.Group + "/" + id.Kind + "/" + id.Namespace + "/" + id.Name
		}
		objects := rapid.SliceOfNDistinct(object, 0, 8, key).Draw(rt, "objects")
		one, other := memory{}, memory{}
		first := publishAll(rt, one, objects, "a-artifacts", "b-artifacts")
		one.take(first)
		other.take(publishAll(rt, other, rapid.Permutation(objects).Draw(rt, "order"), "b-artifacts", "a-artifacts"))
		if diff := cmp.Diff(one, other); diff != "" || len(one) != len(objects) {
			rt.Fatalf("%d files of %d objects (-one order +another)\n%s\n%v", len(one), len(objects), diff, told(first))
		}
		for _, names := range [][]string{{"a-artifacts", "b-artifacts"}, {"a-artifacts"}, {"b-artifacts"}} {
			if again := publishAll(rt, one, objects, names...); again.Refused() || len(again.Changes()) > 0 {
				rt.Fatalf("again, %v: %v", names, told(again))
			}
		}
		// One release renders nothing any more: its files go, the other's stay.
		one.take(publishAll(rt, one, nil, "a-artifacts"))
		left := 0
		for _, text := range objects {
			if owner, _ := sourceOf(t, "a/x", text).Stream.Objects[0].Owner(); owner == "b-artifacts" { // it was read above
				left++
			}
		}
		if len(one) != left {
			rt.Fatalf("%d files are left of %d", len(one), left)
		}
	})
}
