package argocd

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

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
