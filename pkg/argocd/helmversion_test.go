package argocd_test

import (
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
)

func TestBundledHelm(t *testing.T) {
	for version, want := range map[string]string{
		"v3.2.11": "v3.18.4", "3.2.0-rc1": "v3.18.4", "v2.14.3": "v3.16.3", "v3.5.7": "v4.2.1", "v3.6.1": "v4.3.1", "v9.9.9": "", "latest": "", "": "",
	} {
		if got := argocd.BundledHelm(version); got != want {
			t.Errorf("%q brings %q; want %q", version, got, want)
		}
	}
}

func TestAtLeast(t *testing.T) {
	for _, tc := range []struct {
		version   string
		is, known bool
	}{
		{"v2.6.0", true, true}, {"v2.5.9", false, true}, {"v3.0.0-rc1", true, true}, {"v2.10.1", true, true},
		{"stable", false, false}, {"", false, false}, {"v3", false, false}, {"v3.x", false, false},
	} {
		if is, known := argocd.AtLeast(tc.version, 2, 6); is != tc.is || known != tc.known {
			t.Errorf("%q: %v, %v", tc.version, is, known)
		}
	}
}
