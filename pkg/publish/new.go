package publish

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/scan"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
)

// ErrNoRegistry says that pruning takes the release registry.
var ErrNoRegistry = errors.New("to remove files takes the release registry: labels name a release without its namespace")

// New decides what becomes of the objects of all sources. It reads the repo, and takes the sources' streams over. A document or an
// object that cannot be written is a finding of the plan, and hides no other. The error is for what makes a plan impossible: a
// repo that cannot be read, a rule in .apl.yaml that does not exist.
func New(ctx context.Context, in Input, options Options) (*Plan, error) {
	if options.Prune && in.Registry == nil {
		return nil, ErrNoRegistry
	}
	options.Protect = cmp.Or(options.Protect, artifact.ProtectData)
	if in.Detector == nil {
		in.Detector = secret.New()
	}
	if in.Config == nil {
		in.Config = &config.Config{}
	}
	scanner, err := scan.New(in.Config, in.Detector)
	if err != nil {
		return nil, err
	}
	p := &planner{in: in, options: options, scanner: scanner, plan: &Plan{
		APIVersion: APIVersion, Kind: Kind, Protect: options.Protect, Releases: []Release{}, Findings: []finding.Finding{},
	}}
	items := p.items(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := p.place(ctx, items); err != nil {
		return nil, err
	}
	if options.Prune {
		if err := p.prune(ctx); err != nil {
			return nil, err
		}
	}
	if err := p.elsewhere(ctx); err != nil {
		return nil, err
	}
	p.end()
	return p.plan, nil
}

type planner struct {
	in         Input
	options    Options
	scanner    *scan.Scanner
	plan       *Plan
	releases   []*Release // by the index of a source
	owners     []string   // whose labels the objects of a release have
	excluded   []bool
	unlabelled []int // how many objects lack the labels of their release

	unwritten map[layout.ObjectID]bool // objects that are rendered, and refused or left out
	written   map[layout.ObjectID]placed
	taken     map[string]bool           // paths that stay or are written
	gone      map[string]bool           // paths that are removed, unless they are written
	moves     map[string]*artifact.Item // by the path that the object leaves to another, if it has that
}

// items has the objects of all sources decided about, less those of releases that are excluded.
func (p *planner) items(ctx context.Context) []artifact.Item {
	p.plan.Releases = make([]Release, len(p.in.Sources), len(p.in.Sources)+len(p.in.Skipped))
	sources := make([]artifact.Source, len(p.in.Sources))
	all := 0
	for at, s := range p.in.Sources {
		r := &p.plan.Releases[at]
		*r = Release{App: s.Release.Namespace, Source: s.Name, Reason: s.Note, Objects: []Object{}, Findings: slices.Clone(s.Findings)}
		if s.Release.Release != "" {
			r.App = s.Release.String()
		}
		reason, excluded := p.in.Config.Excluded(s.Release)
		if excluded {
			r.Reason, r.Findings, s.Stream = "excluded in .apl.yaml: "+reason, nil, nil
		}
		if s.Stream == nil {
			s.Stream = &artifact.Stream{}
		}
		if r.Reason == "" && len(s.Stream.Objects)+len(s.Stream.Problems)+len(s.Findings) == 0 {
			r.Reason = "it renders nothing"
		}
		sources[at] = s.Source
		sources[at].Stream = s.Stream
		all += len(s.Stream.Objects)
		p.releases, p.owners = append(p.releases, r), append(p.owners, s.Release.Release)
		p.excluded, p.unlabelled = append(p.excluded, excluded), append(p.unlabelled, 0)
	}
	seen := &progress{ctx: ctx, scanner: p.scanner, all: all, tell: p.options.Progress}
	items, others := artifact.Items(sources, artifact.Rules{Scopes: p.in.Scopes, Protect: p.options.Protect, Scanner: seen})
	for _, f := range others {
		at := slices.IndexFunc(p.in.Sources, func(s Source) bool { return s.Name == f.File })
		p.releases[at].Findings = append(p.releases[at].Findings, f)
	}
	for at := range items {
		p.leaveOut(&items[at])
	}
	return items
}

// end counts, and puts in order what came from several places.
func (p *planner) end() {
	plan, apps := p.plan, map[string]bool{}
	for at := range plan.Releases {
		r := &plan.Releases[at]
		if !p.excluded[at] {
			apps[r.App] = true
			plan.Summary.count(r)
		}
		slices.SortStableFunc(r.Objects, func(a, b Object) int { return cmp.Compare(a.order(), b.order()) })
		slices.SortFunc(r.Findings, finding.Compare)
		r.Findings = slices.Compact(r.Findings)
		if r.Findings == nil {
			r.Findings = []finding.Finding{}
		}
	}
	plan.Findings = append(plan.Findings, p.idle(apps)...)
	slices.SortFunc(plan.Findings, finding.Compare)
	for _, s := range p.in.Skipped {
		plan.Releases = append(plan.Releases, Release{App: s.Release.String(), Reason: s.Reason, Objects: []Object{}, Findings: []finding.Finding{}})
	}
	for path := range p.gone {
		if !p.taken[path] {
			plan.changes = append(plan.changes, gitrepo.Change{Path: path, Delete: true})
		}
	}
	slices.SortFunc(plan.changes, func(a, b gitrepo.Change) int { return strings.Compare(a.Path, b.Path) })
}

// order puts objects as they stand in their source, and those that are removed behind them.
func (o Object) order() int {
	if o.Action == Remove {
		return math.MaxInt
	}
	return o.Line
}

func (s *Summary) count(r *Release) {
	s.Releases++
	if r.Reason != "" {
		s.Empty++
	}
	for _, o := range r.Objects {
		switch o.Action {
		case Add:
			s.Add++
		case Change:
			s.Change++
		case Unchanged:
			s.Unchanged++
		case Left:
			s.Left++
		case Refused:
			s.Refused++
		case Remove:
			s.Remove++
			continue
		}
		s.Objects++
		if o.Protected && o.File != "" {
			s.Protected++
		}
	}
}

// blame adds a finding about an object of a release.
func (r *Release) blame(severity finding.Severity, rule, path, object, message, next string) {
	r.Findings = append(r.Findings, finding.Finding{Rule: rule, Severity: severity, App: r.App, File: path, Path: object, Message: message, Next: next})
}

// errRead wraps what reading the repo comes to.
func errRead(path string, err error) error { return fmt.Errorf("read %s: %w", path, err) }
