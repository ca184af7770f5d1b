// Package scan owns the search for secrets in the files of a values repo: what pkg/secret finds in a file, less what .apl.yaml accepts,
// as findings with their places. It touches no disk, and knows neither what a file is for nor how it came to be.
package scan

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// RuleUnused is the rule of an exception that accepts nothing.
const RuleUnused = "exception-unused"

// Scanner searches the files of one run, and notes which exceptions accepted something. It may be used by many goroutines.
type Scanner struct {
	config     *config.Config
	detector   *secret.Detector
	exceptions []secret.Exception
	used       []atomic.Bool
}

// New returns a Scanner with the exceptions of .apl.yaml. It returns an error for rules that do not exist: such an exception would
// never accept anything.
func New(c *config.Config, detector *secret.Detector) (*Scanner, error) {
	s := &Scanner{config: c, detector: detector, used: make([]atomic.Bool, len(c.Secrets))}
	var known []string
	for _, r := range secret.Rules() {
		known = append(known, r.ID)
	}
	known = append(known, RuleLeftOut)
	var problems []error
	for _, e := range c.Secrets {
		if e.Rule != RuleLeftOut && !detector.Knows(e.Rule) {
			problems = append(problems, fmt.Errorf("%s:%d:%d: there is no rule %q; the rules are %s",
				layout.ConfigFile, e.Line, e.Column, e.Rule, strings.Join(known, ", ")))
		}
		s.exceptions = append(s.exceptions, secret.Exception{App: e.App.String(), Path: e.Path, Rule: e.Rule, Reason: e.Reason})
	}
	return s, errors.Join(problems...)
}

// Values returns what a value file of an app holds: in its values, in its comments, and in what Helm does not read. doc is the file's
// body, above is how many lines stand above it in the file. Exceptions that accepted something come as findings of severity info.
func (s *Scanner) Values(id app.ID, file string, doc *values.Document, above int) []finding.Finding {
	r := report{Scanner: s, id: id, file: file}
	hits := s.detector.Scan(doc.Values)
	r.add(hits, func(h secret.Hit, f *finding.Finding) {
		if f.Severity == finding.Error && file == layout.ManagedFile(id) { // which nobody edits
			f.Next = "the platform computes it: in its values, " + f.Next
		}
		if line, column := doc.Position(h.Path); line > 0 {
			f.Line, f.Column = line+above, column
		}
	})
	doc.Comments(func(line int, comment string) {
		r.add(s.detector.ScanText(comment), func(h secret.Hit, f *finding.Finding) {
			f.Line, f.Column = line+h.Line-1+above, 1
			f.Message = "in a comment: " + f.Message
		})
	})
	if len(doc.Warnings) > 0 {
		r.add(unread(s.detector.Scan(doc.Text()), hits), func(_ secret.Hit, f *finding.Finding) {
			f.Message = "in text that Helm does not read: " + f.Message
		})
	}
	return r.findings
}

// Object returns what a Kubernetes object holds that is to become a file.
func (s *Scanner) Object(id app.ID, file string, object map[string]any) []finding.Finding {
	r := report{Scanner: s, id: id, file: file}
	r.add(s.detector.Scan(object), func(secret.Hit, *finding.Finding) {})
	return r.findings
}

// Used tells whether the exception of config.Secrets with that index has accepted something.
func (s *Scanner) Used(i int) bool { return s.used[i].Load() }

// Unused returns a warning for each exception about an app that accepted nothing so far. searched tells of which ones all has been
// searched that they could be about.
func (s *Scanner) Unused(searched func(config.Exception) bool) []finding.Finding {
	var out []finding.Finding
	for i, e := range s.config.Secrets {
		if e.File != "" || s.Used(i) || !searched(e) {
			continue
		}
		out = append(out, finding.Finding{Rule: RuleUnused, Severity: finding.Warning, App: e.App.String(),
			File: layout.ConfigFile, Line: e.Line, Column: e.Column, Path: e.Path,
			Message: fmt.Sprintf("the exception for rule %s accepts nothing: there is no such finding", e.Rule), Next: "remove or correct it"})
	}
	return out
}

// Accepted tells that a finding is that of an exception which accepted something.
func Accepted(f finding.Finding) bool {
	return f.Severity == finding.Info && f.File == layout.ConfigFile && strings.HasPrefix(f.Message, acceptedIntro)
}

const acceptedIntro = "accepted, and written to git as it stands: "

// report collects the findings of one file.
type report struct {
	*Scanner
	id       app.ID
	file     string
	findings []finding.Finding
}

// add adds what was found, less what .apl.yaml excepts, and what it excepts as such: what goes to git nevertheless is shown.
func (r *report) add(hits []secret.Hit, place func(secret.Hit, *finding.Finding)) {
	if len(hits) == 0 {
		return
	}
	open, used := secret.Filter(r.id.String(), hits, r.exceptions)
	for i := range used {
		if !used[i] {
			continue
		}
		r.used[i].Store(true)
		e := r.config.Secrets[i]
		f := finding.Finding{Rule: e.Rule, Severity: finding.Info, App: r.id.String(), File: layout.ConfigFile, Line: e.Line, Column: e.Column, Path: e.Path,
			Message: acceptedIntro + e.Reason}
		if !slices.Contains(r.findings, f) {
			r.findings = append(r.findings, f)
		}
	}
	for _, h := range open {
		f := h.Finding()
		f.App, f.File = r.id.String(), r.file
		place(h, &f)
		r.findings = append(r.findings, f)
	}
}

// unread returns the hits of a whole text that are not among those of its values. Duplicate keys and further documents
// hide what they hold from Helm, not from whoever reads the repo.
func unread(whole, read []secret.Hit) []secret.Hit {
	var out []secret.Hit
	for _, h := range whole {
		h.Path, h.Inside = h.Inside, nil
		if !slices.ContainsFunc(read, func(other secret.Hit) bool { return other.Rule == h.Rule && other.Place() == h.Place() }) {
			out = append(out, h)
		}
	}
	return out
}
