package reconcile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/publish"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
	"github.com/kubectl-apl/kubectl-apl/pkg/scan"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
	"github.com/kubectl-apl/kubectl-apl/pkg/valuefile"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// The rules of findings that only reconcile has.
const (
	ruleNew       = "app-not-in-git"
	ruleGate      = "gate-differs"
	ruleOrphan    = "orphan-application"
	ruleRemoved   = "application-removed"
	ruleOtherFile = "application-file"
	ruleUnseen    = "artifacts-not-rendered"
	ruleCharts    = "charts-repo-unknown"
)

// Managed reads the values that the platform computes for an app, and names where they stand. An app without any is an error that
// wraps fs.ErrNotExist.
type Managed interface {
	Read(id app.ID) (data []byte, name string, err error)
}

// Files reads the values repo.
type Files interface {
	// List returns the paths of the files of the work tree below a folder.
	List(folder string) ([]string, error)
	// ReadFile returns a file of the work tree, false when there is none.
	ReadFile(path string) (data []byte, found bool, err error)
	// HeadFile returns a file of the commit that HEAD names, false when there is none.
	HeadFile(path string) (data []byte, found bool, err error)
}

// Gate tells whether the settings in the repo have a release: on or off by the flags that why names. known is false where they do not
// say, or where nothing switches the release.
type Gate func(id app.ID) (on, known bool, why string)

// Input is what a plan is made from.
type Input struct {
	Registry *release.Registry
	Managed  Managed
	Gate     Gate
	// Live are the identities that have a live Application, nil when nobody looked. One that does not tell its identity counts for
	// each release whose app name it has.
	Live   map[app.ID]bool
	Repo   Files
	Config *config.Config
	// Artifacts is what is to become of the objects of -artifacts releases; nil leaves them alone.
	Artifacts *publish.Plan
	// Unseen are -artifacts releases whose objects are in git, and of which nobody knows what they render by now.
	Unseen []string
}

// Options are what the user chose.
type Options struct {
	// AcceptAll and Accept write the files of apps that are on and have none: they are new, and there is nothing to move.
	AcceptAll bool
	Accept    []app.ID
	// Version overrides the platform's version that the settings name.
	Version string
	// ChartsURL, ValuesURL and ValuesRevision override what the Application files in the repo refer to.
	ChartsURL, ValuesURL, ValuesRevision string
	// KeepGoing lands what can be kept although other apps are blocked.
	KeepGoing bool
	// WorkTree makes the work tree the end of it (--no-commit): a file that is right there is the same, committed or not.
	WorkTree bool
}

// New plans what makes the repo as the platform is. It writes nothing. It returns an error for a repo that cannot be read, and for a
// version, URL, registry or exception that cannot be used.
func New(ctx context.Context, in Input, options Options) (*Plan, error) {
	if in.Registry.Len() == 0 { // of a helmfile that failed: nothing would be looked at, and all be fine
		return nil, errors.New("the release registry holds no releases; write it with: helmfile list --output json")
	}
	detector := secret.New()
	scanner, err := scan.New(in.Config, detector)
	if err != nil {
		return nil, err
	}
	p := &planner{in: in, options: options, scanner: scanner, detector: detector,
		plan: &Plan{APIVersion: APIVersion, Kind: Kind, Inputs: []string{}, keepGoing: options.KeepGoing}}
	if err := p.readSettings(); err != nil {
		return nil, err
	}
	if err := p.readApplications(); err != nil {
		return nil, err
	}
	if err := p.readElsewhere(); err != nil {
		return nil, err
	}
	if err := p.readRepos(); err != nil {
		return nil, err
	}
	p.readClashes()
	for _, id := range options.Accept {
		if _, known := in.Registry.Get(id); !known {
			return nil, fmt.Errorf("--accept-new: the release registry has no release %s", id)
		}
	}
	for r := range in.Registry.All() {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("plan: %w", err)
		}
		if r.Artifacts() || app.IsTeam(r.ID.Namespace) {
			continue
		}
		d := &decision{planner: p, id: r.ID, release: r, file: p.files[r.ID]}
		d.App = App{App: r.ID.String(), Files: []File{}, Findings: []finding.Finding{}}
		if err := d.decide(); err != nil {
			return nil, err
		}
		if d.Action == "" {
			continue // off, and without a trace
		}
		slices.SortStableFunc(d.Findings, finding.Compare)
		p.plan.Apps = append(p.plan.Apps, d.App)
	}
	p.orphans()
	p.artifacts()
	p.plan.finish()
	return p.plan, nil
}

// planner holds what all decisions share.
type planner struct {
	in      Input
	options Options
	plan    *Plan
	scanner *scan.Scanner
	// detector finds keys that are secrets themselves.
	detector *secret.Detector

	settings string // the digest of the settings
	files    map[app.ID]*applicationFile
	// elsewhere says by name in which file an Application stands, clashes which other release has an app's name.
	elsewhere map[string]string
	clashes   map[app.ID]app.ID
	form      argocd.Form // less its ID
	charts    string      // the URL of the repo that the platform's charts come from
}

// readSettings reads the platform's version.
func (p *planner) readSettings() (err error) {
	if p.settings, err = valuefile.Settings(p.in.Repo); err != nil {
		return err
	}
	data, found, err := p.in.Repo.ReadFile(layout.SettingsFile)
	if err != nil {
		return fmt.Errorf("read %s: %w", layout.SettingsFile, err)
	}
	var version string
	if found {
		if version, err = platformVersion(data, p.options.Version == ""); err != nil {
			return err
		}
	}
	from := "--revision"
	if p.options.Version == "" {
		from = layout.SettingsFile + ", spec.version"
	}
	p.plan.Version = strings.TrimSpace(cmp.Or(p.options.Version, version))
	if p.plan.Version == "" {
		return nil
	}
	if err := argocd.CheckRevision(p.plan.Version); err != nil {
		return fmt.Errorf("the platform's version (%s): %w", from, err)
	}
	return nil
}

// artifacts takes the objects of -artifacts releases in. Where the settings have a release that the registry does not, its files do not
// go on the word of one of them.
func (p *planner) artifacts() {
	p.plan.Artifacts = p.in.Artifacts
	if n := len(p.in.Unseen); n > 0 {
		const most = 3
		which := strings.Join(p.in.Unseen[:min(n, most)], ", ")
		if n > most {
			which += fmt.Sprintf(" and %d more", n-most)
		}
		p.plan.Findings = append(p.plan.Findings, finding.Finding{Rule: ruleUnseen, Severity: finding.Error,
			Message: "objects of these releases are in git, and nothing says what they render by now: " + which,
			Next:    "give --charts, the checkout with the platform's charts, or --rendered; --skip-artifacts leaves them alone"})
	}
	if p.in.Artifacts == nil || p.in.Gate == nil {
		return
	}
	for _, r := range p.in.Artifacts.Releases {
		id, err := app.Parse(r.App)
		entry, _ := p.in.Registry.Get(id)
		removes := slices.ContainsFunc(r.Objects, func(o publish.Object) bool { return o.Action == publish.Remove })
		if err != nil || entry.Present() || !removes {
			continue
		}
		if on, known, why := p.in.Gate(id); known && on {
			p.plan.Findings = append(p.plan.Findings, finding.Finding{Rule: ruleGate, Severity: finding.Error, App: r.App,
				Message: "the registry says that the release is not installed, and the settings that it is: " + why + "; the files of its objects would go",
				Next:    gateNext(why)})
		}
	}
}

// platformVersion reads the version that the settings name, "" for none. One that is no text is an error where it counts: of 1.10 a
// number keeps 1.1.
func platformVersion(settings []byte, counts bool) (string, error) {
	doc, err := values.Parse(layout.SettingsFile, settings)
	if err != nil {
		return "", err
	}
	at := values.Path{}.Key("spec").Key("version")
	v, _ := values.Lookup(doc.Values, at)
	version, text := v.(string)
	if v == nil || text || !counts {
		return version, nil
	}
	line, column := doc.Position(at)
	return "", &values.Error{Name: layout.SettingsFile, Line: line, Column: column, Message: "spec.version is no text; write it in quotes, or give it with --revision"}
}

// orphans tells of Application files of platform apps that no release stands for.
func (p *planner) orphans() {
	for id, file := range p.files {
		if _, known := p.in.Registry.Get(id); known || isOperator(id) {
			continue
		}
		p.plan.Findings = append(p.plan.Findings, finding.Finding{Rule: ruleOrphan, Severity: finding.Warning, App: id.String(), File: file.path,
			Message: "the release registry has no release " + id.String() + "; the file is left alone",
			Next:    "see whether the registry is of this platform; delete the file if the app is gone for good"})
	}
	slices.SortFunc(p.plan.Findings, finding.Compare)
}
