package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// probe is one file of one import, and the rules that have to refuse it (none: the import is allowed).
type probe struct {
	file    string // relative to the tree's root, with slashes
	pkg     string // the name in its package clause
	imports string
	refused []string // sorted
}

// probes returns three files for each folder and each import that any rule speaks of: in the folder itself, in a folder
// below it, and in a test.
func probes(rules []rule) []probe {
	var list []probe
	for _, folder := range folders() {
		name := path.Base(strings.ReplaceAll(folder, "-", "_"))
		if isProgram(folder) {
			name = "main"
		}
		for i, target := range targets(rules) {
			exact, inner := target, target
			if own, ours := strings.CutPrefix(target, module+"/"); ours {
				if within(own, folder) {
					continue // a package may import what lies below it
				}
				// The folder's own package takes what lies below the target, so that no two packages import each other.
				inner = target + "/inner"
				if isProgram(own) {
					exact = inner
				}
			}
			base := path.Join(folder, fmt.Sprintf("bite%d", i))
			code, test := refusedBy(rules, folder, target, false), refusedBy(rules, folder, target, true)
			list = append(list,
				probe{base + ".go", name, inner, code},
				probe{path.Join(folder, "below", path.Base(base)+".go"), "below", exact, code},
				probe{base + "_test.go", name + "_test", exact, test},
			)
		}
	}
	return list
}

// targets returns every import that is tried, sorted.
func targets(rules []rule) []string {
	list := innocent()
	for _, folder := range folders() {
		list = append(list, module+"/"+folder)
	}
	for _, r := range rules {
		list = append(list, r.imports...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// refusedBy returns the names of the rules that have to refuse the target in the folder, sorted.
func refusedBy(rules []rule, folder, target string, test bool) []string {
	var names []string
	for _, r := range rules {
		bound := r.tests || !test
		if bound && slices.Contains(r.folders, folder) && slices.Contains(r.imports, target) {
			names = append(names, r.name)
		}
	}
	slices.Sort(names)
	return names
}

// writeTree writes a module of the project's name below root: a package in each folder, a stand-in for each dependency
// (so that nothing is downloaded, and dependencies of later days can be tried), the probes and the config.
func writeTree(root string, config []byte, list []probe) error {
	files := map[string]string{".golangci.yml": string(config)}
	for _, folder := range folders() {
		name, body := path.Base(strings.ReplaceAll(folder, "-", "_")), ""
		if isProgram(folder) {
			name, body = "main", "func main() {}\n"
		}
		files[path.Join(folder, "doc.go")] = "package " + name + "\n\n" + body
		files[path.Join(folder, "inner", "doc.go")] = "package inner\n"
	}
	mod := "module " + module + "\n\ngo 1.26.0\n"
	for _, p := range list {
		files[p.file] = fmt.Sprintf("package %s\n\nimport _ %q\n", p.pkg, p.imports)
		first, _, _ := strings.Cut(p.imports, "/")
		if !strings.Contains(first, ".") || strings.HasPrefix(p.imports, module) {
			continue
		}
		stub := path.Join("stubs", p.imports)
		if _, done := files[path.Join(stub, "go.mod")]; done {
			continue
		}
		files[path.Join(stub, "go.mod")] = "module " + p.imports + "\n\ngo 1.26.0\n"
		files[path.Join(stub, "doc.go")] = "package stub\n"
		mod += fmt.Sprintf("require %s %s\nreplace %[1]s => ./%[3]s\n", p.imports, majorOf(p.imports), stub)
	}
	files["go.mod"] = mod
	for name, text := range files {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return fmt.Errorf("create probe tree: %w", err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return fmt.Errorf("write probe tree: %w", err)
		}
	}
	return nil
}

var majorSuffix = regexp.MustCompile(`[./]v([2-9])$`)

// majorOf returns a version that Go takes for a module of that path.
func majorOf(modulePath string) string {
	if m := majorSuffix.FindStringSubmatch(modulePath); m != nil {
		return "v" + m[1] + ".0.0"
	}
	return "v0.0.0"
}
