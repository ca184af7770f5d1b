package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/plugin"
	"github.com/kubectl-apl/kubectl-apl/plugin/printer"
)

// fenced is a block of code of a page: its language, and its text.
var fenced = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")

// blocks returns the blocks of a page that are of a language.
func blocks(page, language string) (list []string) {
	for _, b := range fenced.FindAllStringSubmatch(page, -1) {
		if b[1] == language {
			list = append(list, b[2])
		}
	}
	return list
}

// guide returns a page of the guide.
func guide(t *testing.T, name string) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "guide", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// TestSnippetsAreYAML holds that what people copy for their CI is YAML, with no key twice, of the shape that each system reads.
func TestSnippetsAreYAML(t *testing.T) {
	kinds := []string{}
	for i, block := range blocks(guide(t, "ci.md"), "yaml") {
		var document map[string]any
		if err := yaml.UnmarshalStrict([]byte(block), &document); err != nil {
			t.Fatalf("block %d: %v\n%s", i, err, block)
		}
		kind, scripts, problems := shape(document)
		for _, script := range scripts {
			sh := exec.CommandContext(t.Context(), "sh", "-n")
			sh.Stdin = strings.NewReader(script)
			if out, err := sh.CombinedOutput(); err != nil {
				t.Errorf("block %d, %s: no shell script: %s\n%s", i, kind, out, script)
			}
		}
		kinds = append(kinds, kind)
		for _, problem := range problems {
			t.Errorf("block %d, %s: %s", i, kind, problem)
		}
	}
	if want := []string{"workflow", "Task", "PipelineRun"}; !slices.Equal(kinds, want) {
		t.Errorf("the page has snippets %q, want %q", kinds, want)
	}
}

// shape tells what a document is, the scripts that it runs, and what is missing of it.
func shape(document map[string]any) (kind string, scripts, problems []string) {
	var steps []any
	if jobs, ok := document["jobs"].(map[string]any); ok {
		kind = "workflow"
		for _, job := range jobs {
			list, _ := job.(map[string]any)["steps"].([]any)
			steps = append(steps, list...)
		}
		for _, key := range []string{"name", "true", "permissions"} { // "on" is a boolean to this parser
			if document[key] == nil {
				problems = append(problems, "there is no "+key)
			}
		}
		for _, step := range steps {
			s, _ := step.(map[string]any)
			script, _ := s["run"].(string)
			scripts = append(scripts, script)
			if (s["uses"] == nil) == (script == "") {
				problems = append(problems, fmt.Sprintf("a step either uses or runs something: %v", s))
			}
			if strings.Contains(script, "${{") {
				problems = append(problems, "a script is made of what an event says: "+script)
			}
		}
		return kind, scripts, problems
	}
	kind, _ = document["kind"].(string)
	if version, _ := document["apiVersion"].(string); version != "tekton.dev/v1" {
		problems = append(problems, "it is of "+version)
	}
	spec, _ := document["spec"].(map[string]any)
	steps, _ = spec["steps"].([]any)
	for _, step := range steps {
		s, _ := step.(map[string]any)
		script, _ := s["script"].(string)
		scripts = append(scripts, script)
		if s["image"] == nil || script == "" || strings.Contains(script, "$(params.") || strings.Contains(script, "$(workspaces.") {
			problems = append(problems, fmt.Sprintf("a step has an image and a script, and takes parameters from its environment: %v", s))
		}
	}
	return kind, scripts, problems
}

var (
	// validateLine is a line that runs validate, or gathers its arguments.
	validateLine = regexp.MustCompile("(?:kubectl-apl|kubectl apl) validate ([^`|\n]*)|set -- ([^\n]*)")
	// flagOf is a flag with what follows it.
	flagOf = regexp.MustCompile(`(?:^|\s)(--?[a-z-]+)(?:[= ]([^\s-][^\s]*))?`)
)

// TestPagesUseFlagsThatExist holds the commands of pages about validate to the command.
func TestPagesUseFlagsThatExist(t *testing.T) {
	root := plugin.NewCmdRoot(plugin.Streams{In: strings.NewReader(""), Out: io.Discard, ErrOut: io.Discard},
		plugin.Env{Lookup: func(string) (string, bool) { return "", false }, Now: time.Now})
	validate, _, err := root.Find([]string{"validate"})
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{"ci.md", "validate.md", "validate-output.md"} {
		found := 0
		for _, line := range validateLine.FindAllStringSubmatch(guide(t, page), -1) {
			found++
			for _, flag := range flagOf.FindAllStringSubmatch(line[1]+line[2], -1) {
				if err := checkFlag(validate, flag[1], flag[2]); err != nil {
					t.Errorf("docs/guide/%s: %v, in %q", page, err, line[0])
				}
			}
		}
		if found == 0 {
			t.Errorf("docs/guide/%s runs nothing", page)
		}
	}
}

func checkFlag(cmd *cobra.Command, name, value string) error {
	switch {
	case name == "--":
		return nil
	case name == "-o":
		_, err := printer.ParseValidateFormat(value)
		return err
	case name == "--fail-on":
		_, err := finding.ParseFailOn(value)
		return err
	case !strings.HasPrefix(name, "--") || cmd.Flags().Lookup(name[2:]) == nil:
		return fmt.Errorf("there is no flag %s", name)
	}
	return nil
}

func TestCheckFlag(t *testing.T) {
	cmd := &cobra.Command{}
	cmd.Flags().Bool("strict-keys", false, "")
	for flag, want := range map[string]bool{"--strict-keys ": true, "--strict": false, "-x": false, "-o sarif": true, "-o xml": false, "--fail-on never": true, "--fail-on info": false} {
		name, value, _ := strings.Cut(flag, " ")
		if err := checkFlag(cmd, name, value); (err == nil) != want {
			t.Errorf("%s: %v", flag, err)
		}
	}
}
