package printer

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/bootstrap"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Names prints an object a line, as kubectl's -o name does.
const Names Format = "name"

// ObjectFormats lists the formats of a result that can be printed as the objects that it is about, the default first.
func ObjectFormats() []string { return append(Formats(), string(Names)) }

// ParseObjectFormat reads the value of -o where objects can be printed.
func ParseObjectFormat(text string) (Format, error) {
	if text == string(Names) {
		return Names, nil
	}
	format, err := ParseFormat(text)
	if err != nil {
		err = fmt.Errorf("-o %q: use one of %s", text, strings.Join(ObjectFormats(), ", "))
	}
	return format, err
}

// Bootstrap prints what is applied: a table of the objects and what was found, or, in the other formats, the objects
// themselves, which kubectl apply takes. Of a plan against which something stands, those print nothing.
func Bootstrap(out io.Writer, format Format, style Style, plan *bootstrap.Plan) error {
	if format == Table || format == Wide {
		return bootstrapTable(&page{out: out, style: style, wide: format == Wide}, plan)
	}
	if plan.Refused() {
		return nil
	}
	objects := plan.Declared()
	switch format {
	case Names:
		return names(out, objects)
	case JSON:
		items := make([]any, 0, len(objects))
		for _, o := range objects {
			items = append(items, o)
		}
		return Data(out, JSON, map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
	}
	var b bytes.Buffer
	for _, o := range objects {
		text, err := values.Marshal(o)
		if err != nil {
			return fmt.Errorf("print objects as YAML: %w", err)
		}
		b.WriteString("---\n")
		b.Write(text)
	}
	if _, err := out.Write(b.Bytes()); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

func names(out io.Writer, objects []map[string]any) error {
	for _, o := range objects {
		kind, _ := o["kind"].(string)
		version, _ := o["apiVersion"].(string)
		metadata, _ := o["metadata"].(map[string]any)
		name, _ := metadata["name"].(string)
		group, _, _ := strings.Cut(version, "/")
		if _, err := fmt.Fprintf(out, "%s.%s/%s\n", strings.ToLower(kind), group, name); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	return nil
}

func bootstrapTable(p *page, plan *bootstrap.Plan) error {
	rows := [][]cell{{{text: "KIND"}, {text: "NAME"}, {text: "ACTION"}, {text: "SYNC"}, {text: "FROM"}, {text: "REASON"}}}
	counts := map[bootstrap.Action]int{}
	for i := range plan.Objects {
		o := &plan.Objects[i]
		counts[o.Action]++
		name := o.Name
		if o.Namespace != "" {
			name = o.Namespace + "/" + name
		}
		rows = append(rows, []cell{{text: o.Kind}, {text: name}, {bootstrapAction(o, plan.DryRun), bootstrapColor(o.Action)},
			{text: orDash(string(o.Sync))}, {text: orDash(o.From)}, {text: o.Reason}})
	}
	p.table(rows)
	if len(plan.Findings) > 0 {
		p.heading("Findings")
		p.findings(plan.Findings)
	}
	p.printf("\nValues repo: %s, revision %s (from %s)\n", plan.ValuesRepo.URL, plan.ValuesRepo.Revision, plan.ValuesRepo.Source)
	p.printf("Root app: %s. To make: %d, to change: %d, unchanged: %d, left alone: %d.\n", plan.RootApp,
		counts[bootstrap.Create], counts[bootstrap.Change], counts[bootstrap.Unchanged], counts[bootstrap.Left])
	return p.err
}

func bootstrapAction(o *bootstrap.Object, dryRun cluster.DryRun) string {
	switch {
	case o.Done && dryRun == cluster.DryRunServer:
		return string(o.Action) + " (the server would take it)"
	case o.Done:
		return string(o.Action) + " (done)"
	}
	return string(o.Action)
}

func bootstrapColor(a bootstrap.Action) string {
	switch a {
	case bootstrap.Create, bootstrap.Change:
		return green
	}
	return faint
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// Findings prints findings alone, where the result has no place for them.
func Findings(out io.Writer, style Style, list []finding.Finding) error {
	p := &page{out: out, style: style, wide: true}
	p.findings(list)
	return p.err
}
