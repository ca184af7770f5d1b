package admission

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/check"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

const (
	managedFile = "$values/env/values/harbor/harbor/values.managed.yaml"
	customFile  = "$values/env/values/harbor/harbor/values.custom.yaml"
)

// tree is a platform app's Application as migrate writes it, with value files.
func tree(files ...string) map[string]any {
	list := []any{}
	for _, f := range files {
		list = append(list, f)
	}
	return map[string]any{
		"apiVersion": "argoproj.io/v1alpha1", "kind": "Application",
		"metadata": map[string]any{
			"name": "harbor-harbor", "namespace": "argocd", "labels": map[string]any{"otomi.io/app": "managed"},
			"annotations": map[string]any{argocd.SyncOptionsAnnotation: "Prune=false,Delete=false"},
		},
		"spec": map[string]any{
			"project": "default", "destination": map[string]any{"server": argocd.InCluster, "namespace": "harbor"},
			"sources": []any{
				map[string]any{"repoURL": "https://git.example.test/apl-core.git", "path": "charts/harbor", "targetRevision": "v1",
					"helm": map[string]any{"releaseName": "harbor", "valueFiles": list}},
				map[string]any{"repoURL": "https://git.example.test/values.git", "targetRevision": "main", "ref": "values"},
			},
		},
	}
}

func good() map[string]any { return tree(managedFile, customFile) }
func bad() map[string]any  { return tree(customFile, managedFile) }

func inlineTree() map[string]any {
	out := tree()
	spec := out["spec"].(map[string]any)
	delete(spec, "sources")
	spec["source"] = oldSource()
	return out
}

func oldSource() map[string]any {
	return map[string]any{"repoURL": "https://git.example.test/apl-core.git", "path": "charts/harbor", "targetRevision": "v1",
		"helm": map[string]any{"releaseName": "harbor", "values": "a: 1\n"}}
}

func with(object map[string]any, change func(metadata, spec map[string]any)) map[string]any {
	change(object["metadata"].(map[string]any), object["spec"].(map[string]any))
	return object
}

func application(t testing.TB, object map[string]any) *argocd.Application {
	t.Helper()
	if object == nil {
		return nil
	}
	a, err := argocd.New(object)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

type pair struct {
	reason   string
	old, new map[string]any
	denied   string // a part of the message; "" for allowed
	warned   string // a part of the warnings; "" for none
}

func (p pair) check(t *testing.T) {
	t.Helper()
	v := Application(application(t, p.old), application(t, p.new))
	message, warnings := v.Message(4096), Verdict{Denied: v.Warnings}.Message(4096)
	if (p.denied == "") != (message == "") || !strings.Contains(message, p.denied) {
		t.Errorf("%s: denied %q, want %q", p.reason, message, p.denied)
	}
	if (p.warned == "") != (warnings == "") || !strings.Contains(warnings, p.warned) {
		t.Errorf("%s: warned %q, want %q", p.reason, warnings, p.warned)
	}
	for _, f := range v.Warnings {
		if f.Severity == finding.Error {
			t.Errorf("%s: a warning is an error: %v", p.reason, f)
		}
	}
}

func TestApplication(t *testing.T) {
	annotate := func(object map[string]any, key, value string) map[string]any {
		return with(object, func(m, _ map[string]any) { m["annotations"].(map[string]any)[key] = value })
	}
	leftover := func(object map[string]any) map[string]any {
		return with(object, func(_, s map[string]any) { s["source"] = oldSource() })
	}
	helm := func(object map[string]any, key string, value any) map[string]any {
		return with(object, func(_, s map[string]any) {
			s["sources"].([]any)[0].(map[string]any)["helm"].(map[string]any)[key] = value
		})
	}
	owned := func(object map[string]any) map[string]any {
		return with(object, func(m, _ map[string]any) {
			m["ownerReferences"] = []any{map[string]any{"apiVersion": "argoproj.io/v1alpha1", "kind": "ApplicationSet", "name": "apps"}}
		})
	}
	for name, p := range map[string]pair{
		"good":              {reason: "what migrate writes", new: good()},
		"good update":       {reason: "the way in", old: inlineTree(), new: good()},
		"wrong order":       {reason: "managed would win", new: bad(), denied: "(value-files-order)"},
		"repeated":          {reason: "managed would win on 3.2", new: tree(managedFile, customFile, managedFile), denied: "(value-files-order)"},
		"glob":              {reason: "sorts custom before managed", new: tree("$values/env/values/harbor/harbor/values.*.yaml"), denied: "(value-files-order)"},
		"mistyped ref":      {reason: "falls to the chart's root", new: tree("$value/env/values/harbor/harbor/values.managed.yaml", customFile), denied: "(value-files-order)"},
		"ignore missing":    {reason: "syncs defaults into production", new: helm(good(), "ignoreMissingValueFiles", true), denied: "ignoreMissingValueFiles"},
		"inline object":     {reason: "replaces both files", new: helm(good(), "valuesObject", map[string]any{}), denied: "(inline-values)"},
		"parameters":        {reason: "win over the files", new: helm(good(), "parameters", []any{map[string]any{"name": "a", "value": "s3cr3t"}}), denied: "(inline-values)"},
		"still bad":         {reason: "judged is what becomes of it", old: bad(), new: helm(bad(), "skipCrds", true), denied: "(value-files-order)"},
		"status on bad":     {reason: "Argo CD writes status here", old: bad(), new: with(bad(), func(m, _ map[string]any) { m["generation"] = 2.0 })},
		"metadata":          {reason: "a change of metadata alone is never refused", old: good(), new: with(good(), func(m, _ map[string]any) { delete(m, "annotations") })},
		"numbers":           {reason: "1 is 1.0", old: helm(bad(), "x", json.Number("1")), new: helm(bad(), "x", 1.0)},
		"deleting":          {reason: "it has to be able to go", old: good(), new: with(bad(), func(m, _ map[string]any) { m["deletionTimestamp"] = "2026-01-01T00:00:00Z" })},
		"not moved":         {reason: "the operator makes it so", new: inlineTree(), warned: "is not moved"},
		"operator":          {reason: "an upgrade of what is not moved", old: with(inlineTree(), func(_, s map[string]any) { s["project"] = "x" }), new: inlineTree(), warned: "is not moved"},
		"leftover":          {reason: "the operator puts it back every five minutes", old: good(), new: leftover(good()), warned: "spec.source is dead"},
		"leftover, bad":     {reason: "sources win", old: good(), new: leftover(bad()), denied: "(value-files-order)", warned: "spec.source is dead"},
		"back":              {reason: "custom would have no effect", old: good(), new: inlineTree(), denied: "apl.io/allow-inline"},
		"back from bad":     {reason: "so it was moved", old: bad(), new: inlineTree(), denied: "apl.io/allow-inline"},
		"back, reason":      {reason: "rollback", old: good(), new: annotate(inlineTree(), argocd.AllowInlineAnnotation, "s3cr3t"), warned: "allowed by the annotation"},
		"back, blank":       {reason: "a blank reason is none", old: good(), new: annotate(inlineTree(), argocd.AllowInlineAnnotation, " "), denied: "apl.io/allow-inline"},
		"reason, bad order": {reason: "the annotation is for the way back only", old: good(), new: annotate(bad(), argocd.AllowInlineAnnotation, "x"), denied: "(value-files-order)"},
		"nothing":           {reason: "neither form", old: good(), new: with(good(), func(_, s map[string]any) { delete(s, "sources") }), denied: "no sources"},
		"unprotected": {reason: "a change of metadata alone could do it too", old: bad(), new: with(good(), func(m, _ map[string]any) { delete(m, "annotations") }),
			warned: "not protected"},
		"misnamed":        {reason: "it would deploy as another app", new: with(good(), func(m, _ map[string]any) { m["name"] = "harbor" }), denied: "is called harbor-harbor"},
		"misnamed before": {reason: "the name cannot be changed", old: with(bad(), func(m, _ map[string]any) { m["name"] = "harbor" }), new: with(good(), func(m, _ map[string]any) { m["name"] = "harbor" }), warned: "is called harbor-harbor"},
		"custom, no label": {reason: "any Application in argocd whose valueFiles name values.custom.yaml", new: with(bad(), func(m, _ map[string]any) { delete(m, "labels") }),
			denied: "(value-files-order)", warned: "label"},
		"team": {reason: "teams put managed last on purpose", new: with(tree("$values/env/teams/a/values.custom.yaml", "$values/b.yaml"), func(m, s map[string]any) {
			m["name"], s["destination"] = "team-a-web", map[string]any{"server": argocd.InCluster, "namespace": "team-a"}
		})},
		"gitops":        {reason: "none of ours", new: with(inlineTree(), func(m, _ map[string]any) { m["labels"] = map[string]any{"otomi.io/app": "generic-gitops"} })},
		"other":         {reason: "none of ours", new: with(inlineTree(), func(m, _ map[string]any) { delete(m, "labels") })},
		"generated":     {reason: "case G9: the set is what is to be changed", old: owned(good()), new: owned(bad()), denied: `change ApplicationSet "apps"`},
		"generated, in": {reason: "not moved yet", new: owned(inlineTree()), warned: `change ApplicationSet "apps"`},
	} {
		t.Run(name, p.check)
	}
}

// What is said depends on what is applied, and not on status or operation; equal specs are always allowed; a denial has an error behind it.
func TestApplicationProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, updated := drawn(t, "old"), drawn(t, "new")
		a, _ := argocd.New(old)
		b, _ := argocd.New(updated)
		v := Application(a, b)
		if values.Equal(old["spec"], updated["spec"]) && len(v.Denied)+len(v.Warnings) > 0 {
			t.Fatalf("an equal spec is told %v", v)
		}
		if len(v.Denied) > 0 && !finding.HasError(check.Application(b)) {
			t.Fatalf("denied without an error: %v", v.Denied)
		}
		noisy := argocd.Copy(updated)
		noisy["status"], noisy["operation"] = map[string]any{"sync": map[string]any{"status": "Synced"}}, map[string]any{}
		c, _ := argocd.New(noisy)
		if w := Application(a, c); w.Message(1<<20) != v.Message(1<<20) || len(w.Warnings) != len(v.Warnings) {
			t.Fatalf("status changes the verdict from %v to %v", v, w)
		}
		same, _ := argocd.New(noisy)
		if w := Application(b, same); len(w.Denied)+len(w.Warnings) > 0 {
			t.Fatalf("a status update is told %v", w)
		}
	})
}

func drawn(t *rapid.T, label string) map[string]any {
	object := rapid.SampledFrom([]func() map[string]any{good, bad, inlineTree, func() map[string]any { return tree(managedFile) }}).Draw(t, label)()
	return with(object, func(m, s map[string]any) {
		if rapid.Bool().Draw(t, label+" label") {
			delete(m, "labels")
		}
		if rapid.Bool().Draw(t, label+" annotations") {
			m["annotations"] = map[string]any{argocd.AllowInlineAnnotation: rapid.SampledFrom([]string{"", "x"}).Draw(t, label+" reason")}
		}
		if rapid.Bool().Draw(t, label+" leftover") {
			s["source"] = oldSource()
		}
		s["destination"] = map[string]any{"server": argocd.InCluster, "namespace": rapid.SampledFrom([]string{"harbor", "team-a"}).Draw(t, label+" namespace")}
	})
}

// The cases' Applications have neither label nor namespace, so that they are none of ours; made ours, they get what the cases want.
func TestCaseG9(t *testing.T) {
	data, err := os.ReadFile("../../../shared/cases/G9/review.json")
	if err != nil {
		t.Skipf("the cases are not here: %v", err)
	}
	var review struct {
		Request struct{ Object, OldObject map[string]any }
	}
	if err := json.Unmarshal(data, &review); err != nil {
		t.Fatal(err)
	}
	ours := func(object, base map[string]any) map[string]any {
		return with(object, func(m, _ map[string]any) {
			m["name"], m["namespace"], m["labels"] = "harbor-harbor", "argocd", map[string]any{"otomi.io/app": "managed"}
			object["spec"] = base["spec"]
		})
	}
	pair{reason: "denied, and the set is named", old: ours(review.Request.OldObject, good()), new: ours(review.Request.Object, bad()),
		denied: `ApplicationSet "apps"`, warned: "not protected"}.check(t)
}
