package publish

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

const ruleElsewhere = "artifact-file-twice"

// elsewhere warns of files that hold an object of the plan at another path of the folder that one Application of Argo CD syncs.
// Files that go with this plan do not count.
func (p *planner) elsewhere(ctx context.Context) error {
	folders := map[string]bool{}
	for id := range p.written {
		folders[folderOf(id.Namespace)] = true
	}
	paths, err := p.in.Repo.List(layout.ManifestsDir)
	if err != nil {
		return err
	}
	for _, file := range paths {
		namespace := namespaceOf(file)
		if p.taken[file] || p.gone[file] || !folders[folderOf(namespace)] || !strings.HasPrefix(file, folderOf(namespace)+"/") || !isManifest(file) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		data, _, err := p.in.Repo.ReadFile(file)
		if errors.Is(err, gitrepo.ErrUnsafePath) {
			continue // a symbolic link, which Argo CD does not read either
		}
		if err != nil {
			return errRead(file, err)
		}
		stream, err := artifact.Read(bytes.NewReader(data))
		if err != nil {
			return errRead(file, err) // not reached: bytes do not fail
		}
		p.tellTwice(file, namespace, stream.Objects)
	}
	return nil
}

// tellTwice warns of the objects of a file that are among those of the plan.
func (p *planner) tellTwice(file, namespace string, objects []artifact.Object) {
	for _, o := range objects {
		if o.ID.Namespace == "" {
			o.ID.Namespace = namespace
		}
		w, ok := p.written[o.ID]
		if !ok {
			continue
		}
		r := p.releases[w.From]
		r.blame(finding.Warning, ruleElsewhere, file, o.Place(), fmt.Sprintf("the object stands here too, beside its file %s; Argo CD applies one of the two", w.path),
			"take the object out of this file, or out of the release")
		r.Findings[len(r.Findings)-1].Line = o.Line
	}
}

// placed is an object with its file.
type placed struct {
	*artifact.Item
	path string
}

func folderOf(namespace string) string {
	if namespace == "" {
		return layout.GlobalDir
	}
	return layout.NamespacesDir + "/" + layout.EncodeName(namespace)
}

// namespaceOf returns the namespace in whose folder a file is, "" for one that is in none.
func namespaceOf(file string) string {
	rest, ok := strings.CutPrefix(file, layout.NamespacesDir+"/")
	folder, _, _ := strings.Cut(rest, "/")
	namespace, plain := layout.DecodeName(folder)
	if !ok || !plain {
		return ""
	}
	return namespace
}

// isManifest tells whether Argo CD reads a file of a folder.
func isManifest(file string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(file))
}
