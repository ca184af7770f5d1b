package chart

import "strings"

// SameNulls reports whether a version of Helm treats nulls in values as HelmVersion does. Helm 3.19 and 3.20.0 drop a null over a key that
// the chart lacks, where the versions before and after keep it visible to templates (helm/helm#31919, #32093; 17 cases of nulls
// were run on the versions that Argo CD brings, and gave no other difference).
func SameNulls(version string) bool {
	return !strings.HasPrefix(version, "v3.19.") && version != "v3.20.0" && version != "v3.20.1"
}
