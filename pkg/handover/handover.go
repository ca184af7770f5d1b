// Package handover owns the move of objects from the Applications of -artifacts releases to those that sync the values repo: it
// says for each such Application what is left to do, and does it step by step. It decides; cluster and git are what it is given.
// It writes no file, renders nothing, and deletes no object of any kind but the old Applications themselves.
//
// Argo CD knows by a mark on the object whose it is, and whoever owns one deletes it along with itself. With two owners that both
// sync by themselves objects were deleted and made anew (DESIGN 10). So the order is this, and each step leaves a state that is
// safe to stop in:
//
//  1. mark: what git does not hold (plain Secrets, objects of teams) gets Prune=false,Delete=false: nobody takes it over, and
//     nobody deletes it.
//  2. hold: spec.syncPolicy.automated of the old Application goes. From here on it takes nothing back. This comes before the
//     files are pushed: a folder's Application can sync within seconds.
//  3. adopt: the Application of each file's folder syncs the object, so that the mark on it names that. Nothing is written
//     here: it is waited for, by looking at the objects themselves.
//  4. release: the finalizer of the old Application goes, by which its deletion would delete what it owns.
//  5. delete: the old Application goes, if it is still the one that was looked at.
//
// Steps 4 and 5 begin when no object of any Application in the plan is left to be adopted. Each step is done or not as the
// cluster shows, so that a run that was interrupted is continued by the next.
package handover

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
)

// Cluster reads and writes Applications, and the metadata of objects. Its errors are those of package cluster.
type Cluster interface {
	Application(ctx context.Context, namespace, name string) (*argocd.Application, error)
	Patch(ctx context.Context, namespace, name string, patch []cluster.Operation, options cluster.WriteOptions) (*argocd.Application, error)
	DeleteApplication(ctx context.Context, a *argocd.Application, options cluster.WriteOptions) error
	Metadata(ctx context.Context, ref argocd.ObjectRef) (cluster.Metadata, error)
	ListMetadata(ctx context.Context, group, kind string) ([]cluster.Metadata, error)
	PatchMetadata(ctx context.Context, ref argocd.ObjectRef, patch []cluster.Operation, options cluster.WriteOptions) (cluster.Metadata, error)
	Tracking(ctx context.Context, namespace string) (argocd.Tracking, error)
	Operator(ctx context.Context) (cluster.Operator, error)
}

// Repo is the values repo. Its errors are those of package gitrepo.
type Repo interface {
	HeadFiles(ctx context.Context, dir string) ([]string, error)
	HeadFile(path string) (data []byte, found bool, err error)
	Unpushed(ctx context.Context, dir string) (paths []string, to gitrepo.Upstream, err error)
}

// Input is what a plan is made from.
type Input struct {
	// Applications are all that are live in Namespace.
	Applications []*argocd.Application
	Registry     *release.Registry
	Config       *config.Config
	Cluster      Cluster
	Repo         Repo
	// Namespace is that of Argo CD.
	Namespace string
}

// Options are what the user chose.
type Options struct {
	// Apps are the apps to hand over, as identities or app names; none means all -artifacts releases.
	Apps []string
	// Timeout bounds how long objects are waited for, Poll is the time between two looks at them.
	Timeout, Poll time.Duration
	// Now is the clock.
	Now func() time.Time
	// Progress is told how many objects are adopted; nil is fine.
	Progress func(stage string, done, total int)
}

var (
	// ErrApp is wrapped for an APP that is no -artifacts release.
	ErrApp = errors.New("it is no -artifacts release")
	// ErrRefused says that something stands against the next step. Nothing was done since.
	ErrRefused = errors.New("the hand-over is refused")
	// ErrNotAdopted says that some object was not adopted in time, so that no Application was deleted.
	ErrNotAdopted = errors.New("not all objects are adopted")
)

// APIVersion and Kind name the shape of a Plan in JSON and YAML.
const (
	APIVersion = "kubectl-apl/v1"
	Kind       = "HandoverPlan"
)

// Action is what a plan does with an Application.
type Action string

// The actions.
const (
	// HandOver: some steps are to be done.
	HandOver Action = "hand-over"
	// Done: the Application is gone.
	Done Action = "done"
	// Skipped: it is left alone.
	Skipped Action = "skipped"
	// Refused: its findings say why nothing may be done.
	Refused Action = "refused"
)

// Plan says for each Application what is to be done. It holds no value of any object.
type Plan struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Tracking is how Argo CD tells whose an object is; empty where there is nothing to do.
	Tracking argocd.Tracking `json:"tracking,omitzero"`
	// Apps are in the order of their identities.
	Apps []App `json:"apps"`
	// Findings are about the cluster as a whole. One of severity error stands against the plan.
	Findings []finding.Finding `json:"findings"`
	// Next is what is left for a person to know or to do.
	Next []string `json:"next"`
	// DryRun is client or server when nothing was written; "" otherwise.
	DryRun cluster.DryRun `json:"dryRun,omitempty"`

	in      Input
	options Options
	files   *inventory
	tracked map[string][]argocd.ObjectRef // by Application, what the cluster has marked as its
}

// App is the part of a plan that is about one Application.
type App struct {
	App         string `json:"app"`
	Application string `json:"application"`
	Action      Action `json:"action"`
	Reason      string `json:"reason"`
	// Objects are what the Application has, sorted.
	Objects []Object `json:"objects"`
	// Steps are those that are left to do, or were done by this run.
	Steps    []Step            `json:"steps"`
	Findings []finding.Finding `json:"findings"`

	id      app.ID
	live    *argocd.Application // as it was last read
	done    []Step
	pending []step
	// early are findings that stand against waiting for the objects, and not against the steps before: files that are not pushed, an
	// Application that is not there or does not know them. Before a push the old Application has to be held, or both take the
	// objects from each other.
	early []finding.Finding
}

// State is how far an object is.
type State string

// The states.
const (
	// Adopted: the Application of its file's folder owns it.
	Adopted State = "adopted"
	// Waiting: it has a file, and that Application does not own it yet.
	Waiting State = "waiting"
	// Kept: it has no file. It stays, marked, when its Application goes.
	Kept State = "kept"
	// Other: it has no file, and belongs to an Application that is none of this run's business.
	Other State = "other"
	// Gone: the old Application lists it, and the cluster does not have it.
	Gone State = "gone"
)

// Object is an object of an -artifacts Application.
type Object struct {
	Group     string `json:"group,omitempty"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	State     State  `json:"state"`
	// Owner is the Application that owns it now, Adopter the one that is to; "" for none.
	Owner   string `json:"owner,omitempty"`
	Adopter string `json:"adopter,omitempty"`
	// File is the path of its file in the values repo.
	File string `json:"file,omitempty"`
	// Why says why it is kept, or what it waits for.
	Why string `json:"why,omitempty"`

	ref  argocd.ObjectRef
	meta cluster.Metadata
}

// String returns "Kind namespace/name".
func (o Object) String() string {
	if o.Namespace == "" {
		return o.Kind + " " + o.Name
	}
	return o.Kind + " " + o.Namespace + "/" + o.Name
}

// Step is one step of an Application.
type Step struct {
	Name StepName `json:"name"`
	Text string   `json:"text"`
	// Done tells that this run did it, or that the server would take it (dry run on the server).
	Done bool `json:"done"`
}

// StepName names a step.
type StepName string

// The steps, in their order.
const (
	Mark    StepName = "mark"
	Hold    StepName = "hold"
	Adopt   StepName = "adopt"
	Release StepName = "release"
	Delete  StepName = "delete"
)

// Order says what a hand-over does, a sentence for each step.
func Order() []string {
	return []string{
		"mark what git does not hold with Prune=false,Delete=false",
		"take away the old Application's spec.syncPolicy.automated; then push the files",
		"wait until each object is tracked by the gitops Application of its file's folder",
		"take away the old Application's finalizer",
		"delete the old Application",
	}
}

// Refused tells whether something stands against the plan: then nothing is done.
func (p *Plan) Refused() bool {
	return finding.HasError(p.Findings) || slices.ContainsFunc(p.Apps, func(a App) bool { return a.Action == Refused })
}

// Pending tells how many Applications are still to be handed over.
func (p *Plan) Pending() (n int) {
	for i := range p.Apps {
		if p.Apps[i].Action == HandOver {
			n++
		}
	}
	return n
}

// Begun tells whether this run has written something.
func (p *Plan) Begun() bool {
	return slices.ContainsFunc(p.Apps, func(a App) bool { return len(a.done) > 0 })
}
