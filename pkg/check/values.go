package check

import (
	"context"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// checkValues checks an app's value files, each by itself and both over the chart's defaults.
func (r *run) checkValues(context.Context, *unit) []finding.Finding { return nil }
