package argocd_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
)

// shared opens a file of ../shared, which is not part of the project.
func shared(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", path))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("../shared is not here: the recorded platform and cases cannot be read")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// TestRecordedPlatform reads the Applications of a real platform.
func TestRecordedPlatform(t *testing.T) {
	var apps []*argocd.Application
	for _, path := range []string{"corpus/live/applications.yaml", "corpus/live/applications-other.yaml"} {
		summary, err := argocd.Read(path, shared(t, path), func(a *argocd.Application) error {
			apps = append(apps, a)
			return nil
		})
		if err != nil || len(summary.Others) > 0 {
			t.Fatal(summary, err)
		}
	}
	classes := map[argocd.Class]int{}
	for _, a := range apps {
		class, _ := a.Class()
		classes[class]++
		if class != argocd.Platform {
			continue
		}
		id, err := a.ID()
		if err != nil {
			t.Fatal(err)
		}
		if a.Name() != id.Name() || a.Line == 0 {
			t.Errorf("Application %s at line %d is app %s", a.Name(), a.Line, id)
		}
		if live := a.LiveValues(); live.Blocked() || len(live.Warnings) > 0 || live.Origin != argocd.OriginText {
			t.Errorf("%s: %+v", id, tell(live))
		}
		object, warnings, err := a.Build(form(id.Namespace, id.Release))
		if err != nil || len(warnings) > 0 {
			t.Fatal(warnings, err)
		}
		built, err := argocd.New(object)
		if err != nil {
			t.Fatal(err)
		}
		spec, _ := object["spec"].(map[string]any)
		if metadata := object["metadata"].(map[string]any); built.Name() != a.Name() || metadata["managedFields"] != nil || object["status"] != nil || spec["source"] != nil {
			t.Errorf("%s is not in its declared form: %v", id, slices.Sorted(maps.Keys(metadata)))
		}
	}
	if diff := cmp.Diff(map[argocd.Class]int{argocd.Platform: 46 + 25, argocd.Team: 13 + 14, argocd.GitOps: 5}, classes); diff != "" {
		t.Errorf("the corpus README says whose they are: (-want +got)\n%s", diff)
	}
	repos := argocd.ValuesRepos(apps)
	if len(repos) != 1 || repos[0].Revision != "main" || len(repos[0].Applications) != 5 {
		t.Errorf("all gitops Applications name one repo: %v", repos)
	}
}

// TestRecordedCases reads the inputs of public failures, area B, as far as this package has to do with them.
func TestRecordedCases(t *testing.T) {
	cases := map[string]struct {
		reason string
		file   string
		want   told
	}{
		"B1": {
			reason: "an empty valuesObject hides values",
			file:   "B1/app.yaml",
			want: told{
				Origin: argocd.OriginObject, At: "spec.source.helm.valuesObject", Object: map[string]any{},
				Warnings: []string{argocd.RuleDeadValues + " spec.source.helm.values"},
			},
		},
		"B9": {
			reason: "sources win over source",
			file:   "B9/app.yaml",
			want: told{
				Origin: argocd.OriginObject, At: "spec.sources[0].helm.valuesObject", Object: map[string]any{"a": number("2")},
				Warnings: []string{argocd.RuleDeadSource + " spec.source"},
			},
		},
		"B11": {reason: "there is nothing inline", file: "B11/app.yaml", want: told{NoInline: true}},
		"B15": {
			reason: "what is read is what stands there, whoever wrote it",
			file:   "B15/before.yaml",
			want:   told{Origin: argocd.OriginText, At: "spec.source.helm.values", Text: "secret: hunter"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			live := recorded(t, tc.file).LiveValues()
			if diff := cmp.Diff(tc.want, tell(live)); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
		})
	}

	t.Run("B3", func(t *testing.T) {
		live := recorded(t, "B3/app.yaml").LiveValues()
		got, err := fold(live.Parameters)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]any{"pw": "pa", "host": "web.example.test", "lit": "p$w"}, got); diff != "" {
			t.Errorf("a $ is replaced in parameters: (-want +got)\n%s", diff)
		}
		if live.Text != "inline: pa$sword" {
			t.Errorf("and not in values: %q", live.Text)
		}
	})
	t.Run("B5", func(t *testing.T) {
		live := recorded(t, "B5/app.yaml").LiveValues()
		if !live.Blocked() || !strings.Contains(live.Blocking[0].Message, `"hosts" and "hosts[0]"`) {
			t.Errorf("parameters that overlap are refused by name: %v", live.Blocking)
		}
		got, err := fold(live.Parameters)
		if err != nil || got["tag"] != "v2" {
			t.Errorf("--set-string comes last: %v, %v", got, err)
		}
	})
	t.Run("B11Owner", func(t *testing.T) {
		if name, owned := recorded(t, "B11/app.yaml").Owner(); !owned || name != "apps" {
			t.Errorf("an ApplicationSet owns it: %q, %v", name, owned)
		}
	})
}

func recorded(t *testing.T, file string) *argocd.Application {
	t.Helper()
	var found *argocd.Application
	_, err := argocd.Read(file, shared(t, "cases/"+file), func(a *argocd.Application) error {
		found = a
		return nil
	})
	if err != nil || found == nil {
		t.Fatal("no Application", err)
	}
	return found
}
