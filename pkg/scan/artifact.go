package scan

import (
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// RuleLeftOut is pkg/artifact's rule for a Secret with data. It is none of pkg/secret's: what an exception accepts by it is left out of
// git, and not written.
const RuleLeftOut = "artifact-secret"

// LeftOut tells whether .apl.yaml leaves a Secret of a release out of git, and why. place names the Secret, as its finding does.
func (s *Scanner) LeftOut(id app.ID, place string) (f finding.Finding, reason string, ok bool) {
	for i, e := range s.config.Secrets {
		if e.App == id && e.Path == place && e.Rule == RuleLeftOut {
			s.used[i].Store(true)
			return finding.Finding{Rule: e.Rule, Severity: finding.Info, App: id.String(), File: layout.ConfigFile, Line: e.Line, Column: e.Column, Path: e.Path,
				Message: "left out of git: " + e.Reason}, e.Reason, true
		}
	}
	return f, "", false
}

// Artifact returns what an object of a release holds: in its values, in its comments, and in what its parser does not read. place names
// the object; findings and exceptions have it before the path within the object, with a colon between them. Lines are those of
// the text, File is "" but for exceptions that accepted something.
func (s *Scanner) Artifact(id app.ID, place string, text []byte) []finding.Finding {
	doc, err := values.Parse("", text)
	if err != nil {
		r := report{Scanner: s.of(place), id: id}
		// Kubernetes' parser takes it all the same: two keys of which one is a number and one its text.
		r.add(unread(s.detector.Scan(string(text)), nil), func(secret.Hit, *finding.Finding) {})
		return named(r.findings, place)
	}
	return s.Part(id, place, Part{Document: doc, Object: doc.Values, Comments: Comments(doc)})
}

// of returns a Scanner with the exceptions for one object alone, by their path within it. It notes in s what they accept.
func (s *Scanner) of(place string) *Scanner {
	out := *s
	out.exceptions = make([]secret.Exception, len(s.exceptions)) // as many, so that each keeps its index
	for i, e := range s.exceptions {
		if inside, ok := strings.CutPrefix(e.Path, place+":"); ok {
			e.Path = inside
			out.exceptions[i] = e
		}
	}
	return &out
}

// named gives findings about an object the path that tells it from others.
func named(list []finding.Finding, place string) []finding.Finding {
	for i := range list {
		switch f := &list[i]; {
		case f.File != "": // of .apl.yaml, which names it already
		case f.Path == "":
			f.Path = place + ":."
		default:
			f.Path = place + ":" + f.Path
		}
	}
	return list
}
