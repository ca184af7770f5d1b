package scan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/scan"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
)

func TestArtifact(t *testing.T) {
	const place = "ConfigMap/web/a"
	id := app.ID{Namespace: "web", Release: "web-artifacts"}
	for name, tc := range map[string]struct {
		reason, text, exceptions string
		want                     []string
	}{
		"Value":     {"a value, with its place in the text", "# c\ndata:\n  password: warm-kettle-19\n", "", []string{"error secret-named-key ConfigMap/web/a:data.password 3:3"}},
		"Comment":   {"a comment stands in no place of the object", "data: {}\n# password: warm-kettle-19\n", "", []string{"error secret-assignment ConfigMap/web/a:. 2:1"}},
		"Twice":     {"a key that stands twice hides what the first says from parsers, not from readers", "data:\n  password: warm-kettle-19\ndata: {}\n", "", []string{"error secret-named-key ConfigMap/web/a:data[0].password 0:0"}},
		"Keys":      {"a text that Helm does not take as values", "data:\n  8080: a\n  \"8080\": b\n  password: warm-kettle-19\n", "", []string{"error secret-named-key ConfigMap/web/a:data.password 0:0"}},
		"Accepted":  {"what is accepted is told, from where that stands", "data:\n  password: warm-kettle-19\n", "secrets: [{app: web/web-artifacts, path: 'ConfigMap/web/a:data.password', rule: secret-named-key, reason: r}]", []string{"info secret-named-key ConfigMap/web/a:data.password 1:11"}},
		"Another":   {"an exception for another object accepts nothing", "data:\n  password: warm-kettle-19\n", "secrets: [{app: web/web-artifacts, path: 'ConfigMap/web/b:data.password', rule: secret-named-key, reason: r}, {app: web/web-artifacts, path: data.password, rule: secret-named-key, reason: r}]", []string{"error secret-named-key ConfigMap/web/a:data.password 2:3"}},
		"Reference": {"a reference is none", "data:\n  secretName: warm-kettle\n", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := config.Parse(".apl.yaml", []byte(tc.exceptions))
			if err != nil {
				t.Fatal(err)
			}
			s, err := scan.New(c, secret.New())
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range s.Artifact(id, place, []byte(tc.text)) {
				got = append(got, fmt.Sprintf("%s %s %s %d:%d", f.Severity, f.Rule, f.Path, f.Line, f.Column))
				if strings.Contains(fmt.Sprint(f), "warm-kettle") {
					t.Errorf("a value is shown: %+v", f)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
			if used := len(c.Secrets) > 0 && s.Used(0); used != (name == "Accepted") {
				t.Errorf("the exception is used: %t", used)
			}
		})
	}
}

func TestLeftOut(t *testing.T) {
	id := app.ID{Namespace: "web", Release: "web-artifacts"}
	c := &config.Config{Secrets: []config.Exception{{App: id, Path: "Secret/web/a", Rule: scan.RuleLeftOut, Reason: "later", Line: 2, Column: 3}}}
	s, err := scan.New(c, secret.New())
	if err != nil {
		t.Fatal(err)
	}
	if _, _, ok := s.LeftOut(id, "Secret/web/b"); ok || s.Used(0) {
		t.Error("another Secret is not left out")
	}
	f, reason, ok := s.LeftOut(id, "Secret/web/a")
	if !ok || reason != "later" || f.Line != 2 || f.File != ".apl.yaml" || !s.Used(0) {
		t.Errorf("%+v, %q, %t", f, reason, ok)
	}
}
