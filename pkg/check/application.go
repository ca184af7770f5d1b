package check

import (
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// placed is a finding about something in a document, and where in it that is.
type placed struct {
	finding.Finding

	at values.Path
}

// Application checks a platform app's Application by itself: its shape, the order of its value files, and that nothing is inline. It is
// what admission asks too. The findings have a path in the Application, and no file.
func Application(a *argocd.Application) []finding.Finding {
	var out []finding.Finding
	for _, p := range application(a) {
		p.Path = p.at.String()
		out = append(out, p.Finding)
	}
	return out
}

func application(*argocd.Application) []placed { return nil }

// checkApplication checks an app's Application file, and that what it names is there.
func (r *run) checkApplication(*unit) []finding.Finding { return nil }
