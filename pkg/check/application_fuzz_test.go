package check_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-apl/kubectl-apl/pkg/check"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// FuzzApplications holds that no text of an Application file, or of a manifest beside it, makes a run panic or say nothing useful.
func FuzzApplications(f *testing.F) {
	base := platform()
	f.Add(base[site])
	f.Add(base[site] + "---\n" + base[site])
	for _, pair := range [][2]string{
		{"v1alpha1", "v1"}, {"name: web-site", "name: {}"}, {"sources:", "source:"}, {"- ref: values", "- ref: [a]"}, {"valueFiles:", "valueFiles: 5\n      x:"},
		{"$values/env/values/web/site/values.managed.yaml", "$$values/$(x)/*[/../${ARGOCD_APP_REVISION"}, {"https://git.example.test/values.git", "oci://x"},
		{"  finalizers:\n", "  finalizers: &a [*a]\n  x:\n"},
	} {
		f.Add(strings.Replace(base[site], pair[0], pair[1], 1))
	}
	f.Add("apiVersion: v1\nkind: List\nitems: [{kind: Application}]\n")
	f.Add(`{"kind":"Application","apiVersion":"argoproj.io/v1alpha1","metadata":null,"spec":null}`)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 64<<10 {
			return // a longer one takes long, and finds no more
		}
		repo := base.add(site, text).add("env/manifests/namespaces/argocd/application/x.yaml", text)
		result, err := check.Run(context.Background(), repo.input(), check.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range result.Findings {
			if f.Rule == "" || f.Message == "" || f.Severity == "" || f.File == "" || f.Line < 0 {
				t.Errorf("%+v", f)
			}
		}
	})
}

// TestHostileApplications holds that work and findings stay within bounds, whatever a file holds.
func TestHostileApplications(t *testing.T) {
	base := platform()
	const entries = "      - $values/env/values/web/site/values.managed.yaml\n      - $values/env/values/web/site/values.custom.yaml\n"
	for name, text := range map[string]string{
		"ManyFiles":   strings.Replace(base[site], entries, strings.Repeat("      - $values/env/*.yaml\n", 20_000), 1),
		"ManyNumbers": strings.Replace(base[site], entries, strings.Repeat("      - 5\n", 50_000), 1),
		"ManyRepeats": strings.Replace(base[site], entries, strings.Repeat(entries, 20_000), 1),
		"ManySources": strings.Replace(base[site], "  - ref: values\n", strings.Repeat("  - {repoURL: a, path: b}\n", 20_000)+"  - ref: values\n", 1),
		"ManyLabels":  strings.Replace(base[site], "  labels:\n", "  labels:\n"+manyKeys(50_000), 1),
		"ManyDocs":    base[site] + strings.Repeat("---\n"+"a: 1\n", 20_000),
		"Deep":        strings.Replace(base[site], "  project: default\n", "  info: "+strings.Repeat("[", 5_000)+strings.Repeat("]", 5_000)+"\n", 1),
		"LongLine":    strings.Replace(base[site], "  project: default\n", "  project: "+strings.Repeat("a", 4<<20)+"\n", 1),
		"Bomb": strings.Replace(base[site], "  project: default\n", "  a: &a [x,x,x,x,x,x,x,x,x]\n  b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n  c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n  d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"+
			"  e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\n  f: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\n  g: [*f,*f,*f,*f,*f,*f,*f,*f,*f]\n", 1),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			found := run(t, base.add(site, text).input())
			if took := time.Since(start); took > 5*time.Minute {
				t.Errorf("it took %s", took)
			}
			errs := 0
			for _, f := range found {
				if f.Severity == finding.Error {
					errs++
				}
				if len(f.Message) > 4<<10 || len(f.Next) > 4<<10 {
					t.Errorf("a message of %d bytes", len(f.Message))
				}
			}
			if len(found) > 250 || errs == 0 && name != "ManyLabels" && name != "Deep" && name != "LongLine" {
				t.Errorf("%d findings, %d errors", len(found), errs)
			}
		})
	}
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("    k" + strings.Repeat("x", i%7) + strings.TrimSpace(string(rune('a'+i%26))) + strings.Repeat("y", i/182%50) + strings.Repeat("z", i/9100) + ": v\n")
	}
	return b.String()
}
