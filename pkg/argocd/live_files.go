package argocd

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// ValueFile is an entry of helm.valueFiles, resolved as Argo CD does (its getResolvedValueFiles): to a path in the repo or
// archive that the chart comes from, or in the repo of a source that the entry refers to.
type ValueFile struct {
	// At is where the entry stands: spec.source.helm.valueFiles[0].
	At string
	// Source is what the file is in: the chart's source, or the one that is referred to.
	Source Source
	// Path is the file's path from the root of the repo or archive, clean and without a slash at its beginning.
	Path string
	// Optional tells that a missing file is passed over (ignoreMissingValueFiles).
	Optional bool
}

// files looks at what Argo CD reads besides the Application.
func (l *live) files(s Source) {
	tolerate, _, _ := field[bool](s.helm, "ignoreMissingValueFiles")
	at := s.At + ".helm.valueFiles"
	files, _, err := field[[]any](s.helm, "valueFiles")
	switch {
	case err != nil:
		l.block(RuleValueFiles, at, err.Error(), "correct the Application")
	case len(files) == 0:
	case l.app.readsOurFiles(s) && s.hasInline():
		l.block(RuleValueFiles, at, "the Application already reads our value files, and something else of helm lies over or beside them",
			"move what it sets into the custom file, and remove "+strings.Join(inlineFields(), ", "))
	case l.app.readsOurFiles(s):
		l.Origin, l.At = OriginFiles, at
	default:
		l.valueFiles(s, files, tolerate)
	}

	at = s.At + ".helm.fileParameters"
	switch parameters, _, err := field[[]any](s.helm, "fileParameters"); {
	case err != nil:
		l.block(RuleValueFiles, at, err.Error(), "correct the Application")
	case len(parameters) > 0:
		l.block(RuleValueFiles, at, "the source reads parameters from files, which cannot be folded in", "move their content into helm.values first")
	}

	if tolerate {
		l.warn(RuleValueFiles, s.At+".helm.ignoreMissingValueFiles",
			"ignoreMissingValueFiles is not carried over: with it, a missing file would sync chart defaults", "")
	}
}

// valueFiles resolves the entries. What Argo CD refuses, and what it reads differently from one version to the next, blocks.
func (l *live) valueFiles(s Source, entries []any, tolerate bool) {
	r := resolver{live: l, chart: s, environment: l.app.environment(s), seen: map[string]string{}}
	if s.At != "spec.source" {
		r.many = true
		r.sources, _, _ = l.app.sources() // chartSource has read them
	}
	for i, entry := range entries {
		at := fmt.Sprintf("%s.helm.valueFiles[%d]", s.At, i)
		raw, ok := entry.(string)
		if !ok {
			l.block(RuleValueFiles, at, "the entry is "+typeName(entry)+"; it must be text", "correct the Application")
			continue
		}
		file, reason := r.resolve(at, raw)
		if l.app.ownsFile(file) {
			l.block(RuleValueFiles, s.At+".helm.valueFiles", "the Application reads our value files, but not just managed and then custom, as the order must be",
				"correct the list to what the Application file in the values repo says")
			return
		}
		if reason != "" {
			l.block(RuleValueFiles, at, reason, "move the file's content into helm.values first, or correct the entry")
			continue
		}
		file.Optional = tolerate
		l.Files = append(l.Files, file)
	}
}

// resolver resolves the entries of one source. Where it gives a reason, Argo CD refuses the entry, or versions differ.
type resolver struct {
	*live
	chart       Source
	many        bool // the chart's source is one of spec.sources
	sources     []Source
	environment map[string]string
	seen        map[string]string // files by repo and path, and the entries that name them
	referred    []Source
}

// resolve tells which file an entry names, or why that cannot be told.
func (r *resolver) resolve(at, raw string) (file ValueFile, reason string) {
	file = ValueFile{At: at, Source: r.chart}
	name, base := raw, r.chart.Path
	if r.chart.Chart != "" && !r.chart.oci() {
		base = "" // an archive holds the chart at its root
	}
	if r.many && strings.HasPrefix(raw, "$") {
		ref, rest, _ := strings.Cut(raw[1:], "/")
		if file.Source, reason = r.refer(ref); reason != "" {
			return file, reason
		}
		name, base = "/"+rest, ""
	}
	name, reason = r.expand(at, name)
	if reason != "" {
		return file, reason
	}
	u, err := url.Parse(name)
	switch {
	case err != nil:
		return file, "the value file's name is none that Helm can open"
	case u.Scheme != "":
		return file, "the value file is remote, and in none of the Application's sources"
	}
	file.Path = path.Join(base, name)
	if strings.HasPrefix(name, "/") {
		file.Path = path.Clean(strings.TrimLeft(name, "/"))
	}
	switch p := file.Path; {
	case p == "." || raw == "":
		return file, "the entry names a folder, and Argo CD refuses it"
	case p == "..", strings.HasPrefix(p, "../"), strings.HasPrefix(p, "/"):
		return file, "the value file lies outside of its repo, and Argo CD refuses it"
	case strings.ContainsAny(p, "*?["):
		return file, "the entry is a pattern: which files it stands for, and in which order, depends on Argo CD's version"
	case strings.ContainsAny(p, ",\"\r\n"):
		return file, "the value file's name holds a comma, a quote or a line break, which Helm takes for more than one name"
	}
	return file, r.once(file)
}

// expand replaces $NAME in a name as Argo CD does.
func (r *resolver) expand(at, name string) (out, reason string) {
	done := substitute(name, r.environment)
	switch {
	case done.changing:
		return "", "the value file's name holds the revision that is synced, which changes with every commit"
	case done.unknown:
		r.warn(RuleSubstitution, at, "the value file's name holds a $ that Argo CD replaces by nothing; the file that is left is read", "")
	}
	return done.text, ""
}

// refName is what Argo CD takes as a source's ref.
var refName = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

// refer returns the source that a ref names. Argo CD refuses an unknown one in an Application with sources; in one with a
// single source it never looks, and replaces $ref like a variable.
func (r *resolver) refer(ref string) (source Source, reason string) {
	var found []Source
	for _, s := range r.sources {
		if s.Ref == ref {
			found = append(found, s)
		}
	}
	switch {
	case !refName.MatchString(ref) || len(found) == 0:
		return Source{}, "no source has the ref that the entry begins with, so that Argo CD refuses it, or reads from the chart's own repo"
	case len(found) > 1:
		return Source{}, fmt.Sprintf("several sources have the ref %q, and Argo CD refuses them", ref)
	}
	source = found[0]
	if source.Chart != "" || source.oci() {
		return Source{}, fmt.Sprintf("the source with the ref %q is no git repo, and Argo CD refuses it", ref)
	}
	for _, other := range append(slices.Clone(r.referred), r.chart) {
		if other.Chart != "" || other.oci() || !sameRepo(other.RepoURL, source.RepoURL) {
			continue
		}
		if revision(other.TargetRevision) != revision(source.TargetRevision) {
			return Source{}, fmt.Sprintf("%s and %s name two revisions of one repo, and Argo CD refuses value files from it", other.At, source.At)
		}
	}
	r.referred = append(r.referred, source)
	if r.chart.Chart == "" && !r.chart.oci() && sameRepo(r.chart.RepoURL, source.RepoURL) {
		return r.chart, ""
	}
	return source, ""
}

// once refuses a file that an earlier entry names already.
func (r *resolver) once(file ValueFile) (reason string) {
	key := normalURL(file.Source.RepoURL) + " " + file.Path
	if other, twice := r.seen[key]; twice {
		return "the entry names the same file as " + other + ": which of both counts depends on Argo CD's version"
	}
	r.seen[key] = file.At
	return ""
}

// ownsFile reports whether a file is one of the app's two in the layout.
func (a *Application) ownsFile(f ValueFile) bool {
	id, err := a.ID()
	return err == nil && (f.Path == layout.ManagedFile(id) || f.Path == layout.CustomFile(id))
}

// OverrideFiles returns the names of files beside the chart that Argo CD merges over the Application's source when they are
// there (its mergeSourceParameters).
func (a *Application) OverrideFiles() []string {
	return []string{".argocd-source.yaml", ".argocd-source-" + a.Name() + ".yaml"}
}
