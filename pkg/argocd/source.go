package argocd

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// ErrSource is wrapped by ChartSource when no single Helm source renders the Application.
var ErrSource = errors.New("no single Helm source")

// Source is one source of an Application: spec.source, or an entry of spec.sources.
type Source struct {
	// At is where it stands: spec.source or spec.sources[1].
	At string
	// RepoURL can hold credentials; show it by RedactURL.
	RepoURL string
	// Path is the chart's folder in a git repo, Chart its name in a Helm repository: one of both is set.
	Path, Chart    string
	TargetRevision string
	// Ref is the name by which other sources read value files from this one.
	Ref string

	tree, helm map[string]any
}

// ChartSource returns the one source that renders the Application's chart. The error wraps ErrSource and gives the reason
// why there is none: no source at all, a sourceHydrator, several sources that render, or one that is not Helm's.
func (a *Application) ChartSource() (Source, error) {
	source, reason := a.chartSource()
	if reason != nil {
		return Source{}, fmt.Errorf("%w: %s", ErrSource, reason.Message)
	}
	return source, nil
}

// chartSource is ChartSource with the reason as a finding.
func (a *Application) chartSource() (Source, *finding.Finding) {
	refuse := func(path, message, next string) (Source, *finding.Finding) {
		f := a.finding(finding.Error, RuleSource, path, message, next)
		return Source{}, &f
	}
	if a.spec()["sourceHydrator"] != nil {
		return refuse("spec.sourceHydrator", "spec.sourceHydrator is set; it wins over source and sources, and is not supported",
			"turn the source hydrator off for this Application")
	}
	sources, _, err := a.sources()
	if err != nil {
		return refuse("spec", err.Error(), "correct the Application")
	}
	rendering := slices.DeleteFunc(slices.Clone(sources), func(s Source) bool { return !s.renders() })
	switch len(rendering) {
	case 0:
		return refuse("spec.source", "the Application has no source that renders a chart", "give it one, or exclude it")
	case 1:
	default:
		return refuse("spec.sources", fmt.Sprintf("%d sources render objects; only one chart source can be moved", len(rendering)),
			"keep one chart source in this Application")
	}
	s := rendering[0]
	if other := s.otherTool(); other != "" {
		return refuse(s.At+"."+other, fmt.Sprintf("the source is of type %s, not Helm", other), "exclude the app in "+layout.ConfigFile)
	}
	if s.Chart == "" && s.Path == "" && !s.oci() {
		return refuse(s.At, "the source names neither a chart nor a path", "correct the Application")
	}
	return s, nil
}

// sources returns the sources that Argo CD renders: spec.sources when it holds any, or else spec.source (its GetSources).
// dead tells that spec.source stands beside spec.sources and is ignored.
func (a *Application) sources() (list []Source, dead bool, err error) {
	many, _, err := field[[]any](a.spec(), "sources")
	if err != nil {
		return nil, false, fmt.Errorf("spec.%w", err)
	}
	one, single, err := field[map[string]any](a.spec(), "source")
	if err != nil {
		return nil, false, fmt.Errorf("spec.%w", err)
	}
	if len(many) == 0 {
		if !single {
			return nil, false, nil
		}
		s, err := newSource("spec.source", one)
		s.Ref = "" // Argo CD ignores the ref of a single source
		return []Source{s}, false, err
	}
	for i, entry := range many {
		at := fmt.Sprintf("spec.sources[%d]", i)
		tree, ok := entry.(map[string]any)
		if !ok {
			return nil, false, fmt.Errorf("%s is %s; it must be a map", at, typeName(entry))
		}
		s, err := newSource(at, tree)
		if err != nil {
			return nil, false, err
		}
		list = append(list, s)
	}
	return list, single, nil
}

func newSource(at string, tree map[string]any) (Source, error) {
	s := Source{At: at, tree: tree}
	for _, f := range []struct {
		key  string
		into *string
	}{
		{"repoURL", &s.RepoURL},
		{"path", &s.Path},
		{"chart", &s.Chart},
		{"targetRevision", &s.TargetRevision},
		{"ref", &s.Ref},
	} {
		value, _, err := field[string](tree, f.key)
		if err != nil {
			return Source{}, fmt.Errorf("%s.%w", at, err)
		}
		*f.into = value
	}
	helm, _, err := field[map[string]any](tree, "helm")
	if err != nil {
		return Source{}, fmt.Errorf("%s.%w", at, err)
	}
	s.helm = helm
	return s, nil
}

// renders reports whether Argo CD makes objects of the source. One that is only referred to makes none; one with a ref
// and a path makes what lies there (its repo server's rule).
func (s Source) renders() bool {
	return s.Ref == "" || s.Chart != "" || s.Path != "" || s.oci()
}

func (s Source) oci() bool { return strings.HasPrefix(s.RepoURL, "oci://") }

// otherTool returns the field that makes the source another tool's than Helm's, or "". An empty kustomize or directory says
// nothing (Argo CD removes it), an empty plugin asks for one to be found.
func (s Source) otherTool() string {
	switch {
	case !zero(s.tree["kustomize"]):
		return "kustomize"
	case !zero(s.tree["directory"]):
		return "directory"
	case s.tree["plugin"] != nil:
		return "plugin"
	}
	return ""
}

// readsOurFiles reports whether the source reads exactly the two value files of the values repo that belong to the app, in
// their order.
func (a *Application) readsOurFiles(s Source) bool {
	id, err := a.ID()
	if err != nil {
		return false // no identity, so no files
	}
	files, _, err := field[[]any](s.helm, "valueFiles")
	if err != nil || s.At == "spec.source" {
		return false // a single source has nothing that $values could refer to
	}
	return slices.Equal(files, toList(layout.ValueFiles(id)))
}

// valuesRef returns the source that $values refers to, and whether there is exactly one that renders nothing.
func (a *Application) valuesRef() (Source, bool) {
	sources, _, err := a.sources()
	if err != nil {
		return Source{}, false
	}
	var found []Source
	for _, s := range sources {
		if s.Ref == layout.ValuesRef {
			found = append(found, s)
		}
	}
	if len(found) != 1 || found[0].renders() {
		return Source{}, false
	}
	return found[0], true
}

func toList(items []string) []any {
	out := make([]any, len(items))
	for i := range items {
		out[i] = items[i]
	}
	return out
}

// HelmOptions are the options of a Helm source, besides values, that decide what is rendered.
type HelmOptions struct {
	// Namespace and KubeVersion replace the destination's and the cluster's, "" when they are not set; APIVersions replace the
	// cluster's when there are any.
	Namespace, KubeVersion                    string
	APIVersions                               []string
	SkipCRDs, SkipTests, SkipSchemaValidation bool
}

// HelmOptions reads the options of a Helm source. What has another type than it must have is passed over: Argo CD's API
// server refuses it.
func (s Source) HelmOptions() HelmOptions {
	out := HelmOptions{Namespace: text(s.helm, "namespace"), KubeVersion: text(s.helm, "kubeVersion")}
	out.SkipCRDs, _, _ = field[bool](s.helm, "skipCrds")
	out.SkipTests, _, _ = field[bool](s.helm, "skipTests")
	out.SkipSchemaValidation, _, _ = field[bool](s.helm, "skipSchemaValidation")
	versions, _, _ := field[[]any](s.helm, "apiVersions")
	for _, v := range versions {
		if version, ok := v.(string); ok {
			out.APIVersions = append(out.APIVersions, version)
		}
	}
	return out
}
