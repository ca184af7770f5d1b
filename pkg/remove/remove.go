// Package remove owns the end of an app: it deletes the app's Application, with what that deploys or without. It decides;
// cluster, git and the gates of the platform are what it is given. It removes no file, and switches nothing off: both come
// first, or what is deleted comes back.
//
// An Application that this tool wrote is protected: it outlives its file and its root app, so that a revert deletes no platform
// (DESIGN 10). To remove it is therefore an act of its own, and has this order:
//
//  1. look: nobody who would make it anew has it any more: git, the gate of the app, the root app, the operator.
//  2. prepare: the protection goes, and the finalizer is there by which Argo CD deletes what the Application deploys. With
//     orphan it is the finalizers that go, and the protection stays.
//  3. delete: the very Application that was looked at, by uid and resourceVersion.
//  4. wait until it is gone, and say what holds it up where it does not go.
//
// A run that was interrupted is continued by the next.
package remove

import (
	"context"
	"errors"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/preflight"
)

// Cluster reads and deletes Applications, and reads what they deploy. Its errors are those of package cluster.
type Cluster interface {
	Application(ctx context.Context, namespace, name string) (*argocd.Application, error)
	Patch(ctx context.Context, namespace, name string, patch []cluster.Operation, options cluster.WriteOptions) (*argocd.Application, error)
	DeleteApplication(ctx context.Context, a *argocd.Application, options cluster.WriteOptions) error
	Live(ctx context.Context, object map[string]any) (map[string]any, error)
	Operator(ctx context.Context) (cluster.Operator, error)
	Projects(ctx context.Context, namespace string) (cluster.Projects, error)
}

// Repo is the values repo: its work tree, its HEAD, and what its remote had when it was last seen.
type Repo interface {
	ReadFile(path string) (data []byte, found bool, err error)
	HeadFile(path string) (data []byte, found bool, err error)
	TrackedFiles(ctx context.Context, folder string) (files []string, known bool, err error)
}

// Gate tells whether the platform has an app switched on, and what says so. known is false for an app that nothing is known of.
type Gate func(id app.ID) (on, known bool, why string)

// Input is what a plan is made from.
type Input struct {
	Cluster Cluster
	Repo    Repo
	// Gates are asked one after the other: one that says on is enough. None is fine.
	Gates []Gate
	// Namespace is that of Argo CD.
	Namespace string
}

// Options are what the user chose.
type Options struct {
	// App is the app's identity, or its app name.
	App string
	// RootApp reconciles the Application files; argocd.RootApp where it is "".
	RootApp string
	// Orphan leaves what the Application deploys where it is.
	Orphan bool
	// AcceptOperator goes on although the platform's operator may make the Application anew.
	AcceptOperator bool
}

// ErrRefused says that the Application must not be removed now, and so that nothing was done.
var ErrRefused = errors.New("the app is refused")

// APIVersion and Kind name the shape of a Plan in JSON and YAML.
const (
	APIVersion = "kubectl-apl/v1"
	Kind       = "RemovePlan"
)

// Action is what a plan does with the Application.
type Action string

// The actions.
const (
	// Remove deletes it with what it deploys.
	Remove Action = "remove"
	// Orphan deletes it and leaves what it deploys.
	Orphan Action = "orphan"
	// Going says that it is on its way out already: it is waited for.
	Going Action = "going"
	// Gone says that there is no such Application.
	Gone Action = "gone"
	// Refused says that it must not be removed now; the findings say why.
	Refused Action = "refused"
)

// Plan says what is to be done, and what goes with it.
type Plan struct {
	APIVersion  string `json:"apiVersion"`
	Kind        string `json:"kind"`
	App         string `json:"app"`
	Application string `json:"application"`
	Action      Action `json:"action"`
	Reason      string `json:"reason"`
	// Resources count what the Application deploys, by kind, as of its last comparison with git.
	Resources []Count `json:"resources"`
	// Data are those of them whose loss loses data.
	Data []Resource `json:"data"`
	// Steps are those that are left to do, or were done by this run.
	Steps    []Step            `json:"steps"`
	Findings []finding.Finding `json:"findings"`
	// Left is what was still there when the time to wait was over.
	Left []Resource `json:"left"`
	// DryRun is client or server when nothing was written; "" otherwise.
	DryRun cluster.DryRun `json:"dryRun,omitempty"`

	in      Input
	options Options
	name    string
	id      app.ID // zero where only a name is known
	live    *argocd.Application
}

// Count is how many objects of a kind there are.
type Count struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}

// Resource is an object that the Application deploys.
type Resource struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	// Note says what holds the object.
	Note string `json:"note,omitempty"`
}

// Step is one thing that is done.
type Step struct {
	Name StepName `json:"name"`
	Text string   `json:"text"`
	Done bool     `json:"done"`
}

// StepName names a step.
type StepName string

// The steps, in their order.
const (
	Prepare StepName = "prepare"
	Delete  StepName = "delete"
	Wait    StepName = "wait"
)

// Refused tells whether something stands against the removal.
func (p *Plan) Refused() bool { return preflight.Stops(p.Findings) }

// Writes tells whether carrying it out would write.
func (p *Plan) Writes() bool { return p.Action == Remove || p.Action == Orphan }

func (p *Plan) add(severity finding.Severity, rule, message, next string) {
	p.Findings = append(p.Findings, finding.Finding{Rule: rule, Severity: severity, App: p.App, Message: message, Next: next})
}

var _ Cluster = (*cluster.Client)(nil)
