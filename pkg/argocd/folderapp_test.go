package argocd_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
)

// TestFolderAppIsTheOperators holds the form to what operators have written, on the recorded platform and on a real one: it
// differs in RespectIgnoreDifferences alone.
func TestFolderAppIsTheOperators(t *testing.T) {
	for name, file := range map[string]string{
		"Recorded": filepath.Join("..", "..", "testdata", "platform", "live", "applications-other.yaml"),
		"Corpus":   filepath.Join("..", "..", "..", "shared", "corpus", "live", "applications-other.yaml"),
	} {
		t.Run(name, func(t *testing.T) {
			reader, err := os.Open(file)
			if errors.Is(err, fs.ErrNotExist) {
				t.Skip("../shared/corpus is not here: a real operator's Applications cannot be read")
			}
			if err != nil {
				t.Fatal(err)
			}
			defer reader.Close() //nolint:errcheck // read only: nothing can be lost
			compared := 0
			_, err = argocd.Read(file, reader, func(a *argocd.Application) error {
				if class, _ := a.Class(); class != argocd.GitOps {
					return nil
				}
				d := a.Directories()[0]
				want := a.Declared()
				policy := want["spec"].(map[string]any)["syncPolicy"].(map[string]any)
				policy["syncOptions"] = slices.DeleteFunc(policy["syncOptions"].([]any), func(o any) bool { return o == argocd.StallOption })
				got := argocd.FolderApp{
					Name: a.Name(), Namespace: a.Namespace(), RepoURL: d.RepoURL, Revision: d.Revision, Path: d.Path,
					Destination: a.DestinationNamespace(), Automated: true,
				}
				if diff := cmp.Diff(plain(t, want), plain(t, got.Object())); diff != "" {
					t.Errorf("%s: (-operator +built)\n%s", a.Name(), diff)
				}
				if !d.Overlaps(got.Directory()) {
					t.Errorf("%s does not overlap with itself", a.Name())
				}
				compared++
				return nil
			})
			if err != nil || compared < 3 {
				t.Fatalf("%d Applications were compared: %v", compared, err)
			}
		})
	}
}

// plain reads a tree as JSON has it.
func plain(t *testing.T, tree map[string]any) (out map[string]any) {
	t.Helper()
	data, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestOverlaps(t *testing.T) {
	const repo, other = "https://git.example.test/values.git", "https://git.example.test/other.git"
	at := func(url, path string, recurse bool) argocd.Directory {
		return argocd.Directory{RepoURL: url, Revision: "main", Path: path, Recurse: recurse}
	}
	cases := map[string]struct {
		reason string
		a, b   argocd.Directory
		want   bool
	}{
		"Same":      {reason: "one folder is one, recursing or not", a: at(repo, "env/a", false), b: at(repo, "env/a", false), want: true},
		"Spelling":  {reason: "Argo CD takes both URLs for one repo", a: at(repo, "env/a", false), b: at("https://GIT.example.test/values", "env/a", false), want: true},
		"Revision":  {reason: "two branches hold the same objects", a: at(repo, "env/a", false), b: argocd.Directory{RepoURL: repo, Revision: "next", Path: "env/a"}, want: true},
		"OtherRepo": {reason: "another repo is another place", a: at(repo, "env/a", true), b: at(other, "env/a", true)},
		"Within":    {reason: "the outer one recurses", a: at(repo, "env", true), b: at(repo, "env/a/b", false), want: true},
		"Flat":      {reason: "the outer one does not recurse", a: at(repo, "env", false), b: at(repo, "env/a", true)},
		"Prefix":    {reason: "a name that begins alike is another folder", a: at(repo, "env/a", true), b: at(repo, "env/ab", true)},
		"Root":      {reason: "the whole repo holds every folder", a: at(repo, "", true), b: at(repo, "env/a", false), want: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if tc.a.Overlaps(tc.b) != tc.want || tc.b.Overlaps(tc.a) != tc.want {
				t.Errorf("%s: got %v and %v", tc.reason, tc.a.Overlaps(tc.b), tc.b.Overlaps(tc.a))
			}
		})
	}
}

func TestFieldManagers(t *testing.T) {
	a := one(t, `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: web
  managedFields:
  - {manager: apl-operator, operation: Apply, fieldsV1: {"f:spec": {"f:syncPolicy": {"f:automated": {"f:prune": {}}}}}}
  - {manager: kubectl-edit, operation: Update, fieldsV1: {"f:spec": {"f:project": {}}}}
  - {manager: apl-operator, operation: Apply, fieldsV1: {"f:spec": {"f:syncPolicy": {"f:automated": {}}}}}
spec: {project: default}
`)
	want := []argocd.Manager{{Name: "apl-operator", Operation: "Apply"}}
	if diff := cmp.Diff(want, a.FieldManagers("spec", "syncPolicy", "automated")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
