package argocd

import (
	"slices"
	"strconv"
	"strings"
)

// bundledHelm is the Helm that each minor version of Argo CD brings: hack/tool-versions.sh at the tag of its last patch
// release, as of November 2026 (3.5.7, 3.6.1). Within a minor the patches before it differ in Helm's patch version at most.
func bundledHelm() map[string]string {
	return map[string]string{
		"2.6": "v3.10.3", "2.7": "v3.11.2", "2.8": "v3.12.1", "2.9": "v3.13.2", "2.10": "v3.14.4", "2.11": "v3.14.4",
		"2.12": "v3.15.2", "2.13": "v3.15.4", "2.14": "v3.16.3", "3.0": "v3.17.1", "3.1": "v3.18.4", "3.2": "v3.18.4",
		"3.3": "v3.19.4", "3.4": "v3.19.4", "3.5": "v4.2.1", "3.6": "v4.3.1",
	}
}

// BundledHelm returns the version of Helm that a version of Argo CD renders with: v3.18.4 for v3.2.11. It is "" for a version
// that is not known here.
func BundledHelm(version string) string {
	parts := strings.SplitN(strings.TrimPrefix(version, "v"), ".", 3)
	if len(parts) < 2 {
		return ""
	}
	return bundledHelm()[parts[0]+"."+parts[1]]
}

// AtLeast reports whether a version like v3.2.11 or 2.14.3-rc1 is of the given minor or later. known is false for what is
// no version.
func AtLeast(version string, major, minor int) (is, known bool) {
	parts := strings.SplitN(strings.TrimPrefix(version, "v"), ".", 3)
	if len(parts) < 2 {
		return false, false
	}
	a, errA := strconv.Atoi(parts[0])
	b, errB := strconv.Atoi(parts[1])
	if errA != nil || errB != nil {
		return false, false
	}
	return slices.Compare([]int{a, b}, []int{major, minor}) >= 0, true
}
