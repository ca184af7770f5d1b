// Package reconcile owns the steady state of a values repo: it keeps managed values, Application files and artifacts as the platform
// computes them by now, in one commit or none. It decides; reading helmfile, charts and git is what it is given. What people own,
// the custom values, it never touches, and it deletes nothing from a cluster.
package reconcile

import (
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/publish"
)

// APIVersion and Kind name the shape of a Plan in JSON and YAML.
const (
	APIVersion = "kubectl-apl/v1"
	Kind       = "ReconcilePlan"
)

// Action is what a plan does with an app.
type Action string

// The actions.
const (
	// Same: its files are as they are to be.
	Same Action = "same"
	// Update: files of it change.
	Update Action = "update"
	// Add: it is on, and gets its Application file.
	Add Action = "add"
	// Remove: it is off, and loses its Application file. Its value files stay.
	Remove Action = "remove"
	// Blocked: it cannot be kept as it should be; the findings say why.
	Blocked Action = "blocked"
	// Skipped: it is none of this run's business.
	Skipped Action = "skipped"
)

// Change is what happens to a file.
type Change string

// The changes.
const (
	CreateFile Change = "create"
	UpdateFile Change = "update"
	DeleteFile Change = "delete"
)

// Plan says what is written and why. It holds no secret's value.
type Plan struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Version is the platform's, which charts come from; "" when it is not known, and no chart changes then.
	Version string `json:"version"`
	// Inputs are those that are others since the values that change were written, in words.
	Inputs []string `json:"inputs"`
	// Apps are sorted by namespace and then release.
	Apps []App `json:"apps"`
	// Artifacts is the part about the objects of -artifacts releases; nil when nobody looked at them.
	Artifacts *publish.Plan `json:"artifacts,omitempty"`
	// Findings are about no single app.
	Findings []finding.Finding `json:"findings"`
	Summary  Summary           `json:"summary"`
	// Commit is the commit that was made; "" when none was.
	Commit string `json:"commit,omitempty"`
	// Git is why the git binary made the commit, or would.
	Git []string `json:"git,omitempty"`

	keepGoing bool
}

// App is the part of a plan that is about one app.
type App struct {
	// App is the identity, namespace/releaseName.
	App      string            `json:"app"`
	Action   Action            `json:"action"`
	Reason   string            `json:"reason"`
	Files    []File            `json:"files"`
	Findings []finding.Finding `json:"findings"`

	changes []gitrepo.Change
	inputs  []string
}

// File is a file that changes.
type File struct {
	Path   string `json:"path"`
	Change Change `json:"change"`
}

// Summary counts a plan.
type Summary struct {
	Same    int `json:"same"`
	Update  int `json:"update"`
	Add     int `json:"add"`
	Remove  int `json:"remove"`
	Blocked int `json:"blocked"`
	Skipped int `json:"skipped"`
	// Files is how many files change.
	Files int `json:"files"`
}

// Blocked tells that apps are blocked, or something stands against the artifacts.
func (p *Plan) Blocked() bool {
	return p.Summary.Blocked > 0 || p.Artifacts != nil && p.Artifacts.Refused() || finding.HasError(p.Findings)
}

// Held tells that something is blocked, and that the plan is all or nothing.
func (p *Plan) Held() bool { return p.Blocked() && !p.keepGoing }

// Changes returns the files that change: value files before Application files (DESIGN 3), and Application files go first of all. Of
// artifacts that something stands against there are none.
func (p *Plan) Changes() []gitrepo.Change {
	var removed, values, applications []gitrepo.Change
	for i := range p.Apps {
		for _, c := range p.Apps[i].changes {
			switch {
			case c.Delete:
				removed = append(removed, c)
			case isApplication(c.Path):
				applications = append(applications, c)
			default:
				values = append(values, c)
			}
		}
	}
	if p.Artifacts != nil && !finding.HasError(p.Findings) {
		values = append(values, p.Artifacts.Changes()...)
	}
	return append(append(removed, values...), applications...)
}

func (p *Plan) finish() {
	if p.Apps == nil {
		p.Apps = []App{}
	}
	if p.Findings == nil {
		p.Findings = []finding.Finding{}
	}
	for i := range p.Apps {
		if a := &p.Apps[i]; a.Action == Blocked {
			a.changes, a.inputs, a.Files = nil, nil, []File{}
		}
	}
	p.Inputs = p.changedInputs()
	counts := map[Action]*int{Same: &p.Summary.Same, Update: &p.Summary.Update, Add: &p.Summary.Add,
		Remove: &p.Summary.Remove, Blocked: &p.Summary.Blocked, Skipped: &p.Summary.Skipped}
	for i := range p.Apps {
		*counts[p.Apps[i].Action]++
	}
	p.Summary.Files = len(p.Changes())
}
