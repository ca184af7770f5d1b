package check

import (
	"fmt"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// placed is a finding about something in a document, and where in it that is.
type placed struct {
	finding.Finding

	at values.Path
}

// Application checks a platform app's Application by itself: its shape, the order of its value files, and that nothing is inline. It is
// what admission asks too. The findings have a path in the Application, which can be that of what it lacks, and no file. See Binds for
// which Applications that is.
func Application(a *argocd.Application) []finding.Finding {
	var out []finding.Finding
	s := newSubject(a)
	for _, p := range application(s) {
		p.App, p.Path = s.name(), p.at.String()
		out = append(out, p.Finding)
	}
	return out
}

// subject is an Application, and what several rules need to know of it.
type subject struct {
	*argocd.Application

	// id is the app that the Application is meant for: see meant. known is false where nothing tells.
	id    app.ID
	known bool
	// sources are those that Argo CD renders. broken tells that one of them cannot be read, and that there are none here.
	sources []argocd.Source
	broken  bool
	// inline tells that spec.source stands alone: the Application is not moved.
	inline bool
	// dead tells that spec.source stands beside sources.
	dead bool
	// chart is the index in sources of the one that renders the app's chart, -1 for none; refs are those that $values refers to.
	chart int
	refs  []int
}

// maxFaults bounds what is told of one Application.
const maxFaults = 100

// application lists what is wrong with an Application. Rules are asked in this order; a place that has a value of the wrong type is
// told as that, and as nothing else.
func application(s *subject) []placed {
	wrong := s.types()
	out := slices.Clone(wrong)
	for _, rule := range []func(*subject) []placed{
		(*subject).namespace, (*subject).identity, (*subject).label, (*subject).protection, (*subject).finalizers,
		(*subject).destination, (*subject).project, (*subject).syncPolicy,
		(*subject).hydrator, (*subject).form, (*subject).charts, (*subject).tool, (*subject).reference,
		(*subject).inlineValues, (*subject).valueFiles, (*subject).tolerance,
	} {
		for _, p := range rule(s) {
			if !slices.ContainsFunc(wrong, func(w placed) bool { return p.at.HasPrefix(w.at) }) {
				out = append(out, p)
			}
		}
	}
	if more := len(out) - maxFaults; more > 0 {
		out = append(out[:maxFaults], shape(nil, fmt.Sprintf("and %d more", more), "correct these first")...)
	}
	return out
}

func newSubject(a *argocd.Application) *subject {
	s := &subject{Application: a, chart: -1}
	s.id, s.known = meant(a)
	sources, dead, err := a.Sources()
	if s.sources, s.dead, s.broken = sources, dead, err != nil; s.broken {
		return s // types tells where
	}
	s.inline = len(sources) == 1 && sources[0].At == inlineSource().String()
	s.chart, s.refs = chartAndRefs(sources)
	return s
}

// name is how findings call the app.
func (s *subject) name() string {
	if s.known {
		return s.id.String()
	}
	return s.Name()
}

// found makes a finding of severity error.
func found(at values.Path, rule, message, next string) placed {
	return placed{at: at, Finding: finding.Finding{Rule: rule, Severity: finding.Error, Message: message, Next: next}}
}

// shape is found of the rule application-shape, alone in a list.
func shape(at values.Path, message, next string) []placed {
	return []placed{found(at, RuleShape, message, next)}
}

// warned makes warnings of findings.
func warned(list []placed) []placed {
	for i := range list {
		list[i].Severity = finding.Warning
	}
	return list
}

// keys is the path of nested keys.
func keys(names ...string) values.Path {
	var out values.Path
	for _, name := range names {
		out = out.Key(name)
	}
	return out
}
