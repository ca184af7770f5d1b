package chart

import (
	"strconv"
	"strings"
)

// NullsOf says how a version of Helm treats nulls in values otherwise than HelmVersion does, as what that version does; ""
// when it is alike as far as is known. charts tells that nulls in charts' own defaults are enough for it. Measured with 17 cases on v3.10.3, v3.11.2, v3.12.1, v3.13.2, v3.14.4, v3.15.2, v3.15.4, v3.16.3, v3.17.1,
// v3.18.4 and v3.19.4, which are those that Argo CD brings; v3.19.5 and v3.20.0 are known from helm/helm#31919 and
// helm/helm#32093.
func NullsOf(version string) (how string, charts bool) {
	minor, patch, ok := v3(version)
	switch {
	case !ok:
		return "", false
	case minor <= 16:
		return "brings a subchart's own default back under a null over a default of the parent chart", false
	case minor == 19 && patch >= 5, minor == 20 && patch <= 1:
		return "drops a null over a key that the chart lacks, which others keep visible to templates", false
	case minor <= 19:
		return "drops a null over a default that is null itself, which this one keeps visible to templates", false
	}
	return "", false
}

// v3 takes apart a version of Helm 3.
func v3(version string) (minor, patch int, ok bool) {
	rest, is3 := strings.CutPrefix(strings.TrimPrefix(version, "v"), "3.")
	a, b, _ := strings.Cut(rest, ".")
	minor, errMinor := strconv.Atoi(a)
	patch, errPatch := strconv.Atoi(b)
	return minor, patch, is3 && errMinor == nil && errPatch == nil
}
