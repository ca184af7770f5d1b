package chart_test

import (
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
)

func TestNullsOf(t *testing.T) {
	for version, differs := range map[string]bool{
		"v3.10.3": true, "v3.16.3": true, "v3.17.1": true, "v3.18.4": true, "v3.19.4": true, "v3.19.5": true, "v3.20.0": true,
		"v3.20.2": false, chart.HelmVersion: false, "v4.2.1": false, "": false, "latest": false,
	} {
		if got, _ := chart.NullsOf(version); (got != "") != differs {
			t.Errorf("%s: %q", version, got)
		}
	}
}
