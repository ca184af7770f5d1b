package settings

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// checkExceptions returns an error for exceptions whose rule does not exist: they would never accept anything.
func (p *planner) checkExceptions() error {
	var problems []error
	for _, e := range p.in.Exceptions {
		if !p.in.Secrets.Knows(e.Rule) {
			problems = append(problems, fmt.Errorf("%s:%d:%d: there is no rule %q; docs/guide/rules.md lists them", layout.ConfigFile, e.Line, e.Column, e.Rule))
		}
	}
	return errors.Join(problems...)
}

// scan looks for secrets in what apps.yaml is to hold, comments too, and names them where they can be taken out: in
// env/apps, or in apps.yaml itself where that is what counts.
func (p *planner) scan(data []byte) error {
	doc, err := values.Parse(layout.AppsFile, data)
	if err != nil {
		return nil //nolint:nilerr // it is not written, and the findings say so already
	}
	used := make([]bool, len(p.in.Exceptions))
	for _, hit := range p.in.Secrets.Tree(doc.Values) {
		f := hit.Finding
		f.File = layout.AppsFile
		f.Line, f.Column = doc.Position(hit.Path)
		if e := p.envelopeOf(hit.Path); e != nil {
			f.App = e.name
			if at := append(values.Path{}.Key("spec"), hit.Path[2:]...); p.fromEnvelopes() {
				f.File = e.file
				f.Line, f.Column = e.doc.Position(at)
			}
		}
		if p.excepted(f, used) {
			continue
		}
		if f.Severity == finding.Error {
			f.Next = strings.Replace(f.Next, "accept the place under secrets:", "accept the place, with file: "+layout.AppsFile+", under secrets:", 1)
		}
		p.plan.Findings = append(p.plan.Findings, f)
	}
	doc.Comments(func(line int, comment string) {
		for _, hit := range p.in.Secrets.Text(comment) {
			f := hit.Finding
			f.Message, f.File = "in a comment: "+f.Message, layout.AppsFile
			f.Line, f.Column = line+f.Line-1, 1
			p.atSource(&f, doc)
			if !p.excepted(f, used) {
				p.plan.Findings = append(p.plan.Findings, f)
			}
		}
	})
	p.idle(used)
	return nil
}

// fromEnvelopes reports whether apps.yaml is to be made from env/apps, so that places there are the ones to repair.
func (p *planner) fromEnvelopes() bool {
	return p.plan.Effect == Create || p.plan.Effect == Update && p.options.Prefer != AppsYAML
}

// atSource moves a finding about a comment to the line of the envelope that the comment came from.
func (p *planner) atSource(f *finding.Finding, doc *values.Document) {
	lines := strings.Split(doc.Text(), "\n")
	if !p.fromEnvelopes() || f.Line < 1 || f.Line > len(lines) {
		return
	}
	_, comment, _ := strings.Cut(lines[f.Line-1], "#")
	for _, e := range p.envelopes {
		for i, line := range strings.Split(e.doc.Text(), "\n") {
			if _, other, ok := strings.Cut(line, "#"); ok && strings.TrimSpace(other) == strings.TrimSpace(comment) {
				f.App, f.File, f.Line = e.name, e.file, i+1
				return
			}
		}
	}
}

// excepted tells whether .apl.yaml accepts a finding, and says so in its place: what goes to git nevertheless is shown.
func (p *planner) excepted(f finding.Finding, used []bool) bool {
	for i, e := range p.in.Exceptions {
		if e.Rule != f.Rule || e.Path != cmp.Or(f.Path, ".") {
			continue
		}
		if !used[i] {
			p.plan.Findings = append(p.plan.Findings, finding.Finding{Rule: e.Rule, Severity: finding.Info, App: f.App, File: layout.ConfigFile,
				Line: e.Line, Column: e.Column, Path: e.Path, Message: "accepted, and written to git as it stands: " + e.Reason})
			p.plan.accepted = append(p.plan.accepted, e.Path)
		}
		used[i] = true
		return true
	}
	return false
}

// idle warns of exceptions that accept nothing: what they were made for is gone, or they are misspelt.
func (p *planner) idle(used []bool) {
	for i, e := range p.in.Exceptions {
		if !used[i] {
			p.plan.Findings = append(p.plan.Findings, finding.Finding{Rule: "exception-unused", Severity: finding.Warning, File: layout.ConfigFile, Line: e.Line, Column: e.Column,
				Path: e.Path, Message: fmt.Sprintf("the exception for rule %s in %s accepts nothing: there is no such finding", e.Rule, layout.AppsFile), Next: "remove or correct it"})
		}
	}
}
