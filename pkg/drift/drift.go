// Package drift owns what the upgrade of a chart does to values: which keys of its interface came, went or changed, and which files of a values
// repo break or lose their effect. It renders nothing, and reads no disk, network or cluster: it takes charts and texts.
//
// The interface of a chart is its values.schema.json, those of its subcharts under their keys, and its values.yaml where there is none. What the
// files do is judged as Helm judges values: coalesced with the chart's (pkg/chart), and put to the schemas (pkg/schema).
package drift

import (
	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
)

// Input is what a report is made from.
type Input struct {
	Old, New Source
	// Apps are those that use the chart, of a values repo if there is one.
	Repo bool
	Apps []App
	// Unread is what is to be told of files that could not be looked at; see Users.
	Unread []finding.Finding
	// KubeVersion is the version of Kubernetes that the new chart is to run on, "" when nobody said.
	KubeVersion string
	Schemas     *schema.Cache
	Secrets     *secret.Detector
}

// Source is a chart, and how the report names where it is from.
type Source struct {
	Chart  *chart.Chart
	Origin string
}

// App is an app with its two value files.
type App struct {
	ID              app.ID
	Managed, Custom File
}

// File is the text of a value file; Data is nil where there is none.
type File struct {
	Path string
	Data []byte
}

// Verdict says in a word what an upgrade comes to.
type Verdict string

// The verdicts.
const (
	// Breaking: there can be values, or are files, that the old chart takes and the new one does not; or something could not be looked at.
	Breaking Verdict = "breaking"
	// Compatible: something is other, and nothing breaks.
	Compatible Verdict = "compatible"
	// Same: nothing is other, of what was compared.
	Same Verdict = "same"
	// Nothing: neither chart has anything to compare, which is no proof of anything.
	Nothing Verdict = "nothing-to-compare"
)

// Report is what an upgrade does. Values of files are not in it; defaults of charts are shortened, and masked where they are secret.
type Report struct {
	Verdict  Verdict           `json:"verdict"`
	Old      Side              `json:"old"`
	New      Side              `json:"new"`
	Changes  []Change          `json:"changes"`  // of the interface, sorted by path
	Cut      bool              `json:"cut"`      // some are left out for their number, others before those that break
	Findings []finding.Finding `json:"findings"` // about the charts, and about files that could not be looked at
	Repo     bool              `json:"repo"`     // a values repo was looked at
	Apps     []AppReport       `json:"apps"`     // sorted by identity
}

// Side is one of both charts, and over how much of it was looked.
type Side struct {
	Name        string   `json:"name"` // name and version
	Origin      string   `json:"origin"`
	Schemas     []string `json:"schemas"`  // the charts that have a schema which was used: "web", "web/db"
	Keys        int      `json:"keys"`     // that they know
	Defaults    int      `json:"defaults"` // leaves of the chart's own values, and of its subcharts'
	CRDs        int      `json:"crds"`     // files in crds/
	KubeVersion string   `json:"kubeVersion,omitempty"`
}

// Change is one change of the interface.
type Change struct {
	Path     string `json:"path"`
	Kind     Kind   `json:"kind"`
	Keyword  string `json:"keyword,omitempty"`
	Old      string `json:"old,omitempty"`
	New      string `json:"new,omitempty"`
	Breaking bool   `json:"breaking"`
	// Unknown tells that nobody can tell whether values break; it counts as breaking.
	Unknown bool   `json:"unknown,omitempty"`
	Text    string `json:"text"`
}

// Kind says how a key has changed: those of pkg/schema, and two more.
type Kind string

// The kinds of changes.
const (
	Came     = Kind(schema.Came)
	Went     = Kind(schema.Went)
	Narrowed = Kind(schema.Narrowed)
	Widened  = Kind(schema.Widened)
	Retyped  = Kind(schema.Retyped)
	Changed  = Kind(schema.Changed)
	// Default: the chart's own values have another value.
	Default Kind = "default"
	// Checked: a chart or subchart has a schema now, or none any more.
	Checked Kind = "checked"
)

// AppReport is what the upgrade does to the files of an app.
type AppReport struct {
	App      string            `json:"app"`
	Findings []finding.Finding `json:"findings"` // sorted by place
}

// Broken tells whether the upgrade breaks something, or whether that cannot be told.
func (r *Report) Broken() bool { return r.Verdict == Breaking || r.Verdict == Nothing }

// The rules of findings about keys, for formats that know findings alone.
const (
	ruleKeyGone     = "chart-key-gone"
	ruleKeyNarrowed = "chart-key-narrowed"
)

// All returns everything that the report finds as findings, sorted: those about the charts, about files, and of the changes those that break,
// and keys that went.
func (r *Report) All() []finding.Finding {
	var out []finding.Finding
	out = append(out, r.Findings...)
	for _, a := range r.Apps {
		out = append(out, a.Findings...)
	}
	for _, c := range r.Changes {
		f := finding.Finding{Severity: finding.Error, File: r.New.Origin, Path: c.Path, Message: c.Text, Next: "see which files set it"}
		switch {
		case c.Kind == Went && !c.Breaking:
			f.Rule, f.Severity = ruleKeyGone, finding.Warning
		case c.Kind == Went:
			f.Rule = ruleKeyGone
		case c.Breaking:
			f.Rule = ruleKeyNarrowed
		default:
			continue
		}
		out = append(out, f)
	}
	sortFindings(out)
	return out
}
