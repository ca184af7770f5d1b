package migrate

import (
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/scan"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// checkRepoURLs blocks an Application whose sources hold credentials in their URLs: a user alone can be a token.
func (d *decision) checkRepoURLs(object map[string]any) {
	list, _ := values.Lookup(object, values.Path{}.Key("spec").Key("sources"))
	sources, _ := list.([]any)
	for i, s := range sources {
		source, _ := s.(map[string]any)
		url, _ := source["repoURL"].(string)
		if shown := argocd.RedactURL(url); shown != url {
			d.add(finding.Finding{Rule: "application-url-credentials", Severity: finding.Error, File: layout.ApplicationFile(d.id),
				Path:    values.Path{}.Key("spec").Key("sources").Index(i).Key("repoURL").String(),
				Message: "the URL " + shown + " holds what can be credentials", Next: "keep them in a repository Secret of Argo CD, and the URL without them"})
		}
	}
}

// addSecrets adds what was found in one of the app's files.
func (d *decision) addSecrets(found []finding.Finding) {
	for _, f := range found {
		if scan.Accepted(f) {
			if slices.Contains(d.Findings, f) {
				continue // in the file before
			}
			d.accepted = append(d.accepted, f.Path)
		}
		d.add(f)
	}
}
