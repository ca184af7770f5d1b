package chart_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
)

// rendered is a chart with all that is no plain template.
func rendered() map[string]string {
	return map[string]string{
		"web/Chart.yaml":                  "apiVersion: v2\nname: web\nversion: 1.2.3\nkubeVersion: '>=1.29.0-0'\ndependencies: [{name: sub, version: 1.0.0, condition: sub.enabled}]\n",
		"web/values.yaml":                 "replicas: 1\nfail: ''\nsub: {enabled: true}\n",
		"web/values.schema.json":          `{"properties":{"replicas":{"type":"integer"}}}`,
		"web/crds/w.yaml":                 "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.example.test}\n",
		"web/templates/NOTES.txt":         "Thanks for {{ .Release.Name }}",
		"web/templates/_x.tpl":            `{{ define "x" }}{{ required (printf "%s is bad" .Values.fail) nil }}{{ end }}`,
		"web/templates/a.yaml":            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: {{ .Release.Namespace }}}\ndata: {n: {{ .Values.replicas | quote }}, found: {{ lookup \"v1\" \"Secret\" \"x\" \"y\" | toJson | quote }}}\n",
		"web/templates/gated.yaml":        "{{ if .Capabilities.APIVersions.Has \"monitoring.example.test/v1\" }}\napiVersion: monitoring.example.test/v1\nkind: Monitor\nmetadata: {name: m}\n{{ end }}\n",
		"web/templates/hook.yaml":         "apiVersion: batch/v1\nkind: Job\nmetadata: {name: h, annotations: {helm.sh/hook: pre-install}}\n",
		"web/templates/test.yaml":         "apiVersion: v1\nkind: Pod\nmetadata: {name: t, annotations: {helm.sh/hook: test}}\n",
		"web/templates/fail.yaml":         "{{ if .Values.fail }}{{ include \"x\" . }}{{ end }}",
		"web/templates/bad.yaml":          "{{ if .Values.bad }}a: [{{ .Values.bad }}{{ end }}",
		"web/templates/deep.yaml":         "{{ if .Values.deep }}{{ .Values.no.such.key }}{{ end }}",
		"web/templates/int.yaml":          "{{ if .Values.int }}{{ fail .Values.int }}{{ end }}",
		"web/charts/sub/Chart.yaml":       "apiVersion: v2\nname: sub\nversion: 1.0.0\n",
		"web/charts/sub/crds/s.yaml":      "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: subs.example.test}\n",
		"web/charts/sub/templates/s.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: s}\n",
		"loop/Chart.yaml":                 "apiVersion: v2\nname: loop\nversion: 1.0.0\n",
		"loop/templates/l.yaml":           "{{ define \"l\" }}{{ range until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}{{ end }}{{ include \"l\" . }}",
	}
}

func load(t *testing.T, name string) *chart.Chart {
	t.Helper()
	c, err := chart.NewFolder(write(t, rendered())).Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func summary(documents []chart.Document) []string {
	var out []string
	for _, d := range documents {
		line := d.Source
		if d.Hook {
			line += " hook"
		}
		if d.Test {
			line += " test"
		}
		out = append(out, line)
	}
	return out
}

func TestRender(t *testing.T) {
	all := []string{
		"web/crds/w.yaml", "web/charts/sub/crds/s.yaml", "web/charts/sub/templates/s.yaml", "web/templates/a.yaml",
		"web/templates/hook.yaml hook", "web/templates/test.yaml hook test",
	}
	for name, tc := range map[string]struct {
		reason string
		in     chart.Rendering
		want   []string
	}{
		"All":         {"CRDs (those of subcharts too), objects, hooks; no notes", chart.Rendering{}, all},
		"Gated":       {"API versions come on top of Helm's own", chart.Rendering{APIVersions: []string{"monitoring.example.test/v1"}}, append(append([]string{}, all[:4]...), "web/templates/gated.yaml", all[4], all[5])},
		"NoCRDs":      {"helm.skipCrds", chart.Rendering{SkipCRDs: true}, all[2:]},
		"NoSubchart":  {"a disabled subchart goes, with its CRDs", chart.Rendering{Values: map[string]any{"sub": map[string]any{"enabled": false}}}, []string{all[0], all[3], all[4], all[5]}},
		"SchemaLater": {"helm.skipSchemaValidation", chart.Rendering{SkipSchema: true, Values: map[string]any{"replicas": "many"}}, all},
	} {
		t.Run(name, func(t *testing.T) {
			tc.in.Release, tc.in.Namespace, tc.in.KubeVersion = "r", "ns", "1.34.0"
			got, err := load(t, "web").Render(t.Context(), tc.in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, summary(got)); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
			for _, d := range got {
				if d.Source == "web/templates/a.yaml" && (!strings.Contains(d.Text, "namespace: ns") || !strings.Contains(d.Text, `found: "{}"`)) {
					t.Errorf("it rendered %s", d.Text)
				}
			}
		})
	}
}

// TestRenderRefused holds that a rendering which fails says where, and never what: values can be secret.
func TestRenderRefused(t *testing.T) {
	const secret = "hunter2"
	for name, tc := range map[string]struct {
		values map[string]any
		kube   string
		where  string
	}{
		"KubeVersion": {nil, "1.28.9", "wants Kubernetes >=1.29.0-0"},
		"NoVersion":   {nil, "new", "no Kubernetes version"},
		"Schema":      {map[string]any{"replicas": secret}, "1.34.0", ".replicas"},
		"Required":    {map[string]any{"fail": secret}, "1.34.0", "web/templates/"},
		"Fail":        {map[string]any{"int": secret}, "1.34.0", "web/templates/int.yaml"},
		"NoYAML":      {map[string]any{"bad": secret + ": ["}, "1.34.0", "web/templates/bad.yaml"},
		"Nil":         {map[string]any{"deep": true}, "1.34.0", "web/templates/deep.yaml"},
		"Subchart":    {map[string]any{"sub": secret}, "1.34.0", "sub"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := load(t, "web").Render(t.Context(), chart.Rendering{Release: "r", Namespace: "ns", KubeVersion: tc.kube, Values: tc.values})
			if err == nil {
				t.Fatal("it rendered")
			}
			if text := err.Error(); !strings.Contains(text, tc.where) || strings.Contains(text, secret) || strings.Contains(text, "\n") {
				t.Errorf("the error is %s", text)
			}
			if name != "NoVersion" && !errors.Is(err, chart.ErrRender) {
				t.Errorf("the error is no ErrRender: %v", err)
			}
		})
	}
}

func TestRenderGivesUp(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := load(t, "loop").Render(ctx, chart.Rendering{Release: "r", Namespace: "ns", KubeVersion: "1.34.0"})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
}

// TestRenderTogether holds that several may render one chart at once, and that each gets what its values ask for.
func TestRenderTogether(t *testing.T) {
	c := load(t, "web")
	var running sync.WaitGroup
	for i := range 8 {
		running.Go(func() {
			got, err := c.Render(t.Context(), chart.Rendering{Release: "r", Namespace: "ns", KubeVersion: "1.34.0", Values: map[string]any{
				"replicas": i, "sub": map[string]any{"enabled": i%2 == 0},
			}})
			if err != nil {
				t.Error(err)
				return
			}
			if want := fmt.Sprintf("n: %q", fmt.Sprint(i)); !strings.Contains(fmt.Sprint(got), want) || len(got) != 6-2*(i%2) {
				t.Errorf("%d documents, and not %s: %v", len(got), want, got)
			}
		})
	}
	running.Wait()
}
