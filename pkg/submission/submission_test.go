package submission

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
)

func ids() *rapid.Generator[app.ID] {
	return rapid.Custom(func(t *rapid.T) app.ID {
		return app.ID{
			Namespace: rapid.StringMatching(`[a-c]([-a-c]{0,5}[a-c])?`).Draw(t, "namespace"),
			Release:   rapid.StringMatching(`[a-c]([-a-c]{0,5}[a-c])?(\.[a-c]){0,2}`).Draw(t, "release"),
		}
	})
}

// What ConfigMap makes reads back as it was, and is the app's alone.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := ids().Draw(t, "a"), ids().Draw(t, "b")
		s := &Submission{App: a, Text: rapid.String().Draw(t, "text"), By: "ada", Base: "00", Collected: "c0ffee"}
		object := s.ConfigMap()
		s.Name = object.Name
		got, faults := Read(object)
		if diff := cmp.Diff(s, got); diff != "" || len(faults) > 0 {
			t.Fatalf("%s%v", diff, faults)
		}
		if (NameFor(a) == NameFor(b)) != (a == b) {
			t.Fatalf("%s and %s are submitted in one ConfigMap", a, b)
		}
		if faults := validation.IsDNS1123Subdomain(object.Name); faults != nil {
			t.Fatal(faults)
		}
	})
}

func TestNameOfTheLongest(t *testing.T) {
	id := app.ID{Namespace: strings.Repeat("a", 63), Release: strings.Repeat("b", 53)}
	if name := NameFor(id); len(name) > 253 || validation.IsDNS1123Subdomain(name) != nil {
		t.Errorf("%q is no name", name)
	}
}

func TestRead(t *testing.T) {
	good := func() *corev1.ConfigMap {
		return (&Submission{App: app.ID{Namespace: "harbor", Release: "harbor"}, Text: "a: s3cr3t"}).ConfigMap()
	}
	annotate := func(text string) func(*corev1.ConfigMap) {
		return func(c *corev1.ConfigMap) { c.Annotations[AppAnnotation] = text }
	}
	for name, test := range map[string]struct {
		reason string
		change func(*corev1.ConfigMap)
		want   map[string]string // path to a part of the message
	}{
		"good":       {"what submit writes is right", func(*corev1.ConfigMap) {}, nil},
		"any name":   {"the annotation says whose it is, the name nothing", func(c *corev1.ConfigMap) { c.Name = "mine" }, nil},
		"namespace":  {"access is granted to one namespace", func(c *corev1.ConfigMap) { c.Namespace = "default" }, map[string]string{"metadata.namespace": "apl-submissions only"}},
		"label":      {"without it nobody collects it", func(c *corev1.ConfigMap) { c.Labels = nil }, map[string]string{"metadata.labels": "is not there"}},
		"no app":     {"the name is never split", func(c *corev1.ConfigMap) { c.Annotations = nil }, map[string]string{"metadata.annotations": "nothing tells which app"}},
		"empty app":  {"an empty identity is none", annotate(""), map[string]string{"metadata.annotations": "not of the form"}},
		"app name":   {"an app name is ambiguous", annotate("harbor-harbor"), map[string]string{"metadata.annotations": "not of the form"}},
		"two slash":  {"exactly one slash", annotate("a/b/c"), map[string]string{"metadata.annotations": "no Helm release name"}},
		"upper case": {"Kubernetes' rule", annotate("Harbor/harbor"), map[string]string{"metadata.annotations": "no namespace name"}},
		"blank":      {"nothing is trimmed", annotate("harbor/harbor "), map[string]string{"metadata.annotations": "no Helm release name"}},
		"team":       {"a team's values are its own", annotate("team-a/web"), map[string]string{"metadata.annotations": "out of scope"}},
		"no key":     {"there is nothing to judge", func(c *corev1.ConfigMap) { c.Data = nil }, map[string]string{"data": "the key values.custom.yaml is not there"}},
		"other key":  {"nobody would read it", func(c *corev1.ConfigMap) { c.Data["values.yaml"] = "s3cr3t" }, map[string]string{"data": `the key "values.yaml"`}},
		"binary":     {"nobody would read it, the right key neither", func(c *corev1.ConfigMap) { c.BinaryData = map[string][]byte{Key: []byte("s3cr3t")} }, map[string]string{"binaryData": "nobody reads"}},
		"all at once": {"every violation in one answer", func(c *corev1.ConfigMap) { c.Namespace, c.Annotations, c.Data = "x", nil, nil },
			map[string]string{"metadata.namespace": "only", "metadata.annotations": "is not there", "data": "is not there"}},
	} {
		t.Run(name, func(t *testing.T) {
			object := good()
			test.change(object)
			_, faults := Read(object)
			if len(faults) != len(test.want) {
				t.Errorf("%s: got %v", test.reason, faults)
			}
			for _, f := range faults {
				if part := test.want[f.Path]; part == "" || !strings.Contains(f.Message, part) || f.Next == "" || strings.Contains(f.Message+f.Next, "s3cr3t") {
					t.Errorf("%s: got %+v", test.reason, f)
				}
			}
		})
	}
}

// A ConfigMap with thousands of keys is told of in a few findings.
func TestReadIsBounded(t *testing.T) {
	object := (&Submission{App: app.ID{Namespace: "a", Release: "b"}}).ConfigMap()
	for i := range 5000 {
		object.Data[strings.Repeat("k", 1+i%200)+string(rune('a'+i/200))] = ""
	}
	object.Annotations[AppAnnotation] = strings.Repeat("x", 200_000)
	_, faults := Read(object)
	total := 0
	for _, f := range faults {
		total += len(f.Message)
	}
	if len(faults) != maxKeys+2 || total > 20_000 {
		t.Errorf("%d findings of %d bytes", len(faults), total)
	}
}
