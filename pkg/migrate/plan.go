// Package migrate owns the move of a living platform to the git layout: from live Applications to value files,
// Application files and one commit. It decides; reading clusters, disks and git is what it is given (Charts,
// Managed, Repo), and it knows no flags and prints nothing.
package migrate

import (
	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/backup"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
)

// APIVersion and Kind name the shape of a Plan in JSON and YAML. A field keeps its name and meaning within a version;
// new ones can come.
const (
	APIVersion = "kubectl-apl/v1"
	Kind       = "MigratePlan"
)

// Action is what a plan does with an Application.
type Action string

// The actions. Each Application that was read has exactly one.
const (
	// Migrate: its files are written.
	Migrate Action = "migrate"
	// Unchanged: the repo has all of it already, or the live Application is in the new form.
	Unchanged Action = "unchanged"
	// Skipped: it is none of this run's business; it is left alone.
	Skipped Action = "skipped"
	// Blocked: it should be moved and cannot be; Reason and Findings say why.
	Blocked Action = "blocked"
)

// Plan says for every Application that was read what happens to it and why. It holds no secret's value.
type Plan struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Helm is the version of Helm by whose library values were read, merged and compared.
	Helm string `json:"helm"`
	// Proof is what holds for the proofs of all apps.
	Proof ProofInfo `json:"proof"`
	// ValuesRepo is what written Applications refer to as $values.
	ValuesRepo ValuesRepo `json:"valuesRepo"`
	// RootApp is the app-of-apps that will reconcile the Application files.
	RootApp RootApp `json:"rootApp"`
	// Apps are sorted by what they deploy, namespace and then release, and then by Application name.
	Apps    []App   `json:"apps"`
	Summary Summary `json:"summary"`
	// Parts land in the same commit (--all).
	Parts
	// GitOps are the Applications that apply the folders of the commit, where parts were asked for.
	GitOps []GitOpsApp `json:"gitops,omitempty"`
	// Preflight is what was found about the cluster and the plan as a whole, worst first. One of severity error stands
	// against the plan: nothing is written.
	Preflight []finding.Finding `json:"preflight"`
	// Findings are about no single Application.
	Findings []finding.Finding `json:"findings"`
	// Commit is the commit that was made; "" for a dry run, with --no-commit, or when there was nothing to do.
	Commit string `json:"commit,omitempty"`
	// Git is why the git binary made the commit, or would: hooks, signing, filters, a repository that only git reads. None
	// where the commit is made without it.
	Git []string `json:"git,omitempty"`
	// Pushed is where the commit was pushed to; nil without --push.
	Pushed *Pushed `json:"pushed,omitempty"`

	// Back says how to go back; none when nothing is moved.
	Back []string `json:"back"`
	// Backup is the file that keeps the Applications as they are; "" in a dry run, or when there is none.
	Backup string `json:"backup,omitempty"`

	keepGoing bool
}

// Held tells whether the plan is held back: by the preflight, or by blocked apps (all or nothing, unless it was made to
// keep going).
func (p *Plan) Held() bool { return p.Refused() || p.Blocked() && !p.keepGoing }

// Blocked tells whether apps are blocked, or something stands against a part.
func (p *Plan) Blocked() bool { return p.Summary.Blocked > 0 || p.PartRefused() }

// ValuesRepo is the git repo that Argo CD reads value files from.
type ValuesRepo struct {
	URL      string `json:"url"`
	Revision string `json:"revision"`
	// Source says where URL and Revision come from: flags, Applications, or env/settings/otomi.yaml.
	Source string `json:"source"`
}

// RootApp is the Application that syncs the folder of Application files.
type RootApp struct {
	Name string `json:"name"`
	// Live tells whether it was among the Applications that were read.
	Live bool `json:"live"`
	// Note says what a push of the commit sets in motion.
	Note string `json:"note"`
}

// App is the part of a plan that is about one Application.
type App struct {
	// App is the identity, namespace/releaseName; "" where the Application has none.
	App string `json:"app,omitempty"`
	// Application is the name of the Argo CD Application.
	Application string `json:"application"`
	Action      Action `json:"action"`
	Reason      string `json:"reason"`
	// Custom lists the leaf paths that values.custom.yaml holds.
	Custom []string `json:"custom"`
	// Introduced lists what managed has and live has not.
	Introduced []Introduced `json:"introduced"`
	// Findings are what blocks, and what a person should know.
	Findings []finding.Finding `json:"findings"`
	// Files are those that the app is made of in the repo, whether they change or not; none for skipped apps.
	Files []File `json:"files"`
	// Proof tells whether what runs stays the same; nil where there is nothing to compare.
	Proof *Proof `json:"proof,omitempty"`

	id           app.ID
	chartRelease bool     // a platform app that is no -artifacts release
	scanned      bool     // its files were scanned for secrets
	accepted     []string // the places of secrets that .apl.yaml accepts
	changes      []gitrepo.Change
	backup       backup.Entry // what the plan supersedes; it is for apps that are moved
}

// Effect is what a plan does about an introduced key.
type Effect string

// The effects.
const (
	// Blocks: nobody has accepted it yet.
	Blocks Effect = "blocks"
	// Accepted: it takes effect (--accept-introduced).
	Accepted Effect = "accepted"
	// Pinned: custom holds what was there before, or managed brings nothing else (--exact).
	Pinned Effect = "pinned"
	// Inexpressible: no override undoes it (--exact).
	Inexpressible Effect = "inexpressible"
)

// Introduced is a key that managed has and live has not, as a leaf path.
type Introduced struct {
	Path string `json:"path"`
	// Value is managed's value as JSON; "***" where it is secret material.
	Value  string `json:"value"`
	Effect Effect `json:"effect"`
}

// File is a file of an app.
type File struct {
	// Path is relative to the root of the values repo.
	Path string `json:"path"`
	// Change is create, update or same.
	Change FileChange `json:"change"`
}

// FileChange is what happens to a file.
type FileChange string

// The changes.
const (
	Create FileChange = "create"
	Update FileChange = "update"
	Same   FileChange = "same"
)

// Summary counts a plan.
type Summary struct {
	// Applications is how many were read, Releases how many of them are platform chart releases.
	Applications int `json:"applications"`
	Releases     int `json:"releases"`
	Migrate      int `json:"migrate"`
	Unchanged    int `json:"unchanged"`
	Skipped      int `json:"skipped"`
	Blocked      int `json:"blocked"`
	// WithCustom is how many of the apps that are in the plan or unchanged have custom values.
	WithCustom int `json:"withCustom"`
	// Files is how many files are written.
	Files int `json:"files"`
}

// Changes returns the files that the plan writes, value files before Application files (DESIGN 3), each kind in the
// order of the apps.
func (p *Plan) Changes() []gitrepo.Change {
	var valueFiles, applications []gitrepo.Change
	for _, a := range p.Apps {
		for _, c := range a.changes {
			if isApplication(c.Path) {
				applications = append(applications, c)
			} else {
				valueFiles = append(valueFiles, c)
			}
		}
	}
	return append(append(valueFiles, p.Parts.changes()...), applications...)
}

// finish counts what was decided.
func (p *Plan) finish() {
	p.Summary.Applications = len(p.Apps)
	if p.Apps == nil {
		p.Apps = []App{}
	}
	if p.Findings == nil {
		p.Findings = []finding.Finding{}
	}
	if p.Preflight == nil {
		p.Preflight = []finding.Finding{}
	}
	p.Back = p.back()
	for i := range p.Apps {
		a := &p.Apps[i]
		if a.chartRelease {
			p.Summary.Releases++
		}
		switch a.Action {
		case Migrate:
			p.Summary.Migrate++
		case Unchanged:
			p.Summary.Unchanged++
		case Skipped:
			p.Summary.Skipped++
		case Blocked:
			p.Summary.Blocked++
		}
		if len(a.Custom) > 0 && a.Action != Blocked {
			p.Summary.WithCustom++
		}
		if a.Proof == nil {
			continue
		}
		switch a.Proof.Result {
		case Equal:
			p.Proof.Equal++
		case Differs:
			p.Proof.Differs++
		case Unproven:
			p.Proof.Unproven++
		}
	}
	p.Summary.Files = len(p.Changes())
}
