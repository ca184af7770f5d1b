package artifact_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// web is the release that the objects of these tests are of.
var web = app.ID{Namespace: "web", Release: "web-artifacts"}

// source is a stream of that release.
func source(t *testing.T, stream string) artifact.Source {
	t.Helper()
	return artifact.Source{Release: web, Name: "in.yaml", Stream: read(t, stream)}
}

// verdicts writes what becomes of each object, a line each, and its findings without their words.
func verdicts(items []artifact.Item, others []finding.Finding) []string {
	out := []string{}
	for _, f := range others {
		out = append(out, fmt.Sprintf("%s:%d %s %s", f.File, f.Line, f.Severity, f.Rule))
	}
	for _, i := range items {
		text := i.Object.Place()
		if i.Left != "" {
			text += " left"
		}
		if i.Protected {
			text += " protected"
		}
		for _, f := range i.Findings {
			text += fmt.Sprintf(" %d:%s:%s", f.Line, f.Severity, f.Rule)
		}
		out = append(out, text)
	}
	return out
}

func object(apiVersion, kind, metadata string) string {
	return fmt.Sprintf("---\napiVersion: %s\nkind: %s\nmetadata: {%s}\n", apiVersion, kind, metadata)
}

func TestItems(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, stream string
		want           []string
	}{
		"Namespace":    {"an object without a namespace gets its release's, one of another keeps it", object("v1", "ConfigMap", "name: a") + object("v1", "ConfigMap", "name: a, namespace: b"), []string{"ConfigMap/web/a", "ConfigMap/b/a"}},
		"Global":       {"a cluster-scoped one gets none", object("rbac.authorization.k8s.io/v1", "ClusterRole", "name: a"), []string{"ClusterRole.rbac.authorization.k8s.io/a"}},
		"Stray":        {"a namespace of one that lives in none is dropped, as kubectl and Argo CD do", object("v1", "PersistentVolume", "name: a, namespace: b"), []string{"PersistentVolume/a protected 2:warning:artifact-namespace-dropped"}},
		"Groups":       {"C7: one name in several groups and namespaces is several objects", object("postgresql.cnpg.io/v1", "Cluster", "name: main, namespace: x") + object("v1", "Service", "name: main, namespace: x") + object("serving.knative.dev/v1", "Service", "name: main, namespace: x") + object("v1", "Service", "name: main, namespace: z"), []string{"Cluster.postgresql.cnpg.io/x/main protected", "Service/x/main", "Service.serving.knative.dev/x/main", "Service/z/main"}},
		"Twice":        {"C7: two documents that are one object, in two versions too, and once its namespace is its release's", object("v1", "ConfigMap", "name: a") + object("v1", "ConfigMap", "name: a, namespace: web") + object("autoscaling/v2", "HorizontalPodAutoscaler", "name: a") + object("autoscaling/v1", "HorizontalPodAutoscaler", "name: a"), []string{"ConfigMap/web/a", "ConfigMap/web/a 6:error:artifact-twice", "HorizontalPodAutoscaler.autoscaling/web/a", "HorizontalPodAutoscaler.autoscaling/web/a 14:error:artifact-twice"}},
		"CRD":          {"C11: a CustomResourceDefinition later in the stream tells; a kind that nobody knows is an error", object("acme.test/v1", "Tenant", "name: t") + "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: tenants.acme.test}\nspec: {group: acme.test, scope: Cluster, names: {kind: Tenant, plural: tenants}}\n" + object("other.test/v1", "Thing", "name: u, namespace: x"), []string{"Tenant.acme.test/t", "CustomResourceDefinition.apiextensions.k8s.io/tenants.acme.test protected", "Thing.other.test/x/u 11:error:artifact-unknown-kind"}},
		"OtherGroup":   {"a kind of another group than the known one is unknown", object("acme.test/v1", "Service", "name: a"), []string{"Service.acme.test/a 2:error:artifact-unknown-kind"}},
		"Contradicts":  {"two definitions that say different things", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\nspec: {group: acme.test, scope: Cluster, names: {kind: T}}\n---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: b}\nspec: {group: acme.test, scope: Namespaced, names: {kind: T}}\n---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: c}\nspec: {group: acme.test}\n", []string{"CustomResourceDefinition.apiextensions.k8s.io/a protected", "CustomResourceDefinition.apiextensions.k8s.io/b protected 6:error:artifact-crd", "CustomResourceDefinition.apiextensions.k8s.io/c protected 11:error:artifact-crd"}},
		"Team":         {"what is in a team's namespace is left out", object("v1", "ConfigMap", "name: a, namespace: team-red"), []string{"ConfigMap/team-red/a left"}},
		"Application":  {"an Application has a folder of its own", object("argoproj.io/v1alpha1", "Application", "name: a, namespace: argocd"), []string{"Application.argoproj.io/argocd/a 2:error:artifact-application"}},
		"Secret":       {"a Secret with data, in whatever form and order", "data: {a: Yg==}\nmetadata: {name: a}\nkind: Secret\napiVersion: v1\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: b}\nstringData: {a: b}\n---\napiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Secret, metadata: {name: c}, data: [x]}\n", []string{"Secret/web/a 1:error:artifact-secret", "Secret/web/b 6:error:artifact-secret", "Secret/web/c 14:error:artifact-secret"}},
		"SecretField":  {"one whose data stands in a field that no Secret has, which nobody could judge", object("v1", "Secret", "name: a") + "binaryData: {a: Yg==}\n" + object("v1", "Secret", "name: b") + "Data: {a: Yg==}\n" + `--- {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "c"}, "x": "Yg=="}` + "\n", []string{"Secret/web/a 2:error:artifact-secret", "Secret/web/b 7:error:artifact-secret", "Secret/web/c 11:error:artifact-secret"}},
		"NoData":       {"a Secret without data is none", object("v1", "Secret", "name: a") + "data: {}\nimmutable: true\ntype: kubernetes.io/service-account-token\n" + object("bitnami.com/v1alpha1", "SealedSecret", "name: b") + object("external-secrets.io/v1", "ExternalSecret", "name: c"), []string{"Secret/web/a", "SealedSecret.bitnami.com/web/b", "ExternalSecret.external-secrets.io/web/c"}},
		"Hook":         {"hooks stay, with a warning", object("batch/v1", "Job", `name: a, annotations: {"helm.sh/hook": post-install}`) + object("batch/v1", "Job", "name: b, annotations: {argocd.argoproj.io/hook: Sync}"), []string{"Job.batch/web/a 2:warning:artifact-hook", "Job.batch/web/b 6:warning:artifact-hook"}},
		"Generated":    {"an object without a name has a file of its own", object("batch/v1", "Job", "generateName: j-"), []string{"Job.batch/web/j-98bb9785 2:warning:artifact-generated-name"}},
		"Anchor":       {"C13: an anchor of another document; the good one is there all the same", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: &d {k: v}\n" + object("v1", "ConfigMap", "name: b") + "data: *d\n", []string{"in.yaml:9 error artifact-document", "ConfigMap/web/a"}},
		"NoKind":       {"a document that is no object has its line", object("v1", "ConfigMap", "name: a") + "---\nmetadata: {name: b}\n", []string{"in.yaml:6 error artifact-document", "ConfigMap/web/a"}},
		"Windows":      {"C5: BOM, CR LF, end marker and directive", "\ufeff---\r\napiVersion: v1\r\nkind: ConfigMap\r\nmetadata: {name: a}\r\n...\r\n%YAML 1.1\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n", []string{"ConfigMap/web/a", "ConfigMap/web/c"}},
		"SyncOptions":  {"sync options that say otherwise are replaced, with a warning; the same are no news", object("v1", "Namespace", `name: a, annotations: {argocd.argoproj.io/sync-options: "Prune=confirm, Validate=false"}`) + object("v1", "Namespace", `name: b, annotations: {argocd.argoproj.io/sync-options: "Delete=false,Prune=false"}`), []string{"Namespace/a protected 2:warning:artifact-sync-option", "Namespace/b protected"}},
		"NotJustKinds": {"a Secret of another group is no Secret", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\nspec: {group: acme.test, scope: Namespaced, names: {kind: Secret}}\n" + object("acme.test/v1", "Secret", "name: a") + "data: {a: b}\n", []string{"CustomResourceDefinition.apiextensions.k8s.io/a protected", "Secret.acme.test/web/a"}},
	} {
		t.Run(name, func(t *testing.T) {
			items, others := artifact.Items([]artifact.Source{source(t, tc.stream)}, artifact.Rules{Scopes: artifact.NewScopes(nil)})
			if diff := cmp.Diff(tc.want, verdicts(items, others)); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
			for _, i := range items {
				for _, f := range i.Findings {
					if f.File != "in.yaml" || f.App != web.String() || f.Path == "" || f.Message == "" {
						t.Errorf("a finding says too little: %+v", f)
					}
				}
				if strings.Contains(string(i.Object.Text), "\r") || strings.Contains(string(i.Object.Text), "\ufeff") || strings.Contains("\n"+string(i.Object.Text), "\n...") {
					t.Errorf("C5: %q", i.Object.Text)
				}
			}
		})
	}
}

// TestItemsText holds what is written of an object, to the byte.
func TestItemsText(t *testing.T) {
	const pvc = "# data\napiVersion: v1\nkind: PersistentVolumeClaim\n"
	const options = "argocd.argoproj.io/sync-options: "
	for name, tc := range map[string]struct {
		reason, text, want string
		protect            artifact.Protection
	}{
		"Plain":      {"the namespace stands behind the name, comments stay", "# c\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a # its name\ndata: {k: v} # d\n", "# c\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a # its name\n  namespace: web\ndata: {k: v} # d\n", ""},
		"Protected":  {"and the annotation behind both", pvc + "metadata:\n  name: a\n  labels: {b: c}\nspec: {}\n", pvc + "metadata:\n  name: a\n  namespace: web\n  annotations:\n    " + options + "Prune=false,Delete=false\n  labels: {b: c}\nspec: {}\n", ""},
		"Annotated":  {"annotations that are there stay", pvc + "metadata:\n  annotations:\n    a: b # c\n  name: a\n", pvc + "metadata:\n  annotations:\n    " + options + "Prune=false,Delete=false\n    a: b # c\n  name: a\n  namespace: web\n", ""},
		"Joined":     {"the protection joins the options that are there", pvc + "metadata:\n  name: a\n  namespace: web\n  annotations:\n    " + options + "Validate=false # c\n", pvc + "metadata:\n  name: a\n  namespace: web\n  annotations:\n    " + options + "Validate=false,Prune=false,Delete=false\n", ""},
		"Flow":       {"in braces too, in quotes where they are needed", pvc + "metadata: {name: a}\n", pvc + "metadata: {namespace: \"web\", annotations: {" + options + "\"Prune=false,Delete=false\"}, name: a}\n", ""},
		"Stray":      {"a namespace that is dropped goes with its line", "apiVersion: v1\nkind: Namespace\nmetadata:\n  # c\n  name: a\n  namespace: b\n", "apiVersion: v1\nkind: Namespace\nmetadata:\n  # c\n  name: a\n", artifact.ProtectNone},
		"None":       {"--protect=none", pvc + "metadata: {name: a, namespace: b}\n", pvc + "metadata: {name: a, namespace: b}\n", artifact.ProtectNone},
		"All":        {"--protect=all", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: b\n", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: b\n  annotations:\n    " + options + "Prune=false,Delete=false\n", artifact.ProtectAll},
		"Anchor":     {"what an alias elsewhere repeats does not change with it", "apiVersion: v1\nkind: ConfigMap\nmetadata: &m\n  name: a\ndata: *m\n", "apiVersion: v1\ndata:\n  name: a\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: web\n", ""},
		"InQuotes":   {"what looks like metadata within a quoted text is none", "apiVersion: v1\nkind: ConfigMap\ndata: {a: \"\nmetadata:\n  name: a\n\"}\nmetadata:\n  name: a\n", "apiVersion: v1\ndata:\n  a: \" metadata: name: a \"\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: web\n", ""},
		"NoLineEnd":  {"a text ends with a line end", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n", ""},
		"LineEnd":    {"in a block too, where it is content: kubectl and Argo CD read it so", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\ndata:\n  k: |\n    v", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\ndata:\n  k: |\n    v\n", ""},
		"LineEndNew": {"also where it is written anew", "apiVersion: v1\nkind: ConfigMap\nmetadata: &m {name: a}\nx: *m\ndata:\n  k: |\n    v", "apiVersion: v1\ndata:\n  k: |\n    v\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: web\nx:\n  name: a\n", ""},
		"PEM":        {"C1: what looks like a marker is content", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\ndata:\n  crt: |\n    -----BEGIN CERTIFICATE-----\n    AAAA\n  nested: |\n    ---\n    k: v\n    ---\n# ---\n", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\ndata:\n  crt: |\n    -----BEGIN CERTIFICATE-----\n    AAAA\n  nested: |\n    ---\n    k: v\n    ---\n# ---\n", ""},
		"Dashes":     {"C1: a line that begins with ---, which parts documents for kubectl and Argo CD wherever it stands, is written anew", "# c\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\ndata:\n  crt: \"-----BEGIN CERTIFICATE-----\n\n-----END CERTIFICATE-----\"\n", "apiVersion: v1\ndata:\n  crt: |-\n    -----BEGIN CERTIFICATE-----\n    -----END CERTIFICATE-----\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: b\n", ""},
		"DashesItem": {"and so is one of a list's item", "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1 # c\n  kind: ConfigMap\n  metadata: {name: a, namespace: b}\n  data: {k: \"v\n---w\"}\n", "apiVersion: v1\ndata:\n  k: v ---w\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: b\n", ""},
		"ListItem":   {"an item of a list keeps its comments", "apiVersion: v1\nkind: List\nitems:\n# above\n- apiVersion: v1 # v\n  kind: ConfigMap\n  metadata:\n    # n\n    name: a\n", "# above\napiVersion: v1 # v\nkind: ConfigMap\nmetadata:\n  # n\n  name: a\n  namespace: web\n", ""},
		"FlowItem":   {"one that cannot be cut out is written anew", "apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}] # c\n", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: web\n", ""},
		"NullParent": {"annotations that are null become some", "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: a\n  annotations:\n", "apiVersion: v1\nkind: Namespace\nmetadata:\n  annotations:\n    " + options + "Prune=false,Delete=false\n  name: a\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			items, others := artifact.Items([]artifact.Source{source(t, tc.text)}, artifact.Rules{Scopes: artifact.NewScopes(nil), Protect: tc.protect})
			if len(items) != 1 || len(others) > 0 || items[0].Failed() {
				t.Fatalf("%v", verdicts(items, others))
			}
			if diff := cmp.Diff(tc.want, string(items[0].Object.Text)); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}

// TestItemsOfSeveral holds what goes beyond one stream: definitions of one count for all, and one object of two releases is an error
// that names both places.
func TestItemsOfSeveral(t *testing.T) {
	sources := []artifact.Source{source(t, object("acme.test/v1", "T", "name: a")+object("v1", "ConfigMap", "name: a, namespace: x")),
		{Release: app.ID{Namespace: "x", Release: "x-artifacts"}, Name: "x.yaml", Stream: read(t, "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\nspec: {group: acme.test, scope: Cluster, names: {kind: T}}\n"+object("v1", "ConfigMap", "name: a"))}}
	items, others := artifact.Items(sources, artifact.Rules{Scopes: artifact.NewScopes(nil)})
	want := []string{"T.acme.test/a", "ConfigMap/x/a", "CustomResourceDefinition.apiextensions.k8s.io/a protected", "ConfigMap/x/a 6:error:artifact-twice"}
	if diff := cmp.Diff(want, verdicts(items, others)); diff != "" {
		t.Fatalf("(-want +got)\n%s", diff)
	}
	if message := items[3].Findings[0].Message; !strings.Contains(message, "in.yaml:6 too, of release web/web-artifacts") || items[3].Findings[0].File != "x.yaml" {
		t.Errorf("both places are named: %q", message)
	}
}

// TestItemsOfNobody holds that labels name a release that nobody names otherwise, and that without its namespace an object has none.
func TestItemsOfNobody(t *testing.T) {
	labels := `labels: {app.kubernetes.io/instance: w, app.kubernetes.io/managed-by: Helm, helm.sh/chart: raw-0.2.3}`
	stream := object("v1", "ConfigMap", "name: a, "+labels) + object("v1", "ConfigMap", "name: b")
	items, _ := artifact.Items([]artifact.Source{{Release: app.ID{Namespace: "web"}, Stream: read(t, stream)}}, artifact.Rules{Scopes: artifact.NewScopes(nil)})
	if items[0].Release != (app.ID{Namespace: "web", Release: "w"}) || items[0].Owner != "w" || items[1].Release.Release != "" || items[1].Owner != "" {
		t.Errorf("%+v", items)
	}
	items, others := artifact.Items([]artifact.Source{{Name: "-", Stream: read(t, stream)}}, artifact.Rules{Scopes: artifact.NewScopes(nil)})
	want := []string{"ConfigMap/a 2:error:artifact-no-namespace", "ConfigMap/b 6:error:artifact-no-namespace"}
	if diff := cmp.Diff(want, verdicts(items, others)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestManyFiles is cases C9 and C15: each object has a file of its own, also on a file system that ignores case and cuts names, and what
// etcd would not take is told.
func TestManyFiles(t *testing.T) {
	var stream strings.Builder
	stream.WriteString("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: big}\ndata: {k: \"" + strings.Repeat("x", 6_000_000) + "\"}\n")
	for i := range 2000 {
		stream.WriteString(object("v1", "ConfigMap", fmt.Sprintf("name: c%d", i)))
	}
	long := strings.Repeat("n", 252)
	stream.WriteString(object("v1", "ConfigMap", "name: "+long+"a") + object("v1", "ConfigMap", "name: "+long+"b"))
	stream.WriteString(object("rbac.authorization.k8s.io/v1", "ClusterRole", "name: Viewer") + object("rbac.authorization.k8s.io/v1", "ClusterRole", "name: viewer"))
	items, others := artifact.Items([]artifact.Source{source(t, stream.String())}, artifact.Rules{Scopes: artifact.NewScopes(nil)})
	var ids []layout.ObjectID
	for n, i := range items {
		if flagged := len(i.Findings) > 0; flagged != (n == 0) || flagged && i.Findings[0].Rule != "artifact-size" {
			t.Errorf("%v", i.Findings)
		}
		ids = append(ids, i.Object.ID)
	}
	paths := map[string]bool{}
	for _, at := range layout.ObjectFiles(ids) {
		paths[strings.ToLower(at.Path())] = true
		for part := range strings.SplitSeq(at.Path(), "/") {
			if len(part) > 255 {
				t.Errorf("a name of %d bytes", len(part))
			}
		}
	}
	if len(paths) != 2005 || len(others) > 0 {
		t.Errorf("%d files, %v", len(paths), others)
	}
}

// found is a Scanner that finds the same in every object.
type found []finding.Finding

func (f found) Scan(app.ID, string, []byte) []finding.Finding { return f }

// TestScannerPlaces holds that what a scanner finds in a text is told with its place in the stream.
func TestScannerPlaces(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, stream string
		line, column   int
	}{
		"Whole": {"comments above the object count", "---\n# c\n# d\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: v}\n", 7, 8},
		"Item":  {"an item of a list is indented", "kind: List\nitems:\n- kind: ConfigMap\n  apiVersion: v1\n  metadata: {name: a}\n  data: {k: v}\n", 6, 10},
		"JSON":  {"what is written anew has the line of its object alone", "{\"kind\": \"ConfigMap\",\n\"apiVersion\": \"v1\", \"metadata\": {\"name\": \"a\"}}\n", 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			at := 4
			if name == "Whole" {
				at = 6 // with the two comments
			}
			hits := found{{Rule: "r", Severity: finding.Warning, Line: at, Column: 8, Path: "p"}}
			items, _ := artifact.Items([]artifact.Source{source(t, tc.stream)}, artifact.Rules{Scopes: artifact.NewScopes(nil), Scanner: hits})
			got := items[0].Findings[0]
			if diff := cmp.Diff([]int{tc.line, tc.column}, []int{got.Line, got.Column}); diff != "" || got.File != "in.yaml" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}
