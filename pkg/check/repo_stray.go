package check

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
)

// maxStray bounds what of a stray file is searched for secrets, in bytes.
const maxStray = 1 << 20

// stray says what is wrong with a file that neither the layout nor Argo CD knows. What people and git keep in any folder is fine.
func (r *run) stray(file File) (finding.Finding, bool) {
	name := path.Base(file.Path)
	f := finding.Finding{Rule: RuleStray, Severity: finding.Warning, File: file.Path, Message: "nothing reads this file"}
	switch {
	case file.Irregular:
		f.Severity = finding.Error
		f.Message = "it is a link, or no regular file: nothing here reads what it leads to, and Argo CD applies that unseen where it can"
		f.Next = "put the file itself in its place"
		return f, true
	case kept(name):
		if !r.searchKept(&f) {
			return f, false
		}
		return f, true
	case strings.HasPrefix(name, "."):
		f.Severity, f.Next = finding.Info, "remove it from git, if it is an editor's or a system's"
	case strings.HasPrefix(file.Path, layout.ValuesDir+"/"):
		f.Next = r.strayValues(file.Path)
	default:
		f.Next = strayManifest(file.Path)
	}
	switch rule, searched := r.secretIn(file.Path, anyRule); {
	case rule != "":
		f.Severity, f.Message = finding.Error, fmt.Sprintf("nothing reads this file, and it holds a secret (%s)", rule)
		f.Next = "remove it from git, and change what it holds: git keeps its history"
	case !searched:
		f.Severity, f.Message = finding.Error, "nothing reads this file, and it cannot be searched for secrets: it cannot be read, or is too large"
	}
	return f, true
}

// kept tells files that people and git keep in any folder.
func kept(name string) bool {
	return slices.Contains([]string{".gitkeep", ".keep", ".gitignore", ".gitattributes"}, name) || strings.EqualFold(path.Ext(name), ".md")
}

// searchKept tells of a file that is kept, and holds what is no example in words: a key or a token by its own form.
func (r *run) searchKept(f *finding.Finding) bool {
	rule, searched := r.secretIn(f.File, func(rule string) bool {
		return rule == secret.RulePrivateKey || strings.HasPrefix(rule, strings.TrimSuffix(secret.RuleGitleaks, "<id>"))
	})
	if searched && rule == "" {
		return false
	}
	f.Severity, f.Message = finding.Error, "the file cannot be searched for secrets: it cannot be read, or is too large"
	f.Next = "move it out of env"
	if rule != "" {
		f.Message = fmt.Sprintf("the file holds a secret (%s)", rule)
		f.Next = "take it out, and change it: git keeps its history"
	}
	return true
}

func anyRule(string) bool { return true }

// secretIn returns the first rule, of those that count, by which a file that nothing parses holds a literal secret, such as the copy that an
// editor has left of one that did; "" for none. searched is false for one that cannot be read, or is too large: nothing is known of it.
func (r *run) secretIn(file string, counts func(rule string) bool) (rule string, searched bool) {
	text, err := r.in.Read(file)
	if err != nil || len(text) > maxStray {
		return "", false
	}
	return r.secretOf(text, counts), true
}

// secretOf is secretIn for a text.
func (r *run) secretOf(text []byte, counts func(rule string) bool) string {
	for _, h := range r.in.Detector.Scan(string(text)) {
		if h.Severity == finding.Error && counts(h.Rule) {
			return h.Rule
		}
	}
	return ""
}

// strayValues says where a file among the value files was probably meant to be.
func (r *run) strayValues(file string) string {
	parts := strings.Split(strings.TrimPrefix(file, layout.ValuesDir+"/"), "/")
	name := parts[len(parts)-1]
	meant := layer(name)
	switch {
	case len(parts) != 3 && meant != "":
		return fmt.Sprintf("did you mean %s/<namespace>/<release>/%s?", layout.ValuesDir, path.Base(meant))
	case len(parts) != 3, meant == "":
		return "remove it, or move it out of " + layout.ValuesDir
	}
	id := app.ID{Namespace: parts[0], Release: parts[1]}
	if err := id.Validate(); err != nil {
		return "its folders are no app: " + err.Error()
	}
	want := fmt.Sprintf("%s/%s/%s", layout.ValuesDir, id, meant)
	if _, there := slices.BinarySearch(r.paths, want); there {
		return "remove it: what counts is " + want
	}
	return "did you mean " + want + "?"
}

// layer returns the name of the value file that was probably meant by a name, "" for none.
func layer(name string) string {
	custom, managed := "values.custom.yaml", "values.managed.yaml"
	lower := strings.ToLower(strings.TrimRight(name, "~"))
	for _, ending := range []string{".bak", ".orig", ".old", ".tmp", ".swp", ".rej", ".save"} {
		lower = strings.TrimSuffix(lower, ending)
	}
	stem := strings.TrimSuffix(lower, path.Ext(lower))
	switch near := schema.Nearest(stem+".yaml", []string{custom, managed}); {
	case strings.Contains(stem, "managed"):
		return managed
	case strings.Contains(stem, "custom"), stem == "values", stem == "value", stem == "overrides":
		return custom
	default:
		return near
	}
}

// strayManifest says what to do about a file among the manifests that Argo CD does not read.
func strayManifest(file string) string {
	read := func(ext string) bool {
		return slices.Contains([]string{".yaml", ".yml", ".json"}, strings.ToLower(strings.TrimRight(ext, "~")))
	}
	stem := strings.TrimSuffix(path.Base(file), path.Ext(file))
	switch {
	case read(path.Ext(file)):
		return "did you mean " + stem + ".yaml? Argo CD reads files that end in .yaml, .yml or .json"
	case read(path.Ext(stem)):
		return "remove it, if it is a copy of " + stem + " that somebody left"
	}
	return "remove it, or move it out of " + layout.ManifestsDir
}
