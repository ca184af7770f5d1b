package chart

import (
	"slices"
	"strconv"
	"strings"
)

// NullsOf says what a version of Helm makes of nulls in values otherwise than HelmVersion does: "" where they are alike, or
// where the version is none. charts tells that nulls among a chart's own defaults suffice; otherwise it is about those that
// a user supplies.
//
// It was found by running the 17 cases of TestNulls on the versions that Argo CD brings, 3.10.3 to 3.19.4, 4.2.1 and 4.3.1
// (pkg/argocd), and on 3.19.5, where Helm's coalescing changed in between (helm/helm#31919, helm/helm#32093). Of those not
// run, 3.20.0 has the coalesce.go and dependencies.go of 3.19.5 to the byte, and 3.20.1, 3.20.2, 3.21.0 and 3.22.0 have those
// of HelmVersion. Other minor versions of 4, and later majors, were not run and are not taken for alike.
func NullsOf(version string) (differs string, charts bool) {
	const (
		kept     = "drops a null over a chart default that is null itself, where this one keeps it"
		subchart = "falls back to a subchart's own default for a null in the values for it, where this one deletes the key"
		lacks    = "drops a null over a key that the chart lacks, where this one shows it to templates"
		own      = "drops a null among the defaults of a chart, where this one keeps it, or deletes a subchart's default by it"
		unknown  = "is of another major version, whose nulls were not compared"
	)
	v := numbers(version)
	older := func(than ...int) bool { return slices.Compare(v, than) < 0 }
	switch {
	case v == nil:
		return "", false
	case older(3, 17):
		return subchart + ", and " + kept, false
	case older(3, 19, 5):
		return kept, false
	case older(3, 20, 1):
		return lacks + ", and " + kept, false
	case older(4):
		return "", false
	case !older(4, 2) && older(4, 4):
		return own, true
	}
	return unknown, true
}

// numbers reads a version like v3.18.4; nil for what is none.
func numbers(version string) []int {
	var out []int
	core, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), "-")
	for part := range strings.SplitSeq(core, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil
		}
		out = append(out, n)
	}
	return out
}
