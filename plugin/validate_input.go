package plugin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/check"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
)

// selection returns what of the repo is checked, as check.Input has it: nil for everything.
func (o *validateOptions) selection(ctx context.Context, t *tree, names []string) ([]string, error) {
	var paths []string
	for _, name := range names {
		path, err := t.within(name)
		if err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	if o.changedSince == "" {
		return paths, nil
	}
	repo, err := gitrepo.Open(t.dir, o.env.Now, gitrepo.WithDetached(), gitrepo.WithEnv(o.env.Lookup))
	switch {
	case errors.Is(err, gitrepo.ErrNotRepository):
		return nil, fmt.Errorf("--changed-since: %s: %w", t.dir, gitrepo.ErrNotRepository)
	case err != nil:
		return nil, fmt.Errorf("--changed-since: %w", err)
	}
	if repo.Prefix() != "" {
		return nil, fmt.Errorf("--changed-since: %s is the folder %s of a git repository; a values repo has env/ at its root", t.dir, repo.Prefix())
	}
	changed, err := repo.ChangedSince(ctx, o.changedSince, "env", layout.ConfigFile)
	if err != nil {
		return nil, fmt.Errorf("--changed-since %s: %w", o.changedSince, err)
	}
	if len(paths) > 0 && slices.Contains(changed, layout.ConfigFile) {
		return paths, nil // it can change the verdict on anything
	}
	selected := []string{} // nothing, where nothing changed
	for _, file := range changed {
		if len(paths) == 0 || slices.ContainsFunc(paths, func(p string) bool { return p == "." || file == p || strings.HasPrefix(file, p+"/") }) {
			selected = append(selected, file)
		}
	}
	return selected, nil
}

// known reads what is known besides the repo: charts, copies of schemas, the registry.
func (o *validateOptions) known(in *check.Input) (err error) {
	if in.Schemas, err = schemaCache(o.schemaDir); err != nil {
		return err
	}
	if o.releases != "" {
		if in.Registry, err = readRegistry(o.releases); err != nil {
			return err
		}
	}
	if o.skipCharts {
		return nil
	}
	store, err := o.charts.store()
	if err != nil {
		return err
	}
	in.Charts = &loadedCharts{store: store}
	return nil
}

// loadedCharts finds each chart once, for all apps that share its source.
type loadedCharts struct {
	store *chart.Store
	found sync.Map // of chart.Source to func() (*chart.Chart, error)
}

// Chart implements check.Charts.
func (l *loadedCharts) Chart(ctx context.Context, source chart.Source) (*chart.Chart, error) {
	load := sync.OnceValues(func() (*chart.Chart, error) {
		located, err := l.store.Locate(ctx, source)
		if err != nil {
			return nil, err
		}
		return located.Load()
	})
	kept, _ := l.found.LoadOrStore(source, load)
	return kept.(func() (*chart.Chart, error))() //nolint:forcetypeassert // nothing else is stored
}

// schemaCache returns what compiles schemas, which look for others in a folder alone, --schema-dir; "" for nowhere.
func schemaCache(dir string) (*schema.Cache, error) {
	if dir == "" {
		return schema.NewCache(nil), nil
	}
	if err := isFolder("schema-dir", dir); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir) // closed with the process; no link leads out of it
	if err != nil {
		return nil, fmt.Errorf("--schema-dir %s: %w", dir, plainPathError(err))
	}
	return schema.NewCache(root.FS()), nil
}
