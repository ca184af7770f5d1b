package drift

import (
	"errors"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// face is a chart as values see it.
type face struct {
	source   Source
	defaults map[string]any
	part     chart.Part
	switches []values.Path
	schemas  map[string]*schema.Schema // by the path of the part's values
	keys     map[string][]schema.Keyed // as above
	findings []finding.Finding
	secrets  *secret.Detector
	hits     []secret.Hit  // in the defaults
	places   []values.Path // of the parts
	paths    []values.Path // of all keys; see all
}

func newFace(source Source, cache *schema.Cache, secrets *secret.Detector) (*face, error) {
	defaults, part, err := source.Chart.Defaults()
	if err != nil {
		return nil, err
	}
	f := &face{source: source, defaults: defaults, part: part, switches: source.Chart.Switches(), secrets: secrets, hits: secrets.Scan(defaults),
		schemas: map[string]*schema.Schema{}, keys: map[string][]schema.Keyed{}}
	f.compile(cache, part, part.Name, nil)
	return f, nil
}

// compile compiles the schemas of a part and of those below it.
func (f *face) compile(cache *schema.Cache, part chart.Part, name string, at values.Path) {
	f.places = append(f.places, at)
	if part.Schema != nil {
		s, err := cache.Compile(name, part.Schema)
		if err != nil {
			f.findings = append(f.findings, f.unusable(name, err))
		} else {
			f.schemas[at.String()] = s
			f.keys[at.String()], _ = s.Keys()
		}
	}
	for _, sub := range part.Parts {
		f.compile(cache, sub, name+"/"+sub.Name, at.Key(sub.Name))
	}
}

// unusable is the finding about a schema by which nobody can judge.
func (f *face) unusable(name string, err error) finding.Finding {
	out := finding.Finding{Rule: "schema-unusable", Severity: finding.Error, File: f.source.Origin,
		Message: "the values.schema.json of " + name + " cannot be used"}
	var e *schema.Error
	if errors.As(err, &e) {
		out.Path, out.Message, out.Next = e.Place, out.Message+": "+e.Message, e.Next
	}
	return out
}

// side says over how much of the chart is looked.
func (f *face) side() Side {
	out := Side{Name: f.source.Chart.Name(), Origin: f.source.Origin, Schemas: []string{}, KubeVersion: f.source.Chart.KubeVersion(), CRDs: len(f.source.Chart.CRDs())}
	f.count(&out, f.part, f.part.Name, nil)
	for _, leaf := range values.Leaves(f.defaults, nil) {
		m, isMap := leaf.Value.(map[string]any)
		none := isMap && len(m) == 0 && (f.isPart(leaf.Path) || isGlobal(leaf.Path[len(leaf.Path)-1])) // Helm puts it there
		if !none {
			out.Defaults++
		}
	}
	return out
}

func (f *face) count(out *Side, part chart.Part, name string, at values.Path) {
	if f.schemas[at.String()] != nil {
		out.Schemas = append(out.Schemas, name)
		out.Keys += len(f.keys[at.String()])
	}
	for _, sub := range part.Parts {
		f.count(out, sub, name+"/"+sub.Name, at.Key(sub.Name))
	}
}

func isGlobal(s values.Step) bool { return s.Key == "global" }

// isPart tells whether a subchart has its values at a path.
func (f *face) isPart(path values.Path) bool {
	part := f.part
	for _, step := range path {
		i := slices.IndexFunc(part.Parts, func(p chart.Part) bool { return p.Name == step.Key })
		if i < 0 {
			return false
		}
		part = part.Parts[i]
	}
	return true
}

// knows tells whether a chart does something with what stands at a path, as far as can be told: a schema knows it, the defaults have it, or it
// stands in a map of which neither names the keys.
func (f *face) knows(path values.Path) bool {
	for _, s := range f.switches {
		if path.HasPrefix(s) || s.HasPrefix(path) {
			return true
		}
	}
	return f.partKnows(f.part, nil, path)
}

func (f *face) partKnows(part chart.Part, at, rest values.Path) bool {
	if len(rest) == 0 || isGlobal(rest[0]) {
		return true
	}
	knowledge := schema.Silent
	if s := f.schemas[at.String()]; s != nil {
		knowledge = s.Knows(rest)
	}
	if knowledge == schema.Known {
		return true
	}
	i := slices.IndexFunc(part.Parts, func(p chart.Part) bool { return !rest[0].IsIndex && p.Name == rest[0].Key })
	if i >= 0 {
		return f.partKnows(part.Parts[i], at.Key(rest[0].Key), rest[1:])
	}
	return f.inDefaults(append(slices.Clip(at), rest...))
}

// inDefaults tells whether the chart's own values have a path, or have nothing on the way by which that could be told.
func (f *face) inDefaults(path values.Path) bool {
	var here any = f.defaults
	for _, step := range path {
		m, ok := here.(map[string]any)
		if !ok {
			return true // a text, a list or a null: what may take its place nobody says
		}
		next, ok := m[step.Key]
		if !ok || step.IsIndex {
			_, global := m["global"]
			return len(m) == 0 || len(m) == 1 && global
		}
		here = next
	}
	return true
}

// secretAt tells whether something secret stands at, above or below a path of the defaults.
func (f *face) secretAt(path values.Path) bool {
	return slices.ContainsFunc(f.hits, func(h secret.Hit) bool {
		return h.Severity != finding.Info && (h.Path.HasPrefix(path) || path.HasPrefix(h.Path))
	})
}

// shown writes a path, with keys masked that hold a secret themselves.
func (f *face) shown(path values.Path) string {
	out := slices.Clone(path)
	for i, step := range out {
		if !step.IsIndex && len(f.secrets.ScanText(step.Key)) > 0 {
			out[i].Key = masked
		}
	}
	return out.String()
}

// masked stands for what is secret.
const masked = "***"
