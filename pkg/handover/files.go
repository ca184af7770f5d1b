package handover

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// inventory is what the values repo holds of objects, as HEAD has it.
type inventory struct {
	byRef map[argocd.ObjectRef][]file
	// broken says, by adopter, where its folder cannot be read: Argo CD then syncs nothing of it.
	broken map[string]string
	// unpushed are the paths that the upstream does not have as HEAD has them.
	unpushed map[string]bool
	upstream gitrepo.Upstream
}

// file is where an object stands.
type file struct {
	path string
	// adopter is the Application that syncs the folder.
	adopter string
}

// errPull is returned where the upstream knows files that the clone does not.
var errPull = errors.New("the upstream has files that HEAD has not")

// readInventory reads all manifests of HEAD, and asks the upstream whether it has them.
func readInventory(ctx context.Context, repo Repo) (*inventory, error) {
	v := &inventory{byRef: map[argocd.ObjectRef][]file{}, broken: map[string]string{}, unpushed: map[string]bool{}}
	paths, err := repo.HeadFiles(ctx, layout.ManifestsDir)
	if err != nil {
		return nil, err
	}
	for _, p := range paths {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("read %s: %w", layout.ManifestsDir, err)
		}
		if err := v.read(repo, p); err != nil {
			return nil, err
		}
	}
	unpushed, to, err := repo.Unpushed(ctx, layout.ManifestsDir)
	if err != nil {
		return nil, fmt.Errorf("see whether the files of %s are pushed: %w", layout.ManifestsDir, err)
	}
	var theirs []string
	for _, p := range unpushed {
		if v.unpushed[p] = true; !slices.Contains(paths, p) {
			theirs = append(theirs, p)
		}
	}
	if len(theirs) > 0 {
		return nil, fmt.Errorf("%w: %s; pull from %s, or push their removal", errPull, named(theirs), to)
	}
	v.upstream = to
	return v, nil
}

func (v *inventory) read(repo Repo, p string) error {
	adopter, namespace := argocd.FolderAppOf(p)
	if adopter == "" || !slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(p)) {
		return nil
	}
	data, found, err := repo.HeadFile(p)
	switch {
	case err != nil:
		return err
	case !found: // it was listed, so that HEAD has moved
		return fmt.Errorf("read %s: %w", p, gitrepo.ErrChanged)
	}
	stream, err := artifact.Read(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%s: %w", p, err)
	}
	for _, problem := range stream.Problems {
		if v.broken[adopter] == "" {
			v.broken[adopter] = fmt.Sprintf("%s:%d: %s", p, problem.Line, problem.Message)
		}
	}
	for _, o := range stream.Objects {
		if o.Generated {
			continue // it has another name in the cluster each time
		}
		v.add(o.ID, file{p, adopter})
		if o.ID.Namespace == "" && namespace != "" { // Argo CD gives it that of the Application, unless its kind has none
			within := o.ID
			within.Namespace = namespace
			v.add(within, file{p, adopter})
		}
	}
	return nil
}

func (v *inventory) add(ref argocd.ObjectRef, f file) {
	if !slices.Contains(v.byRef[ref], f) {
		v.byRef[ref] = append(v.byRef[ref], f)
	}
}

// refs returns what the values repo holds, in no order.
func (v *inventory) refs() []argocd.ObjectRef { return slices.Collect(maps.Keys(v.byRef)) }
