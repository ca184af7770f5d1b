package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
)

// report is what golangci-lint writes with --output.json.path.
type report struct {
	Issues []issue
}

type issue struct {
	FromLinter string
	Text       string
	Pos        struct{ Filename string }
}

// depguard writes: import 'X' is not allowed from list 'RULE': why
var refusal = regexp.MustCompile(`^import '(.+)' is not allowed from list '(.+?)'`)

// lintProbes writes the probes to a folder of their own, runs golangci-lint there once with the config and depguard only,
// and returns the sorted names of the rules that refused the import of each file.
func lintProbes(ctx context.Context, linter string, config []byte, list []probe) (refused map[string][]string, err error) {
	linter, err = exec.LookPath(linter)
	if err != nil {
		return nil, fmt.Errorf("find golangci-lint: %w", err)
	}
	if linter, err = filepath.Abs(linter); err != nil {
		return nil, fmt.Errorf("find golangci-lint: %w", err)
	}
	dir, err := os.MkdirTemp("", "lint-bites-")
	if err != nil {
		return nil, fmt.Errorf("create probe tree: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	// A temp folder may be behind a symlink (macOS): the config's path and the files' paths must be the same text.
	tree, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, fmt.Errorf("create probe tree: %w", err)
	}
	if err := writeTree(tree, config, list); err != nil {
		return nil, err
	}

	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, linter, "run", "--enable-only=depguard", "--output.json.path=stdout", "--output.text.path=stderr",
		"--show-stats=false", "--uniq-by-line=false", "--max-issues-per-linter=0", "--max-same-issues=0",
		"--allow-parallel-runners", "--issues-exit-code=0", "./...")
	cmd.Dir, cmd.Stdout, cmd.Stderr = tree, &stdout, &stderr
	// Stand-ins for all dependencies are in the tree: nothing may be fetched, and nothing of this run kept.
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "GOLANGCI_LINT_CACHE="+filepath.Join(tree, ".cache"))
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("run golangci-lint: %w\n%s", err, stderr.Bytes())
	}
	var r report
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		return nil, fmt.Errorf("read golangci-lint's report: %w", err)
	}
	return refusals(r, list)
}

// refusals checks that each issue is depguard's word on the import of its file: anything else means that the tree did not
// load, and then a silent rule would prove nothing.
func refusals(r report, list []probe) (map[string][]string, error) {
	imports := make(map[string]string, len(list))
	for _, p := range list {
		imports[p.file] = p.imports
	}
	refused := map[string][]string{}
	for _, issue := range r.Issues {
		file := filepath.ToSlash(issue.Pos.Filename)
		m := refusal.FindStringSubmatch(issue.Text)
		if issue.FromLinter != "depguard" || m == nil || imports[file] != m[1] {
			return nil, fmt.Errorf("unexpected issue in %s: %s (%s)", file, issue.Text, issue.FromLinter)
		}
		refused[file] = append(refused[file], m[2])
	}
	for _, names := range refused {
		slices.Sort(names)
	}
	return refused, nil
}
