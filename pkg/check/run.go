package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/scan"
)

// Result is what a run found.
type Result struct {
	Findings []finding.Finding // sorted
	Checked  []finding.Unit    // what was looked at: apps, each of their files, and files of no app
}

// Run checks a values repo. It returns an error for what keeps it from checking at all: rules of .apl.yaml that do not exist, and ctx.
// Anything else that cannot be read or judged is a finding.
func Run(ctx context.Context, in Input, options Options) (*Result, error) {
	severities, badSeverities := newSeverities(in.Config)
	scanner, badExceptions := scan.New(in.Config, in.Detector)
	if err := errors.Join(badSeverities, badExceptions); err != nil {
		return nil, err
	}
	r := &run{in: in, options: options, selected: newSelection(in.Select), scanner: scanner}
	if err := r.take(ctx); err != nil {
		return nil, err
	}
	for _, stage := range []func(context.Context) error{
		r.checkApps, r.checkOwners, r.checkApplications, r.checkOrphans, r.checkManifests, r.checkSettings, r.checkRepo, r.checkExceptions,
	} {
		if err := stage(ctx); err != nil {
			return nil, err
		}
	}
	return r.result(severities), nil
}

// run is one run of all rules.
type run struct {
	in       Input
	options  Options
	selected selection
	scanner  *scan.Scanner
	known    sync.Map // what charts know of keys

	inventory
	// searchedObjects are those in which secrets were looked for, by their places.
	searchedObjects map[string]bool

	found   []finding.Finding
	checked []finding.Unit
}

// each calls do for 0 to n-1 on as many goroutines as there are processors, and appends what it returns in that order.
func (r *run) each(ctx context.Context, n int, do func(ctx context.Context, i int) []finding.Finding) error {
	lists := make([][]finding.Finding, n)
	err := parallel(ctx, n, func(i int) { lists[i] = do(ctx, i) })
	if err != nil {
		return fmt.Errorf("check: %w", err)
	}
	r.found = append(r.found, slices.Concat(lists...)...)
	return nil
}

func (r *run) result(s severities) *Result {
	out := &Result{Findings: s.apply(r.found), Checked: r.checked}
	slices.SortFunc(out.Findings, finding.Compare)
	out.Findings = slices.Compact(out.Findings)
	return out
}
