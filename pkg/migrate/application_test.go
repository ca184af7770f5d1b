package migrate_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

const syncOptions = "argocd.argoproj.io/sync-options"

// checkApplications holds that each Application that a plan wrote is the live one, in the new form and protected, and
// otherwise the same.
func (r recording) checkApplications(t *testing.T, repo string, plan *migrate.Plan) {
	t.Helper()
	live := r.rawApplications(t)
	for _, a := range plan.Apps {
		if a.Action != migrate.Migrate {
			continue
		}
		file := filepath.Join(repo, "env", "manifests", "namespaces", "argocd", "applications", a.Application+".yaml")
		var got map[string]any
		readYAML(t, readFile(t, file), &got)
		if diff := cmp.Diff(wantApplication(live[a.Application], a.App, plan.ValuesRepo), got); diff != "" {
			t.Errorf("Application file of %s (-want +got)\n%s", a.App, diff)
		}
	}
}

// wantApplication builds, from the live tree, what the file must hold. It changes the tree.
func wantApplication(live map[string]any, id string, repo migrate.ValuesRepo) map[string]any {
	metadata := pick(live["metadata"].(map[string]any), "name", "namespace", "labels", "annotations", "finalizers")
	metadata["annotations"] = wantAnnotations(metadata["annotations"])
	spec := live["spec"].(map[string]any)
	source := spec["source"].(map[string]any)
	delete(spec, "source")
	helm, ok := source["helm"].(map[string]any)
	if !ok {
		helm = map[string]any{}
	}
	for _, inline := range []string{"values", "valuesObject", "parameters"} {
		delete(helm, inline)
	}
	_, helm["releaseName"], _ = strings.Cut(id, "/")
	helm["valueFiles"] = []any{
		"$values/env/values/" + id + "/values.managed.yaml",
		"$values/env/values/" + id + "/values.custom.yaml",
	}
	source["helm"] = helm
	spec["sources"] = []any{source, map[string]any{"repoURL": repo.URL, "targetRevision": repo.Revision, "ref": "values"}}
	return map[string]any{"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": metadata, "spec": spec}
}

func pick(m map[string]any, keys ...string) map[string]any {
	out := map[string]any{}
	for _, key := range keys {
		if v, ok := m[key]; ok {
			out[key] = v
		}
	}
	return out
}

// wantAnnotations drops what records how the object got here, and joins the protection to the sync options.
func wantAnnotations(annotations any) map[string]any {
	out, _ := annotations.(map[string]any)
	if out == nil {
		out = map[string]any{}
	}
	for _, key := range []string{
		"kubectl.kubernetes.io/last-applied-configuration", "argocd.argoproj.io/tracking-id", "argocd.argoproj.io/refresh", "argocd.argoproj.io/hydrate",
	} {
		delete(out, key)
	}
	there, _ := out[syncOptions].(string)
	options := slices.DeleteFunc(strings.Split(there, ","), func(option string) bool {
		return option == "" || strings.HasPrefix(option, "Prune=") || strings.HasPrefix(option, "Delete=")
	})
	out[syncOptions] = strings.Join(append(options, "Prune=false", "Delete=false"), ",")
	return out
}
