package main

import (
	"path"
	"slices"
	"strings"
)

// module is the path that every import of ours begins with.
const module = "github.com/kubectl-apl/kubectl-apl"

// testcluster is no part of the product: it may import what it likes of others, and nothing but tests may import it.
const testcluster = "internal/testcluster"

// arrows says which of our folders each folder may import; its own subfolders always. It is the table of the design,
// written down a second time, on purpose: .golangci.yml is held to it in both directions.
func arrows() map[string][]string {
	stage := []string{"pkg/app", "pkg/finding", "pkg/layout", "pkg/values"}
	return map[string][]string{
		"pkg/app":      nil,
		"pkg/finding":  nil,
		"pkg/values":   nil,
		"pkg/layout":   {"pkg/app"},
		"pkg/stream":   {"pkg/values"},
		"pkg/argocd":   append([]string{"pkg/stream"}, stage...),
		"pkg/artifact": append([]string{"pkg/stream"}, stage...),
		"pkg/release":  stage,
		"pkg/settings": stage,
		"pkg/chart":    {"pkg/values"},
		"pkg/schema":   {"pkg/finding", "pkg/values"},
		"pkg/secret":   {"pkg/finding", "pkg/values"},
		"pkg/manifest": {"pkg/values"},
		"pkg/drift":    append([]string{"pkg/argocd", "pkg/chart", "pkg/manifest", "pkg/schema", "pkg/secret"}, stage...),
		"pkg/config":   {"pkg/app", "pkg/finding", "pkg/values"},
		"pkg/cluster":  {"pkg/app", "pkg/argocd", testcluster},
		"pkg/gitrepo":  {"pkg/app"},
		"pkg/check": append([]string{"pkg/argocd", "pkg/artifact", "pkg/chart", "pkg/config", "pkg/release",
			"pkg/scan", "pkg/schema", "pkg/secret", "pkg/settings", "pkg/stream", "pkg/valuefile"}, stage...),
		"pkg/scan":       append([]string{"pkg/config", "pkg/secret"}, stage...),
		"pkg/valuefile":  {"pkg/app", "pkg/layout"},
		"pkg/submission": stage,
		"pkg/catalog":    append([]string{"pkg/argocd", "pkg/chart", "pkg/config"}, stage...),
		"pkg/admission": append([]string{"pkg/argocd", "pkg/catalog", "pkg/chart", "pkg/check", "pkg/config", "pkg/scan", "pkg/schema",
			"pkg/secret", "pkg/submission"}, stage...),
		"pkg/preflight":   append([]string{"pkg/argocd", "pkg/cluster"}, stage...),
		"pkg/backup":      append([]string{"pkg/argocd"}, stage...),
		"pkg/handover":    {"pkg", testcluster},
		"pkg/rollback":    {"pkg", testcluster},
		"pkg/publish":     {"pkg", testcluster},
		"pkg/bootstrap":   {"pkg", testcluster},
		"pkg/remove":      {"pkg", testcluster},
		"pkg/migrate":     {"pkg", testcluster},
		"pkg/reconcile":   {"pkg", testcluster},
		"pkg/collect":     {"pkg", testcluster},
		"config":          nil,
		"plugin":          {"config", "pkg", testcluster},
		"webhook":         {"config", "pkg", testcluster},
		"cmd/kubectl-apl": {"plugin"},
		"cmd/apl-webhook": {"webhook"},
		testcluster:       nil,
	}
}

// rule is what one depguard rule has to refuse: any of the imports, in any of the folders and what lies below them.
type rule struct {
	name    string
	folders []string
	tests   bool // test files are bound too
	imports []string
}

// rules returns a rule for each row of arrows, and the doors and dependencies.
func rules() []rule {
	all := folders()
	var list []rule
	for folder, may := range arrows() {
		r := rule{name: strings.ReplaceAll(folder, "/", "-"), tests: true}
		for _, other := range all {
			switch {
			case within(other, folder):
				r.folders = append(r.folders, other)
			case !slices.ContainsFunc(may, func(m string) bool { return within(other, m) }):
				r.imports = append(r.imports, module+"/"+other)
			}
		}
		list = append(list, r)
	}
	product := but(all, testcluster)
	list = append(list,
		rule{name: "testcluster", folders: product, imports: []string{module + "/" + testcluster}},
		rule{name: "helm", folders: but(product, "pkg/chart", "pkg/values"),
			imports: []string{helm + "/action", helm + "/chart", helm + "/chart/loader", helm + "/chartutil",
				helm + "/strvals", helm4}},
		rule{name: "helm-in-values", folders: []string{"pkg/values"},
			imports: []string{helm + "/action", helm + "/chart/loader", helm4}},
		rule{name: "yaml", folders: but(product, "pkg/config", "pkg/secret", "pkg/values"),
			imports: []string{"go.yaml.in/yaml/v2", "go.yaml.in/yaml/v3", "k8s.io/apimachinery/pkg/util/yaml", "sigs.k8s.io/yaml"}},
		rule{name: "jsonschema", folders: but(product, "pkg/schema"), tests: true,
			imports: []string{jsonschema5, jsonschema6}},
		rule{name: "gitleaks", folders: but(product, "pkg/secret"), tests: true,
			imports: []string{"github.com/zricethezav/gitleaks/v8/config", "github.com/zricethezav/gitleaks/v8/detect",
				"github.com/pelletier/go-toml/v2"}},
		rule{name: "gitleaks-engine", folders: []string{"pkg/secret"},
			imports: []string{"github.com/zricethezav/gitleaks/v8/detect"}},
		rule{name: "gitops-engine", folders: but(product, "pkg/manifest"), tests: true,
			imports: []string{"github.com/argoproj/gitops-engine/pkg/diff"}},
		rule{name: "oci", folders: but(product, "pkg/chart"), tests: true,
			imports: []string{"oras.land/oras-go/v2/registry/remote", "github.com/opencontainers/image-spec/identity"}},
		rule{name: "go-git", folders: but(product, "pkg/gitrepo"), tests: true,
			imports: []string{"github.com/go-git/go-git/v5", "github.com/go-git/go-billy/v5"}},
		rule{name: "client-go", folders: but(product, "pkg/cluster", "plugin", "webhook", "cmd/apl-webhook"), tests: true,
			imports: []string{"k8s.io/client-go/rest", "k8s.io/cli-runtime/pkg/resource", "k8s.io/kubectl/pkg/cmd"}},
		rule{name: "controller-runtime", folders: but(product, "webhook", "cmd/apl-webhook"),
			imports: []string{"sigs.k8s.io/controller-runtime"}},
		rule{name: "cobra", folders: but(product, "plugin", "cmd/kubectl-apl", "cmd/apl-webhook"), tests: true,
			imports: []string{"github.com/spf13/cobra", "github.com/spf13/pflag"}},
		rule{name: "dependencies", folders: product,
			imports: []string{"testing", "github.com/google/go-cmp/cmp", "github.com/rogpeppe/go-internal/testscript",
				"pgregory.net/rapid", "github.com/pkg/errors", "gopkg.in/yaml.v3", "k8s.io/kubernetes", helm4, jsonschema6}},
		rule{name: "pure", folders: []string{"pkg/admission", "pkg/app", "pkg/argocd", "pkg/artifact", "pkg/catalog", "pkg/check", "pkg/config",
			"pkg/drift", "pkg/finding", "pkg/layout", "pkg/preflight", "pkg/scan", "pkg/schema", "pkg/secret", "pkg/settings", "pkg/stream", "pkg/submission", "pkg/valuefile", "pkg/values"},
			imports: []string{"log", "log/slog", "net", "net/http", "os", "os/exec", "path/filepath", "syscall"}},
	)
	slices.SortFunc(list, func(a, b rule) int { return strings.Compare(a.name, b.name) })
	return list
}

const (
	helm        = "helm.sh/helm/v3/pkg"
	helm4       = "helm.sh/helm/v4/pkg/action"
	jsonschema5 = "github.com/santhosh-tekuri/jsonschema/v5"
	jsonschema6 = "github.com/santhosh-tekuri/jsonschema/v6"
)

// innocent are imports that no rule may refuse anywhere: what a rule that is too broad would hit first.
func innocent() []string {
	return []string{"go/token", "io/fs", "net/netip", "net/url", "path", "text/template", "golang.org/x/sys/unix", "k8s.io/api/core"}
}

// folders returns every folder that the rules speak of: the rows of arrows, and those that a door tells apart.
func folders() []string {
	list := []string{"plugin/printer"}
	for folder := range arrows() {
		list = append(list, folder)
	}
	slices.Sort(list)
	return list
}

// within reports whether folder is parent or lies below it.
func within(folder, parent string) bool {
	return folder == parent || strings.HasPrefix(folder, parent+"/")
}

// but returns list without the folders named; what lies below them stays, as plugin/printer does.
func but(list []string, names ...string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(f string) bool { return slices.Contains(names, f) })
}

// isProgram tells the folders whose package is main, which Go lets nobody import.
func isProgram(folder string) bool { return path.Dir(folder) == "cmd" }
