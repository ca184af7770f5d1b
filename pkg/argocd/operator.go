package argocd

import (
	"fmt"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// Made returns the Application that the platform's operator makes of a release whose chart stands in a folder of a git repo, less the
// values: apl-core at fdaae3a7c, getArgocdCoreAppManifest in src/cmd/apply-as-apps.ts and src/applicationPatches.json.
func Made(id app.ID, repoURL, path, revision string) *Application {
	return &Application{object: map[string]any{
		"apiVersion": apiVersion,
		"kind":       kind,
		"metadata": map[string]any{
			"name":        id.Name(),
			"namespace":   Namespace,
			"labels":      map[string]any{ownerLabel: labelManaged},
			"annotations": map[string]any{"argocd.argoproj.io/compare-options": "ServerSideDiff=true,IncludeMutationWebhook=true"},
			"finalizers":  []any{"resources-finalizer.argocd.argoproj.io"},
		},
		"spec": map[string]any{
			"project":              "default",
			"revisionHistoryLimit": 2,
			"destination":          map[string]any{"namespace": id.Namespace, "server": "https://kubernetes.default.svc"},
			"ignoreDifferences":    ignored(id),
			"source": map[string]any{
				"repoURL": repoURL, "path": path, "targetRevision": revision,
				"helm": map[string]any{"releaseName": id.Release},
			},
			"syncPolicy": map[string]any{
				"automated":   map[string]any{"allowEmpty": false, "prune": true, "selfHeal": true},
				"syncOptions": []any{"ServerSideApply=true"},
			},
		},
	}}
}

// ignored returns which differences Argo CD is to ignore in what a release deploys: what webhooks of the cluster write.
func ignored(id app.ID) []any {
	const group = "admissionregistration.k8s.io"
	policy := []any{"/webhooks/0/failurePolicy"}
	switch id.String() {
	case "istio-system/istio-base":
		return []any{map[string]any{"group": group, "kind": "ValidatingWebhookConfiguration", "name": "istiod-default-validator", "jsonPointers": policy}}
	case "istio-system/istiod":
		return []any{map[string]any{"group": group, "kind": "ValidatingWebhookConfiguration", "jsonPointers": policy}}
	}
	var out []any
	for _, kind := range []string{"ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"} {
		out = append(out, map[string]any{"group": group, "kind": kind, "jqPathExpressions": []any{".webhooks[]?.clientConfig.caBundle"}})
	}
	return out
}

// WithChart returns the text of an Application file with another path or revision of its chart, and the rest of it as it is. Where
// that cannot be done line by line, the file is written anew. rewritten tells that comments are lost.
func WithChart(text []byte, path, revision string) (out []byte, rewritten bool, err error) {
	a, err := parse(text)
	if err != nil {
		return nil, false, err
	}
	chart, err := a.ChartSource()
	if err != nil {
		return nil, false, fmt.Errorf("Application %s: %w", a.Name(), err)
	}
	out = text
	for _, set := range []struct{ key, old, value string }{{"path", chart.Path, path}, {"targetRevision", chart.TargetRevision, revision}} {
		if set.old == set.value {
			continue
		}
		var anew bool
		if out, anew, err = setInChart(out, set.key, set.value); err != nil {
			return nil, false, err
		}
		rewritten = rewritten || anew
	}
	return out, rewritten, nil
}

// ValuesSource returns URL and revision of the source that an Application's value files come from in the new form; false when it is
// in another one.
func (a *Application) ValuesSource() (repoURL, revision string, ok bool) {
	sources, _, err := a.sources()
	if err != nil {
		return "", "", false
	}
	for _, s := range sources {
		if s.Ref == layout.ValuesRef {
			return s.RepoURL, s.TargetRevision, true
		}
	}
	return "", "", false
}
