// Package rollback owns the way back from a migration: it puts the Applications of a backup back as they were, one after
// the other and step by step, and removes their files from the values repo. It decides; cluster and git are what it is
// given. It deletes and creates no Application, and lets Argo CD see no state in which it would.
//
// An Application that was moved is owned by a root app, which syncs its file, and reads its values from git. Going back
// has this order, and each step leaves a state that is safe to stop in:
//
//  1. protect: the annotation Prune=false,Delete=false is on; it is put on where somebody took it off.
//  2. release: what records that the root app synced it goes, with a test that the protection is on. From here on
//     the root app does not count it as its own: neither pruning nor deleting the root app reaches it.
//  3. inline: spec.source, and whatever else the backup declares, comes back beside spec.sources, by the field manager that
//     owned it. Argo CD reads spec.sources as long as they are there, so that nothing that runs changes.
//  4. switch: spec.sources goes, in one patch that tests that they are those which were read. This is the one step that
//     changes what Argo CD renders, and it renders what it did before the migration.
//  5. unprotect: the annotation of step 1 becomes what it was in the backup. Nothing owns the Application by now.
//
// Each step is done or not as the live Application shows, so that a run that was interrupted is continued by the next.
package rollback

import (
	"context"
	"errors"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/backup"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
)

// Cluster reads and writes Applications. Its errors are those of package cluster.
type Cluster interface {
	Application(ctx context.Context, namespace, name string) (*argocd.Application, error)
	Patch(ctx context.Context, namespace, name string, patch []cluster.Operation, options cluster.WriteOptions) (*argocd.Application, error)
	Apply(ctx context.Context, object map[string]any, options cluster.WriteOptions) (*argocd.Application, error)
	InstanceLabel(ctx context.Context, namespace string) (string, error)
	Operator(ctx context.Context) (cluster.Operator, error)
}

// Repo is the values repo. Its errors are those of package gitrepo.
type Repo interface {
	ReadFile(path string) (data []byte, found bool, err error)
	HeadFile(path string) (data []byte, found bool, err error)
	Check(ctx context.Context, changes []gitrepo.Change, keep bool) error
	Land(ctx context.Context, changes []gitrepo.Change, message string, keep bool) (hash string, err error)
}

// Input is what a plan is made from.
type Input struct {
	Entries []backup.Entry
	Cluster Cluster
	// Repo is nil when the values repo is to be left alone.
	Repo Repo
	// Namespace is that of Argo CD.
	Namespace string
}

// Options are what the user chose.
type Options struct {
	// Apps are the apps to put back, as identities or app names; none means all of the backup.
	Apps []string
	// RootApp overrides what the backup says.
	RootApp string
	// Manager overrides the field manager that the inline form is given back to.
	Manager string
	// Force puts apps back that were changed since the migration: those changes are lost.
	Force bool
	// AcceptOperator goes on although nobody can tell whether the platform's operator runs.
	AcceptOperator bool
	// WorkTree leaves the removal of the files in the work tree (--no-commit).
	WorkTree bool
}

// ErrApp is wrapped for an APP that the backup does not hold.
var ErrApp = errors.New("the backup does not hold it")

// ErrRefused says that some app must not be put back, and so that nothing was done.
var ErrRefused = errors.New("apps are refused")

// APIVersion and Kind name the shape of a Plan in JSON and YAML.
const (
	APIVersion = "kubectl-apl/v1"
	Kind       = "RollbackPlan"
)

// Action is what a plan does with an Application.
type Action string

// The actions.
const (
	// Restore: some steps are to be done.
	Restore Action = "restore"
	// Restored: it is as it was in the backup; its files may still be there.
	Restored Action = "restored"
	// Refused: it must not be put back; its findings say why.
	Refused Action = "refused"
)

// Plan says for each Application of a backup what is to be done. It holds no value of any app.
type Plan struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// RootApp is the Application that syncs the Application files.
	RootApp string `json:"rootApp"`
	// Apps are in the order of their identities.
	Apps []App `json:"apps"`
	// Files are those that are removed from the values repo.
	Files []string `json:"files"`
	// Commit is the commit that removed them; "" when there is none.
	Commit string `json:"commit,omitempty"`
	// Next is what is left for a person to do.
	Next []string `json:"next"`
	// DryRun is client or server when nothing was written; "" otherwise.
	DryRun cluster.DryRun `json:"dryRun,omitempty"`

	in      Input
	options Options
	label   string // the key of Argo CD's instance label
	changes []gitrepo.Change
}

// App is the part of a plan that is about one Application.
type App struct {
	App         string `json:"app"`
	Application string `json:"application"`
	Action      Action `json:"action"`
	Reason      string `json:"reason"`
	// Manager is the field manager that the inline form goes back to.
	Manager string `json:"manager,omitempty"`
	// Steps are those that are left to do, or were done by this run.
	Steps    []Step            `json:"steps"`
	Findings []finding.Finding `json:"findings"`

	id     app.ID
	entry  backup.Entry
	target target
}

// Step is one write to an Application.
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
	Protect   StepName = "protect"
	Release   StepName = "release"
	Inline    StepName = "inline"
	Switch    StepName = "switch"
	Unprotect StepName = "unprotect"
)

// Refused tells whether some app is refused: then nothing is done.
func (p *Plan) Refused() bool {
	for i := range p.Apps {
		if p.Apps[i].Action == Refused {
			return true
		}
	}
	return false
}

// Pending tells how many Applications are still to be put back.
func (p *Plan) Pending() (n int) {
	for i := range p.Apps {
		if p.Apps[i].Action == Restore {
			n++
		}
	}
	return n
}
