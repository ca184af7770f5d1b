package migrate

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/preflight"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
	"github.com/kubectl-apl/kubectl-apl/pkg/scan"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
)

// Managed reads the values that the platform computes for an app, and names where they stand. An app without any is
// an error that wraps fs.ErrNotExist.
type Managed interface {
	Read(id app.ID) (data []byte, name string, err error)
}

// Charts finds the charts of Applications' sources; chart.Store does.
type Charts interface {
	// Local tells whether a source's chart is to be in a folder at hand and nowhere else.
	Local(source chart.Source) bool
	// Locate finds the chart, wherever it is. The error wraps one of package chart's outcomes.
	Locate(ctx context.Context, source chart.Source) (*chart.Located, error)
	// Repo finds a git repo that need not hold a chart, by the source's URL and revision.
	Repo(ctx context.Context, source chart.Source) (*chart.Located, error)
}

// Releases reads the Helm release of an app. One that has none is an error that wraps cluster.ErrNoRelease.
type Releases interface {
	HelmRelease(ctx context.Context, id app.ID) (cluster.HelmRelease, error)
}

// Files reads the values repo.
type Files interface {
	// List returns the paths of the files of the work tree below a folder.
	List(folder string) ([]string, error)
	// ReadFile returns a file of the work tree, false when there is none. Paths are relative to the repo's root.
	ReadFile(path string) (data []byte, found bool, err error)
	// HeadFile returns a file of the commit that HEAD names, false when there is none.
	HeadFile(path string) (data []byte, found bool, err error)
}

// Input is what a plan is made from.
type Input struct {
	// Applications are all that the cluster has, or those that were recorded.
	Applications []*argocd.Application
	Registry     *release.Registry
	Managed      Managed
	// Charts is nil when no chart is to be looked at.
	Charts Charts
	// Capabilities are what to render for; nil when that is not known.
	Capabilities *Capabilities
	// ArgoCD is the version of the cluster's Argo CD, "" when it is not known.
	ArgoCD string
	// Releases is nil when there is no cluster.
	Releases Releases
	// Cluster is what the preflight looks at; nil when there is no cluster.
	Cluster *preflight.Facts
	Repo    Files
	Config  *config.Config
	// Parts makes what is to land in the same commit, by the files that the apps' part writes; nil makes nothing.
	Parts func(ctx context.Context, written map[string][]byte) (Parts, error)
}

// DefaultRootApp is the Application that the platform's operator makes for the folder that holds the Application
// files, and so the natural app-of-apps (DESIGN 10).
const DefaultRootApp = "gitops-ns-argocd"

// Options are what the user chose.
type Options struct {
	// Apps are the apps to move, as identities or app names; none means all platform apps.
	Apps []string
	// Selected tells by its labels whether an Application is to be moved; nil means every one.
	Selected func(labels map[string]string) bool
	// Exact neutralises introduced keys, except those of accepted apps.
	Exact bool
	// AcceptAll and Accept let managed introduce keys.
	AcceptAll bool
	Accept    []app.ID
	// KeepGoing lands what can be moved although other apps are blocked.
	KeepGoing bool
	// WorkTree makes the work tree the end of it (--no-commit): a file that is right there is the same, committed or not.
	WorkTree bool
	// Verify is how to show that nothing changes; VerifyValues unless it is set.
	Verify Verify
	// Progress is told how far a stage is; nil is fine.
	Progress func(stage string, done, total int)
	// ValuesRepoURL and ValuesRevision override what the live gitops Applications say.
	ValuesRepoURL, ValuesRevision string
	RootApp                       string
	// Push tells that the commit is to be pushed, AcceptOperator that it may be while the platform's operator runs.
	Push, AcceptOperator bool
}

// New plans the move: it decides for every Application and composes the files of those that move. It writes nothing.
// It returns an error for what makes the whole plan impossible: an APP that is none, no or contradicting word on what
// the values repo is, a repo that cannot be read.
func New(ctx context.Context, in Input, options Options) (*Plan, error) {
	options.Verify = cmp.Or(options.Verify, VerifyValues)
	if options.Verify == VerifyManifests && in.Capabilities == nil {
		return nil, ErrNoKubernetes
	}
	p := &planner{in: in, options: options, detector: secret.New(), charts: map[chart.Source]*foundChart{}}
	var err error
	if p.scanner, err = scan.New(in.Config, p.detector); err != nil {
		return nil, err
	}
	if err := p.selectApps(); err != nil {
		return nil, err
	}
	p.findTwins()
	plan := &Plan{APIVersion: APIVersion, Kind: Kind, Helm: chart.HelmVersion, RootApp: p.rootApp(), keepGoing: options.KeepGoing}
	p.introduceProof(plan)
	if p.anythingToMove() {
		if err := p.findValuesRepo(plan); err != nil {
			return nil, err
		}
	}
	var decisions []*decision
	for i, a := range in.Applications {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("plan: %w", err)
		}
		p.progress("planning", i+1, len(in.Applications))
		decided, err := p.decide(ctx, a)
		if err != nil {
			return nil, err
		}
		decisions = append(decisions, decided)
	}
	if err := p.prove(ctx, decisions); err != nil {
		return nil, err
	}
	p.warnOfHelm(plan, decisions)
	for _, decided := range decisions {
		plan.Apps = append(plan.Apps, decided.App)
	}
	slices.SortFunc(plan.Apps, func(a, b App) int {
		// Two of one name are in different namespaces, and so left alone for different reasons.
		return cmp.Or(app.Compare(a.id, b.id), cmp.Compare(a.Application, b.Application), cmp.Compare(a.Reason, b.Reason))
	})
	plan.Findings = append(plan.Findings, p.withoutApplication()...)
	plan.Findings = append(plan.Findings, p.idle(plan)...)
	plan.Findings = append(plan.Findings, p.handOver()...)
	if in.Parts != nil {
		if err := p.parts(ctx, plan); err != nil {
			return nil, err
		}
	}
	p.preflight(plan, decisions)
	p.twoOwners(plan)
	plan.finish()
	return plan, nil
}

// planner holds what all decisions share.
type planner struct {
	in       Input
	options  Options
	form     argocd.Form // less its ID
	platform string      // the version that env/settings/otomi.yaml names
	settings string      // the digest of the settings
	detector *secret.Detector
	charts   map[chart.Source]*foundChart

	scanner *scan.Scanner

	named   map[*argocd.Application]bool // those that the user named
	shared  map[app.ID][]string          // the Applications that claim an identity
	clashes map[app.ID]app.ID
}

// progress tells how far a stage is.
func (p *planner) progress(stage string, done, total int) {
	if p.options.Progress != nil {
		p.options.Progress(stage, done, total)
	}
}
