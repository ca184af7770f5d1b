package publish

import (
	"context"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
)

// Files reads the values repo; gitrepo.Repo does.
type Files interface {
	// ReadFile returns what the work tree has at a path, and whether it has something.
	ReadFile(path string) (data []byte, found bool, err error)
	// HeadFile returns what the commit has there that HEAD names.
	HeadFile(path string) (data []byte, found bool, err error)
	// List returns the files of the work tree in a folder and below, HeadFiles those of the commit that HEAD names.
	List(dir string) ([]string, error)
	HeadFiles(ctx context.Context, dir string) ([]string, error)
}

// Source is a release and the objects of it.
type Source struct {
	artifact.Source
	// Note says why the release has no objects, where it is not that it renders none.
	Note string
	// Findings are what went wrong on the way to the objects.
	Findings []finding.Finding
}

// Input is what a plan is made from.
type Input struct {
	Sources []Source
	// Skipped are releases that are passed over, by why.
	Skipped []Skipped
	// Scopes knows where kinds of objects live.
	Scopes *artifact.Scopes
	// Repo is the values repo, Config its .apl.yaml; nil says nothing.
	Repo   Files
	Config *config.Config
	// Registry has all releases of the platform. It may be nil, but for Options.Prune: labels name a release without its
	// namespace, so that it takes the registry to tell whether there is another one of the name.
	Registry *release.Registry
	// Detector finds secret material; nil is a new one.
	Detector *secret.Detector
}

// Skipped is a release that is passed over.
type Skipped struct {
	Release app.ID
	Reason  string
}

// Options change a plan.
type Options struct {
	// Protect is artifact.ProtectData where it is "".
	Protect artifact.Protection
	// Prune removes the files of objects that their release renders no more.
	Prune bool
	// WorkTree tells that nothing is to be committed, so that a file of the work tree counts although no commit has it.
	WorkTree bool
	// Progress is told how many of all objects are done; nil is nobody.
	Progress func(what string, done, all int)
}
