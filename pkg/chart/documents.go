package chart

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/release"
	"helm.sh/helm/v3/pkg/releaseutil"
)

// documents takes apart what templates rendered, as releaseutil.SortManifests does, but for two things: it does not put
// objects in the order of an installation, which a comparison has no use for, and it reads the annotations of those
// documents only that can be hooks. Both are most of the time that Helm takes.
func (in Rendering) documents(own *chart.Chart, files map[string]string) ([]Document, error) {
	var out []Document
	if !in.SkipCRDs {
		for _, crd := range own.CRDObjects() {
			out = append(out, Document{Source: crd.Filename, Text: string(crd.File.Data)})
		}
	}
	known := make(map[Document]bool, len(in.Known))
	for _, d := range in.Known {
		known[d] = true
	}
	size := 0
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if size += len(files[name]); size > maxRender {
			return nil, fmt.Errorf("%w: it comes to more than %d MiB", ErrRender, maxRender>>20)
		}
		if strings.HasSuffix(name, "NOTES.txt") || strings.HasPrefix(path.Base(name), "_") {
			continue
		}
		for _, text := range splitManifests(files[name]) {
			d, keep, err := document(name, text, known)
			if err != nil {
				return nil, fmt.Errorf("%w: %w", ErrRender, yamlRefusal(err))
			}
			if keep {
				out = append(out, d)
			}
		}
	}
	return out, nil
}

// document reads one document. Helm drops one whose hook it does not know.
func document(name, text string, known map[Document]bool) (d Document, keep bool, err error) {
	d = Document{Source: name, Text: text}
	if !strings.Contains(text, release.HookAnnotation) {
		if known[d] {
			return d, true, nil
		}
		if _, err := chartutil.ReadValues([]byte(text)); err != nil { // Helm's door to the parser
			return d, false, fmt.Errorf("YAML parse error on %s: %w", name, err)
		}
		return d, true, nil
	}
	hooks, manifests, err := releaseutil.SortManifests(map[string]string{name: text}, nil, releaseutil.InstallOrder)
	if err != nil || len(hooks) == 0 {
		return d, len(manifests) > 0, err
	}
	d.Hook = true
	d.Test = !slices.ContainsFunc(hooks[0].Events, func(e release.HookEvent) bool { return e != release.HookTest })
	return d, true, nil
}

// splitManifests is releaseutil.SplitManifests, in order and without its regular expression: a line that begins with
// three dashes ends a document, whatever follows them belongs to the next one.
func splitManifests(text string) []string {
	var out []string
	add := func(doc string) {
		if doc != "" {
			out = append(out, strings.TrimSpace(doc))
		}
	}
	text = strings.TrimSpace(text)
	start := 0
	for at := 0; at < len(text); {
		if strings.HasPrefix(text[at:], "---") {
			add(strings.TrimRightFunc(text[start:at], isSpace))
			start = at + len("---")
			start += len(text[start:]) - len(strings.TrimLeftFunc(text[start:], isSpace))
			at = nextLine(text, start) // dashes that follow right away end nothing: their line break is taken
			continue
		}
		at = nextLine(text, at)
	}
	add(text[min(start, len(text)):])
	return out
}

func nextLine(text string, at int) int {
	end := strings.IndexByte(text[at:], '\n')
	if end < 0 {
		return len(text)
	}
	return at + end + 1
}

// isSpace is \s of a regular expression.
func isSpace(r rune) bool { return strings.ContainsRune(" \t\n\r\f", r) }
