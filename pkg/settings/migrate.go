package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// planner makes one plan.
type planner struct {
	in        Input
	options   Options
	releases  []app.ID
	envelopes []*envelope
	plan      *Plan
}

// NewPlan plans to gather env/apps in env/settings/apps.yaml. It writes nothing. What is wrong with the settings is in the
// plan's findings. It returns ErrNoApps where there is nothing to plan with, and an error for what cannot be read, and for an
// exception whose rule does not exist.
func NewPlan(in Input, options Options) (*Plan, error) {
	p := &planner{in: in, options: options, releases: in.Releases}
	p.plan = &Plan{APIVersion: APIVersion, Kind: Kind, File: layout.AppsFile, Effect: Same, Apps: []App{}, Removed: []string{}, Findings: []finding.Finding{}}
	if p.releases == nil {
		p.releases = platform()
	}
	if err := p.checkExceptions(); err != nil {
		return nil, err
	}
	if err := p.readPlatform(); err != nil {
		return nil, err
	}
	p.envelopes, p.plan.Findings = readEnvelopes(in.Files)
	if err := p.make(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(p.plan.Findings, finding.Compare)
	if p.plan.Refused() {
		p.plan.changes, p.plan.Effect, p.plan.Removed = nil, Refused, []string{}
		p.plan.Reason = "errors stand against it"
	}
	return p.plan, nil
}

func (p *planner) make() error {
	there, found, err := p.in.Read(layout.AppsFile)
	switch {
	case err != nil:
		return fmt.Errorf("read %s: %w", layout.AppsFile, err)
	case len(p.envelopes) == 0 && p.plan.Refused():
		return nil
	case len(p.envelopes) == 0 && !found:
		return ErrNoApps
	case len(p.envelopes) == 0:
		p.plan.Reason = layout.AppsDir + " is gone, and " + layout.AppsFile + " stays as it is"
		return nil
	}
	c, err := compose(p.envelopes, p.options.FlagsOnly)
	if err != nil {
		return err
	}
	for _, e := range p.envelopes {
		if err := p.app(e); err != nil {
			return err
		}
	}
	p.lostComments(c)
	data, err := p.decide(c, there, found)
	if err != nil {
		return err
	}
	if p.plan.Effect != Same {
		p.plan.changes = append(p.plan.changes, Change{Path: layout.AppsFile, Data: data})
	}
	p.remove()
	return p.scan(data)
}

// app adds what there is to say of an app.
func (p *planner) app(e *envelope) error {
	kept := e.kept(p.options.FlagsOnly)
	a := App{Name: e.name, File: e.file, Flags: []FlagValue{}, Releases: []string{}}
	show := p.shower(nil)
	for _, leaf := range values.Leaves(flagsIn(e.name, e.spec), nil) {
		if on, ok := leaf.Value.(bool); ok {
			a.Flags = append(a.Flags, FlagValue{Path: show.path(leaf.Path).String(), Value: on})
		}
	}
	if len(kept) > 0 {
		a.Settings = len(values.Leaves(kept, nil))
	}
	raw, findings, err := p.raws(e)
	if err != nil {
		return err
	}
	a.Raw = raw
	p.plan.Findings = append(p.plan.Findings, findings...)
	if p.options.FlagsOnly {
		a.Dropped = p.dropped(e, kept)
	}
	for _, id := range releasesOf(e.name, p.releases) {
		a.Releases = append(a.Releases, id.String())
	}
	if len(a.Releases) == 0 {
		line, column := e.doc.Position(values.Path{}.Key("metadata").Key("name"))
		p.plan.Findings = append(p.plan.Findings, finding.Finding{Rule: "settings-unknown-app", Severity: finding.Warning, App: e.name,
			File: e.file, Line: line, Column: column, Message: "no release of the platform reads the settings of this app; they are carried over all the same",
			Next: "remove the file if the app is gone for good"})
	}
	p.plan.Apps = append(p.plan.Apps, a)
	return nil
}

// dropped lists what flags-only leaves out, _rawValues apart.
func (p *planner) dropped(e *envelope, kept map[string]any) []Dropped {
	full := e.kept(false)
	show := p.shower(map[string]any{e.name: full})
	var out []Dropped
	rest := without(full, kept)
	if len(rest) == 0 {
		return nil
	}
	for _, leaf := range values.Leaves(rest, nil) {
		d := Dropped{}
		d.Path, d.Value = show.leaf(e.name, leaf)
		out = append(out, d)
	}
	return out
}

// lostComments tells where comments stand that apps.yaml does not have.
func (p *planner) lostComments(c *composed) {
	lines := map[string][]string{}
	for _, l := range c.lost {
		lines[l.file] = append(lines[l.file], fmt.Sprint(l.line))
	}
	for _, e := range p.envelopes {
		if at := lines[e.file]; len(at) > 0 {
			p.plan.Findings = append(p.plan.Findings, finding.Finding{Rule: "settings-comments", Severity: finding.Info, App: e.name, File: e.file,
				Message: "comments are not carried over, those of lines " + strings.Join(at, ", "), Next: "add them by hand if they still say something"})
		}
	}
}
