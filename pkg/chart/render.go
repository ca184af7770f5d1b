package chart

import (
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

const (
	// maxRender bounds what one rendering writes, in bytes. The largest chart of a platform comes to some 4 MB, CRDs included.
	maxRender = 256 << 20
	// maxRenderTime bounds one rendering. Argo CD gives its repo server 60 seconds.
	maxRenderTime = time.Minute
)

// ErrRender is wrapped where Helm refuses to render: a template fails, the values break the chart's schema, or the chart
// wants another Kubernetes.
var ErrRender = errors.New("the chart does not render")

// Rendering is what a chart is rendered with. Kubernetes is an input: Helm's own default is years old.
type Rendering struct {
	Release, Namespace string
	// Values are the user-supplied ones.
	Values map[string]any
	// KubeVersion is the cluster's version, with or without "v"; APIVersions come on top of those that Helm knows.
	KubeVersion string
	APIVersions []string
	// SkipCRDs leaves out the folders crds/, SkipSchema does not validate.
	SkipCRDs, SkipSchema bool
	// Known are documents of an earlier rendering: those that come out the same are not read again.
	Known []Document
}

// Document is one rendered document.
type Document struct {
	// Source is the template, from the chart's name on: web/templates/service.yaml.
	Source string
	Text   string
	// Hook tells that Helm's annotation makes it a hook, Test that it is one of helm test alone.
	Hook, Test bool
}

// Render renders the chart as `helm template --include-crds` does, which is how Argo CD calls Helm: disabled subcharts
// dropped, values validated, CRDs and hooks too, no NOTES. lookup finds nothing. Documents come in the order of their
// templates, CRDs first, and each of them is YAML. Templates can be random: two renderings of the same input need not be
// equal.
//
// The error wraps ErrRender, and says where in which template; it quotes no value. A rendering that does not end within a
// minute, or with ctx, is given up; its goroutine cannot be killed, and ends when the template does.
func (c *Chart) Render(ctx context.Context, in Rendering) ([]Document, error) {
	ctx, cancel := context.WithTimeout(ctx, maxRenderTime)
	defer cancel()
	type result struct {
		documents []Document
		err       error
	}
	done := make(chan result, 1)
	go func() {
		documents, err := c.render(in)
		done <- result{documents, err}
	}()
	select {
	case <-ctx.Done():
		return nil, fmt.Errorf("render chart %s: %w", c.chart.Name(), ctx.Err())
	case r := <-done:
		if r.err != nil {
			return nil, fmt.Errorf("render chart %s: %w", c.chart.Name(), r.err)
		}
		return r.documents, nil
	}
}

func (c *Chart) render(in Rendering) ([]Document, error) {
	capabilities, err := in.capabilities()
	if err != nil {
		return nil, err
	}
	if err := installable(c.chart); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRender, err)
	}
	own, supplied := clone(c.chart), values.Plain(in.Values)
	if err := chartutil.ProcessDependenciesWithMerge(own, supplied); err != nil {
		return nil, fmt.Errorf("%w: process dependencies: %w", ErrRender, refusal(c.chart, err, supplied))
	}
	if want := own.Metadata.KubeVersion; want != "" && !chartutil.IsCompatibleRange(want, capabilities.KubeVersion.String()) {
		return nil, fmt.Errorf("%w: it wants Kubernetes %s, and this is %s", ErrRender, want, capabilities.KubeVersion.String())
	}
	if !in.SkipSchema {
		if ref := outsideRef(own); ref != "" {
			return nil, fmt.Errorf("%w: its values.schema.json refers to %q, which is not in the chart and is not fetched", ErrRender, ref)
		}
	}
	options := chartutil.ReleaseOptions{Name: in.Release, Namespace: in.Namespace, Revision: 1, IsInstall: true}
	visible, err := chartutil.ToRenderValuesWithSchemaValidation(own, supplied, options, capabilities, in.SkipSchema)
	if err != nil && strings.Contains(err.Error(), schemaRefuses) {
		return nil, fmt.Errorf("%w: %w", ErrRender, schemaRefusal(err.Error()))
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRender, refusal(c.chart, err, supplied))
	}
	files, err := engine.Engine{}.Render(own, visible)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRender, templateRefusal(err))
	}
	return in.documents(own, files)
}

// installable refuses what Helm's install action refuses before it renders: a library, and a chart whose Chart.yaml names
// subcharts that are not in its folder. The engine would go on without them, on both sides of a comparison alike.
func installable(c *chart.Chart) error {
	if kind := c.Metadata.Type; kind != "" && kind != "application" {
		return fmt.Errorf("it is a %s chart, which renders nothing of its own", kind)
	}
	var missing []string
	for _, wanted := range c.Metadata.Dependencies {
		there := slices.ContainsFunc(c.Dependencies(), func(d *chart.Chart) bool { return d.Name() == wanted.Name })
		if !there {
			missing = append(missing, wanted.Name)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("its folder charts/ lacks %s, which Chart.yaml names; helm dependency build fetches it", strings.Join(missing, ", "))
	}
	return nil
}

func (in Rendering) capabilities() (*chartutil.Capabilities, error) {
	out := chartutil.DefaultCapabilities.Copy()
	version, err := chartutil.ParseKubeVersion(in.KubeVersion)
	if err != nil {
		return nil, fmt.Errorf("%q is no Kubernetes version", in.KubeVersion)
	}
	out.KubeVersion = *version
	out.APIVersions = append(slices.Clone(out.APIVersions), in.APIVersions...)
	return out, nil
}

// Where Helm's errors say that something went wrong, before they say what, which can quote values.
var (
	templatePlace = regexp.MustCompile(`(?:at|in) \(([^()\s]+?\.(?:ya?ml|tpl|txt|json)(?::\d+)*(?::\d+)?)\)`)
	templateName  = regexp.MustCompile(`template: ([^\s:]+(?::\d+){0,2})`)
	yamlPlace     = regexp.MustCompile(`(?:error parsing|on) ([^\s:]+\.(?:ya?ml|tpl|json))`)
	yamlLine      = regexp.MustCompile(`line (\d+)`)
	schemaChart   = regexp.MustCompile(`(?m)^([A-Za-z0-9_.-]+):$`)
	schemaPath    = regexp.MustCompile(`(?m)^- at '([^']*)'`)
	function      = regexp.MustCompile(`error calling ([A-Za-z0-9]+)`)
)

// templateRefusal is the engine's error less what it quotes: where, and which function of the template failed. What a chart
// itself says by `fail` or `required` is often made of values, so that it is left out too.
func templateRefusal(err error) error {
	text := err.Error()
	where := "a template"
	if m := templatePlace.FindStringSubmatch(text); m != nil {
		where = m[1]
	} else if m := templateName.FindStringSubmatch(text); m != nil {
		where = m[1]
	}
	what := "it fails"
	switch m := function.FindAllStringSubmatch(text, -1); {
	case len(m) > 0 && m[len(m)-1][1] != "include" && m[len(m)-1][1] != "tpl":
		what = "function " + m[len(m)-1][1] + " fails"
	case strings.Contains(text, "nil pointer evaluating"):
		what = "a value that it goes into is missing"
	case strings.HasPrefix(text, "execution error at"):
		what = "the chart refuses the values (fail or required)"
	case strings.Contains(text, "parse error"):
		what = "it does not parse"
	}
	return fmt.Errorf("%s: %s; helm template shows its words", where, what)
}

// schemaRefuses is in what Helm says of values that a schema refuses.
const schemaRefuses = "don't meet the specifications of the schema"

// schemaRefusal is what the schema's validation says, less the values.
func schemaRefusal(text string) error {
	var places []string
	for _, m := range schemaPath.FindAllStringSubmatch(text, -1) {
		places = append(places, "."+strings.ReplaceAll(strings.Trim(m[1], "/"), "/", "."))
	}
	if m := schemaChart.FindStringSubmatch(text); len(places) == 0 && m != nil {
		places = append(places, "chart "+m[1])
	}
	slices.Sort(places)
	const most = 5
	places = slices.Compact(places)
	if len(places) > most {
		places = append(places[:most], "more")
	}
	return fmt.Errorf("its values.schema.json refuses the values at %s", strings.Join(places, ", "))
}

// yamlRefusal says which rendered file is no YAML.
func yamlRefusal(err error) error {
	where, text := "a rendered file", err.Error()
	if m := yamlPlace.FindStringSubmatch(text); m != nil {
		where = path.Clean(m[1])
	}
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		where += ", line " + m[1] + " of what it renders"
	}
	return fmt.Errorf("%s is no YAML", where)
}
