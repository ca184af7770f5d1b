package argocd_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
)

func TestDeclared(t *testing.T) {
	a := one(t, `
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: web-web
  namespace: argocd
  uid: u-1
  resourceVersion: "7"
  labels: {a: b}
  annotations: {argocd.argoproj.io/tracking-id: "root:x", apl.io/backup: "{}"}
  managedFields: []
spec:
  source: {repoURL: r, helm: {valuesObject: {absent: null, long: 9007199254740993}}}
  info: null
status: {}
`)
	want := map[string]any{
		"apiVersion": "argoproj.io/v1alpha1", "kind": "Application",
		"metadata": map[string]any{"name": "web-web", "namespace": "argocd", "labels": map[string]any{"a": "b"}},
		"spec": map[string]any{"info": nil, "source": map[string]any{"repoURL": "r", "helm": map[string]any{
			"valuesObject": map[string]any{"absent": nil, "long": json.Number("9007199254740993")}}}},
	}
	got := a.Declared()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what was declared, to the letter, and nothing that is added for git: (-want +got)\n%s", diff)
	}
	got["spec"].(map[string]any)["source"].(map[string]any)["repoURL"] = "other"
	if diff := cmp.Diff(want, a.Declared()); diff != "" {
		t.Errorf("it shares nothing with the Application: (-want +got)\n%s", diff)
	}
}

func TestWhatIsLive(t *testing.T) {
	application := func(annotations, more string) *argocd.Application {
		return one(t, "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web-web, namespace: argocd, annotations: {"+annotations+"}}\n"+more)
	}
	protected := func(options string) bool {
		return application(`argocd.argoproj.io/sync-options: "`+options+`"`, "spec: {}").Protected()
	}
	automated := func(policy string) bool {
		return application("", "spec: {syncPolicy: "+policy+"}").Automated()
	}
	child := func(status string) argocd.Child {
		return application("", "spec: {}\nstatus: "+status).Child("argocd", "x")
	}
	const entry = "group: argoproj.io, kind: Application, namespace: argocd, name: x"
	cases := map[string]struct {
		reason    string
		got, want any
	}{
		"Protected":     {"both options, wherever they stand", protected("A=b, Prune=false,Delete=false"), true},
		"HalfProtected": {"one alone does not keep it", protected("Prune=false"), false},
		"Unprotected":   {"another value is none", protected("Prune=confirm,Delete=false"), false},
		"Automated":     {"an empty policy is one", automated("{automated: {}}"), true},
		"Off":           {"unless it says that it is off", automated("{automated: {enabled: false}}"), false},
		"On":            {"or on", automated("{automated: {enabled: true}}"), true},
		"Null":          {"a null is none", automated("{automated: null}"), false},
		"Asked":         {"a sync that is asked for", application("", "spec: {}\noperation: {sync: {}}").Syncing(), true},
		"Running":       {"a sync that runs", application("", "spec: {}\nstatus: {operationState: {phase: Running}}").Syncing(), true},
		"Ended":         {"a sync that has ended", application("", "spec: {}\nstatus: {operationState: {phase: Succeeded}}").Syncing(), false},
		"Tracked":       {"the name stands before the first colon", application(`argocd.argoproj.io/tracking-id: "root:argoproj.io/Application:argocd/web-web"`, "spec: {}").TrackedBy(), "root"},
		"Untracked":     {"no annotation", application("", "spec: {}").TrackedBy(), ""},
		"InGit":         {"git has it", child("{resources: [{" + entry + "}]}"), argocd.Child{Listed: true}},
		"Gone":          {"git no longer has it", child("{resources: [{" + entry + ", requiresPruning: true}]}"), argocd.Child{Listed: true, Gone: true}},
		"Other":         {"another one", child("{resources: [{" + entry + "y}]}"), argocd.Child{}},
		"Label":         {"a label holds no more than 63 characters of a name", argocd.LabelNames(strings.Repeat("a", 63), strings.Repeat("a", 70)), true},
		"OtherLabel":    {"a shorter one is another name", argocd.LabelNames("aa", "aaa"), false},
		"Compared":      {"a comparison that failed tells nothing", application("", "spec: {}\nstatus: {sync: {status: Unknown}, resources: []}").Compared(), false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, tc.got); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}
