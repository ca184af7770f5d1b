package manifest_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/manifest"
)

func text(content string) []manifest.Text {
	var out []manifest.Text
	for i, doc := range strings.Split(content, "\n---\n") {
		out = append(out, manifest.Text{Source: fmt.Sprintf("web/templates/%d.yaml", i), Content: doc, Namespace: "web"})
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

const (
	lastApplied = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":\"a\"}'}}\ndata: {k: KEY}\n"
	policy      = "apiVersion: kyverno.io/v1\nkind: Policy\nmetadata: {name: p}\nspec: {rules: [{generate: {kind: Secret, name: s, data: {data: {pw: KEY}}}}]}\n"
)

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
		"OwnMoved":    {"without a namespace an object goes to the app's, which is another one too", deployment, strings.Replace(deployment, "name: web,", "name: web, namespace: b,", 1), []string{"added Deployment.apps b/web", "removed Deployment.apps web"}},
		"Own":         {"to name the app's namespace, where Argo CD puts an object that names none, changes nothing", deployment, strings.Replace(deployment, "name: web,", "name: web, namespace: web,", 1), nil},
		"OwnField":    {"and what else changes is still seen", strings.Replace(deployment, "name: web,", "name: web, namespace: web,", 1), strings.Replace(deployment, "web:1", "web:2", 1), []string{"changed Deployment.apps web/web spec.template.spec.containers[0].image: web:1 -> web:2"}},
		"Version":     {"another version of one kind is a change of the object", "apiVersion: example.test/v1\nkind: W\nmetadata: {name: w}\n", "apiVersion: example.test/v2\nkind: W\nmetadata: {name: w}\n", []string{"changed W.example.test w apiVersion: example.test/v1 -> example.test/v2"}},
		"Secret":      {"what a Secret holds is not shown", secret, strings.Replace(secret, "hunter2", "hunter3", 1), []string{"changed Secret s data.p: <nil> -> <nil>"}},
		"SecretForms": {"stringData is data", secret, "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {p: aHVudGVyMg==}\n", nil},
		"Custom":      {"custom resources are compared field by field", "apiVersion: example.test/v1\nkind: W\nmetadata: {name: w}\nspec: {a: [1, 2], b: {}}\n", "apiVersion: example.test/v1\nkind: W\nmetadata: {name: w}\nspec: {a: [2, 1]}\n", []string{"changed W.example.test w spec.a: [1 2] -> [2 1]", "changed W.example.test w spec.b: map[] -> <nil>"}},
		"List":        {"lists are taken apart", "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: v}}\n", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: w}\n", []string{"changed ConfigMap a data.k: v -> w"}},
		"Twice":       {"the same object twice is compared in order", secret + "\n---\n" + deployment + "\n---\n" + deployment, secret + "\n---\n" + deployment, []string{"removed Deployment.apps web"}},
		"NullList":    {"a list without items is no object", "apiVersion: v1\nkind: ConfigMapList\nitems:\n", "", nil},
		"LastApplied": {"and least of all one that holds another object", strings.Replace(lastApplied, "KEY", "v", 1), strings.Replace(lastApplied, "KEY", "w", 1), []string{"changed ConfigMap a data.k: v -> w"}},
		"LongNumber":  {"every digit of a number counts", "apiVersion: example.test/v1\nkind: W\nmetadata: {name: w}\nspec: {id: 9007199254740993}\n", "apiVersion: example.test/v1\nkind: W\nmetadata: {name: w}\nspec: {id: 9007199254740992}\n", []string{"changed W.example.test w spec.id: 9007199254740993 -> 9007199254740992"}},
		"Held":        {"what a Secret that an object holds contains is not shown either", strings.Replace(policy, "KEY", "aHVudGVyMg==", 1), strings.Replace(policy, "KEY", "aHVudGVyMw==", 1), []string{"changed Policy.kyverno.io p spec.rules[0].generate.data.data.pw: <nil> -> <nil>"}},
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

// TestCompareOrder holds that the order of documents counts only for an object that is there twice: Argo CD applies the last.
func TestCompareOrder(t *testing.T) {
	list := func(objects ...string) []manifest.Text {
		var out []manifest.Text
		for _, o := range objects { // all of one template, which ranges over a list
			name, value, _ := strings.Cut(o, "=")
			out = append(out, manifest.Text{Source: "c.yaml", Content: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + "}\ndata: {k: v" + value + "}\n"})
		}
		return out
	}
	for name, tc := range map[string]struct {
		before, after []manifest.Text
		want          []string
	}{
		"Others": {list("a=1", "b=2", "c=3"), list("c=3", "a=1", "b=2"), nil},
		"Twice":  {list("a=1", "b=2", "a=3"), list("a=3", "b=2", "a=1"), []string{"changed ConfigMap a data.k: v1 -> v3", "changed ConfigMap a data.k: v3 -> v1"}},
		"Apart":  {list("a=1", "b=2", "a=3"), list("a=1", "a=3", "b=2"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := manifest.Compare(tc.before, tc.after)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(append([]string{}, tc.want...), lines(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestCompareRefuses(t *testing.T) {
	for name, content := range map[string]string{
		"NoYAML": "a: [hunter2\n",
		"NoKind": "apiVersion: v1\nmetadata: {name: hunter2}\n",
		"MapKey": strings.Replace(deployment, "name: A,", "name: {hunter2: 1},", 1), // where gitops-engine pairs items by their names
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

// noisy are two templates with something random in each of them.
func noisy(random, name, rest string) []manifest.Text {
	return text("apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {pw: " + random + "}\n\n---\n" +
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, annotations: {checksum: x" + random + "}}\ndata: {k: v1}\n\n---\n" +
		"apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: i, args: [a, " + random + "], env: [{name: R, value: " + random + "}]}]}\n\n---\n" +
		"apiVersion: batch/v1\nkind: Job\nmetadata: {name: j-" + name + "}\nspec: {template: {spec: {containers: [{name: c, image: i1, args: [" + random + "]}]}}}\n" + rest)
}

// TestNoise is case I3: what differs between two renderings of one input is no difference between two inputs, and
// everything else still is, however near it stands.
func TestNoise(t *testing.T) {
	noise, err := manifest.Noise(noisy("aaaa", "1", ""), noisy("bbbb", "2", ""))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"changed ConfigMap c metadata.annotations.checksum: xaaaa -> xbbbb",
		"changed Job.batch * spec.template.spec.containers[0].args[0]: aaaa -> bbbb",
		"renamed Job.batch *", "renamed Job.batch *", // one of each name
		"changed Pod p spec.containers[0].args[1]: aaaa -> bbbb",
		"changed Pod p spec.containers[0].env[0].value: aaaa -> bbbb",
		"changed Secret s data.pw: <nil> -> <nil>",
	}
	got := lines(noise)
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for name, tc := range map[string]struct {
		reason   string
		old, new string
		want     []string
	}{
		"Nothing":     {"all that differs is noise", "", "", nil},
		"Beside":      {"another field of the same object", "data: {k: v1}", "data: {k: v2}", []string{"changed ConfigMap c data.k: v1 -> v2"}},
		"BesideAnno":  {"another annotation beside a random one", "annotations: {", "annotations: {a: b, ", []string{"changed ConfigMap c metadata.annotations.a: <nil> -> b"}},
		"SameArgs":    {"another item of a list of plain texts", "args: [a,", "args: [b,", []string{"changed Pod p spec.containers[0].args: [a ] -> [b ]"}},
		"SameList":    {"an item beside a random one: the whole list differs, and not only by noise, whose place shifts", "env: [", "env: [{name: NEW, value: x}, ", []string{"changed Pod p spec.containers[0].env: [map[name:R value:cccc]] -> [map[name:NEW value:x] map[name:R value:dddd]]"}},
		"InRenamed":   {"what an object of another name each time holds is compared", "image: i1", "image: i2", []string{"changed Job.batch * spec.template.spec.containers[0].image: i1 -> i2"}},
		"KeyInSecret": {"another key of a Secret with a random one", "stringData: {", "stringData: {user: x, ", []string{"changed Secret s data.user: <nil> -> <nil>"}},
	} {
		t.Run(name, func(t *testing.T) {
			change := func(texts []manifest.Text) []manifest.Text {
				for i := range texts {
					texts[i].Content = strings.Replace(texts[i].Content, tc.old, tc.new, 1)
				}
				return texts
			}
			before, after := noisy("cccc", "3", ""), change(noisy("dddd", "4", ""))
			if tc.old != "" && cmp.Equal(after, noisy("dddd", "4", "")) {
				t.Fatal("nothing was replaced")
			}
			noise, err := manifest.Shared([][]manifest.Text{before, noisy("aaaa", "1", "")}, [][]manifest.Text{after, change(noisy("bbbb", "2", ""))})
			if err != nil {
				t.Fatal(err)
			}
			differences, err := manifest.Compare(before, after, noise...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(append([]string{}, tc.want...), lines(differences)); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}

// TestNoiseOfNames holds that names are taken for random only where two renderings of one input show it.
func TestNoiseOfNames(t *testing.T) {
	got, err := manifest.Compare(noisy("aaaa", "1", ""), noisy("aaaa", "2", ""))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"removed Job.batch j-1", "added Job.batch j-2"}, lines(got)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	noise, err := manifest.Noise(noisy("aaaa", "3", ""), noisy("aaaa", "4", ""))
	if err != nil {
		t.Fatal(err)
	}
	more := noisy("aaaa", "4", "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: j-5}\n")
	if got, err = manifest.Compare(noisy("aaaa", "3", ""), more, noise...); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"added Job.batch j-5"}, lines(got)); diff != "" {
		t.Errorf("one more object of a random name (-want +got)\n%s", diff)
	}
}

// TestBreaking is the part of case I7 about what a CustomResourceDefinition takes from objects that exist.
func TestBreaking(t *testing.T) {
	crd := func(versions string) []manifest.Text {
		return text("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.acme.test}\nspec: {group: acme.test, versions: [" + versions + "]}\n")
	}
	const v1 = "{name: v1, served: true, storage: true}"
	for name, tc := range map[string]struct {
		after []manifest.Text
		want  string
	}{
		"Same":     {crd(v1 + "\n"), ""},
		"More":     {crd(v1 + ", {name: v2, served: true, storage: false}"), ""},
		"Unserved": {crd("{name: v1, served: false, storage: true}"), "version v1 is served no more"},
		"Stored":   {crd("{name: v1, served: true, storage: false}, {name: v2, served: true, storage: true}"), "the stored version was v1 and is v2"},
		"Gone":     {nil, "every object of its kind goes with it"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := manifest.Compare(crd(v1), tc.after)
			if err != nil {
				t.Fatal(err)
			}
			said := ""
			for _, d := range got {
				said += d.Breaking
			}
			if said != tc.want {
				t.Errorf("it says %q: %v", said, lines(got))
			}
		})
	}
}
