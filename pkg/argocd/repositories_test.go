package argocd_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
)

func TestRepositoryURLs(t *testing.T) {
	for name, test := range map[string]struct {
		reason, text string
		want         []string
		fails        bool
	}{
		"List":     {"as the documentation of Argo CD 2 has it", "- url: https://git.example.test/a.git\n  type: git\n- url: git@git.example.test:b.git\n  sshPrivateKeySecret: {name: s, key: k}\n", []string{"https://git.example.test/a.git", "git@git.example.test:b.git"}, false},
		"Indented": {"a block scalar keeps what is more than its own indentation", "  - url: https://git.example.test/a.git\n", []string{"https://git.example.test/a.git"}, false},
		"Password": {"credentials are never kept", "- url: https://u:hunter2@git.example.test/a.git\n", []string{"https://***@git.example.test/a.git"}, false},
		"Empty":    {"nothing, a comment, and entries without a URL are none", "# none\n- {}\n- text\n- url: 7\n", nil, false},
		"Map":      {"no list", "a: https://u:hunter2@git.example.test\n", nil, true},
		"Broken":   {"no YAML", "- url: [\n", nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := argocd.RepositoryURLs(test.text)
			if (err != nil) != test.fails {
				t.Errorf("%s: the error is %v", test.reason, err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s (-want +got)\n%s", test.reason, diff)
			}
		})
	}
}
