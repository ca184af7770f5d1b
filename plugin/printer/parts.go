package printer

import "github.com/kubectl-apl/kubectl-apl/pkg/migrate"

// parts prints what lands in the same commit as the apps, and which Applications apply the folders of it.
func (p *page) parts(plan *migrate.Plan) {
	if plan.Artifacts != nil {
		p.heading("Artifacts")
		p.artifactsPart(plan.Artifacts)
		if plan.Artifacts.Refused() {
			p.printf("None of these files is written while an object is refused.\n")
		}
	}
	if plan.Settings != nil {
		p.heading("Settings")
		p.settingsPart(plan.Settings)
	}
	var missing, live []string
	for _, a := range plan.GitOps {
		if a.Live {
			live = append(live, a.Name)
		} else {
			missing = append(missing, a.Name)
		}
	}
	if len(plan.GitOps) > 0 {
		p.heading("Applications of the folders")
	}
	if len(live) > 0 {
		p.printf("  live: %s\n", bounded(live, p.most(len(live))))
	}
	if len(missing) > 0 {
		p.printf("  not live: %s\n", bounded(missing, p.most(len(missing))))
		p.printf("    once the commit is pushed the platform's operator makes them, or kubectl apl bootstrap\n")
	}
}
