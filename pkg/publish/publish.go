// Package publish owns the way of a platform's artifacts into git: from the objects of releases to files of the values repo, what
// changes there, and one commit. What an object may be and where it lives is pkg/artifact's to say; reading clusters, disks and
// git is what it is given, and it knows no flags and prints nothing.
package publish

import (
	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
)

// APIVersion and Kind name the shape of a Plan in JSON and YAML. A field keeps its name and meaning within a version; new ones
// can come.
const (
	APIVersion = "kubectl-apl/v1"
	Kind       = "ArtifactsPlan"
)

// Action is what a plan does with an object.
type Action string

// The actions. Each object that was rendered has exactly one; Remove is for a file whose object is rendered no more.
const (
	Add       Action = "add"
	Change    Action = "change"
	Remove    Action = "remove"
	Unchanged Action = "unchanged"
	// Left: the object is left out of git; Reason says why.
	Left Action = "left out"
	// Refused: it cannot be written; a finding says why. Nothing is written then.
	Refused Action = "refused"
)

// Plan says for every object of the releases what happens to it and why. It holds no secret's value.
type Plan struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Protect says which objects were given the protection.
	Protect artifact.Protection `json:"protect"`
	// Releases are in the order in which they were given; those that were passed over come with the others, without objects.
	Releases []Release `json:"releases"`
	Summary  Summary   `json:"summary"`
	// Findings are about no single release.
	Findings []finding.Finding `json:"findings"`
	// Commit is the commit that was made; "" for a dry run, with --no-commit, or when there was nothing to do.
	Commit string `json:"commit,omitempty"`
	// Git is why the git binary made the commit, or would; none where the commit is made without it.
	Git []string `json:"git,omitempty"`

	changes []gitrepo.Change
}

// Release is the part of a plan that is about one release.
type Release struct {
	// App is namespace/releaseName; the namespace alone for objects that came without a release.
	App string `json:"app"`
	// Source names the stream that its objects were read from.
	Source string `json:"source,omitempty"`
	// Reason says why there are no objects: it renders none, or is passed over; "" where there are.
	Reason  string   `json:"reason,omitempty"`
	Objects []Object `json:"objects"`
	// Findings are sorted by place.
	Findings []finding.Finding `json:"findings"`
}

// Object is an object of a release.
type Object struct {
	// Object names it: Kind/namespace/name, or Kind/name for one that lives in no namespace.
	Object string `json:"object"`
	Action Action `json:"action"`
	// File is its path in the values repo; "" for one that has none.
	File   string `json:"file,omitempty"`
	Reason string `json:"reason,omitempty"`
	// Protected tells that it outlives its file.
	Protected bool `json:"protected,omitempty"`
	// Line is where it stands in the release's source, 0 for one that is removed.
	Line int `json:"line,omitempty"`
}

// Summary counts.
type Summary struct {
	// Releases are those that were looked at, Empty those of them that render nothing.
	Releases int `json:"releases"`
	Empty    int `json:"empty"`
	// Objects are those that were rendered: the sum of Add, Change, Unchanged, Left and Refused.
	Objects   int `json:"objects"`
	Add       int `json:"add"`
	Change    int `json:"change"`
	Unchanged int `json:"unchanged"`
	Left      int `json:"left"`
	Refused   int `json:"refused"`
	Remove    int `json:"remove"`
	// Protected counts the objects with a file that outlive it.
	Protected int `json:"protected"`
}

// Refused tells whether a finding of severity error stands against the plan: then nothing of it is written.
func (p *Plan) Refused() bool {
	for i := range p.Releases {
		if finding.HasError(p.Releases[i].Findings) {
			return true
		}
	}
	return finding.HasError(p.Findings)
}

// Changes returns the files that the plan writes and removes, sorted by path; none of a plan that is refused.
func (p *Plan) Changes() []gitrepo.Change {
	if p.Refused() {
		return nil
	}
	return p.changes
}
