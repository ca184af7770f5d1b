package printer

import (
	"fmt"
	"io"
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-apl/kubectl-apl/pkg/catalog"
)

// SchemaPublish prints a table of the charts that are published.
func SchemaPublish(out io.Writer, format Format, style Style, rows []catalog.Row) error {
	p := &page{out: out, style: style, wide: format == Wide}
	if len(rows) == 0 {
		return nil
	}
	table := [][]cell{{{text: "CHART"}, {text: "VERSION"}, {text: "REVISION"}, {text: "SCHEMA"}, {text: "APPS"}, {text: "KB"}, {text: "PARTS"}}}
	for _, r := range rows {
		has := cell{"no", yellow}
		if r.HasSchema {
			has = cell{"yes", green}
		}
		table = append(table, []cell{{text: r.Chart}, {text: r.Version}, {text: r.Revision}, has, {text: p.releases(r.Apps)},
			{text: fmt.Sprintf("%.1f", float64(r.Bytes)/1024)}, {text: strconv.Itoa(r.Parts)}})
	}
	p.table(table)
	return p.err
}

// SchemaObjects prints the ConfigMaps as one List, which kubectl apply --server-side takes.
func SchemaObjects(out io.Writer, format Format, objects []*corev1.ConfigMap) error {
	items := make([]any, 0, len(objects))
	for _, o := range objects {
		items = append(items, o)
	}
	return Data(out, format, map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
}
