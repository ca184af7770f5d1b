package finding

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// The version and kind of a Report, as its JSON says them.
const (
	APIVersion = "kubectl-apl/v1"
	ReportKind = "ValidationReport"
)

// Unit is something that was checked: a file, an app, or a file that belongs to an app. What it is not is "".
type Unit struct {
	App  string
	File string
}

// Run says what was run to come to a report, and on what. Formats other than JSON show it.
type Run struct {
	// Version is that of the tool.
	Version string
	// Rules are all that were run, those that found nothing too.
	Rules []Rule
	// Checked are all units that were checked, those that are clean too.
	Checked []Unit
	// FailOn says which findings make the run fail; "" is FailOnError.
	FailOn FailOn
}

// Report is the result of a run of checks (DESIGN 7). docs/schema/validation-report.schema.json describes its JSON.
type Report struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	Findings   []Finding `json:"findings"`
	Summary    Summary   `json:"summary"`
	Run        Run       `json:"-"`
}

// Summary counts what was found, and what was looked at.
type Summary struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
	Apps     int `json:"apps"`
	Files    int `json:"files"`
}

// NewReport returns the report of a run: the findings in the order of Compare, each once, and how many there are. Apps and
// files are counted among what was checked. The lists that it is given stay as they are.
func NewReport(run Run, findings []Finding) *Report {
	list := slices.Clone(findings)
	slices.SortFunc(list, func(a, b Finding) int {
		return cmp.Or(Compare(a, b), cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Next, b.Next))
	})
	r := &Report{APIVersion: APIVersion, Kind: ReportKind, Findings: slices.Compact(list), Run: run}
	if r.Findings == nil {
		r.Findings = []Finding{} // [] in JSON, never null
	}
	for _, f := range r.Findings {
		switch f.Severity {
		case Info:
			r.Summary.Infos++
		case Warning:
			r.Summary.Warnings++
		default:
			r.Summary.Errors++
		}
	}
	r.Summary.Apps = distinct(run.Checked, func(u Unit) string { return u.App })
	r.Summary.Files = distinct(run.Checked, func(u Unit) string { return u.File })
	return r
}

func distinct(units []Unit, name func(Unit) string) int {
	seen := map[string]bool{}
	for _, u := range units {
		if n := name(u); n != "" {
			seen[n] = true
		}
	}
	return len(seen)
}

// String counts in words: "2 errors, 1 warning and 41 notes in 43 apps and 221 files".
func (s Summary) String() string {
	if s == (Summary{}) {
		return "There was nothing to check"
	}
	found := "No findings"
	switch list := s.found(); len(list) {
	case 0:
	case 1:
		found = list[0]
	default:
		found = strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
	}
	if s.Apps == 0 {
		return found + " in " + Count(s.Files, "file")
	}
	return found + " in " + Count(s.Apps, "app") + " and " + Count(s.Files, "file")
}

func (s Summary) found() (list []string) {
	for _, c := range []struct {
		n    int
		word string
	}{{s.Errors, "error"}, {s.Warnings, "warning"}, {s.Infos, "note"}} {
		if c.n > 0 {
			list = append(list, Count(c.n, c.word))
		}
	}
	return list
}

// Count says how many of something there are: 1 app, 2 apps.
func Count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}
