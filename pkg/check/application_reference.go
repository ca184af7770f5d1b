package check

import (
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// reference: exactly one source is called as $values refers to it. It is the values repo, and deploys nothing.
func (s *subject) reference() []placed {
	if s.chart < 0 || s.inline {
		return nil
	}
	if len(s.refs) == 0 {
		return s.noReference()
	}
	var out []placed
	seen := 0
	for _, i := range s.refs {
		source, at := s.sources[i], s.at(i)
		if i == s.chart {
			out = append(out, shape(at.Key("ref"), "the chart's source has the ref values, so that value files are looked for in the chart's repo", "remove ref: the values repo has a source of its own")...)
			continue
		}
		if seen++; seen > 1 {
			out = append(out, shape(at.Key("ref"), "a second source has the ref values, and Argo CD refuses them", "remove one of both")...)
			continue
		}
		out = append(out, s.valuesRepo(source, at)...)
	}
	return out
}

// valuesRepo checks the source that $values refers to.
func (s *subject) valuesRepo(source argocd.Source, at values.Path) []placed {
	const refused = ", and Argo CD refuses value files from it"
	switch chart := s.sources[s.chart]; {
	case source.Chart != "":
		return shape(at.Key("chart"), "the source with the ref values has a chart"+refused, "remove chart")
	case source.OCI():
		return shape(at.Key("repoURL"), "the source with the ref values is no git repo"+refused, "write the values repo's URL")
	case source.Path != "":
		return shape(at.Key("path"), "the source with the ref values has a path, so that Argo CD deploys what lies there with the app", "remove path")
	case source.RepoURL == "":
		return shape(at.Key("repoURL"), "the source with the ref values names no repo", "write the values repo's URL")
	case source.SameRepo(chart) && !source.SameRevision(chart):
		return shape(at.Key("targetRevision"), "the chart comes from the same repo at another revision, and Argo CD refuses both together", "name one revision in both")
	}
	return nil
}

// noReference tells that $values refers to nothing, at the source that is meant where only one can be.
func (s *subject) noReference() []placed {
	meant := -1
	for i, source := range s.sources {
		switch {
		case i == s.chart, !s.lacksRef(i) && source.Renders():
		case meant >= 0:
			return shape(s.at(-1), noRef, addRef)
		default:
			meant = i
		}
	}
	if meant < 0 {
		return shape(s.at(-1), noRef, addRef)
	}
	return shape(s.at(meant).Key("ref"), noRef, "write ref: "+layout.ValuesRef)
}

const (
	noRef  = "no source has the ref values, by which value files are read"
	addRef = "add the source of the values repo, with ref: " + layout.ValuesRef
)
