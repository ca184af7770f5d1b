package catalog

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
)

// Changes is what to do to a cluster so that it holds what is to be published, each sorted by name.
type Changes struct {
	Apply  []*corev1.ConfigMap // new, or other than they are
	Same   []*corev1.ConfigMap
	Delete []corev1.ConfigMap // as they were read
}

// Key returns the text by which bundles are told apart: sources with one Key are one chart.
func Key(source chart.Source) string { return keyOf(source).String() }

// Compare tells what is to be done where live are the ConfigMaps with Label that a namespace has. Those that are in no wanted
// bundle go, but for those of the kept keys: charts that could not be found now. managed tells that managed values are published: otherwise theirs stay too.
func Compare(live []corev1.ConfigMap, wanted []*corev1.ConfigMap, kept []string, managed bool) Changes {
	var c Changes
	there := make(map[string]*corev1.ConfigMap, len(live))
	for i := range live {
		there[live[i].Name] = &live[i]
	}
	names := map[string]bool{}
	for _, w := range wanted {
		names[w.Name] = true
		if o := there[w.Name]; o != nil && says(o, w) {
			c.Same = append(c.Same, w)
		} else {
			c.Apply = append(c.Apply, w)
		}
	}
	for _, o := range live {
		switch {
		case o.Labels[Label] == "", names[o.Name]: // none of ours, or written anew
		case slices.Contains(kept, o.Annotations[keyAnnotation]):
		case o.Labels[Label] == LabelManaged && !managed:
		default:
			c.Delete = append(c.Delete, o)
		}
	}
	slices.SortFunc(c.Delete, func(a, b corev1.ConfigMap) int { return strings.Compare(a.Name, b.Name) })
	return c
}

// says tells that an object has all that is wanted of it, and no data besides.
func says(o, wanted *corev1.ConfigMap) bool {
	has := func(all, some map[string]string) bool {
		for k, v := range some {
			if all[k] != v {
				return false
			}
		}
		return true
	}
	return len(o.Data) == 0 && maps.EqualFunc(o.BinaryData, wanted.BinaryData, bytes.Equal) &&
		has(o.Labels, wanted.Labels) && has(o.Annotations, wanted.Annotations)
}

// Row is one bundle of what is published, for people.
type Row struct {
	Chart     string   `json:"chart"`
	Version   string   `json:"version,omitempty"`
	Source    string   `json:"source"` // without credentials
	Revision  string   `json:"revision,omitempty"`
	HasSchema bool     `json:"schema"`
	Apps      []string `json:"apps"`
	Bytes     int      `json:"bytes"` // compressed
	Parts     int      `json:"parts"`
}

// NewRow tells of the objects of one chart.
func NewRow(c Chart, apps []string, objects []*corev1.ConfigMap) Row {
	k := keyOf(c.Source)
	row := Row{Chart: c.Interface.Name, Version: c.Interface.Version, Source: c.Source.String(), Revision: k.revision,
		HasSchema: hasSchema(c.Interface), Apps: apps, Parts: len(objects)}
	for _, o := range objects {
		row.Bytes += len(o.BinaryData[dataKey])
	}
	return row
}
