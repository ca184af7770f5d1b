package printer

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

// Plan prints a migration plan.
func Plan(out io.Writer, format Format, plan *migrate.Plan) error {
	if format != Table {
		return Data(out, format, plan)
	}
	page := &page{out: out}
	page.apps(plan)
	page.details(plan)
	page.end(plan)
	return page.err
}

// page writes text and keeps the first error.
type page struct {
	out io.Writer
	err error
}

func (p *page) printf(format string, args ...any) {
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			args[i] = oneLine(text)
		}
	}
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.out, format, args...)
	}
}

// oneLine folds line breaks and spells out other control characters of names and reasons that people chose: a table has
// one line for each app, and a terminal obeys what it is sent.
func oneLine(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return text
	}
	var b strings.Builder
	for _, r := range strings.TrimSpace(text) {
		switch {
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case !unicode.IsPrint(r):
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// order puts what a person has to act on last, next to the summary.
func order(a migrate.Action) int {
	return slices.Index([]migrate.Action{migrate.Skipped, migrate.Unchanged, migrate.Migrate, migrate.Blocked}, a)
}

func (p *page) apps(plan *migrate.Plan) {
	if len(plan.Apps) == 0 {
		return
	}
	rows := slices.Clone(plan.Apps)
	slices.SortStableFunc(rows, func(a, b migrate.App) int { return cmp.Compare(order(a.Action), order(b.Action)) })
	table := tabwriter.NewWriter(p.out, 0, 0, 3, ' ', 0)
	inner := &page{out: table}
	inner.printf("APP\tACTION\tCUSTOM\tREASON\n")
	for _, a := range rows {
		custom := "-"
		if a.Action == migrate.Migrate || a.Action == migrate.Unchanged {
			custom = strconv.Itoa(len(a.Custom))
		}
		inner.printf("%s\t%s\t%s\t%s\n", Name(a), a.Action, custom, a.Reason)
	}
	p.err = cmp.Or(p.err, inner.err, table.Flush())
}

// Name is how a table names an app: its identity, or its Application where it has none.
func Name(a migrate.App) string { return cmp.Or(a.App, "("+a.Application+")") }

// details prints custom paths, introduced keys and findings, app by app.
func (p *page) details(plan *migrate.Plan) {
	for _, a := range plan.Apps {
		if a.Action == migrate.Skipped || len(a.Custom)+len(a.Introduced)+len(a.Findings) == 0 {
			continue
		}
		p.printf("\n%s\n", Name(a))
		if len(a.Custom) > 0 {
			p.printf("  custom: %s\n", strings.Join(a.Custom, ", "))
		}
		for _, i := range a.Introduced {
			p.printf("  introduced (%s): %s: %s\n", i.Effect, i.Path, i.Value)
		}
		p.findings(a.Findings)
	}
	if len(plan.Findings) > 0 {
		p.printf("\nThe platform as a whole\n")
	}
	p.findings(plan.Findings)
}

// findings prints a next step that many findings in a row share once, below the last of them.
func (p *page) findings(list []finding.Finding) {
	for i, f := range list {
		p.finding(f)
		if f.Next != "" && (i+1 == len(list) || list[i+1].Next != f.Next) {
			p.printf("    %s\n", f.Next)
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
	p.printf("  %s: %s%s [%s]\n", f.Severity, place, f.Message, f.Rule)
}

func (p *page) end(plan *migrate.Plan) {
	s := plan.Summary
	p.printf("\n")
	if plan.ValuesRepo.URL != "" {
		p.printf("Values repo: %s, revision %s (from %s)\n", plan.ValuesRepo.URL, plan.ValuesRepo.Revision, plan.ValuesRepo.Source)
	}
	if s.Migrate > 0 {
		p.printf("Root app: %s. %s\n", plan.RootApp.Name, plan.RootApp.Note)
		p.printf("Values: as Helm %s reads and merges them.\n", plan.Helm)
	}
	p.printf("Applications: %d, platform chart releases: %d. To migrate: %d, unchanged: %d, skipped: %d, blocked: %d. With custom values: %d. Files to write: %d.\n",
		s.Applications, s.Releases, s.Migrate, s.Unchanged, s.Skipped, s.Blocked, s.WithCustom, s.Files)
}
