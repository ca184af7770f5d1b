// Package bootstrap owns the first step of a platform that lives in git: the Applications by which Argo CD reads the values
// repo, and the objects that have to be there before it can. It decides what is to be applied, and applies it server-side;
// cluster and git are what it is given. It deletes nothing, and points no Application that is there at another place.
//
// What it makes is what the platform's operator makes (DESIGN 10): gitops-global for the objects of the cluster, gitops-ns-NAME
// for the folder of each namespace, and the root app for that of the Application files. An Application that already says
// what it is to say is left alone, whoever owns it, so that a second run writes nothing.
package bootstrap

import (
	"context"
	"errors"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/preflight"
)

// Manager is the field manager that what is applied belongs to.
const Manager = "kubectl-apl"

// Cluster reads and applies objects of any kind. Its errors are those of package cluster.
type Cluster interface {
	Live(ctx context.Context, object map[string]any) (map[string]any, error)
	ServerSideApply(ctx context.Context, object map[string]any, options cluster.WriteOptions, force bool) (map[string]any, error)
}

// Repo is the values repo: what its HEAD has, and what its remote had when it was last seen.
type Repo interface {
	HeadFile(path string) (data []byte, found bool, err error)
	HeadFiles(ctx context.Context, folder string) ([]string, error)
	TrackedFiles(ctx context.Context, folder string) (files []string, known bool, err error)
}

// Input is what a plan is made from.
type Input struct {
	// Applications are those of all namespaces; Unseen says why some could not be read, "" when all are there.
	Applications []*argocd.Application
	Unseen       string
	// Facts are what the cluster tells of Argo CD and the platform's operator.
	Facts   preflight.Facts
	Cluster Cluster
	Repo    Repo
	// Namespace is that of Argo CD.
	Namespace string
}

// Sync says whether Argo CD is to sync what is applied by itself.
type Sync string

// The ways to sync.
const (
	// SyncKeep leaves an Application that is there as it is, and lets a new one sync by itself.
	SyncKeep Sync = ""
	// SyncAuto turns automation on.
	SyncAuto Sync = "auto"
	// SyncManual leaves automation off, for a first sync that a person has looked at.
	SyncManual Sync = "manual"
)

// Options are what the user chose.
type Options struct {
	// RootApp is the Application of the folder of the Application files; argocd.RootApp where it is "".
	RootApp string
	Sync    Sync
	// ValuesRepoURL and ValuesRevision override what the live gitops Applications say.
	ValuesRepoURL, ValuesRevision string
	// Force takes fields from the managers that own them.
	Force bool
	// AcceptOperator lets the platform's operator run although it undoes what is applied.
	AcceptOperator bool
	DryRun         cluster.DryRun
}

// ErrRefused says that something stands against the plan, and so that nothing was done.
var ErrRefused = errors.New("something stands against the plan")

// ErrRootApp is wrapped for a name that no root app can have.
var ErrRootApp = errors.New("it can be no root app")

// APIVersion and Kind name the shape of a Plan in JSON and YAML.
const (
	APIVersion = "kubectl-apl/v1"
	Kind       = "BootstrapPlan"
)

// Action is what a plan does with an object.
type Action string

// The actions.
const (
	// Create makes an object that is not there.
	Create Action = "create"
	// Change applies fields that differ.
	Change Action = "change"
	// Unchanged leaves an object alone that says all it is to say.
	Unchanged Action = "unchanged"
	// Left leaves alone what is not for bootstrap to make or to take away; Reason says why.
	Left Action = "left"
)

// Plan says for each object what is to be done.
type Plan struct {
	APIVersion string     `json:"apiVersion"`
	Kind       string     `json:"kind"`
	ValuesRepo ValuesRepo `json:"valuesRepo"`
	RootApp    string     `json:"rootApp"`
	// Objects are in the order in which they are applied: the root app comes last, when what it rests on is there.
	Objects  []Object          `json:"objects"`
	Findings []finding.Finding `json:"findings"`
	// DryRun is client or server when nothing was written; "" otherwise.
	DryRun cluster.DryRun `json:"dryRun,omitempty"`

	in      Input
	options Options
	around  []finding.Finding // what the preflight of a move finds
}

// ValuesRepo is the repo that the Applications read.
type ValuesRepo struct {
	URL      string `json:"url"`
	Revision string `json:"revision"`
	// Source says who names it.
	Source string `json:"source"`
}

// Object is the part of a plan that is about one object.
type Object struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	// From is the folder that an Application applies, or the file that the object was taken from.
	From   string `json:"from,omitempty"`
	Action Action `json:"action"`
	Reason string `json:"reason"`
	// Changes are the fields that differ.
	Changes []string `json:"changes,omitempty"`
	// Sync is auto or manual for an Application.
	Sync Sync `json:"sync,omitempty"`
	// Done tells that it was applied, or that the server would take it (dry run on the server).
	Done bool `json:"done"`

	want map[string]any
	app  *folderApp // nil for another object
}

// Declared returns the objects as they are declared, in their order: what a run applies, and what needs no change.
func (p *Plan) Declared() []map[string]any {
	var out []map[string]any
	for i := range p.Objects {
		if p.Objects[i].Action != Left {
			out = append(out, argocd.Copy(p.Objects[i].want))
		}
	}
	return out
}

// Refused tells whether something stands against the plan: then nothing is done.
func (p *Plan) Refused() bool { return preflight.Stops(p.Findings) }

// Pending tells how many objects differ from what they are to be.
func (p *Plan) Pending() (n int) {
	for i := range p.Objects {
		if p.Objects[i].pending() {
			n++
		}
	}
	return n
}

func (o *Object) pending() bool { return o.Action == Create || o.Action == Change }

func (p *Plan) add(f finding.Finding) { p.Findings = append(p.Findings, f) }
