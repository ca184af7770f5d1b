package printer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

// maxListed bounds how many custom paths, introduced keys and differences of an app are listed without -o wide. The files
// and -o json have them all.
const maxListed = 20

// details prints what there is to say about each app in the plan: custom paths, introduced keys, the proof where it is not
// simply equal, and findings, each with its next step. Those that are blocked come last.
func (p *page) details(plan *migrate.Plan) {
	blocked := false
	told := &alike{apps: map[string][]string{}}
	for _, a := range inOrder(plan) {
		if a.Action != migrate.Skipped && !p.wide {
			a.Findings = told.first(a)
		}
		if plan.Proof.Mode == migrate.VerifyValues && len(a.Introduced) > 0 {
			a.Proof = nil // what templates see differs in what is introduced, which is listed
		}
		if a.Action == migrate.Skipped || len(a.Custom)+len(a.Introduced)+len(a.Findings) == 0 && !p.tells(a.Proof) {
			continue
		}
		if a.Action == migrate.Blocked && !blocked {
			blocked = true
			p.heading("Blocked, and what to do")
		} else {
			p.write("\n")
		}
		p.app(a)
	}
	p.alike(told)
	if len(plan.Findings) > 0 {
		p.heading("The platform as a whole")
	}
	p.findings(plan.Findings)
}

func (p *page) app(a migrate.App) {
	p.printf("%s\n", Name(a))
	if len(a.Custom) > 0 {
		p.printf("  custom: %s\n", bounded(a.Custom, p.most(len(a.Custom))))
	}
	for n, i := range a.Introduced {
		if n == p.most(len(a.Introduced)) {
			p.printf("  introduced: %d more\n", len(a.Introduced)-n)
			break
		}
		p.printf("  introduced (%s): %s: %s\n", i.Effect, i.Path, i.Value)
	}
	p.proof(a.Proof)
	p.findings(a.Findings)
}

// maxAlike bounds in how many apps the same warning is told in full without -o wide.
const maxAlike = 5

// alike keeps which apps have a warning that was told of others before: after a move every app can have the same, each with a
// command as long as a page.
type alike struct {
	rules []finding.Finding
	apps  map[string][]string // by rule
}

// first returns the findings of an app without the warnings of which enough apps were told. An error has to be solved, and an
// info can be of a secret that is accepted: those are told of every app.
func (k *alike) first(a migrate.App) []finding.Finding {
	var out []finding.Finding
	for _, f := range a.Findings {
		if f.Severity != finding.Warning {
			out = append(out, f)
			continue
		}
		apps := k.apps[f.Rule]
		if len(apps) == 0 {
			k.rules = append(k.rules, f)
		}
		if len(apps) == 0 || apps[len(apps)-1] != Name(a) {
			k.apps[f.Rule] = append(apps, Name(a))
		}
		if len(k.apps[f.Rule]) <= maxAlike {
			out = append(out, f)
		}
	}
	return out
}

// alike counts the apps of which a warning was not told.
func (p *page) alike(k *alike) {
	told := false
	for _, f := range k.rules {
		apps := k.apps[f.Rule]
		if len(apps) <= maxAlike {
			continue
		}
		if !told {
			told = true
			p.heading("The same of more apps (-o wide says it of each)")
		}
		apps = apps[maxAlike:]
		p.write("  " + p.style.paint(severityColor(f.Severity), oneLine(string(f.Severity))))
		p.printf(": %d more: %s [%s]\n", len(apps), bounded(apps, p.most(len(apps))), f.Rule)
	}
}

// most bounds a list of n entries.
func (p *page) most(n int) int {
	if p.wide {
		return n
	}
	return min(n, maxListed)
}

// tells reports whether a proof says more than that all is equal.
func (p *page) tells(proof *migrate.Proof) bool {
	return proof != nil && (proof.Result != migrate.Equal || len(proof.Random) > 0 || proof.Left != "")
}

func (p *page) proof(proof *migrate.Proof) {
	if !p.tells(proof) {
		return
	}
	p.printf("  proof: %s: %s\n", string(proof.Result), proof.Reason)
	for n, d := range proof.Differences {
		if n == p.most(len(proof.Differences)) {
			p.printf("    and %d more differences\n", len(proof.Differences)-n)
			break
		}
		p.printf("    %s\n", differenceText(d))
	}
	if len(proof.Random) > 0 {
		p.printf("    left out, as it differs from one rendering to the next:\n")
		for _, line := range byObject(proof.Random, p.most) {
			p.printf("      %s\n", line)
		}
	}
	if proof.Left != "" {
		p.printf("    left out: %s\n", proof.Left)
	}
}

// byObject joins the places of each object, which stand one after the other as "Kind name path", to a line. most bounds how
// many of n are named.
func byObject(places []string, most func(n int) int) (out []string) {
	cut := func(place string) (object, path string) {
		if parts := strings.SplitN(place, " ", 3); len(parts) == 3 {
			return parts[0] + " " + parts[1], parts[2]
		}
		return place, ""
	}
	for len(places) > 0 {
		object, _ := cut(places[0])
		var paths []string
		for len(places) > 0 {
			next, path := cut(places[0])
			if next != object {
				break
			}
			paths, places = append(paths, path), places[1:]
		}
		out = append(out, strings.TrimSpace(object+" "+bounded(paths, most(len(paths)))))
	}
	return out
}

// differenceText is a difference in a line: where, and what it was and is.
func differenceText(d migrate.ProofDifference) string {
	text := strings.TrimSpace(d.Object + " " + d.Path)
	text = strings.TrimSpace(d.Change + " " + text)
	switch {
	case d.Before != "" && d.After != "":
		text += ": " + d.Before + " -> " + d.After
	case d.Before != "":
		text += ": was " + d.Before
	case d.After != "":
		text += ": " + d.After
	}
	return text
}

// findings prints a next step that many findings in a row share once, below the last of them. Of warnings that differ in
// their message alone it prints some and counts the rest; errors and infos are always there, as in alike.
func (p *page) findings(list []finding.Finding) {
	for len(list) > 0 {
		first := list[0]
		n := slices.IndexFunc(list, func(f finding.Finding) bool {
			return f.Rule != first.Rule || f.Severity != first.Severity || f.Next != first.Next
		})
		if n < 0 {
			n = len(list)
		}
		shown := n
		if first.Severity == finding.Warning {
			shown = p.most(n)
		}
		for _, f := range list[:shown] {
			p.finding(f)
		}
		if more := n - shown; more > 0 {
			p.printf("  and %d more of [%s] (-o wide lists them)\n", more, first.Rule)
		}
		if list = list[n:]; first.Next != "" && (len(list) == 0 || list[0].Next != first.Next) {
			p.printf("    %s\n", first.Next)
		}
	}
}

func (p *page) finding(f finding.Finding) {
	place := f.File
	if f.Line > 0 {
		place += ":" + strconv.Itoa(f.Line)
		if f.Column > 0 {
			place += ":" + strconv.Itoa(f.Column)
		}
	}
	if f.Path != "" {
		place = strings.TrimPrefix(place+" ", " ") + f.Path
	}
	if place != "" {
		place += ": "
	}
	p.write("  " + p.style.paint(severityColor(f.Severity), oneLine(string(f.Severity))))
	p.printf(": %s%s [%s]\n", place, f.Message, f.Rule)
}
