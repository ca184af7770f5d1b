package argocd_test

import (
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
)

// The rules are those of AppProject.IsSourcePermitted in Argo CD 3.2.
func TestProjectPermits(t *testing.T) {
	const repo = "https://git.example.test/platform/values.git"
	cases := map[string]struct {
		reason   string
		patterns []string
		repo     string
		want     bool
	}{
		"None":         {reason: "a project that lists nothing permits nothing", repo: repo},
		"All":          {reason: "a star alone matches across slashes", patterns: []string{"*"}, repo: repo, want: true},
		"Exact":        {reason: "the URL itself", patterns: []string{repo}, repo: repo, want: true},
		"Spelling":     {reason: "case and .git do not count", patterns: []string{"HTTPS://git.example.test/Platform/values"}, repo: repo, want: true},
		"SSH":          {reason: "two ways to write SSH", patterns: []string{"git@git.example.test:platform/values.git"}, repo: "ssh://git@git.example.test/platform/values", want: true},
		"OneLevel":     {reason: "a star stops at a slash", patterns: []string{"https://git.example.test/*"}, repo: repo},
		"OneLevelFits": {reason: "a star for one level", patterns: []string{"https://git.example.test/platform/*"}, repo: repo, want: true},
		"AllLevels":    {reason: "two stars do not stop", patterns: []string{"https://git.example.test/**"}, repo: repo, want: true},
		"Denied":       {reason: "what forbids wins, wherever it stands", patterns: []string{"!" + repo, "*"}, repo: repo},
		"DeniedLast":   {reason: "what forbids wins, wherever it stands", patterns: []string{"*", "!https://git.example.test/**"}, repo: repo},
		"DeniedOther":  {reason: "to forbid another repo is to permit this one", patterns: []string{"!https://other.example.test/x"}, repo: repo, want: true},
		"Broken":       {reason: "a pattern that cannot be read matches nothing", patterns: []string{"https://git.example.test/[a"}, repo: repo},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := (argocd.Project{SourceRepos: tc.patterns}).Permits(tc.repo); got != tc.want {
				t.Errorf("%s: got %v", tc.reason, got)
			}
		})
	}
}
