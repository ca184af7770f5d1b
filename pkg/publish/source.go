package publish

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

const (
	ruleRender  = "artifact-render"
	ruleMissing = "artifact-missing"
)

// Rendered reads what was rendered of releases from a folder, where each has a file <namespace>-<releaseName>.yaml. A release
// without one is a finding. dir is how findings name the folder.
func Rendered(dir string, files fs.FS, releases []release.Release) ([]Source, error) {
	var out []Source
	for _, r := range releases {
		s := newSource(r)
		if s.Note == "" {
			s.Name = path.Join(dir, release.ManagedFile(r.ID))
			if err := s.read(files, release.ManagedFile(r.ID)); err != nil {
				return nil, err
			}
		}
		out = append(out, s)
	}
	return out, nil
}

// newSource is the source of a release that has not been read yet; one that is not installed has none.
func newSource(r release.Release) Source {
	s := Source{Source: artifact.Source{Release: r.ID, Name: r.ID.String()}}
	if !r.Present() {
		s.Note = "it is not installed"
	}
	return s
}

func (s *Source) read(files fs.FS, name string) error {
	file, err := files.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		s.fail(ruleMissing, "the folder has no such file", "see whether the folder holds what this platform's releases render")
		return nil
	}
	if err != nil {
		return fmt.Errorf("read what release %s renders: %w", s.Release, err)
	}
	defer file.Close() // nothing was written, so that closing cannot lose anything
	if s.Stream, err = artifact.Read(file); err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	if Nothing(s.Stream) {
		s.fail(ruleMissing, "the file is empty, as a command that failed leaves it", "render it again; for a release that renders nothing helm template writes an empty line")
	}
	return nil
}

// Nothing tells that a stream has no document at all, not even an empty one: whatever was to write it has not. A release that renders
// nothing looks otherwise, as helm template writes it.
func Nothing(s *artifact.Stream) bool { return len(s.Objects)+len(s.Problems)+s.Empty == 0 }

func (s *Source) fail(rule, message, next string) {
	s.Findings = append(s.Findings, finding.Finding{Rule: rule, Severity: finding.Error, App: s.Release.String(), File: s.Name, Message: message, Next: next})
}

// Managed reads the values that the platform computes, as release.Managed does.
type Managed interface {
	Read(id app.ID) (data []byte, name string, err error)
}

// Renderer renders releases in process.
type Renderer struct {
	// Charts is the checkout that has the chart's folder.
	Charts  chart.Folder
	Managed Managed
	// KubeVersion is the Kubernetes version to render for, APIVersions what it serves beside what Helm knows.
	KubeVersion string
	APIVersions []string
	// Progress is told how many releases are rendered; nil is nobody.
	Progress func(what string, done, all int)
}

// Sources renders releases. What does not render is a finding of its release; the error is that of ctx.
func (r Renderer) Sources(ctx context.Context, releases []release.Release) ([]Source, error) {
	charts := map[string]*chart.Chart{}
	var out []Source
	for done, of := range releases {
		if r.Progress != nil {
			r.Progress("rendering", done, len(releases))
		}
		s := newSource(of)
		if s.Note == "" {
			r.render(ctx, &s, of, charts)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// render renders one release. Tests of the chart are left out: Argo CD does not apply them.
func (r Renderer) render(ctx context.Context, s *Source, of release.Release, charts map[string]*chart.Chart) {
	folder := chartFolder(of.Chart)
	if folder == "" {
		s.fail(ruleRender, fmt.Sprintf("its chart, %s, is no folder beside the helmfile", of.Chart), "render it with helm template, and give the result with --rendered")
		return
	}
	loaded := charts[folder]
	if loaded == nil {
		var err error
		if loaded, err = r.Charts.Load(folder); err != nil {
			s.fail(ruleRender, err.Error(), "see whether --charts is the checkout that holds the platform's charts")
			return
		}
		charts[folder] = loaded
	}
	data, name, err := r.Managed.Read(of.ID)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.fail(ruleMissing, fmt.Sprintf("the managed values have no %s", name), "see whether --managed is what helmfile write-values wrote for this platform")
		return
	case err != nil:
		s.fail(ruleMissing, err.Error(), "correct the file")
		return
	}
	doc, err := values.Parse(name, data)
	if err != nil {
		s.fail(ruleMissing, err.Error(), "correct the file")
		return
	}
	documents, err := loaded.Render(ctx, chart.Rendering{Release: of.ID.Release, Namespace: of.ID.Namespace, Values: doc.Values,
		KubeVersion: r.KubeVersion, APIVersions: r.APIVersions})
	if err != nil {
		s.fail(ruleRender, err.Error(), "correct the values or the chart")
		return
	}
	var stream bytes.Buffer
	for _, d := range documents {
		if !d.Test {
			fmt.Fprintf(&stream, "---\n# Source: %s\n%s\n", d.Source, d.Text)
		}
	}
	if s.Stream, err = artifact.Read(&stream); err != nil {
		s.fail(ruleRender, err.Error(), "correct the values or the chart") // not reached: a buffer does not fail
	}
}

// chartFolder returns the folder of a chart as a checkout has it, from what the helmfile names it by: charts/raw for ../charts/raw.
// It returns "" for a chart of a repository.
func chartFolder(name string) string {
	if !strings.HasPrefix(name, "./") && !strings.HasPrefix(name, "../") {
		return ""
	}
	for strings.HasPrefix(name, "../") || strings.HasPrefix(name, "./") {
		name = strings.TrimPrefix(strings.TrimPrefix(name, "../"), "./")
	}
	return path.Clean(name)
}
