package manifest_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/manifest"
)

func text(content string) []manifest.Text {
	var out []manifest.Text
	for i, doc := range strings.Split(content, "\n---\n") {
		out = append(out, manifest.Text{Source: fmt.Sprintf("web/templates/%d.yaml", i), Content: doc})
	}
	return out
}

// lines writes differences as the tests expect them.
func lines(differences []manifest.Difference) []string {
	out := []string{}
	for _, d := range differences {
		line := fmt.Sprintf("%s %s", d.Change, d.Object)
		if d.Change == manifest.Changed {
			line += fmt.Sprintf(" %s: %v -> %v", d.Path, d.Before, d.After)
		}
		out = append(out, line)
	}
	return out
}

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {a: b}}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - {name: web, image: web:1, resources: {limits: {cpu: 1000m}}, env: [{name: A, value: "1"}, {name: B, value: "2"}]}
`

func TestCompare(t *testing.T) {
	secret := "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {p: hunter2}\n"
	for name, tc := range map[string]struct {
		reason        string
		before, after string
		want          []string
	}{
		"Same":        {"the same bytes", deployment, deployment, nil},
		"Look":        {"another look of the same object", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {k: v}\n", "# c\nkind: ConfigMap\napiVersion: v1\nmetadata:\n  name: c\ndata:\n  k: 'v'\n", nil},
		"Quantity":    {"quantities are compared as Kubernetes reads them", deployment, strings.Replace(deployment, "1000m", `"1"`, 1), nil},
		"Field":       {"a field changes", deployment, strings.Replace(deployment, "web:1", "web:2", 1), []string{"changed Deployment.apps web spec.template.spec.containers[0].image: web:1 -> web:2"}},
		"FieldGone":   {"a field that vanishes is a difference, which a diff of the desired alone would not show", deployment, strings.Replace(deployment, ", labels: {a: b}", "", 1), []string{"changed Deployment.apps web metadata.labels.a: b -> <nil>"}},
		"FieldNew":    {"a field comes where Kubernetes has a default", strings.Replace(deployment, "  replicas: 1\n", "", 1), strings.Replace(deployment, "replicas: 1", "replicas: 2", 1), []string{"changed Deployment.apps web spec.replicas: 1 -> 2"}},
		"ItemGone":    {"an item of a list goes", deployment, strings.Replace(deployment, `, {name: B, value: "2"}`, "", 1), []string{"changed Deployment.apps web spec.template.spec.containers[0].env: [map[name:A value:1] map[name:B value:2]] -> [map[name:A value:1]]"}},
		"Added":       {"an object comes", deployment, deployment + "\n---\n" + secret, []string{"added Secret s"}},
		"Removed":     {"an object goes", deployment + "\n---\n" + secret, deployment, []string{"removed Secret s"}},
		"Moved":       {"another namespace is another object", strings.Replace(deployment, "name: web,", "name: web, namespace: a,", 1), strings.Replace(deployment, "name: web,", "name: web, namespace: b,", 1), []string{"removed Deployment.apps a/web", "added Deployment.apps b/web"}},
		"Version":     {"another version of one kind is a change of the object", "apiVersion: example.test/v1\nkind: W\nmetadata: {name: w}\n", "apiVersion: example.test/v2\nkind: W\nmetadata: {name: w}\n", []string{"changed W.example.test w apiVersion: example.test/v1 -> example.test/v2"}},
		"Secret":      {"what a Secret holds is not shown", secret, strings.Replace(secret, "hunter2", "hunter3", 1), []string{"changed Secret s data.p: <nil> -> <nil>"}},
		"SecretForms": {"stringData is data", secret, "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {p: aHVudGVyMg==}\n", nil},
		"Custom":      {"custom resources are compared field by field", "apiVersion: example.test/v1\nkind: W\nmetadata: {name: w}\nspec: {a: [1, 2], b: {}}\n", "apiVersion: example.test/v1\nkind: W\nmetadata: {name: w}\nspec: {a: [2, 1]}\n", []string{"changed W.example.test w spec.a: [1 2] -> [2 1]", "changed W.example.test w spec.b: map[] -> <nil>"}},
		"List":        {"lists are taken apart", "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: v}}\n", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: w}\n", []string{"changed ConfigMap a data.k: v -> w"}},
		"Twice":       {"the same object twice is compared in order", secret + "\n---\n" + deployment + "\n---\n" + deployment, secret + "\n---\n" + deployment, []string{"removed Deployment.apps web"}},
		"Generated":   {"a generated name is a name with a star", "apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: j-}\n", "", []string{"removed Job.batch j-*"}},
		"Empty":       {"comments are no objects", "# nothing\n", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := manifest.Compare(text(tc.before), text(tc.after))
			if err != nil {
				t.Fatal(err)
			}
			want := append([]string{}, tc.want...)
			if diff := cmp.Diff(want, lines(got)); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
			if strings.Contains(fmt.Sprint(got), "hunter") || strings.Contains(fmt.Sprint(got), "aHVudGVy") {
				t.Errorf("a secret is kept: %v", got)
			}
		})
	}
}

func TestCompareRefuses(t *testing.T) {
	for name, content := range map[string]string{
		"NoYAML": "a: [hunter2\n",
		"NoKind": "apiVersion: v1\nmetadata: {name: hunter2}\n",
		"NoName": "apiVersion: v1\nkind: ConfigMap\ndata: {p: hunter2}\n",
	} {
		t.Run(name, func(t *testing.T) {
			other := strings.ReplaceAll(content, "hunter2", "hunter4")
			_, err := manifest.Compare(text(content), text(other))
			if !errors.Is(err, manifest.ErrObject) || !strings.Contains(err.Error(), "web/templates/0.yaml") {
				t.Fatalf("the error is %v", err)
			}
			if strings.Contains(err.Error(), "hunter") {
				t.Errorf("the error quotes a value: %v", err)
			}
		})
	}
}

// TestWithout is case I3: what differs between two renderings of one input is no difference between two inputs, and
// everything else still is.
func TestWithout(t *testing.T) {
	render := func(random, name, k string) []manifest.Text {
		return text("apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {pw: " + random + "}\n\n---\n" +
			"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, annotations: {checksum: x" + random + "}}\ndata: {k: " + k + "}\n\n---\n" +
			"apiVersion: batch/v1\nkind: Job\nmetadata: {name: job-" + name + "}\n")
	}
	noise, err := manifest.Compare(render("aaaa", "1", "v1"), render("bbbb", "2", "v1"))
	if err != nil {
		t.Fatal(err)
	}
	differences, err := manifest.Compare(render("cccc", "3", "v1"), render("dddd", "4", "v2"))
	if err != nil {
		t.Fatal(err)
	}
	got := lines(manifest.Without(differences, noise))
	if diff := cmp.Diff([]string{"changed ConfigMap c data.k: v1 -> v2"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
