package chart

import (
	"fmt"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/chartutil"
)

// KubeVersion returns the range of versions of Kubernetes that the chart takes, "" for all.
func (c *Chart) KubeVersion() string { return c.chart.Metadata.KubeVersion }

// Takes tells whether Helm would install the chart on a version of Kubernetes. It returns an error for text that is no version.
func (c *Chart) Takes(kubeVersion string) (bool, error) {
	version, err := chartutil.ParseKubeVersion(kubeVersion)
	if err != nil {
		return false, fmt.Errorf("%q is no Kubernetes version", kubeVersion)
	}
	return c.takes(version.String()), nil
}

func (c *Chart) takes(version string) bool {
	return c.KubeVersion() == "" || chartutil.IsCompatibleRange(c.KubeVersion(), version)
}

// The versions that are tried to compare two ranges: there is no other way to compare what is written by any number of operators.
const (
	lastMinor = 99
	lastPatch = 40
	suffix    = "-gke.1" // as managed clusters have; a range takes it only when it says so by "-0"
)

// Refused says which versions of Kubernetes a chart takes that another does not: "1.25 to 1.28"; "" for none.
func (c *Chart) Refused(other *Chart) string {
	var lost []int
	suffixes := false
	for minor := range lastMinor + 1 {
		for patch := range lastPatch + 1 {
			version := fmt.Sprintf("v1.%d.%d", minor, patch)
			plain := c.takes(version) && !other.takes(version)
			suffixes = suffixes || other.takes(version) && c.takes(version+suffix) && !other.takes(version+suffix)
			if plain && (len(lost) == 0 || lost[len(lost)-1] != minor) {
				lost = append(lost, minor)
			}
		}
	}
	var words []string
	for len(lost) > 0 {
		n := 1
		for n < len(lost) && lost[n] == lost[0]+n {
			n++
		}
		words = append(words, minors(lost[0], lost[n-1]))
		lost = lost[n:]
	}
	if suffixes {
		words = append(words, "versions with a suffix, as 1.30.1"+suffix)
	}
	return strings.Join(slices.Clip(words), ", ")
}

func minors(first, last int) string {
	switch {
	case first == 0 && last == lastMinor:
		return "all versions 1.x"
	case first == 0:
		return fmt.Sprintf("up to 1.%d", last)
	case last == lastMinor:
		return fmt.Sprintf("from 1.%d on", first)
	case first == last:
		return fmt.Sprintf("1.%d", first)
	}
	return fmt.Sprintf("1.%d to 1.%d", first, last)
}
