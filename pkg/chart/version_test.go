package chart_test

import (
	"os"
	"strings"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
)

func TestHelmVersion(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if want := "helm.sh/helm/v3 " + chart.HelmVersion + "\n"; !strings.Contains(string(mod), want) {
		t.Errorf("go.mod has another Helm than HelmVersion says: no line %q", want)
	}
}
