package migrate

import (
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// checkRepoURLs blocks an Application whose sources hold credentials in their URLs: a user alone can be a token.
func (d *decision) checkRepoURLs(object map[string]any) {
	list, _ := values.Lookup(object, values.Path{}.Key("spec").Key("sources"))
	sources, _ := list.([]any)
	for i, s := range sources {
		source, _ := s.(map[string]any)
		url, _ := source["repoURL"].(string)
		if shown := argocd.RedactURL(url); shown != url {
			d.add(finding.Finding{Rule: "application-url-credentials", Severity: finding.Error, File: layout.ApplicationFile(d.id),
				Path:    values.Path{}.Key("spec").Key("sources").Index(i).Key("repoURL").String(),
				Message: "the URL " + shown + " holds what can be credentials", Next: "keep them in a repository Secret of Argo CD, and the URL without them"})
		}
	}
}

// scanValues looks for secrets in a value file: in its values, in its comments, and in what Helm does not read.
func (d *decision) scanValues(file string, doc *values.Document, above int) {
	hits := d.detector.Scan(doc.Values)
	d.report(hits, func(h secret.Hit, f *finding.Finding) {
		f.File = file
		if f.Severity == finding.Error && file == layout.ManagedFile(d.id) { // which nobody edits
			f.Next = "the platform computes it: in its values, " + f.Next
		}
		if line, column := doc.Position(h.Path); line > 0 {
			f.Line, f.Column = line+above, column
		}
	})
	doc.Comments(func(line int, comment string) {
		d.report(d.detector.ScanText(comment), func(h secret.Hit, f *finding.Finding) {
			f.File, f.Line, f.Column = file, line+h.Line-1+above, 1
			f.Message = "in a comment: " + f.Message
		})
	})
	if len(doc.Warnings) == 0 {
		return
	}
	d.report(unread(d.detector.Scan(doc.Text()), hits), func(_ secret.Hit, f *finding.Finding) {
		f.File = file
		f.Message = "in text that Helm does not read: " + f.Message
	})
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

// report adds what was found, less what .apl.yaml excepts.
func (d *decision) report(hits []secret.Hit, place func(secret.Hit, *finding.Finding)) {
	open, used := secret.Filter(d.App.App, hits, d.exceptions)
	for i := range used {
		if used[i] {
			d.accept(i)
		}
	}
	for _, h := range open {
		f := h.Finding()
		place(h, &f)
		d.add(f)
	}
}
