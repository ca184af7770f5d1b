package argocd_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
)

func TestDirectories(t *testing.T) {
	const repo = "https://git.example.test/values.git"
	cases := map[string]struct {
		reason string
		spec   map[string]any
		want   []argocd.Directory
	}{
		"Single": {
			reason: "spec.source, at the default revision",
			spec:   map[string]any{"source": map[string]any{"repoURL": repo, "path": "./env/", "directory": map[string]any{"recurse": true}}},
			want:   []argocd.Directory{{At: "spec.source", RepoURL: repo, Revision: "HEAD", Path: "env", Recurse: true}},
		},
		"Root": {
			reason: "the root of the repo",
			spec:   map[string]any{"source": map[string]any{"repoURL": repo, "path": ".", "targetRevision": "main"}},
			want:   []argocd.Directory{{At: "spec.source", RepoURL: repo, Revision: "main"}},
		},
		"Others": {
			reason: "charts, kustomizations, plugins and what is only referred to apply no folder as it stands",
			spec: map[string]any{"sources": []any{
				map[string]any{"repoURL": repo, "chart": "x"},
				map[string]any{"repoURL": repo, "path": "charts/x", "helm": map[string]any{"values": "a: 1"}},
				map[string]any{"repoURL": repo, "path": "k", "kustomize": map[string]any{"namePrefix": "x"}},
				map[string]any{"repoURL": repo, "path": "p", "plugin": map[string]any{}},
				map[string]any{"repoURL": repo, "ref": "values"},
				map[string]any{"repoURL": repo, "ref": "both", "path": "env/manifests"},
			}},
			want: []argocd.Directory{{At: "spec.sources[5]", RepoURL: repo, Revision: "HEAD", Path: "env/manifests"}},
		},
		"Broken": {reason: "what Argo CD refuses applies nothing", spec: map[string]any{"sources": "x"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			a, err := argocd.New(map[string]any{
				"apiVersion": "argoproj.io/v1alpha1", "kind": "Application",
				"metadata": map[string]any{"name": "a", "namespace": "argocd"}, "spec": tc.spec,
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, a.Directories(), cmpopts.IgnoreUnexported(argocd.Directory{})); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}

func TestDirectoryTakes(t *testing.T) {
	cases := map[string]struct {
		reason string
		path   string
		tree   map[string]any
		file   string
		want   bool
	}{
		"Inside":        {reason: "a file in it", path: "env/x", file: "env/x/a.yaml", want: true},
		"Below":         {reason: "a file below it", path: "env", file: "env/x/a.yaml"},
		"BelowRecurse":  {reason: "a file below it, with recurse", path: "env", tree: map[string]any{"recurse": true}, file: "env/x/a.yaml", want: true},
		"Beside":        {reason: "a folder that begins alike", path: "env", tree: map[string]any{"recurse": true}, file: "env2/a.yaml"},
		"Root":          {reason: "the root takes all", path: ".", tree: map[string]any{"recurse": true}, file: "env/x/a.yaml", want: true},
		"OtherName":     {reason: "no manifest by its name", path: "env", file: "env/README.md"},
		"Excluded":      {reason: "patterns are relative to the folder, and a star crosses slashes", path: "env", tree: map[string]any{"recurse": true, "exclude": "values/*"}, file: "env/values/a/b/c.yaml"},
		"ExcludedOther": {reason: "another pattern", path: "env", tree: map[string]any{"recurse": true, "exclude": "env/values/*"}, file: "env/values/a.yaml", want: true},
		"Included":      {reason: "only what is included", path: "env", tree: map[string]any{"recurse": true, "include": "*.json"}, file: "env/a.yaml"},
		"Broken":        {reason: "a pattern that cannot be read excludes nothing", path: "env", tree: map[string]any{"exclude": "[a"}, file: "env/a.yaml", want: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			a, err := argocd.New(map[string]any{
				"apiVersion": "argoproj.io/v1alpha1", "kind": "Application",
				"metadata": map[string]any{"name": "a"},
				"spec":     map[string]any{"source": map[string]any{"repoURL": "x", "path": tc.path, "directory": tc.tree}},
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := a.Directories()[0].Takes(tc.file); got != tc.want {
				t.Errorf("%s: got %v", tc.reason, got)
			}
		})
	}
}
