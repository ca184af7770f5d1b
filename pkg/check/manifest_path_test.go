package check_test

import (
	"maps"
	"strings"
	"testing"
)

// in returns a manifest of one object.
func in(apiVersion, kind, metadata string) string {
	return "apiVersion: " + apiVersion + "\nkind: " + kind + "\nmetadata: {" + metadata + "}\n"
}

func TestArtifactPath(t *testing.T) {
	const namespaces = "env/manifests/namespaces/"
	const crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: tenants.acme.test}\nspec: {group: acme.test, scope: Cluster, names: {kind: Tenant}}\n"
	const crdPath = "env/manifests/global/customresourcedefinition/tenants.acme.test.yaml"
	const platformApp = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web-web, namespace: argocd, labels: {otomi.io/app: managed}}\nspec: {destination: {namespace: web}}\n"
	for name, tc := range map[string]struct {
		reason string
		repo   memoryRepo
		want   []string
		says   string // what is to do
	}{
		"Own":           {"C7: each group has a place of its own", memoryRepo{namespaces + "x/cluster.cluster.x-k8s.io/main.yaml": in("cluster.x-k8s.io/v1beta1", "Cluster", "name: main"), namespaces + "x/cluster/main.yaml": in("postgresql.cnpg.io/v1", "Cluster", "name: main, namespace: x")}, nil, ""},
		"Group":         {"a group in the folder's name is never wrong", memoryRepo{namespaces + "x/certificate.cert-manager.io/main.yaml": in("cert-manager.io/v1", "Certificate", "name: main")}, nil, ""},
		"CoreGroup":     {"but the core group has none", memoryRepo{namespaces + "x/service.v1/main.yaml": in("v1", "Service", "name: main")}, []string{"error artifact-path " + namespaces + "x/service.v1/main.yaml:2:1 kind"}, "git mv " + namespaces + "x/service.v1/main.yaml " + namespaces + "x/service/main.yaml"},
		"Name":          {"the file is called otherwise", memoryRepo{namespaces + "x/service/a.yaml": in("v1", "Service", "name: main")}, []string{"error artifact-path " + namespaces + "x/service/a.yaml:3:12 metadata.name"}, "git mv " + namespaces + "x/service/a.yaml " + namespaces + "x/service/main.yaml"},
		"Encoded":       {"C9: upper case is encoded", memoryRepo{"env/manifests/global/clusterrole/%56iewer.yaml": in("rbac.authorization.k8s.io/v1", "ClusterRole", "name: Viewer"), "env/manifests/global/clusterrole/viewer.yaml": in("rbac.authorization.k8s.io/v1", "ClusterRole", "name: viewer")}, nil, ""},
		"NotEncoded":    {"else it meets another name", memoryRepo{"env/manifests/global/clusterrole/Viewer.yaml": in("rbac.authorization.k8s.io/v1", "ClusterRole", "name: Viewer")}, []string{"warning artifact-path env/manifests/global/clusterrole/Viewer.yaml:3:12 metadata.name"}, "global/clusterrole/%56iewer.yaml"},
		"Kind":          {"the folder is another kind's", memoryRepo{namespaces + "x/configmap/main.yaml": in("v1", "Service", "name: main")}, []string{"error artifact-path " + namespaces + "x/configmap/main.yaml:2:1 kind"}, namespaces + "x/service/main.yaml"},
		"Namespace":     {"the folder is another namespace's", memoryRepo{namespaces + "x/service/main.yaml": in("v1", "Service", "name: main, namespace: yard")}, []string{"error artifact-path " + namespaces + "x/service/main.yaml:3:24 metadata.namespace"}, namespaces + "yard/service/main.yaml"},
		"Taken":         {"its own path is another object's", memoryRepo{namespaces + "x/service/a.yaml": in("v1", "Service", "name: main"), namespaces + "x/service/main.yaml": "# empty\n"}, []string{"error artifact-path " + namespaces + "x/service/a.yaml:3:12 metadata.name"}, "is there already"},
		"Grouped":       {"then there is the one with its group", memoryRepo{namespaces + "x/service/a.yaml": in("serving.knative.dev/v1", "Service", "name: main"), namespaces + "x/service/main.yaml": in("v1", "Service", "name: main")}, []string{"error artifact-path " + namespaces + "x/service/a.yaml:3:12 metadata.name"}, namespaces + "x/service.serving.knative.dev/main.yaml"},
		"Cluster":       {"a kind that lives in no namespace", memoryRepo{namespaces + "x/clusterrole/main.yaml": in("rbac.authorization.k8s.io/v1", "ClusterRole", "name: main")}, []string{"error artifact-path " + namespaces + "x/clusterrole/main.yaml:2:1 kind"}, "env/manifests/global/clusterrole/main.yaml"},
		"ClusterNamed":  {"a namespace that such an object names does not count", memoryRepo{"env/manifests/global/clusterrole/main.yaml": in("rbac.authorization.k8s.io/v1", "ClusterRole", "name: main, namespace: x")}, nil, ""},
		"Global":        {"a kind that lives in namespaces", memoryRepo{"env/manifests/global/service/main.yaml": in("v1", "Service", "name: main, namespace: x")}, []string{"error artifact-path env/manifests/global/service/main.yaml:3:24 metadata.namespace"}, namespaces + "x/service/main.yaml"},
		"GlobalNoName":  {"and names none", memoryRepo{"env/manifests/global/service/main.yaml": in("v1", "Service", "name: main")}, []string{"error artifact-path env/manifests/global/service/main.yaml:2:1 kind"}, "metadata.namespace"},
		"Unknown":       {"C11: of an unknown kind nobody says where it lives", memoryRepo{namespaces + "x/thing/u.yaml": in("other.test/v1", "Thing", "name: u"), "env/manifests/global/thing/u.yaml": in("other.test/v1", "Thing", "name: u")}, nil, ""},
		"Defined":       {"C11: a definition says it, wherever it stands", memoryRepo{"env/manifests/global/tenant/t.yaml": in("acme.test/v1", "Tenant", "name: t"), namespaces + "x/tenant/u.yaml": in("acme.test/v1", "Tenant", "name: u"), crdPath: crd}, []string{"error artifact-path " + namespaces + "x/tenant/u.yaml:2:1 kind"}, "env/manifests/global/tenant/u.yaml"},
		"Team":          {"an object of a team's namespace", memoryRepo{namespaces + "x/service/main.yaml": in("v1", "Service", "name: main, namespace: team-a")}, []string{"error artifact-path " + namespaces + "x/service/main.yaml:3:24 metadata.namespace"}, "take it out"},
		"Shell":         {"what is to be pasted into a shell does one thing", memoryRepo{namespaces + "web/$(a) 'b'.yaml": aMap}, []string{"warning artifact-path " + namespaces + "web/$(a) 'b'.yaml:2:1 kind"}, "git mv '" + namespaces + `web/$(a) '\''b'\''.yaml' ` + webMap},
		"Mine":          {"people may keep manifests at paths of their own", memoryRepo{ownMap: aMap}, []string{"warning artifact-path " + ownMap + ":2:1 kind"}, "git mv " + ownMap + " " + webMap},
		"Several":       {"and several objects in a file", memoryRepo{ownMap: aMap + "---\n" + strings.Replace(aMap, "name: a", "name: b", 1)}, []string{"warning artifact-path " + ownMap + ":8:1"}, "kubectl apl artifacts"},
		"SeveralOwn":    {"which is no file of one object then", memoryRepo{webMap: aMap + "---\n" + strings.Replace(aMap, "name: a", "name: b", 1)}, []string{"warning artifact-path " + webMap + ":8:1"}, "kubectl apl artifacts"},
		"Generated":     {"a generated name has no file name", memoryRepo{namespaces + "x/job/any.yaml": in("batch/v1", "Job", "generateName: a-, namespace: x"), namespaces + "y/configmap/any.yaml": in("batch/v1", "Job", "generateName: a-")}, []string{"error artifact-path " + namespaces + "y/configmap/any.yaml:2:1 kind"}, namespaces + "y/job/any.yaml"},
		"Application":   {"a platform app's Application has a folder of its own", memoryRepo{namespaces + "argocd/application/web-web.yaml": platformApp}, []string{"error artifact-path " + namespaces + "argocd/application/web-web.yaml:2:1 kind"}, "argocd/applications/web-web.yaml"},
		"ByName":        {"so has one without the label that is called as an app is", memoryRepo{namespaces + "argocd/application/web-web.yaml": strings.Replace(platformApp, "managed", "mine", 1), "env/values/web/web/values.custom.yaml": ""}, []string{"error artifact-path " + namespaces + "argocd/application/web-web.yaml:2:1 kind"}, "argocd/applications/web-web.yaml"},
		"OtherApp":      {"other Applications are objects as all", memoryRepo{namespaces + "argocd/application/web-web.yaml": strings.Replace(platformApp, "managed", "mine", 1)}, nil, ""},
		"AppSet":        {"what is no Application does not stand among them", memoryRepo{namespaces + "argocd/applications/a.yaml": in("argoproj.io/v1alpha1", "ApplicationSet", "name: a, namespace: argocd")}, []string{"error artifact-path " + namespaces + "argocd/applications/a.yaml:2:1 kind"}, namespaces + "argocd/applicationset/a.yaml"},
		"Excluded":      {"what .apl.yaml leaves out is left alone", memoryRepo{webMap: strings.Replace(aMap, "name: a\n", "name: b\n"+rawLabels, 1), ".apl.yaml": "exclude: [{app: web/web-artifacts, reason: r}]"}, nil, ""},
		"LongName":      {"C9: a name that no file system takes is cut", memoryRepo{namespaces + "x/configmap/" + strings.Repeat("a", 233) + "~" + "0123456789abcdef.yaml": in("v1", "ConfigMap", "name: "+strings.Repeat("a", 253))}, []string{"error artifact-path " + namespaces + "x/configmap/" + strings.Repeat("a", 233) + "~0123456789abcdef.yaml:3:12 metadata.name"}, "git mv"},
		"LabelsOfOwner": {"the finding names the release", memoryRepo{webMap: strings.Replace(aMap, "name: a\n", "name: b\n"+rawLabels, 1)}, []string{"error artifact-path " + webMap + ":4:3 metadata.name"}, "git mv"},
	} {
		t.Run(name, func(t *testing.T) {
			got := tc.repo.check(t, "manifest-parse artifact-path duplicate-object artifact-secret stray-file")
			wantFindings(t, tc.reason, tc.want, got)
			if len(got) > 0 && !strings.Contains(got[0].Next, tc.says) {
				t.Errorf("%s: the next step names %q: %q", tc.reason, tc.says, got[0].Next)
			}
			if name == "LabelsOfOwner" && (len(got) != 1 || got[0].App != "web/web-artifacts") {
				t.Errorf("%s: %+v", tc.reason, got)
			}
		})
	}
}

func TestDuplicates(t *testing.T) {
	const namespaces = "env/manifests/namespaces/"
	for name, tc := range map[string]struct {
		reason string
		repo   memoryRepo
		want   []string
	}{
		"TwoFiles":    {"the one that is not where it belongs is told", memoryRepo{webMap: aMap, namespaces + "web/aaa/a.yaml": aMap}, []string{"error duplicate-object " + namespaces + "web/aaa/a.yaml:4:3 metadata.name"}},
		"Neither":     {"of two that are not, the second", memoryRepo{namespaces + "web/b.yaml": aMap, namespaces + "web/c.yaml": aMap}, []string{"warning artifact-path " + namespaces + "web/b.yaml:2:1 kind", "error duplicate-object " + namespaces + "web/c.yaml:4:3 metadata.name"}},
		"Three":       {"each further one is told", memoryRepo{webMap: aMap, namespaces + "web/b.yaml": aMap, namespaces + "web/c.yaml": aMap}, []string{"error duplicate-object " + namespaces + "web/b.yaml:4:3 metadata.name", "error duplicate-object " + namespaces + "web/c.yaml:4:3 metadata.name"}},
		"OneFile":     {"two documents of one file", memoryRepo{webMap: aMap + "---\n" + aMap}, []string{"error duplicate-object " + webMap + ":11:3 metadata.name"}},
		"Versions":    {"C7: two versions of a group are one object", memoryRepo{namespaces + "x/ingress/a.yaml": in("networking.k8s.io/v1", "Ingress", "name: a"), namespaces + "x/b.yaml": in("networking.k8s.io/v1beta1", "Ingress", "name: a, namespace: x")}, []string{"error duplicate-object " + namespaces + "x/b.yaml:3:12 metadata.name"}},
		"Groups":      {"C7: two groups are two objects", memoryRepo{namespaces + "x/service/a.yaml": in("v1", "Service", "name: a"), namespaces + "x/service.serving.knative.dev/a.yaml": in("serving.knative.dev/v1", "Service", "name: a")}, nil},
		"Namespaces":  {"the folder is the namespace of an object that names none", memoryRepo{namespaces + "x/service/a.yaml": in("v1", "Service", "name: a"), namespaces + "y/service/a.yaml": in("v1", "Service", "name: a")}, nil},
		"OtherFolder": {"an object that names it is that of the other folder", memoryRepo{namespaces + "x/service/a.yaml": in("v1", "Service", "name: a"), namespaces + "y/service/a.yaml": in("v1", "Service", "name: a, namespace: x")}, []string{"error duplicate-object " + namespaces + "y/service/a.yaml:3:12 metadata.name"}},
		"Cluster":     {"namespaces do not count for a kind that lives in none", memoryRepo{"env/manifests/global/clusterrole/a.yaml": in("rbac.authorization.k8s.io/v1", "ClusterRole", "name: a"), namespaces + "x/clusterrole/a.yaml": in("rbac.authorization.k8s.io/v1", "ClusterRole", "name: a")}, []string{"error duplicate-object " + namespaces + "x/clusterrole/a.yaml:3:12 metadata.name"}},
		"List":        {"an item of a list", memoryRepo{webMap: aMap, namespaces + "web/list.yaml": "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: b}\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a}\n"}, []string{"error duplicate-object " + namespaces + "web/list.yaml:9:14 metadata.name"}},
		"Json":        {"an object as JSON", memoryRepo{webMap: aMap, namespaces + "web/a.json": "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\",\n \"metadata\": {\"name\": \"a\"}}"}, []string{"error duplicate-object " + namespaces + "web/a.json:2:15 metadata.name"}},
		"Generated":   {"each object with a generated name is another", memoryRepo{namespaces + "x/job/a.yaml": in("batch/v1", "Job", "generateName: a-"), namespaces + "x/job/b.yaml": in("batch/v1", "Job", "generateName: a-")}, nil},
		"NotApplied":  {"what Argo CD does not read is no second object", memoryRepo{webMap: aMap, namespaces + "web/b.yaml": "# +argocd:skip-file-rendering\n" + aMap}, nil},
		"Folder":      {"an object of another kind among the Applications", memoryRepo{webMap: aMap, namespaces + "argocd/applications/a.yaml": aMap}, []string{"error duplicate-object " + namespaces + "argocd/applications/a.yaml:4:3 metadata.name"}},
	} {
		t.Run(name, func(t *testing.T) {
			wantFindings(t, tc.reason, tc.want, tc.repo.check(t, "artifact-path duplicate-object"))
		})
	}
}

// TestSelectedManifests holds that all manifests are read, and only what a selected one has to do with is told.
func TestSelectedManifests(t *testing.T) {
	repo := memoryRepo{webMap: aMap, "env/manifests/namespaces/web/b.yaml": aMap, "env/manifests/namespaces/web/c.yaml": "a: [\nkind:\nmetadata:\napiVersion:\n", "env/settings/dns.yaml": "a: [\n"}
	for name, tc := range map[string]struct {
		reason   string
		selected []string
		want     []string
	}{
		"First":  {"a duplicate of what is selected", []string{webMap}, []string{"error duplicate-object env/manifests/namespaces/web/b.yaml:4:3 metadata.name"}},
		"Second": {"and one that is", []string{"env/manifests/namespaces/web/b.yaml"}, []string{"error duplicate-object env/manifests/namespaces/web/b.yaml:4:3 metadata.name"}},
		"Other":  {"what is wrong with others is not told", []string{"env/manifests/namespaces/web/d.yaml"}, nil},
		"Broken": {"a file that cannot be read", []string{"env/manifests/namespaces/web/c.yaml"}, []string{"error manifest-parse env/manifests/namespaces/web/c.yaml:2:1"}},
		"Folder": {"a folder", []string{"env/settings"}, []string{"error settings-parse env/settings/dns.yaml:1:1"}},
		"None":   {"nothing", []string{}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			wantFindings(t, tc.reason, tc.want, maps.Clone(repo).check(t, ours, tc.selected...))
		})
	}
}
