package catalog

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
)

// Input is what is to be published.
type Input struct {
	// Namespace is that of the ConfigMaps; "" is Namespace.
	Namespace string
	// Charts has one entry for each source. Two sources that differ in credentials or spelling only are one.
	Charts []Chart
	// Managed are the managed values of the apps, and Config the text of .apl.yaml: none of both makes no bundle of them.
	Managed []Managed
	Config  []byte
}

// Chart is a chart, and where Applications say that it is.
type Chart struct {
	Source    chart.Source
	Interface chart.Interface
}

// Managed is the body of an app's values.managed.yaml.
type Managed struct {
	App  app.ID
	Text []byte
}

// Encode returns the ConfigMaps that hold the input, sorted by name: the same for the same input, in whatever order it comes. All of it can be read back by a
// Store. The error names what is too large, or said twice.
func Encode(in Input) ([]*corev1.ConfigMap, error) {
	namespace := cmp.Or(in.Namespace, Namespace)
	var out []*corev1.ConfigMap
	seen := map[string]string{} // key to digest
	for _, c := range in.Charts {
		k := keyOf(c.Source)
		ordered := inOrder(c.Interface)
		data, err := pack(written{Key: k.String(), Chart: &ordered,
			Source: &writtenSource{Repo: k.repo, Path: k.path, Chart: k.chart, Revision: k.revision}})
		if err != nil {
			return nil, fmt.Errorf("publish %s: %w", c.Source, err)
		}
		sum := digest(data)
		if before, twice := seen[k.String()]; twice {
			if before != sum {
				return nil, fmt.Errorf("publish %s: two different charts are given for it", c.Source)
			}
			continue
		}
		if seen[k.String()] = sum; len(seen) > maxBundles {
			return nil, fmt.Errorf("there are more than %d charts", maxBundles)
		}
		parts, err := split(bundle{key: k.String(), label: LabelChart, name: c.Interface.Name, version: c.Interface.Version}, data)
		if err != nil {
			return nil, fmt.Errorf("publish %s: %w", c.Source, err)
		}
		out = append(out, parts...)
	}
	parts, err := in.encodeManaged()
	if err != nil {
		return nil, fmt.Errorf("publish managed values: %w", err)
	}
	out = append(out, parts...)
	for _, part := range out {
		part.Namespace = namespace
	}
	slices.SortFunc(out, func(a, b *corev1.ConfigMap) int { return cmp.Compare(a.Name, b.Name) })
	return out, nil
}

// inOrder returns the interface with its subcharts by name and version: Helm's loader has them in the order of a map, another one each time.
func inOrder(i chart.Interface) chart.Interface {
	subcharts := make([]chart.Interface, 0, len(i.Subcharts))
	for _, sub := range i.Subcharts { // Helm has loaded them: their depth is that of folders
		subcharts = append(subcharts, inOrder(sub))
	}
	slices.SortStableFunc(subcharts, func(a, b chart.Interface) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Version, b.Version))
	})
	i.Subcharts = subcharts
	return i
}

func (in Input) encodeManaged() ([]*corev1.ConfigMap, error) {
	if len(in.Managed) == 0 && len(in.Config) == 0 {
		return nil, nil
	}
	apps := slices.SortedFunc(slices.Values(in.Managed), func(a, b Managed) int { return app.Compare(a.App, b.App) })
	w := written{Key: managedKey, Config: string(in.Config)}
	for i, a := range apps {
		if i > 0 && a.App == apps[i-1].App {
			return nil, fmt.Errorf("app %s is given twice", a.App)
		}
		w.Managed = append(w.Managed, writtenApp{App: a.App.String(), Text: string(a.Text)})
	}
	data, err := pack(w)
	if err != nil {
		return nil, err
	}
	return split(bundle{key: managedKey, label: LabelManaged}, data)
}
