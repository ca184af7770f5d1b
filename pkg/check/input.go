package check

import (
	"context"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
)

// Input is a values repo, and what is known besides.
type Input struct {
	// Files are all files below env/, sorted by path.
	Files []File
	// Read returns the text of one of them, by its path. Several goroutines call it.
	Read func(path string) ([]byte, error)
	// Select names the files and folders that are checked, by their paths from the root, those that are gone included; nil is
	// everything. What depends on them is checked too.
	Select []string
	Config *config.Config
	// Charts finds the charts that Applications name; nil leaves out what needs them.
	Charts Charts
	// Registry is the platform's release registry; nil when nobody gave it.
	Registry *release.Registry
	Detector *secret.Detector
	Schemas  *schema.Cache
}

// File is a file of the repo.
type File struct {
	// Path is relative to the root, with slashes.
	Path string
	// Irregular tells that it is a symbolic link, or something else that is no regular file. Such a file is never read.
	Irregular bool
}

// Charts finds charts. Errors wrap chart.ErrNotFound, ErrOffline, ErrUnreachable or ErrUnfit where they apply. Several goroutines call it,
// and it finds a chart once for all apps that share its source.
type Charts interface {
	Chart(ctx context.Context, source chart.Source) (*chart.Chart, error)
}

// Options say how strict a run is.
type Options struct {
	// StrictKeys reports keys of custom values that neither the chart's defaults nor its schema know.
	StrictKeys bool
}
