package chart

import "strings"

// SameNulls reports whether a version of Helm treats nulls in values as HelmVersion does. Measured with 17 cases on the
// versions that Argo CD brings: Helm 3.12 and older let a null of a parent's values not delete a subchart's default; Helm
// 3.19 and 3.20.0 drop a null over a key that the chart lacks, where others keep it visible to templates
// (helm/helm#31919, helm/helm#32093).
func SameNulls(version string) bool {
	minor, _, _ := strings.Cut(strings.TrimPrefix(version, "v3."), ".")
	switch minor {
	case "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "19":
		return false
	}
	return version != "v3.20.0" && version != "v3.20.1"
}
