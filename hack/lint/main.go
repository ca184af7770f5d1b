// Command lint shows that the import rules of .golangci.yml bite. It owns a second writing of those rules (table.go)
// and a tree of probe files, one import each; it does not lint the project's own code.
//
// Every folder is tried with every import that any rule speaks of, as code, as code in a subfolder and as a test.
// It fails when a rule lets an import pass that it has to refuse, when it refuses one that is allowed, when .golangci.yml
// has a rule that is not in the table, and when the project has a package that no rule guards.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

func main() {
	linter := flag.String("golangci-lint", "golangci-lint", "the golangci-lint to run")
	root := flag.String("root", ".", "the project's root")
	flag.Parse()
	if err := run(context.Background(), *linter, *root, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "lint:", err)
		os.Exit(1)
	}
}

// shown bounds the list of problems: one rule that is gone makes over a hundred.
const shown = 20

func run(ctx context.Context, linter, root string, out io.Writer) error {
	config, err := os.ReadFile(filepath.Join(root, ".golangci.yml"))
	if err != nil {
		return fmt.Errorf("read config: %w", err)
	}
	table := rules()
	problems, err := configProblems(config, table)
	if err != nil {
		return err
	}
	unguarded, err := unguardedPackages(os.DirFS(root))
	if err != nil {
		return err
	}
	problems = append(problems, unguarded...)

	list := probes(table)
	refused, err := lintProbes(ctx, linter, config, list)
	if err != nil {
		return err
	}
	problems = append(problems, compare(out, table, list, refused)...)
	if len(problems) == 0 {
		return nil
	}
	if more := len(problems) - shown; more > 0 {
		problems = append(problems[:shown], fmt.Sprintf("and %d more", more))
	}
	return errors.New(strings.Join(problems, "\n      "))
}

// configProblems returns a problem for each depguard rule of the config that the table lacks, and one when depguard does
// not run at all. A rule that only the table has shows in compare: nothing bites.
func configProblems(config []byte, table []rule) ([]string, error) {
	var c struct {
		Linters struct {
			Enable   []string
			Settings struct {
				Depguard struct{ Rules map[string]any }
			}
		}
	}
	if err := yaml.Unmarshal(config, &c); err != nil {
		return nil, fmt.Errorf("read .golangci.yml: %w", err)
	}
	var problems []string
	if !slices.Contains(c.Linters.Enable, "depguard") {
		problems = append(problems, "depguard is not enabled in .golangci.yml: no rule of it runs")
	}
	for _, name := range slices.Sorted(maps.Keys(c.Linters.Settings.Depguard.Rules)) {
		if !slices.ContainsFunc(table, func(r rule) bool { return r.name == name }) {
			problems = append(problems, fmt.Sprintf("rule %q of .golangci.yml is not in hack/lint/table.go: nothing shows that it bites", name))
		}
	}
	return problems, nil
}

// unguardedPackages returns a problem for each folder with Go code that is in no row of the table. hack/ and testdata/
// are no part of the product.
func unguardedPackages(project fs.FS) ([]string, error) {
	var problems []string
	rows := arrows()
	err := fs.WalkDir(project, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		if entry.IsDir() && name != "." && (name == "hack" || base == "testdata" || strings.HasPrefix(base, ".")) {
			return fs.SkipDir
		}
		if entry.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		for folder := range rows {
			if within(path.Dir(name), folder) {
				return nil
			}
		}
		problems = append(problems, fmt.Sprintf("package %s has no row in hack/lint/table.go and no rule in .golangci.yml", path.Dir(name)))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look for packages: %w", err)
	}
	return slices.Compact(problems), nil
}

// compare prints a line for each rule and returns a problem for each probe that was not refused by exactly the rules that
// have to.
func compare(out io.Writer, table []rule, list []probe, refused map[string][]string) []string {
	var problems []string
	bites, wrong := map[string]int{}, map[string]int{}
	allowed := 0
	for _, p := range list {
		got := refused[p.file]
		if len(p.refused) == 0 && len(got) == 0 {
			allowed++
		}
		for _, name := range p.refused {
			if slices.Contains(got, name) {
				bites[name]++
				continue
			}
			wrong[name]++
			problems = append(problems, fmt.Sprintf("rule %q does not refuse %s in %s", name, p.imports, p.file))
		}
		for _, name := range got {
			if !slices.Contains(p.refused, name) {
				wrong[name]++
				problems = append(problems, fmt.Sprintf("rule %q refuses %s in %s, which is allowed", name, p.imports, p.file))
			}
		}
	}
	for _, r := range table {
		verdict := "bites"
		if wrong[r.name] > 0 || bites[r.name] == 0 {
			verdict = "FAILS"
		}
		if bites[r.name] == 0 {
			problems = append(problems, fmt.Sprintf("rule %q never bites", r.name))
		}
		fmt.Fprintf(out, "%s  %-18s %4d imports refused\n", verdict, r.name, bites[r.name])
	}
	fmt.Fprintf(out, "%d probes, %d of them allowed by every rule\n", len(list), allowed)
	return problems
}
