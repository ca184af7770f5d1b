package settings

import (
	"fmt"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// home is where the platform puts the _rawValues of an app: into the values of a release, below a path. Nowhere tells that
// it puts them into none, so that they never had an effect.
type home struct {
	id      app.ID
	below   values.Path
	nowhere bool
}

// homeOf returns where _rawValues of an app go, and whether that is known. They go to the root of the release that is
// called as the app is, but for those that the platform's templates hand to another release, or to none.
func homeOf(name string, releases []app.ID) (home, bool) {
	stack := app.ID{Namespace: "monitoring", Release: "prometheus-operator"}
	switch name {
	case "prometheus":
		return home{id: stack}, true
	case "alertmanager", "grafana":
		return home{id: stack, below: values.Path{}.Key(name)}, true
	case "tekton":
		return home{id: app.ID{Namespace: "tekton-pipelines", Release: "tekton-pipelines"}}, true
	case "cnpg", "istio", "knative", "otel", "trivy", "oauth2-proxy-redis", "promtail", "git-server":
		return home{nowhere: true}, true
	}
	i := slices.IndexFunc(releases, func(id app.ID) bool { return id.Release == name })
	if i < 0 {
		return home{}, false
	}
	return home{id: releases[i]}, true
}

// RawState says what has become of a value of _rawValues.
type RawState string

// The states of a raw value.
const (
	RawKept     RawState = "kept"      // the release's value files in the repo hold it
	RawDiffers  RawState = "differs"   // they hold another value there, or none any more, which is newer
	RawPending  RawState = "pending"   // the release has not been moved to value files yet
	RawNoEffect RawState = "no effect" // the platform never put it anywhere
	RawUnknown  RawState = "unknown"   // it is not known where the platform puts it
)

// Raw is one value of _rawValues, which apps.yaml has no place for: what it is, and where it lives on.
type Raw struct {
	Path  string   `json:"path"`  // below _rawValues
	Value string   `json:"value"` // on one line, *** where it is secret
	State RawState `json:"state"`
	App   string   `json:"app,omitempty"`    // the release that it goes to
	File  string   `json:"file,omitempty"`   // its custom file
	There string   `json:"there,omitempty"`  // the path in that file
	Line  int      `json:"line,omitempty"`   // where it stands in the envelope
	Col   int      `json:"column,omitempty"` // the same
}

// raws lists what stands below _rawValues of an app, and warns of what is not in git elsewhere.
func (p *planner) raws(e *envelope) ([]Raw, []finding.Finding, error) {
	at := values.Path{}.Key("spec").Key(rawKey)
	value, ok := values.Lookup(e.doc.Values, at)
	tree, isMap := value.(map[string]any)
	if !ok || value == nil || isMap && len(tree) == 0 {
		return nil, nil, nil
	}
	to, known := homeOf(e.name, p.releases)
	var there map[string]any
	if known && !to.nowhere {
		var err error
		if there, err = p.valueFiles(to.id); err != nil {
			return nil, nil, err
		}
	}
	show := p.shower(map[string]any{e.name: value}) // which can be a list or text, too
	var out []Raw
	for _, leaf := range values.Leaves(value, nil) {
		r := Raw{State: RawUnknown}
		r.Path, r.Value = show.leaf(e.name, leaf)
		r.Line, r.Col = e.doc.Position(append(slices.Clip(at), leaf.Path...))
		switch path := append(slices.Clip(to.below), leaf.Path...); {
		case !known:
		case to.nowhere:
			r.State = RawNoEffect
		default:
			r.App, r.File, r.There = to.id.String(), layout.CustomFile(to.id), show.path(path).String()
			r.State = rawState(there, path, leaf.Value)
		}
		out = append(out, r)
	}
	return out, p.warnOfRaw(e, at, out), nil
}

// rawState compares a raw value with what the value files of its release say; nil where there are none.
func rawState(there map[string]any, path values.Path, value any) RawState {
	got, ok := values.Lookup(there, path)
	switch {
	case there == nil:
		return RawPending
	case ok && values.Equal(got, value):
		return RawKept
	}
	return RawDiffers // or taken out since
}

// valueFiles returns the values that the repo has for a release; nil for a release that has not been moved.
func (p *planner) valueFiles(id app.ID) (map[string]any, error) {
	var merged map[string]any
	for _, path := range []string{layout.ManagedFile(id), layout.CustomFile(id)} {
		data, found, err := p.in.Read(path)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		if !found {
			return nil, nil
		}
		doc, err := values.Parse(path, data)
		if err != nil {
			return nil, fmt.Errorf("read values: %w", err)
		}
		merged = values.Merge(merged, doc.Values)
	}
	return merged, nil
}

func (p *planner) warnOfRaw(e *envelope, at values.Path, list []Raw) []finding.Finding {
	f := finding.Finding{Rule: "settings-raw", Severity: finding.Warning, App: e.name, File: e.file, Path: at.String()}
	f.Line, f.Column = e.doc.Position(at)
	switch has := func(state RawState) bool {
		return slices.ContainsFunc(list, func(r Raw) bool { return r.State == state })
	}; {
	case has(RawPending):
		f.Message = layout.AppsFile + " has no place for these values, and " + list[0].File + " does not hold them yet"
		f.Next = "move the release before the platform reads " + layout.AppsFile + ": kubectl apl migrate " + list[0].App
	case has(RawUnknown):
		f.Message = "no release is called " + e.name + ", so that it is not known whether these values have an effect"
		f.Next = "give the registry with --releases; if they have none there either, see which release has them"
	case has(RawDiffers):
		f.Severity = finding.Info
		f.Message = "the value files of " + list[0].App + " say otherwise, and count"
	default:
		return nil
	}
	return []finding.Finding{f}
}
