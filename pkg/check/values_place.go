package check

import (
	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// global is the key whose values Helm puts into those of each subchart.
const global = "global"

// place returns a finding at the place that is to blame: in the layer that makes lowest layers of those below it, or at the line of the
// Application that names the chart when it is the chart's defaults. paths are where it can be in coalesced values, the best first.
func (j *judge) place(lowest int, top chart.Part, paths []values.Path) finding.Finding {
	if lowest == 0 {
		return j.check.atChart(j.source)
	}
	if lowest < 0 {
		lowest = len(j.layers)
	}
	doc := j.layers[lowest-1]
	f := finding.Finding{File: doc.Name, Line: 1, Column: 1}
	missing := -1 // how many steps of a path the text lacks, of the best place so far
	for _, coalesced := range paths {
		for _, path := range sources(coalesced, top) {
			line, column, depth := doc.Locate(path)
			if line == 0 || missing >= 0 && len(path)-depth >= missing {
				continue
			}
			f.Line, f.Column, missing = line, column, len(path)-depth
		}
	}
	return f
}

// sources returns the paths in a user's values that a path in coalesced values can come from: for a global of a subchart, those of its
// parents first, which win.
func sources(path values.Path, top chart.Part) (out []values.Path) {
	for i, step := range path {
		if !step.IsIndex && step.Key == global {
			for parents := range i {
				out = append(out, append(append(values.Path{}, path[:parents]...), path[i:]...))
			}
			break
		}
		next := -1
		for n, sub := range top.Parts {
			if !step.IsIndex && sub.Name == step.Key {
				next = n
			}
		}
		if next < 0 {
			break
		}
		top = top.Parts[next]
	}
	return append(out, path)
}
