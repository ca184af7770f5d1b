package migrate

import "github.com/kubectl-apl/kubectl-apl/pkg/layout"

func isApplication(path string) bool {
	place, ok := layout.Parse(path)
	if !ok {
		return false
	}
	_, application := place.(layout.Application)
	return application
}
