package publish

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// scanner finds secret material in the whole text of an object: its values, its comments, and what its parser does not read.
type scanner struct{ detector *secret.Detector }

// Scan implements artifact.Scanner.
func (s scanner) Scan(text []byte) (found []finding.Finding) {
	doc, err := values.Parse("", text)
	if err != nil {
		// Kubernetes' parser takes it all the same: two keys of which one is a number and one its text.
		for _, h := range s.detector.Scan(string(text)) {
			h.Path, h.Inside = h.Inside, nil
			found = append(found, h.Finding())
		}
		return found
	}
	hits := s.detector.Scan(doc.Values)
	for _, h := range hits {
		f := h.Finding()
		f.Line, f.Column = doc.Position(h.Path)
		found = append(found, f)
	}
	doc.Comments(func(line int, comment string) {
		for _, h := range s.detector.ScanText(comment) {
			f := h.Finding()
			f.Line, f.Column, f.Path = line+h.Line-1, 1, ""
			f.Message = "in a comment: " + f.Message
			found = append(found, f)
		}
	})
	if len(doc.Warnings) == 0 {
		return found
	}
	for _, h := range s.detector.Scan(doc.Text()) {
		h.Path, h.Inside = h.Inside, nil
		if !slices.ContainsFunc(hits, func(read secret.Hit) bool { return read.Rule == h.Rule && read.Place() == h.Place() }) {
			f := h.Finding()
			f.Message = "in text that no parser reads: " + f.Message
			found = append(found, f)
		}
	}
	return found
}

// exceptions are what .apl.yaml accepts.
type exceptions struct {
	config *config.Config
	used   []bool
}

// readExceptions returns an error for rules that do not exist: such an entry would never accept anything.
func readExceptions(c *config.Config, detector *secret.Detector) (*exceptions, error) {
	if c == nil {
		c = &config.Config{}
	}
	var problems []error
	for _, e := range c.Secrets {
		if e.Rule == artifact.RuleSecret || detector.Knows(e.Rule) {
			continue
		}
		known := []string{artifact.RuleSecret}
		for _, r := range secret.Rules() {
			known = append(known, r.ID)
		}
		problems = append(problems, fmt.Errorf("%s:%d:%d: there is no rule %q; the rules are %s",
			layout.ConfigFile, e.Line, e.Column, e.Rule, strings.Join(known, ", ")))
	}
	return &exceptions{c, make([]bool, len(c.Secrets))}, errors.Join(problems...)
}

// apply replaces the item's findings that are accepted. A Secret that is accepted is left out of git; what else is accepted is
// written as it stands.
func (x *exceptions) apply(i *artifact.Item) {
	for n := range i.Findings {
		f := &i.Findings[n]
		at := slices.IndexFunc(x.config.Secrets, func(e config.Exception) bool {
			return e.App.String() == f.App && e.Path == f.Path && e.Rule == f.Rule
		})
		if at < 0 {
			continue
		}
		e := x.config.Secrets[at]
		x.used[at] = true
		message := "accepted, and written to git as it stands: " + e.Reason
		if e.Rule == artifact.RuleSecret {
			message = "left out of git: " + e.Reason
			i.Left = layout.ConfigFile + ": " + e.Reason
		}
		*f = finding.Finding{Rule: e.Rule, Severity: finding.Info, App: f.App, File: layout.ConfigFile, Line: e.Line, Column: e.Column, Path: e.Path, Message: message}
	}
}

// idle warns of exceptions for the apps given that accepted nothing.
func (x *exceptions) idle(apps map[string]bool) (out []finding.Finding) {
	for n, e := range x.config.Secrets {
		if x.used[n] || !apps[e.App.String()] {
			continue
		}
		out = append(out, finding.Finding{Rule: "exception-unused", Severity: finding.Warning, App: e.App.String(),
			File: layout.ConfigFile, Line: e.Line, Column: e.Column, Path: e.Path,
			Message: fmt.Sprintf("the exception for rule %s accepts nothing: there is no such finding", e.Rule), Next: "remove or correct it"})
	}
	return out
}
