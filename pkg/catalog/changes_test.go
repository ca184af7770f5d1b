package catalog_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/catalog"
)

func TestCompare(t *testing.T) {
	a := catalog.Chart{Source: at("charts/a", "v1"), Interface: wiki("a", 10)}
	b := catalog.Chart{Source: at("charts/b", "v1"), Interface: wiki("b", 10)}
	changed := catalog.Chart{Source: a.Source, Interface: wiki("later", 10)}
	managed := []catalog.Managed{{App: app.ID{Namespace: "docs", Release: "wiki"}, Text: []byte("a: 1\n")}}
	all := encode(t, catalog.Input{Charts: []catalog.Chart{a, b}, Managed: managed})
	type counts struct{ Apply, Same, Delete int }
	for name, c := range map[string]struct {
		reason  string
		edit    func([]corev1.ConfigMap)
		wanted  catalog.Input
		kept    []string
		managed bool
		want    counts
	}{
		"Same":           {"a second run", nil, catalog.Input{Charts: []catalog.Chart{a, b}, Managed: managed}, nil, true, counts{0, 3, 0}},
		"Changed":        {"a later chart, at the same revision", nil, catalog.Input{Charts: []catalog.Chart{changed, b}, Managed: managed}, nil, true, counts{1, 2, 0}},
		"Gone":           {"no app uses b any more", nil, catalog.Input{Charts: []catalog.Chart{a}, Managed: managed}, nil, true, counts{0, 2, 1}},
		"NotFoundNow":    {"b could not be fetched: what is there stays", nil, catalog.Input{Charts: []catalog.Chart{a}, Managed: managed}, []string{catalog.Key(b.Source)}, true, counts{0, 2, 0}},
		"WithoutRepo":    {"managed values were not asked for: they stay", nil, catalog.Input{Charts: []catalog.Chart{a, b}}, nil, false, counts{0, 2, 0}},
		"ManagedGone":    {"a repo without any", nil, catalog.Input{Charts: []catalog.Chart{a, b}}, nil, true, counts{0, 2, 1}},
		"EditedByHand":   {"data was changed: it is written anew", func(l []corev1.ConfigMap) { l[0].BinaryData = map[string][]byte{"part": []byte("x")} }, catalog.Input{Charts: []catalog.Chart{a, b}, Managed: managed}, nil, true, counts{1, 2, 0}},
		"LabelsOfOthers": {"labels that others add are theirs", func(l []corev1.ConfigMap) { l[0].Labels["team"] = "x" }, catalog.Input{Charts: []catalog.Chart{a, b}, Managed: managed}, nil, true, counts{0, 3, 0}},
		"NotOurs": {"an object without our label is never deleted", func(l []corev1.ConfigMap) {
			for i := range l {
				l[i].Labels = nil
			}
		}, catalog.Input{}, nil, true, counts{0, 0, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			var live []corev1.ConfigMap
			for _, o := range all {
				live = append(live, *o.DeepCopy())
			}
			if c.edit != nil {
				c.edit(live)
			}
			got := catalog.Compare(live, encode(t, c.wanted), c.kept, c.managed)
			if diff := cmp.Diff(c.want, counts{len(got.Apply), len(got.Same), len(got.Delete)}); diff != "" {
				t.Errorf("%s (-want +got)\n%s", c.reason, diff)
			}
		})
	}
}
