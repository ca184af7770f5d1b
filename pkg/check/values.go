package check

import (
	"bytes"
	"context"
	"errors"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/valuefile"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// checkValues checks an app's value files, each by itself and both over the chart's defaults. Without value files there is nothing to
// check: that an Application names some which are not there is another rule's.
func (r *run) checkValues(ctx context.Context, u *unit) []finding.Finding {
	if !u.managed && !u.custom {
		return nil
	}
	c := &valueCheck{run: r, unit: u}
	managed := c.read(layout.ManagedFile(u.id), u.managed)
	custom := c.read(layout.CustomFile(u.id), u.custom)
	if managed != nil && custom != nil {
		u.searched = true
		c.shadows(managed, custom)
		c.chart(ctx, managed, custom)
	}
	return c.findings
}

// valueCheck is the check of one app's values.
type valueCheck struct {
	run      *run
	unit     *unit
	findings []finding.Finding
	refused  map[string]bool // paths of custom that the schema refuses
}

// add adds a finding about the app.
func (c *valueCheck) add(rule string, severity finding.Severity, f finding.Finding) {
	f.Rule, f.Severity, f.App = rule, severity, c.unit.id.String()
	c.findings = append(c.findings, f)
}

// read reads a value file, and tells what is wrong with it by itself. It returns nil for a file that Helm cannot read, and no values for
// one that is not there.
func (c *valueCheck) read(file string, there bool) *values.Document {
	if !there {
		return &values.Document{Name: file}
	}
	text, err := c.run.in.Read(file)
	if err != nil {
		c.add(RuleParse, finding.Error, finding.Finding{File: file, Message: "the file cannot be read: " + err.Error(), Next: "see that it is a regular file that you may read"})
		return nil
	}
	if file == layout.ManagedFile(c.unit.id) {
		c.edited(file, text)
	}
	doc, err := values.Parse(file, text)
	if err != nil {
		c.unreadable(file, err)
		return nil
	}
	for _, w := range doc.Warnings {
		f := finding.Finding{File: file, Line: w.Line, Column: w.Column, Message: w.Message, Next: "keep one of the two"}
		if w.Line == 0 { // what it warns of matters to who writes the file
			f.Message = "Helm reads this text, and other parsers of YAML do not: what is found in it has no known line"
			f.Next = "write it so that any parser takes it"
		}
		c.add(RuleParse, finding.Warning, f)
	}
	c.secrets(doc)
	return doc
}

// edited tells when a managed file is not what was written: its digest, which is the last line above the values, says so.
func (c *valueCheck) edited(file string, text []byte) {
	body, _, intact := valuefile.ReadManaged(text)
	if intact {
		return
	}
	f := finding.Finding{File: file, Column: 1, Line: bytes.Count(text, []byte("\n")) - bytes.Count(body, []byte("\n")),
		Message: "the file was edited by hand: what is below its digest is something else",
		Next:    "put overrides in " + layout.CustomFile(c.unit.id) + ", and have kubectl apl reconcile write this file anew"}
	if f.Line == 0 {
		f.Line, f.Message = 1, "the file is not as kubectl apl writes it: the comment with its digest is missing"
	}
	c.add(RuleEdited, finding.Error, f)
}

// unreadable tells why Helm cannot read a file. Argo CD then syncs nothing of the app.
func (c *valueCheck) unreadable(file string, err error) {
	f := finding.Finding{File: file, Message: err.Error(), Next: "correct it: Argo CD cannot render the app"}
	var at *values.Error
	if errors.As(err, &at) {
		f.Line, f.Column, f.Message = at.Line, at.Column, at.Message
	}
	if file == layout.ManagedFile(c.unit.id) {
		f.Next = "have kubectl apl reconcile write the file anew: Argo CD cannot render the app"
	}
	c.add(RuleParse, finding.Error, f)
}

// secrets tells of secrets in a file.
func (c *valueCheck) secrets(doc *values.Document) {
	found := c.run.scanner.Values(c.unit.id, doc.Name, doc, 0)
	c.findings = append(c.findings, told(RuleSecret, doc.Name, "app: "+c.unit.id.String(), 0, found)...)
}
