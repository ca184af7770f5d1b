package settings

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// The header of apps.yaml. Its digest is of what env/apps said when the file was made: the text of the body as it was
// composed then. So a later run knows of each of the two whether it was edited since (docs/adr/0017).
const (
	headerIntro  = "# The apps of the platform: what is on, and their settings. Yours to edit: kubectl apl keeps what you write.\n"
	digestIntro  = "# Made from env/apps, whose sha256 was "
	maxConflicts = 20
)

func digest(body []byte) string {
	sum := sha256.Sum256(bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))) // a checkout can bring CRs
	return hex.EncodeToString(sum[:])
}

// stamped returns a body below a header.
func stamped(body []byte, of string) []byte {
	return append([]byte(headerIntro+digestIntro+of+"\n"), body...)
}

// header is what stands above the body of apps.yaml: of is the digest, "" for a file that has none, and own tells that a person has
// written something there.
type header struct {
	above string // the lines before that of the digest
	of    string
	own   bool
}

// stamp returns a body below the header, with another digest.
func (h header) stamp(body []byte, of string) []byte {
	if h.of == "" {
		return stamped(body, of)
	}
	return append([]byte(h.above+digestIntro+of+"\n"), body...)
}

// unstamped cuts the header off a file.
func unstamped(data []byte) (body []byte, h header) {
	rest := string(data)
	for line := range strings.Lines(rest) {
		if !strings.HasPrefix(line, "#") {
			break
		}
		rest = rest[len(line):]
		if sum, ok := strings.CutPrefix(line, digestIntro); ok {
			h.of = strings.TrimSpace(sum)
			h.own = strings.ReplaceAll(h.above, "\r\n", "\n") != headerIntro
			return []byte(rest), h
		}
		h.above += line
	}
	return data, header{}
}

// decide says what becomes of apps.yaml, and returns what it is to hold. A person's edit is never overwritten, unless a
// side is preferred: where only one of the two was edited since the file was made, that one counts; where both were, or
// nobody can tell, and they differ, that is an error for each place.
func (p *planner) decide(c *composed, there []byte, found bool) ([]byte, error) {
	plan := p.plan
	fresh := stamped(c.body, digest(c.body))
	write := func(effect Effect, reason string, data []byte) ([]byte, error) {
		plan.Effect, plan.Reason = effect, reason
		return data, nil
	}
	if !found {
		return write(Create, "it is made from "+layout.AppsDir, fresh)
	}
	body, head := unstamped(there)
	of := head.of
	edited, changed := of != digest(body) || head.own, of != digest(c.body)
	switch {
	case !edited && !changed:
		if effect, err := p.left(there); effect != Same {
			return there, err
		}
		return write(Same, "it says what "+layout.AppsDir+" says", there)
	case !edited && (p.options.Prefer == EnvApps || !p.gone(there)):
		return write(Update, layout.AppsDir+", or what is kept of it, is not what it was made from", fresh)
	}
	now, err := Parse(layout.AppsFile, there)
	var broken *Error
	switch {
	case err == nil:
	case !errors.As(err, &broken):
		return nil, err
	case p.options.Prefer == EnvApps:
		return write(Update, "it cannot be read, and "+layout.AppsDir+" is preferred", fresh)
	default:
		plan.Findings = append(plan.Findings, broken.Findings...)
		return there, nil
	}
	want := map[string]any{appsKey: c.tree}
	switch {
	case !edited && p.options.Prefer != AppsYAML: // the findings say it
		return there, nil
	case values.Equal(now.Tree(), want):
		return write(Same, "it says what "+layout.AppsDir+" says, in words of its own", there)
	case of != "" && !changed:
		return write(Same, "it was edited since it was made, and "+layout.AppsDir+" was not: it is the later word", there)
	case p.options.Prefer == EnvApps:
		return write(Update, "it is preferred to take "+layout.AppsDir, fresh)
	case p.options.Prefer == AppsYAML:
		return write(Update, "it is kept as preferred, and noted that "+layout.AppsDir+" was looked at", head.stamp(body, digest(c.body)))
	}
	p.conflicts(now, c, of != "")
	return there, nil
}

// left plans to commit an apps.yaml that an earlier run has left in the work tree. It returns Same where HEAD has it.
func (p *planner) left(there []byte) (Effect, error) {
	if p.in.Head == nil {
		return Same, nil
	}
	head, found, err := p.in.Head(layout.AppsFile)
	switch crlf, lf := []byte("\r\n"), []byte("\n"); {
	case err != nil:
		return Refused, fmt.Errorf("read %s in HEAD: %w", layout.AppsFile, err)
	case found && bytes.Equal(bytes.ReplaceAll(head, crlf, lf), bytes.ReplaceAll(there, crlf, lf)):
		return Same, nil
	case found:
		p.plan.Effect = Update
	default:
		p.plan.Effect = Create
	}
	p.plan.Reason = "an earlier run has left it in the work tree"
	return p.plan.Effect, nil
}

// gone adds an error for the apps of apps.yaml that have no envelope, unless it is preferred, and reports whether there are any. The file could have been made
// from an env/apps that is removed by now, of which one file came back: made anew, apps.yaml would lose all others, and the
// platform would switch them off.
func (p *planner) gone(there []byte) bool {
	now, err := Parse(layout.AppsFile, there)
	if err != nil {
		return false // it is as it was made, so that it can be read
	}
	var names []string
	first := finding.Finding{}
	for _, name := range now.Names() {
		if slices.ContainsFunc(p.envelopes, func(e *envelope) bool { return e.name == name }) {
			continue
		}
		if names = append(names, name); len(names) == 1 {
			_, first.Line, first.Column = now.Position(name, nil)
		}
	}
	if len(names) == 0 {
		return false
	}
	if p.options.Prefer == AppsYAML {
		return true
	}
	p.plan.Findings = append(p.plan.Findings, finding.Finding{Rule: "settings-conflict", Severity: finding.Error, File: layout.AppsFile, Line: first.Line, Column: first.Column,
		Message: fmt.Sprintf("these apps stand here, and have no file in %s any more: %s", layout.AppsDir, strings.Join(names, ", ")),
		Next: fmt.Sprintf("if %s is not what counts any more, remove what came back there, or keep %s with --prefer=%s; if they are to go, --prefer=%s writes it anew",
			layout.AppsDir, layout.AppsFile, AppsYAML, EnvApps)})
	return true
}

// conflicts adds an error for each place at which apps.yaml and env/apps differ.
func (p *planner) conflicts(now *Apps, c *composed, stamped bool) {
	why := "both were edited since the one was made from the other"
	if !stamped {
		why = "nothing tells which is newer"
	}
	here, want := now.Tree(), map[string]any{appsKey: c.tree}
	paths := values.Differences(here, want, maxConflicts+1)
	more := len(paths) > maxConflicts
	paths = paths[:min(len(paths), maxConflicts)]
	showHere, showWant := p.shower(here), p.shower(want)
	for _, path := range paths {
		f := finding.Finding{Rule: "settings-conflict", Severity: finding.Error, File: layout.AppsFile, Path: showHere.path(path).String(),
			Next: fmt.Sprintf("make them say the same, or decide for all places: --prefer=%s keeps %s, --prefer=%s writes it anew", AppsYAML, layout.AppsFile, EnvApps)}
		if len(path) > 1 {
			f.App = showHere.path(path)[1].Key
			_, f.Line, f.Column = now.Position(path[1].Key, path[2:])
		}
		f.Message = fmt.Sprintf("it is %s here, and %s in %s: %s", shownAt(showHere, here, path), shownAt(showWant, want, path), p.placeIn(path), why)
		if more {
			f.Message += fmt.Sprintf(" (one of more than %d places)", maxConflicts)
		}
		p.plan.Findings = append(p.plan.Findings, f)
	}
}

// shownAt shows the value at a path, or that there is none.
func shownAt(s *shower, tree map[string]any, path values.Path) string {
	value, ok := values.Lookup(tree, path)
	if !ok {
		return "not there"
	}
	_, shown := s.leaf(appsKey, values.Leaf{Path: path[1:], Value: value})
	return shown
}

// placeIn names where env/apps says what stands at a path of apps.yaml.
func (p *planner) placeIn(path values.Path) string {
	e := p.envelopeOf(path)
	if e == nil {
		return layout.AppsDir
	}
	line, _ := e.doc.Position(append(values.Path{}.Key("spec"), path[2:]...))
	return fmt.Sprintf("%s:%d", e.file, line)
}

// envelopeOf returns the envelope of the app that a path of apps.yaml leads to, or nil.
func (p *planner) envelopeOf(path values.Path) *envelope {
	for _, e := range p.envelopes {
		if len(path) > 1 && e.name == path[1].Key {
			return e
		}
	}
	return nil
}
