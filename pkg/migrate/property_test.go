package migrate_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	helmvalues "helm.sh/helm/v3/pkg/cli/values"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

// TestPlanOfAnyPlatform draws platforms and holds what is true of every plan: its form (checkPlan), the theorem of
// DESIGN 4 on every app that lands, that the order of the input does not matter, and that a second run on what was written
// has nothing to do.
func TestPlanOfAnyPlatform(t *testing.T) {
	dir, runs := t.TempDir(), 0
	rapid.Check(t, func(rt *rapid.T) {
		runs++
		charts := fmt.Sprintf("%s/%d", dir, runs)
		defer os.RemoveAll(charts) //nolint:errcheck // the test's folder goes anyway
		w, options := drawWorld(rt, t, charts)
		options.ValuesRepoURL, options.ValuesRevision = "https://git.example.test/values.git", "main"
		in := w.input(t)
		options.Accept = slices.DeleteFunc(options.Accept, func(id app.ID) bool { return !known(in.Applications, id) })

		plan := newPlan(t, in, options)
		checkPlan(rt, plan)
		if text := encode(t, plan) + plan.Message(); strings.Contains(text, "hunter2") {
			rt.Fatalf("the plan shows a secret's value: %s", text)
		}
		files := memory{}
		files.land(plan)
		for _, a := range plan.Apps {
			if a.Action == migrate.Migrate {
				checkTheorem(rt, t, w, files, a)
			}
		}

		shuffled := in
		shuffled.Applications = rapid.Permutation(in.Applications).Draw(rt, "order")
		if diff := cmp.Diff(encode(t, plan), encode(t, newPlan(t, shuffled, options))); diff != "" {
			rt.Fatalf("the order of the Applications matters (-first +shuffled)\n%s", diff)
		}
		if diff := cmp.Diff(plan.Changes(), newPlan(t, shuffled, options).Changes(), cmp.AllowUnexported(gitrepo.Change{})); diff != "" {
			rt.Fatalf("the order of the Applications matters to the files (-first +shuffled)\n%s", diff)
		}

		again := in
		again.Repo = files
		checkAgain(rt, plan, newPlan(t, again, options))
	})
}

func known(apps []*argocd.Application, id app.ID) bool {
	return slices.ContainsFunc(apps, func(a *argocd.Application) bool {
		other, err := a.ID()
		return err == nil && other == id
	})
}

// checkAgain holds that a second plan, on the files of the first, leaves all as it is.
func checkAgain(t fataler, first, second *migrate.Plan) {
	t.Helper()
	checkPlan(t, second)
	for i, a := range first.Apps {
		want := a.Action
		if want == migrate.Migrate {
			want = migrate.Unchanged
		}
		if b := second.Apps[i]; b.Application != a.Application || b.Action != want {
			t.Fatalf("%s was %s and is %s: %s", a.Application, a.Action, b.Action, b.Reason)
		}
	}
	if len(second.Changes()) > 0 {
		t.Fatalf("a second run writes %d files", len(second.Changes()))
	}
}

// checkTheorem asks Helm what became of an app that landed.
func checkTheorem(t fataler, tb testing.TB, w *world, files memory, a migrate.App) {
	t.Helper()
	i := slices.IndexFunc(w.applications, func(tree map[string]any) bool { // a name can stand for two identities
		return fmt.Sprint(at(tree, "spec", "destination")["namespace"], "/", at(tree, "spec", "source", "helm")["releaseName"]) == a.App
	})
	live, written := liveOptions(tb, w.applications[i]), files.valueFiles(tb, a.App)
	if len(a.Introduced) == 0 {
		checkUserValues(t, live, written)
	}
	path, ok := at(w.applications[i], "spec", "source")["path"].(string)
	if !ok {
		if len(a.Introduced) > 0 && !slices.Contains(rulesOf(a), "warning introduced-effects") {
			t.Fatalf("%s introduces keys, and the plan does not say that its chart was not read", a.App)
		}
		return
	}
	before, beforeErr := helmEffective(w.charts+"/"+path, live)
	after, afterErr := helmEffective(w.charts+"/"+path, written)
	if (beforeErr == nil) != (afterErr == nil) || beforeErr != nil && len(a.Introduced) > 0 {
		t.Fatalf("%s: Helm says of live %v, of the two files %v", a.App, beforeErr, afterErr)
	}
	for _, path := range differing(before, after) {
		if !explained(a, path) {
			t.Fatalf("%s: templates see another value at %q, which the plan does not list: introduced %+v, findings %+v\n%s",
				a.App, path, a.Introduced, a.Findings, cmp.Diff(before, after))
		}
	}
}

// checkUserValues holds that Helm merges the two files to the live values.
func checkUserValues(t fataler, live, written helmvalues.Options) {
	t.Helper()
	before, err := live.MergeValues(nil)
	if err != nil {
		t.Fatalf("live values: %v", err)
	}
	after, err := written.MergeValues(nil)
	if err != nil {
		t.Fatalf("written values: %v", err)
	}
	if diff := cmp.Diff(printable(before), printable(after)); diff != "" {
		t.Fatalf("the two files do not merge to the live values (-live +files)\n%s", diff)
	}
}

// explained tells whether the plan lists a path, by its keys with dots, as one that changes.
func explained(a migrate.App, path string) bool {
	for _, i := range a.Introduced {
		introduced := dotted(i.Path)
		if i.Effect == migrate.Accepted && (below(path, introduced) || below(introduced, path)) {
			return true
		}
	}
	for _, f := range a.Findings {
		if f.Rule != "introduced-effects" {
			continue
		}
		if strings.Contains(f.Message, " more") { // a list that was cut
			return true
		}
		for listed := range strings.SplitSeq(f.Message[strings.LastIndex(f.Message, ": ")+2:], ", ") {
			if listed = dotted(listed); below(path, listed) || below(listed, path) {
				return true
			}
		}
	}
	return false
}

func below(path, top string) bool { return path == top || strings.HasPrefix(path, top+".") }

// dotted writes a path of the plan as differing does: the one key that a plan quotes among those drawn is unquoted.
func dotted(path string) string {
	return strings.TrimPrefix(strings.ReplaceAll(path, `["prometheus.io/scrape"]`, ".prometheus.io/scrape"), ".")
}
