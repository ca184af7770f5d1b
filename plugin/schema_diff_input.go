package plugin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/drift"
)

// ociScheme begins the address of a registry.
const ociScheme = "oci://"

// readCharts finds and loads both charts, and returns the names of the folders or charts that they were asked for by.
func (o *schemaDiffOptions) readCharts(ctx context.Context, in *drift.Input, old, new string) (names []string, err error) {
	store, err := o.charts.store()
	if err != nil {
		return nil, err
	}
	for _, side := range []struct {
		arg  string
		into *drift.Source
	}{{old, &in.Old}, {new, &in.New}} {
		located, name, err := o.locate(ctx, store, side.arg)
		if err != nil {
			return nil, err
		}
		loaded, err := located.Load()
		if err != nil {
			return nil, err
		}
		if note := located.Note(); note != "" {
			fmt.Fprintf(o.streams.ErrOut, "warning: %s\n", note) // it is in no chart
		}
		*side.into = drift.Source{Chart: loaded, Origin: located.Origin()}
		names = append(names, name)
	}
	return names, nil
}

// locate makes the chart that an argument names available, and returns the last part of its name.
func (o *schemaDiffOptions) locate(ctx context.Context, store *chart.Store, arg string) (*chart.Located, string, error) {
	if rest, ok := strings.CutPrefix(arg, ociScheme); ok {
		source, err := ociSource(rest)
		if err != nil {
			return nil, "", err
		}
		located, err := store.Locate(ctx, source)
		return located, source.Chart, err
	}
	if _, err := os.Stat(arg); err == nil {
		located, err := store.Open(ctx, arg)
		return located, folderName(arg), err
	}
	name, version, versioned := strings.Cut(arg, "@")
	switch {
	case versioned && (name == "" || version == ""):
		return nil, "", fmt.Errorf("chart %q: it is NAME@VERSION", argocd.RedactURL(arg))
	case versioned && o.chartRepo != "":
		located, err := store.Locate(ctx, chart.Source{RepoURL: o.chartRepo, Chart: name, Revision: version})
		return located, path.Base(name), err
	case versioned && o.charts.dir != "":
		located, err := store.AtHand(ctx, chart.Source{Chart: name, Revision: version})
		return located, path.Base(name), err
	case versioned:
		return nil, "", fmt.Errorf("chart %q: say by --chart-repo which Helm repository has it, or by --charts which folder", argocd.RedactURL(arg))
	case o.charts.dir != "":
		located, err := store.AtHand(ctx, chart.Source{Path: arg})
		return located, folderName(arg), err
	}
	return nil, "", fmt.Errorf("%w at %s: name a folder, a .tgz, NAME@VERSION with --chart-repo, or %sHOST/PATH/NAME@VERSION", chart.ErrNotFound, argocd.RedactURL(arg), ociScheme)
}

// ociSource reads HOST/PATH/NAME@VERSION.
func ociSource(rest string) (chart.Source, error) {
	at := strings.LastIndex(rest, "@")
	slash := strings.LastIndex(rest, "/")
	if slash <= 0 || at < slash+2 || at == len(rest)-1 {
		return chart.Source{}, fmt.Errorf("chart %s: it is %sHOST/PATH/NAME@VERSION", argocd.RedactURL(ociScheme+rest), ociScheme)
	}
	return chart.Source{RepoURL: ociScheme + rest[:slash], Chart: rest[slash+1 : at], Revision: rest[at+1:]}, nil
}

// folderName is the name of a chart's folder, by which Applications refer to it; "" for a package, whose name has a version too.
func folderName(arg string) string {
	if strings.HasSuffix(arg, ".tgz") {
		return ""
	}
	absolute, err := filepath.Abs(arg)
	if err != nil {
		return filepath.Base(arg)
	}
	return filepath.Base(absolute)
}

// readApps reads the files of the apps that use the chart, if there is a values repo.
func (o *schemaDiffOptions) readApps(ctx context.Context, in *drift.Input, folders []string) error {
	if _, err := findRepo(o.dir); err != nil && o.dir == "" {
		if len(o.wanted) > 0 {
			return fmt.Errorf("--app: %w", err)
		}
		fmt.Fprintln(o.streams.ErrOut, "note: no values repo here, so that no files are looked at; --repo names one") // it is no fault
		return nil
	}
	tree, err := openTree(o.dir)
	if err != nil {
		return err
	}
	defer tree.close()
	files, err := tree.files(ctx)
	if err != nil {
		return err
	}
	repo := drift.Repo{Read: tree.read}
	for _, f := range files {
		repo.Files = append(repo.Files, f.Path)
	}
	in.Repo = true
	in.Apps, in.Unread, err = drift.Users(repo, drift.Names(in.Old.Chart, in.New.Chart, folders...), o.wanted)
	if errors.Is(err, drift.ErrNoApp) {
		return fmt.Errorf("--app: %w; its Application file is not below %s", err, tree.dir)
	}
	return err
}
