package handover_test

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-apl/kubectl-apl/internal/testcluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/handover"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
)

const (
	old      = "web-web-artifacts"
	labelKey = "argocd.example.test/instance"
	idKey    = "argocd.argoproj.io/tracking-id"
)

// oldApp is the Application of an -artifacts release, as the platform's operator makes it. Its status lists five objects, of which
// one is gone; web/unlisted is marked as its too, and the status does not know.
const oldApp = `{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"name":"web-web-artifacts","namespace":"argocd",
	"labels":{"otomi.io/app":"managed"},"finalizers":["resources-finalizer.argocd.argoproj.io"]},
	"spec":{"project":"default","destination":{"namespace":"web","server":"https://kubernetes.default.svc"},
	"syncPolicy":{"automated":{"prune":true,"selfHeal":true},"syncOptions":["ServerSideApply=true"]},
	"source":{"repoURL":"https://git.example.test/charts.git","path":"charts/raw","targetRevision":"v1","helm":{"releaseName":"web-artifacts","values":"a: 1"}}},
	"status":{"sync":{"status":"Synced"},"resources":[
	{"version":"v1","kind":"ConfigMap","namespace":"web","name":"settings"},
	{"version":"v1","kind":"Secret","namespace":"web","name":"login"},
	{"version":"v1","kind":"ConfigMap","namespace":"team-red","name":"policy"},
	{"version":"v1","kind":"ConfigMap","namespace":"web","name":"ghost"},
	{"group":"rbac.authorization.k8s.io","version":"v1","kind":"ClusterRole","name":"web-reader"}]}}`

// adopter is an Application of a folder of the values repo; PATH, NAME and RESOURCES are replaced.
const adopter = `{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"name":"NAME","namespace":"argocd","labels":{"otomi.io/app":"generic-gitops"}},
	"spec":{"project":"default","destination":{"namespace":"web","server":"https://kubernetes.default.svc"},
	"syncPolicy":{"automated":{"prune":true,"selfHeal":true}},
	"sources":[{"repoURL":"https://git.example.test/values.git","path":"PATH","targetRevision":"main","directory":{"recurse":true}}]},
	"status":{"sync":{"status":"OutOfSync"},"resources":[RESOURCES]}}`

const registry = `[
	{"name":"web","namespace":"web","enabled":true,"installed":true,"chart":"../charts/web"},
	{"name":"web-artifacts","namespace":"web","enabled":true,"installed":true,"chart":"../charts/raw"},
	{"name":"mail-artifacts","namespace":"mail","enabled":true,"installed":true,"chart":"../charts/raw"}]`

// memoryRepo is a values repo whose HEAD is a map.
type memoryRepo struct {
	head     map[string]string
	unpushed []string
	err      error
}

func (r memoryRepo) HeadFiles(_ context.Context, dir string) ([]string, error) {
	paths := slices.Sorted(maps.Keys(r.head))
	return slices.DeleteFunc(paths, func(p string) bool { return !strings.HasPrefix(p, dir+"/") }), nil
}

func (r memoryRepo) HeadFile(path string) ([]byte, bool, error) {
	data, found := r.head[path]
	return []byte(data), found, nil
}

func (r memoryRepo) Unpushed(context.Context, string) ([]string, gitrepo.Upstream, error) {
	return r.unpushed, gitrepo.Upstream{Remote: "origin", Branch: "main"}, r.err
}

// files are the objects of the old Application that git may hold.
func files() map[string]string {
	return map[string]string{
		"env/manifests/namespaces/web/configmap/settings.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: web\n",
		// Argo CD gives it the namespace of the Application.
		"env/manifests/namespaces/web/configmap/unlisted.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: unlisted}\n",
		"env/manifests/global/clusterrole/web-reader.yaml":     "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: web-reader}\n",
		"env/manifests/README.md":                              "no manifest\n",
	}
}

// platform is an API server with Argo CD's settings and the operator's Deployment, and what the actors of a platform do to it.
type platform struct {
	server *testcluster.Cluster
	client *cluster.Client
	repo   memoryRepo
}

func newPlatform(t *testing.T) *platform {
	p := &platform{server: testcluster.Start(t)}
	var err error
	if p.client, err = cluster.New(p.server.Config); err != nil {
		t.Fatal(err)
	}
	p.settings(t, map[string]any{"application.resourceTrackingMethod": "annotation", "application.instanceLabelKey": labelKey})
	labels := map[string]any{"app": "apl-operator"}
	p.server.Create(t, "helm", &unstructured.Unstructured{Object: map[string]any{"apiVersion": "apps/v1", "kind": "Deployment",
		"metadata": map[string]any{"name": "apl-operator", "namespace": "apl-operator"},
		"spec": map[string]any{"replicas": int64(0), "selector": map[string]any{"matchLabels": labels},
			"template": map[string]any{"metadata": map[string]any{"labels": labels},
				"spec": map[string]any{"containers": []any{map[string]any{"name": "operator", "image": "operator"}}}}}}})
	return p
}

// settings writes argocd-cm.
func (p *platform) settings(t *testing.T, data map[string]any) {
	t.Helper()
	p.apply(t, "argocd", "/api/v1/namespaces/argocd/configmaps/argocd-cm", map[string]any{"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": map[string]any{"name": "argocd-cm", "namespace": "argocd"}, "data": data})
}

// apply is server-side apply with force. It may create.
func (p *platform) apply(t *testing.T, manager, path string, object map[string]any) {
	t.Helper()
	body, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.server.Client.Discovery().RESTClient().Patch(types.ApplyYAMLPatchType).Param("fieldManager", manager).Param("force", "true").
		AbsPath(path).Body(body).Do(context.Background()).Raw()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// operator scales the operator, as a person or its own Application does.
func (p *platform) operator(t *testing.T, replicas string) {
	t.Helper()
	_, err := p.server.Client.AppsV1().Deployments("apl-operator").Patch(context.Background(), "apl-operator", types.MergePatchType,
		[]byte(`{"spec":{"replicas":`+replicas+`}}`), metav1.PatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
}

func tree(t *testing.T, text string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// application applies an Application.
func (p *platform) application(t *testing.T, text string) {
	t.Helper()
	object := tree(t, text)
	name := object["metadata"].(map[string]any)["name"].(string)
	p.apply(t, "apl-operator", "/apis/argoproj.io/v1alpha1/namespaces/argocd/applications/"+name, object)
}

func resources() map[string]schema.GroupVersionResource {
	return map[string]schema.GroupVersionResource{
		"ConfigMap":   {Version: "v1", Resource: "configmaps"},
		"Secret":      {Version: "v1", Resource: "secrets"},
		"ClusterRole": {Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterroles"},
	}
}

// objects are what the old Application has in the cluster, each by its kind, namespace and name.
func objects() [][3]string {
	return [][3]string{{"ConfigMap", "web", "settings"}, {"ConfigMap", "web", "unlisted"}, {"Secret", "web", "login"}, {"ConfigMap", "team-red", "policy"}, {"ClusterRole", "", "web-reader"}}
}

// fresh puts everything back to where a hand-over begins. byLabel tracks by the label.
func (p *platform) fresh(t *testing.T, byLabel bool) {
	t.Helper()
	p.server.DeleteAll(t, testcluster.Applications())
	p.operator(t, "0")
	var list []*unstructured.Unstructured
	for _, o := range objects() {
		client := p.server.Dynamic.Resource(resources()[o[0]])
		if o[1] == "" {
			_ = client.Delete(context.Background(), o[2], metav1.DeleteOptions{}) // it need not be there
		} else {
			_ = client.Namespace(o[1]).Delete(context.Background(), o[2], metav1.DeleteOptions{}) // as above
		}
		group := resources()[o[0]].GroupVersion().String()
		u := &unstructured.Unstructured{Object: map[string]any{"apiVersion": group, "kind": o[0]}}
		u.SetNamespace(o[1])
		u.SetName(o[2])
		if byLabel {
			u.SetLabels(map[string]string{labelKey: old})
		} else {
			u.SetAnnotations(map[string]string{idKey: old + ":" + resources()[o[0]].Group + "/" + o[0] + ":web/" + o[2]})
		}
		if o[0] == "Secret" {
			u.Object["stringData"] = map[string]any{"password": "otter-umbrella-83"}
		}
		list = append(list, u)
	}
	p.server.Create(t, "argocd-controller", list...)
	p.application(t, oldApp)
	replace := func(name, path, resources string) string {
		return strings.NewReplacer("NAME", name, "PATH", path, "RESOURCES", resources).Replace(adopter)
	}
	p.application(t, replace("gitops-ns-web", "env/manifests/namespaces/web",
		`{"version":"v1","kind":"ConfigMap","namespace":"web","name":"settings"},{"version":"v1","kind":"ConfigMap","namespace":"web","name":"unlisted"}`))
	p.application(t, replace("gitops-global", "env/manifests/global", `{"group":"rbac.authorization.k8s.io","version":"v1","kind":"ClusterRole","name":"web-reader"}`))
	p.repo = memoryRepo{head: files()}
}

// adopt has an Application own an object, as Argo CD does when it syncs one.
func (p *platform) adopt(t *testing.T, o [3]string, application string) {
	t.Helper()
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"labels": map[string]any{labelKey: application},
		"annotations": map[string]any{idKey: application + ":" + resources()[o[0]].Group + "/" + o[0] + ":web/" + o[2]}}})
	if err != nil {
		t.Fatal(err)
	}
	client := p.server.Dynamic.Resource(resources()[o[0]])
	if o[1] == "" {
		_, err = client.Patch(context.Background(), o[2], types.MergePatchType, patch, metav1.PatchOptions{FieldManager: "argocd-controller"})
	} else {
		_, err = client.Namespace(o[1]).Patch(context.Background(), o[2], types.MergePatchType, patch, metav1.PatchOptions{FieldManager: "argocd-controller"})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// adoptAll adopts what git holds, as far as it is not adopted: the objects, and by whom.
func (p *platform) adoptAll(t *testing.T) {
	t.Helper()
	p.adopt(t, [3]string{"ConfigMap", "web", "settings"}, "gitops-ns-web")
	p.adopt(t, [3]string{"ConfigMap", "web", "unlisted"}, "gitops-ns-web")
	p.adopt(t, [3]string{"ClusterRole", "", "web-reader"}, "gitops-global")
}

// uids are those of all objects that are there.
func (p *platform) uids(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, o := range objects() {
		m, err := p.client.Metadata(context.Background(), argocd.ObjectRef{Group: resources()[o[0]].Group, Kind: o[0], Namespace: o[1], Name: o[2]})
		if err == nil {
			out[strings.Join(o[:], " ")] = m.UID
		}
	}
	return out
}

// input is what a plan is made from now.
func (p *platform) input(t *testing.T, c handover.Cluster) handover.Input {
	t.Helper()
	apps, err := p.client.Applications(context.Background(), cluster.ListOptions{Namespace: "argocd"})
	if err != nil {
		t.Fatal(err)
	}
	known, err := release.ParseRegistry("releases.json", []byte(registry))
	if err != nil {
		t.Fatal(err)
	}
	exceptions, err := config.Parse(".apl.yaml", nil)
	if err != nil {
		t.Fatal(err)
	}
	return handover.Input{Applications: apps, Registry: known, Config: exceptions, Cluster: c, Repo: p.repo, Namespace: "argocd"}
}

// options wait long enough for a test, and look often. each is called at each look.
func options(each func(done, total int)) handover.Options {
	return handover.Options{Timeout: 20 * time.Second, Poll: 5 * time.Millisecond, Now: time.Now, Progress: func(_ string, done, total int) {
		if each != nil {
			each(done, total)
		}
	}}
}

// noted keeps which steps were done.
func noted(list *[]string) func(*handover.App, handover.Step) {
	return func(_ *handover.App, s handover.Step) { *list = append(*list, string(s.Name)) }
}
