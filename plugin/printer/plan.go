package printer

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

// Plan prints a migration plan. As text it is a table of the apps, what is skipped and why, what there is to say about each
// app, then what is blocked and what to do about it, the preflight, and the summary: what a person has to act on stands last,
// where the eye is when the command is done.
func Plan(out io.Writer, format Format, style Style, plan *migrate.Plan) error {
	if format != Table && format != Wide {
		return Data(out, format, plan)
	}
	page := &page{out: out, style: style, wide: format == Wide}
	page.apps(plan)
	page.skipped(plan)
	page.details(plan)
	page.parts(plan)
	page.preflight(plan)
	page.end(plan)
	return page.err
}

// page writes text and keeps the first error.
type page struct {
	out   io.Writer
	style Style
	// wide shows all there is, however long.
	wide bool
	err  error
}

// printf writes text in which each argument that is text is one line.
func (p *page) printf(format string, args ...any) {
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			args[i] = oneLine(text)
		}
	}
	p.write(fmt.Sprintf(format, args...))
}

// write writes text, but for what begins a command to GitHub's runner wherever it stands in a line of a log (its older form, ##[command]): a file
// that is checked could hold one.
func (p *page) write(text string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.out, strings.ReplaceAll(text, "##[", `#\x23[`))
	}
}

// heading begins a section.
func (p *page) heading(format string, args ...any) { p.printf("\n"+format+"\n", args...) }

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

// inOrder returns the apps in the order in which they are shown.
func inOrder(plan *migrate.Plan) []migrate.App {
	apps := slices.Clone(plan.Apps)
	slices.SortStableFunc(apps, func(a, b migrate.App) int { return cmp.Compare(order(a.Action), order(b.Action)) })
	return apps
}

// apps prints the table: the apps that are in the plan, and with wide all Applications.
func (p *page) apps(plan *migrate.Plan) {
	// What templates see is equal, or the app is blocked for it; objects can differ, and are worth a column.
	proven := plan.Proof.Mode == migrate.VerifyManifests
	var rows [][]cell
	for _, a := range inOrder(plan) {
		if a.Action == migrate.Skipped && !p.wide {
			continue
		}
		custom, proof, color := "-", "-", ""
		if a.Action == migrate.Migrate || a.Action == migrate.Unchanged {
			custom = strconv.Itoa(len(a.Custom))
		}
		if a.Proof != nil {
			proof, color = string(a.Proof.Result), proofColor(a.Proof.Result)
		}
		row := []cell{{text: Name(a)}, {string(a.Action), actionColor(a.Action)}, {text: custom}, {proof, color}, {text: a.Reason}}
		if !proven {
			row = slices.Delete(row, 3, 4)
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return
	}
	head := []cell{{text: "APP"}, {text: "ACTION"}, {text: "CUSTOM"}, {text: "PROOF"}, {text: "REASON"}}
	if !proven {
		head = slices.Delete(head, 3, 4)
	}
	p.table(append([][]cell{head}, rows...))
}

// Name is how a table names an app: its identity, or its Application where it has none.
func Name(a migrate.App) string { return cmp.Or(a.App, "("+a.Application+")") }

// maxNamed bounds how many skipped apps are named for each reason.
const maxNamed = 3

// skipped counts what is left alone by reason. Most of a large platform are team apps, and none of them needs a line.
func (p *page) skipped(plan *migrate.Plan) {
	names := map[string][]string{}
	var reasons []string
	total := 0
	for _, a := range plan.Apps {
		if a.Action != migrate.Skipped || p.wide {
			continue
		}
		total++
		reason, _, _ := strings.Cut(a.Reason, ": ") // what follows is about one app
		if names[reason] == nil {
			reasons = append(reasons, reason)
		}
		names[reason] = append(names[reason], Name(a))
	}
	slices.SortFunc(reasons, func(a, b string) int { return cmp.Or(cmp.Compare(len(names[b]), len(names[a])), cmp.Compare(a, b)) })
	if total > 0 {
		p.heading("Skipped, %d (-o wide lists them)", total)
	}
	for _, reason := range reasons {
		p.printf("  %*d  %s: %s\n", len(strconv.Itoa(len(names[reasons[0]]))), len(names[reason]), reason, bounded(names[reason], maxNamed))
	}
}

// bounded joins the first of a list, and counts the rest.
func bounded(list []string, most int) string {
	if more := len(list) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), more)
	}
	return strings.Join(list, ", ")
}
