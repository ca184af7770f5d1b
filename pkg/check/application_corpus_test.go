package check_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/check"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

func shared(t *testing.T, path ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(append([]string{"..", "..", "..", "shared"}, path...)...))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("../shared is not here: a recorded platform, and public cases")
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestCorpusApplications holds that the Applications of the recorded platform, as a move writes them, keep all rules, also by its registry.
func TestCorpusApplications(t *testing.T) {
	shared(t, "corpus", "README.md")
	repo := apps{}
	for _, name := range []string{"applications.yaml", "applications-other.yaml"} {
		file, err := os.Open(filepath.Join("..", "..", "..", "shared", "corpus", "live", name))
		if err != nil {
			t.Fatal(err)
		}
		_, err = argocd.Read(name, file, func(a *argocd.Application) error {
			if class, _ := a.Class(); class != argocd.Platform {
				if check.Binds(a) {
					t.Errorf("the rules hold for %s, which is none of the platform's apps", a.Name())
				}
				return nil
			}
			id, err := a.ID()
			if err != nil {
				return err
			}
			object, _, err := a.Build(argocd.Form{ID: id, ValuesRepoURL: "https://git.example.test/values.git", ValuesRevision: "main"})
			if err != nil {
				return err
			}
			text, err := values.Marshal(object)
			repo = repo.add(layout.ApplicationFile(id), string(text)).values(id.Namespace, id.Release)
			// As it is live, it is not moved, and that is all.
			if found := check.Application(a); len(found) != 1 || found[0].Rule != check.RuleInline || found[0].Path != "spec.source" {
				t.Errorf("%s, not moved: %+v", id, found)
			}
			return err
		})
		if err := errors.Join(err, file.Close()); err != nil {
			t.Fatal(err)
		}
	}
	in := repo.input()
	var err error
	if in.Registry, err = release.ParseRegistry("releases.json", shared(t, "corpus", "releases.json")); err != nil {
		t.Fatal(err)
	}
	if found := run(t, in); len(repo) != 3*71 || len(found) > 0 {
		t.Errorf("%d files, %q", len(repo), brief(found))
	}
}

// TestPublicCases holds what is expected of the cases about Applications.
func TestPublicCases(t *testing.T) {
	read := func(name, file string) tree {
		object, err := values.DecodeObject(file, shared(t, "cases", name, file))
		if err != nil {
			t.Fatal(err)
		}
		return object
	}
	rules := func(object tree) (out []string) {
		a, err := argocd.New(object)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range check.Application(a) {
			if f.Rule != check.RuleShape || f.Severity == finding.Warning { // the cases' Applications are not the platform's
				out = append(out, string(f.Severity)+" "+f.Rule+" "+f.Path)
			}
		}
		return out
	}
	expect := func(name string, object tree, want ...string) {
		if got := rules(object); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	expect("B1", read("B1", "app.yaml"), "error inline-values spec.source")
	expect("B15", read("B15", "before.yaml"), "error inline-values spec.source")
	b9 := read("B9", "app.yaml")
	expect("B9", b9, "warning application-shape spec.source", "error inline-values spec.sources[0].helm.valuesObject", "error value-files-order spec.sources[0].helm.valueFiles")

	lists := read("B7", "valueFiles.yaml")
	for name, want := range map[string][]string{"case1": {"[0]"}, "case2": {"[0]", "[1]", "[2]"}, "case3": {"[0]", "[1]"}} {
		object := tree{"apiVersion": argocd.APIVersion, "kind": argocd.Kind, "metadata": tree{"name": "web-web", "namespace": "argocd"}, "spec": tree{
			"destination": tree{"namespace": "web", "name": "in-cluster"},
			"sources": []any{
				tree{"repoURL": "https://charts.example.test", "chart": "web", "targetRevision": "1", "helm": tree{"releaseName": "web", "valueFiles": lists[name]}},
				tree{"repoURL": "https://git.example.test/values.git", "ref": "values"},
			},
		}}
		var full []string
		for _, at := range want {
			full = append(full, "error value-files-order spec.sources[0].helm.valueFiles"+at)
		}
		expect("B7 "+name, object, full...)
	}

	var review struct {
		Request struct{ Object, OldObject tree }
	}
	for _, name := range []string{"G1", "G9"} {
		if err := json.Unmarshal(shared(t, "cases", name, "review.json"), &review); err != nil {
			t.Fatal(err)
		}
		expect(name, review.Request.Object, "error inline-values spec.source")
	}
}
