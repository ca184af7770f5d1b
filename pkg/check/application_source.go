package check

import (
	"fmt"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// chartAndRefs tells the sources of an Application apart: the one that renders the app's chart, -1 for none, and those that $values
// refers to. Where several render, the chart is the one that has value files.
func chartAndRefs(sources []argocd.Source) (chart int, refs []int) {
	chart = -1
	for i, s := range sources {
		isRef := s.Ref == layout.ValuesRef
		if isRef {
			refs = append(refs, i)
		}
		if !s.Renders() || isRef && s.Helm() == nil {
			continue
		}
		if chart < 0 || s.Helm()["valueFiles"] != nil && sources[chart].Helm()["valueFiles"] == nil {
			chart = i
		}
	}
	return chart, refs
}

// hydrator: it decides what is synced, whatever the sources say.
func (s *subject) hydrator() []placed {
	at := keys("spec", "sourceHydrator")
	spec, _ := s.Object()["spec"].(map[string]any)
	if spec["sourceHydrator"] == nil {
		return nil
	}
	return shape(at, "spec.sourceHydrator is set, and wins over the sources: no value file is read", "remove it")
}

// form: the sources stand in spec.sources. What stands in spec.source beside them is dead.
func (s *subject) form() []placed {
	switch {
	case s.inline:
		next := "kubectl apl migrate moves it to value files"
		if s.known {
			next = "move it: kubectl apl migrate " + s.id.String()
		}
		return []placed{found(inlineSource(), RuleInline, "the Application is not moved: spec.source holds the chart and its values, and no value file is read", next)}
	case s.dead:
		return warned(shape(inlineSource(), "spec.source is dead: Argo CD reads spec.sources, and no condition tells of it", "remove spec.source"))
	case s.sources == nil && !s.broken:
		return shape(keys("spec", "sources"), "the Application has no sources", "give it the chart's source, and that of the values repo")
	}
	return nil
}

// charts: one source renders the app's chart, and none anything else.
func (s *subject) charts() []placed {
	if len(s.sources) == 0 || s.inline {
		return nil
	}
	if s.chart < 0 {
		return shape(s.at(-1), "no source renders a chart", "give the Application the source of its chart")
	}
	var out []placed
	for i, source := range s.sources {
		if i != s.chart && source.Renders() && source.Ref != layout.ValuesRef && !s.lacksRef(i) {
			out = append(out, shape(s.at(i), "a second source renders objects; an app has the source of its chart, and that of the values repo",
				"remove it; objects that the app needs besides are manifests in "+layout.ManifestsDir)...)
		}
	}
	return out
}

// lacksRef tells whether a source can be the values repo's that has lost its ref: it names a repo, and nothing in it.
func (s *subject) lacksRef(i int) bool {
	source := s.sources[i]
	return len(s.refs) == 0 && source.Chart == "" && source.Path == "" && !source.OCI() && source.Helm() == nil
}

// tool: Helm renders the chart, and what it is can be told.
func (s *subject) tool() []placed {
	if s.chart < 0 || s.inline {
		return nil
	}
	source, at := s.sources[s.chart], s.at(s.chart)
	switch other := source.OtherTool(); {
	case other != "":
		return shape(at.Key(other), fmt.Sprintf("Argo CD renders the source by %s and not by Helm: no value file is read", other), "remove "+other)
	case source.RepoURL == "":
		return shape(at.Key("repoURL"), "the chart's source names no repo", "write its repoURL")
	case source.Chart == "" && source.Path == "" && !source.OCI():
		return shape(at.Key("path"), "the chart's source names neither a path nor a chart", "write its path")
	case source.Chart != "" && source.Path != "":
		return shape(at.Key("path"), "the chart's source names both a chart and a path", "keep the one that is meant")
	case source.Chart != "" && source.TargetRevision == "":
		return shape(at.Key("targetRevision"), "the chart has no version, and Argo CD refuses a chart of a Helm repository without one", "write its targetRevision")
	}
	return nil
}
