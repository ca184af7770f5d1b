package printer

import (
	"fmt"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

// preflight prints what was found about the cluster and the plan as a whole.
func (p *page) preflight(plan *migrate.Plan) {
	if len(plan.Preflight) == 0 {
		return
	}
	p.heading("Preflight")
	p.findings(plan.Preflight)
}

// end prints what holds for the plan, and counts it.
func (p *page) end(plan *migrate.Plan) {
	s := plan.Summary
	p.write("\n")
	if plan.ValuesRepo.URL != "" {
		p.printf("Values repo: %s, revision %s (from %s)\n", plan.ValuesRepo.URL, plan.ValuesRepo.Revision, plan.ValuesRepo.Source)
	}
	if s.Migrate > 0 {
		p.printf("Root app: %s. %s\n", plan.RootApp.Name, plan.RootApp.Note)
	}
	if plan.Backup != "" {
		p.printf("Backup: %s keeps the Applications as they are, with their live values: keep it as you keep passwords.\n", plan.Backup)
	}
	for _, way := range plan.Back {
		if plan.Backup != "" {
			way = strings.Replace(way, "-f BACKUP", "-f "+plan.Backup, 1) // to be pasted
		}
		p.printf("Way back, %s.\n", way)
	}
	p.proofs(plan)
	p.printf("Applications: %d, platform chart releases: %d. To migrate: %d, unchanged: %d, skipped: %d, blocked: %d. With custom values: %d. Files to write: %d.\n",
		s.Applications, s.Releases, s.Migrate, s.Unchanged, s.Skipped, s.Blocked, s.WithCustom, s.Files)
}

// proofs says what the proofs of all apps came to, and by what.
func (p *page) proofs(plan *migrate.Plan) {
	proof := plan.Proof
	if plan.Summary.Migrate == 0 && proof.Equal+proof.Differs+proof.Unproven == 0 {
		return
	}
	var how string
	switch proof.Mode {
	case migrate.VerifyManifests:
		how = "the objects that both render"
		if proof.Kubernetes != nil {
			how += fmt.Sprintf(" for Kubernetes %s with %s (from %s)", proof.Kubernetes.KubeVersion, apiVersions(proof.Kubernetes.APIVersions), proof.Kubernetes.Source)
		}
	case migrate.VerifyNone:
		p.printf("Proof: none was asked for. Values are merged as Helm %s does.\n", plan.Helm)
		return
	default:
		how = "what templates see"
	}
	cluster := ""
	if proof.ArgoCDHelm != "" {
		cluster = fmt.Sprintf("; Argo CD %s brings Helm %s", proof.ArgoCD, proof.ArgoCDHelm)
	}
	p.printf("Proof: %s, by Helm %s%s. Equal: %d, differs: %d, unproven: %d.\n", how, plan.Helm, cluster, proof.Equal, proof.Differs, proof.Unproven)
}

// apiVersions names the API versions that were rendered for, or counts them: with Helm's own alone, what a chart makes only
// where a cluster serves some is rendered on neither side.
func apiVersions(list []string) string {
	const most = 3
	switch n := len(list); {
	case n == 0:
		return "no API versions but Helm's own"
	case n > most:
		return fmt.Sprintf("%d API versions", n)
	}
	return "API versions " + strings.Join(list, ", ")
}
