package check_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/check"
	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
)

// memoryRepo is a values repo by path; a link is a text that is link.
type memoryRepo map[string]string

const link = "\x00link"

// input is what a run takes of the repo. Its .apl.yaml counts.
func (m memoryRepo) input(t testing.TB, selected ...string) check.Input {
	t.Helper()
	c, err := config.Parse(".apl.yaml", []byte(m[".apl.yaml"]))
	if err != nil {
		t.Fatal(err)
	}
	in := check.Input{Config: c, Detector: secret.New(), Schemas: &schema.Cache{}, Select: selected, Read: func(path string) ([]byte, error) {
		if text, ok := m[path]; ok && text != link {
			return []byte(text), nil
		}
		return nil, errors.New("no such file")
	}}
	for _, path := range slices.Sorted(maps.Keys(m)) {
		if strings.HasPrefix(path, "env/") {
			in.Files = append(in.Files, check.File{Path: path, Irregular: m[path] == link})
		}
	}
	return in
}

// check returns what a run finds, less what other rules than those that are named have to say.
func (m memoryRepo) check(t testing.TB, rules string, selected ...string) []finding.Finding {
	t.Helper()
	result, err := check.Run(context.Background(), m.input(t, selected...), check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(result.Findings, func(f finding.Finding) bool { return !slices.Contains(strings.Fields(rules), f.Rule) })
}

// ours are the rules about manifests, settings and the repo as a whole.
const ours = "manifest-parse artifact-path artifact-secret duplicate-object file-name-case stray-file apps-yaml settings-parse settings-secret leftover-env-apps"

// shown writes a finding on a line, without what to do.
func shown(list []finding.Finding) []string {
	var out []string
	for _, f := range list {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s:%d:%d %s", f.Severity, f.Rule, f.File, f.Line, f.Column, f.Path)))
	}
	return out
}

func wantFindings(t *testing.T, reason string, want []string, got []finding.Finding) {
	t.Helper()
	if diff := cmp.Diff(want, shown(got)); diff != "" {
		t.Errorf("%s (-want +got)\n%s\n%+v", reason, diff, got)
	}
	for _, f := range got {
		if f.Message == "" || f.Next == "" && f.Severity != finding.Info || strings.Contains(fmt.Sprintf("%+v", f), "warm-kettle") {
			t.Errorf("a finding says what is wrong and what to do, and shows no secret: %+v", f)
		}
	}
}
