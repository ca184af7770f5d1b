package cluster_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/kubectl-apl/kubectl-apl/internal/testcluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
)

// TestCluster runs all that wants a real API server against one.
func TestCluster(t *testing.T) {
	c := testcluster.Start(t)
	for _, test := range []struct {
		name string
		run  func(*testing.T, *testcluster.Cluster)
	}{
		{"Empty", testEmpty},
		{"Lossless", testLossless},
		{"Chunks", testChunks},
		{"Forbidden", testForbidden},
		{"Everywhere", testEverywhere},
		{"Namespaces", testNamespaces},
		{"Releases", testReleases},
		{"Facts", testFacts},
		{"Projects", testProjects},
		{"Capabilities", testCapabilities},
		{"Kinds", testKinds},
		{"Cancelled", testCancelled},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, c) })
	}
}

func connect(t *testing.T, config *rest.Config, options ...cluster.Option) *cluster.Client {
	t.Helper()
	client, err := cluster.New(config, options...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func testEmpty(t *testing.T, c *testcluster.Cluster) {
	apps, err := connect(t, c.Config).Applications(t.Context(), cluster.ListOptions{Namespace: "argocd"})
	if err != nil || len(apps) != 0 {
		t.Errorf("an empty cluster gives %d Applications and %v", len(apps), err)
	}
}

// application returns a small Application.
func application(name string, helm map[string]any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "argoproj.io/v1alpha1", "kind": "Application",
		"metadata": map[string]any{"name": name, "namespace": "argocd"},
		"spec": map[string]any{
			"project":     "default",
			"destination": map[string]any{"namespace": "web"},
			"source":      map[string]any{"repoURL": "https://git.example.test/charts.git", "path": "charts/web", "helm": helm},
		},
	}}
}

// testLossless holds that numbers, nulls and unknown fields survive as the server keeps them.
func testLossless(t *testing.T, c *testcluster.Cluster) {
	const object = `{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"name":"exact","namespace":"argocd"},
		"spec":{"project":"default","destination":{"namespace":"web"},"unknown":{"deep":[1,null,{}]},
		"source":{"repoURL":"https://git.example.test/x.git","path":"x","helm":{"valuesObject":{"id":9007199254740993,"half":0.5,"none":null,"big":1e+21}}}}}`
	var tree unstructured.Unstructured
	if err := json.Unmarshal([]byte(object), &tree.Object); err != nil {
		t.Fatal(err)
	}
	result := connectRaw(t, c).Post().AbsPath("/apis/argoproj.io/v1alpha1/namespaces/argocd/applications").
		SetHeader("Content-Type", "application/json").Body([]byte(object)).Do(t.Context())
	if err := result.Error(); err != nil {
		t.Fatal(err)
	}
	defer c.DeleteAll(t, testcluster.Applications())
	apps, err := connect(t, c.Config).Applications(t.Context(), cluster.ListOptions{})
	if err != nil || len(apps) != 1 {
		t.Fatal(len(apps), err)
	}
	spec, err := json.Marshal(apps[0].Object()["spec"])
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"id":9007199254740993`, `"half":0.5`, `"none":null`, `"deep":[1,null,{}]`, `"big":1e+21`} {
		if !bytes.Contains(spec, []byte(want)) {
			t.Errorf("%s is not in %s", want, spec)
		}
	}
}

func connectRaw(t *testing.T, c *testcluster.Cluster) rest.Interface {
	t.Helper()
	return c.Client.Discovery().RESTClient()
}

// testChunks holds that a list comes in chunks, each Application once, and begins anew, cleanly, when a continue token
// has expired (case F5).
func testChunks(t *testing.T, c *testcluster.Cluster) {
	const total = 7
	var objects []*unstructured.Unstructured
	var want []string
	for i := range total {
		name := fmt.Sprintf("app-%d", i)
		want = append(want, name)
		objects = append(objects, application(name, map[string]any{"values": "a: 1"}))
	}
	c.Create(t, "", objects...)
	defer c.DeleteAll(t, testcluster.Applications())
	for _, test := range []struct {
		reason   string
		gone     int32 // how many continued requests the server refuses
		requests int32
	}{
		{"four chunks of two", 0, 4},
		{"the second chunk is refused once: begin anew", 1, 2 + 4},
		{"the second chunk is always refused: three attempts, then one request for all", 100, 3*2 + 1},
	} {
		t.Run(test.reason, func(t *testing.T) {
			var requests, refused atomic.Int32
			config := rest.CopyConfig(c.Config)
			config.Wrap(func(next http.RoundTripper) http.RoundTripper {
				return roundTrip(func(r *http.Request) (*http.Response, error) {
					requests.Add(1)
					if r.URL.Query().Has("continue") && refused.Add(1) <= test.gone {
						return goneResponse(r), nil
					}
					return next.RoundTrip(r)
				})
			})
			var progress []int
			apps, err := connect(t, config, cluster.WithChunk(2)).Applications(t.Context(), cluster.ListOptions{
				Namespace: "argocd", Progress: func(done int) { progress = append(progress, done) },
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, names(apps)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if requests.Load() != test.requests {
				t.Errorf("%d requests; want %d", requests.Load(), test.requests)
			}
			if progress[len(progress)-1] != total {
				t.Errorf("the last progress is %d", progress[len(progress)-1])
			}
		})
	}
}

// goneResponse is what an API server says of a continue token that has expired.
func goneResponse(r *http.Request) *http.Response {
	recorder := &response{header: http.Header{"Content-Type": {"application/json"}}}
	recorder.body.WriteString(`{"kind":"Status","apiVersion":"v1","status":"Failure","message":"The provided continue parameter is too old","reason":"Expired","code":410}`)
	return recorder.result(r, http.StatusGone)
}

func names(apps []*argocd.Application) []string {
	var out []string
	for _, a := range apps {
		out = append(out, a.Name())
	}
	slices.Sort(out)
	return out
}

func testForbidden(t *testing.T, c *testcluster.Cluster) {
	for _, test := range []struct {
		reason string
		rules  []rbacv1.PolicyRule
		want   error
		text   []string
	}{
		{"list alone is enough", []rbacv1.PolicyRule{{APIGroups: []string{"argoproj.io"}, Resources: []string{"applications"}, Verbs: []string{"list"}}}, nil, nil},
		{"a user who may do nothing is told the verb, the resource and the namespace", nil, cluster.ErrForbidden,
			[]string{"list", "applications.argoproj.io", "namespace argocd", "kubectl auth can-i list applications.argoproj.io -n argocd"}},
	} {
		t.Run(test.reason, func(t *testing.T) {
			config, err := clientcmd.BuildConfigFromFlags("", c.UserKubeconfig(t, "user-"+fmt.Sprint(len(test.rules)), test.rules...))
			if err != nil {
				t.Fatal(err)
			}
			client := connect(t, config)
			_, err = client.Applications(t.Context(), cluster.ListOptions{Namespace: "argocd"})
			if !errors.Is(err, test.want) {
				t.Fatalf("the error is %v", err)
			}
			for _, part := range test.text {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q is not in %v", part, err)
				}
			}
			facts, err := client.ArgoCD(t.Context(), "argocd")
			if err != nil || len(facts.Unknown) != 3 {
				t.Errorf("what may not be read is unknown, and no error: %q, %v", facts.Unknown, err)
			}
			operator, err := client.Operator(t.Context())
			if err != nil || operator.Unknown == "" || operator.Running() {
				t.Errorf("the operator is unknown: %+v, %v", operator, err)
			}
			if _, err := client.HelmRelease(t.Context(), app.ID{Namespace: "web", Release: "web"}); !errors.Is(err, cluster.ErrForbidden) {
				t.Errorf("the release is forbidden: %v", err)
			}
		})
	}
}

// testNamespaces holds that every namespace is named once, in however many chunks.
func testNamespaces(t *testing.T, c *testcluster.Cluster) {
	got, err := connect(t, c.Config, cluster.WithChunk(2)).Namespaces(t.Context())
	if err != nil || !slices.Contains(got, "argocd") || !slices.Contains(got, "kube-system") || len(slices.Compact(slices.Clone(got))) != len(got) {
		t.Errorf("got %q, %v", got, err)
	}
}

// testEverywhere holds that Applications of all namespaces are read, or those of one by whoever may not, who is told.
func testEverywhere(t *testing.T, c *testcluster.Cluster) {
	elsewhere := application("elsewhere", map[string]any{})
	elsewhere.SetNamespace("tenant")
	c.Create(t, "", application("here", map[string]any{}), elsewhere)
	defer c.DeleteAll(t, testcluster.Applications())
	list := rbacv1.PolicyRule{APIGroups: []string{"argoproj.io"}, Resources: []string{"applications"}, Verbs: []string{"list"}}
	for _, test := range []struct {
		reason, kubeconfig string
		want               []string
		denied             string
		err                error
	}{
		{"an administrator sees all", c.Kubeconfig(t), []string{"elsewhere", "here"}, "", nil},
		{"a member of Argo CD's namespace sees what is there", c.MemberKubeconfig(t, "argocd", "member", list), []string{"here"}, "kubectl auth can-i list applications.argoproj.io -A", nil},
		{"a member of another namespace sees nothing", c.MemberKubeconfig(t, "tenant", "stranger", list), nil, "", cluster.ErrForbidden},
	} {
		config, err := clientcmd.BuildConfigFromFlags("", test.kubeconfig)
		if err != nil {
			t.Fatal(err)
		}
		apps, denied, err := connect(t, config).Everywhere(t.Context(), "argocd", nil)
		if !errors.Is(err, test.err) {
			t.Errorf("%s: the error is %v", test.reason, err)
		}
		if diff := cmp.Diff(test.want, names(apps)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", test.reason, diff)
		}
		if (denied == nil) != (test.denied == "") || denied != nil && !strings.Contains(denied.Error(), test.denied) {
			t.Errorf("%s: what is denied is %v", test.reason, denied)
		}
	}
}

// stored returns a Secret as Helm stores a release.
func stored(name string, revision int, status string, payload []byte) *corev1.Secret {
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "web", Name: fmt.Sprintf("sh.helm.release.v1.%s.v%d", name, revision),
			Labels: map[string]string{"owner": "helm", "name": name, "status": status, "version": fmt.Sprint(revision)},
		},
		Type: "helm.sh/release.v1",
	}
	if payload != nil {
		secret.Data = map[string][]byte{"release": payload}
	}
	return secret
}

func packed(t *testing.T, config string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	fmt.Fprintf(w, `{"name":"x","config":%s,"chart":{"metadata":{"name":"web","version":"1.0.0"}}}`, config)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return []byte(base64.StdEncoding.EncodeToString(b.Bytes()))
}

func bomb(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	for range 65 {
		if _, err := w.Write(make([]byte, 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return []byte(base64.StdEncoding.EncodeToString(b.Bytes()))
}

// testReleases is case B13, and its neighbours.
func testReleases(t *testing.T, c *testcluster.Cluster) {
	c.Namespace(t, "web")
	client := connect(t, c.Config)
	plain := []byte(base64.StdEncoding.EncodeToString([]byte(`{"config":{"id":9007199254740993}}`)))
	for i, test := range []struct {
		reason   string
		secrets  func(name string) []*corev1.Secret
		config   string
		revision int
		warnings int
		err      error
	}{
		{"B13: the newest deployed one, never the failed one after it", func(n string) []*corev1.Secret {
			return []*corev1.Secret{stored(n, 3, "deployed", packed(t, `{"a":"old"}`)), stored(n, 4, "failed", packed(t, `{"a":"bad"}`)), stored(n, 2, "deployed", packed(t, `{"a":"older"}`))}
		}, `{"a":"old"}`, 3, 2, nil},
		{"revision 10 is newer than revision 9", func(n string) []*corev1.Secret {
			return []*corev1.Secret{stored(n, 9, "superseded", packed(t, `{"a":9}`)), stored(n, 10, "deployed", packed(t, `{"a":10}`))}
		}, `{"a":10}`, 10, 0, nil},
		{"there is none", func(string) []*corev1.Secret { return nil }, "", 0, 0, cluster.ErrNoRelease},
		{"none is deployed", func(n string) []*corev1.Secret {
			return []*corev1.Secret{stored(n, 1, "uninstalled", packed(t, `{}`))}
		}, "", 0, 0, cluster.ErrNoRelease},
		{"an old Helm did not pack; digits survive", func(n string) []*corev1.Secret {
			return []*corev1.Secret{stored(n, 1, "deployed", plain)}
		}, `{"id":9007199254740993}`, 1, 0, nil},
		{"no values at all", func(n string) []*corev1.Secret {
			return []*corev1.Secret{stored(n, 1, "deployed", packed(t, `null`))}
		}, `null`, 1, 0, nil},
		{"no base64", func(n string) []*corev1.Secret { return []*corev1.Secret{stored(n, 1, "deployed", []byte("hunter2!"))} }, "", 0, 0, cluster.ErrCorruptRelease},
		{"gzip that ends early", func(n string) []*corev1.Secret {
			whole, _ := base64.StdEncoding.DecodeString(string(packed(t, `{"a":"hunter2"}`)))
			return []*corev1.Secret{stored(n, 1, "deployed", []byte(base64.StdEncoding.EncodeToString(whole[:20])))}
		}, "", 0, 0, cluster.ErrCorruptRelease},
		{"no JSON", func(n string) []*corev1.Secret {
			return []*corev1.Secret{stored(n, 1, "deployed", []byte(base64.StdEncoding.EncodeToString([]byte("hunter2"))))}
		}, "", 0, 0, cluster.ErrCorruptRelease},
		{"a Secret that is not Helm's by its type does not count", func(n string) []*corev1.Secret {
			foreign := stored(n, 2, "deployed", packed(t, `{"a":2}`))
			foreign.Type = corev1.SecretTypeOpaque
			return []*corev1.Secret{foreign, stored(n, 1, "deployed", packed(t, `{"a":1}`))}
		}, `{"a":1}`, 1, 0, nil},
		{"no payload", func(n string) []*corev1.Secret { return []*corev1.Secret{stored(n, 1, "deployed", nil)} }, "", 0, 0, cluster.ErrCorruptRelease},
		{"a bomb", func(n string) []*corev1.Secret { return []*corev1.Secret{stored(n, 1, "deployed", bomb(t))} }, "", 0, 0, cluster.ErrCorruptRelease},
	} {
		t.Run(test.reason, func(t *testing.T) {
			id := app.ID{Namespace: "web", Release: fmt.Sprintf("web-%d", i)}
			for _, secret := range test.secrets(id.Release) {
				if _, err := c.Client.CoreV1().Secrets("web").Create(t.Context(), secret, metav1.CreateOptions{}); err != nil {
					t.Fatal(err)
				}
			}
			got, err := client.HelmRelease(t.Context(), id)
			if !errors.Is(err, test.err) {
				t.Fatalf("the error is %v; want %v", err, test.err)
			}
			if err != nil {
				if strings.Contains(err.Error(), "hunter2") {
					t.Errorf("the error shows a value: %v", err)
				}
				if errors.Is(err, cluster.ErrCorruptRelease) && !strings.Contains(err.Error(), "sh.helm.release.v1."+id.Release+".v1") {
					t.Errorf("the error names no Secret: %v", err)
				}
				return
			}
			if string(got.Config) != test.config || got.Revision != test.revision || len(got.Warnings) != test.warnings {
				t.Errorf("got %s of revision %d, with %q", got.Config, got.Revision, got.Warnings)
			}
		})
	}
}

func testFacts(t *testing.T, c *testcluster.Cluster) {
	client := connect(t, c.Config)
	facts, err := client.ArgoCD(t.Context(), "argocd")
	if err != nil || len(facts.Unknown) == 0 || facts.Version != "" {
		t.Errorf("without Argo CD all is unknown: %+v, %v", facts, err)
	}
	if operator, err := client.Operator(t.Context()); err != nil || operator.Found {
		t.Errorf("there is no operator: %+v, %v", operator, err)
	}
	ctx := t.Context()
	create(t, c, "argocd", "argocd-server", "registry.example.test:5000/argoproj/argocd:v3.2.11@sha256:"+strings.Repeat("0", 64), 1)
	c.Namespace(t, "apl-operator")
	create(t, c, "apl-operator", "apl-operator", "example.test/operator:v1", 0)
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "argocd-cm"}, Data: map[string]string{
		"application.resourceTrackingMethod": "label", "application.instanceLabelKey": "example.test/instance", "installationID": "one",
		"repositories": "- url: https://user:hunter2@git.example.test/old.git\n",
	}}
	if _, err := c.Client.CoreV1().ConfigMaps("argocd").Create(ctx, config, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	for name, kind := range map[string]string{"repo": "repository", "creds": "repo-creds", "other": "cluster"} {
		secret := &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"argocd.argoproj.io/secret-type": kind}},
			StringData: map[string]string{"url": "https://user:hunter2@git.example.test/" + name + ".git", "password": "hunter2"},
		}
		if _, err := c.Client.CoreV1().Secrets("argocd").Create(ctx, secret, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	facts, err = connect(t, c.Config, cluster.WithChunk(1)).ArgoCD(ctx, "argocd")
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprint(facts); strings.Contains(text, "hunter2") {
		t.Errorf("credentials are kept: %s", text)
	}
	facts.Repositories = slices.Clone(facts.Repositories)
	for i, url := range facts.Repositories {
		facts.Repositories[i] = filepath.Base(url)
	}
	want := cluster.ArgoCD{Version: "v3.2.11", TrackingMethod: "label", InstanceLabelKey: "example.test/instance", InstallationID: "one", Repositories: []string{"creds.git", "repo.git"}}
	if diff := cmp.Diff(want, facts); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	// Argo CD 2 reads its ConfigMap, too, and the repo server's version counts.
	create(t, c, "argocd", "argocd-repo-server", "example.test/argoproj/argocd:v2.14.3", 1)
	facts, err = client.ArgoCD(ctx, "argocd")
	if err != nil || facts.Version != "v2.14.3" || !slices.Contains(facts.Repositories, "https://***@git.example.test/old.git") {
		t.Errorf("an old Argo CD: %+v, %v", facts, err)
	}
	operator, err := client.Operator(ctx)
	if diff := cmp.Diff(cluster.Operator{Found: true}, operator); diff != "" || err != nil || operator.Running() {
		t.Errorf("a paused operator: %v (-want +got)\n%s", err, diff)
	}
}

func create(t *testing.T, c *testcluster.Cluster, namespace, name, image string, replicas int32) {
	t.Helper()
	labels := map[string]string{"app.kubernetes.io/name": name}
	_, err := c.Client.AppsV1().Deployments(namespace).Create(t.Context(), &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: image}}},
			},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
}

func testCapabilities(t *testing.T, c *testcluster.Cluster) {
	got, err := connect(t, c.Config).Capabilities(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(got.KubeVersion, "v1.") {
		t.Errorf("the version is %q", got.KubeVersion)
	}
	for _, want := range []string{"v1", "v1/ConfigMap", "apps/v1", "apps/v1/Deployment", "argoproj.io/v1alpha1", "argoproj.io/v1alpha1/Application"} {
		if !slices.Contains(got.APIVersions, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if i := slices.IndexFunc(got.APIVersions, func(v string) bool { return strings.HasSuffix(v, "/status") }); i >= 0 {
		t.Errorf("%s is a subresource", got.APIVersions[i])
	}
}

func testCancelled(t *testing.T, c *testcluster.Cluster) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	client := connect(t, c.Config)
	if _, err := client.Applications(ctx, cluster.ListOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Applications: %v", err)
	}
	if _, err := client.Capabilities(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Capabilities: %v", err)
	}
}

// TestUnreachable holds what is said of servers that do not answer, or not as they should.
func TestUnreachable(t *testing.T) {
	hang := make(chan struct{})
	defer close(hang)
	for _, test := range []struct {
		reason string
		config *rest.Config
		want   error
		text   string
	}{
		{"nothing listens", &rest.Config{Host: "https://127.0.0.1:1"}, cluster.ErrUnreachable, "127.0.0.1:1"},
		{"no such host", &rest.Config{Host: "https://no-such-host.invalid"}, cluster.ErrUnreachable, "no-such-host.invalid"},
		{"it never answers", &rest.Config{Host: serve(t, func(http.ResponseWriter, *http.Request) { <-hang }), Timeout: 50 * time.Millisecond}, cluster.ErrUnreachable, "--request-timeout"},
		{"an unknown certificate", &rest.Config{Host: serveTLS(t)}, nil, "certificate-authority in the kubeconfig"},
		{"no Argo CD", &rest.Config{Host: serve(t, http.NotFound)}, cluster.ErrNoKind, "--context"},
		{"no TLS where it is expected", &rest.Config{Host: strings.Replace(serve(t, http.NotFound), "http:", "https:", 1)}, cluster.ErrUnreachable, "HTTP"},
		{"a token that is no longer accepted", &rest.Config{BearerToken: "hunter2", Host: serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })}, nil, "log in again"},
		{"a credential plugin that is not installed", &rest.Config{Host: "https://127.0.0.1:1", ExecProvider: &clientcmdapi.ExecConfig{
			Command: "no-such-credential-plugin", APIVersion: "client.authentication.k8s.io/v1", InteractiveMode: clientcmdapi.NeverExecInteractiveMode, InstallHint: "get it\nsomewhere",
		}}, nil, "no-such-credential-plugin"},
		{"a credential plugin that waits", &rest.Config{Host: "https://127.0.0.1:1", Timeout: 50 * time.Millisecond, ExecProvider: &clientcmdapi.ExecConfig{
			Command: "sleep", Args: []string{"3"}, APIVersion: "client.authentication.k8s.io/v1", InteractiveMode: clientcmdapi.NeverExecInteractiveMode,
		}}, cluster.ErrUnreachable, "credential plugin waits"},
		{"a password in its address", &rest.Config{Host: "https://user:hunter2@127.0.0.1:1"}, cluster.ErrUnreachable, "https://***@127.0.0.1:1"},
		{"another server", &rest.Config{Host: serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") })}, nil, "is http://127.0.0.1:"},
	} {
		t.Run(test.reason, func(t *testing.T) {
			begun := time.Now()
			_, err := connect(t, test.config).Applications(t.Context(), cluster.ListOptions{Namespace: "argocd"})
			if took := time.Since(begun); took > 2*time.Second {
				t.Errorf("it took %s", took)
			}
			if err == nil || test.want != nil && !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.text) {
				t.Errorf("the error is %v", err)
			}
			if err != nil && strings.ContainsAny(err.Error(), "\n") || err != nil && strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the error has several lines, or shows a token: %v", err)
			}
		})
	}
}

// TestTooSlow holds that every read says so when no answer comes in time, and is not taken for one that its caller ended.
func TestTooSlow(t *testing.T) {
	hang := make(chan struct{})
	defer close(hang)
	client := connect(t, &rest.Config{Host: serve(t, func(http.ResponseWriter, *http.Request) { <-hang }), Timeout: 50 * time.Millisecond})
	for name, read := range map[string]func(context.Context) error{
		"Application":  func(ctx context.Context) error { _, err := client.Application(ctx, "argocd", "web"); return err },
		"ArgoCD":       func(ctx context.Context) error { _, err := client.ArgoCD(ctx, "argocd"); return err },
		"Capabilities": func(ctx context.Context) error { _, err := client.Capabilities(ctx); return err },
		"HelmRelease": func(ctx context.Context) error {
			_, err := client.HelmRelease(ctx, app.ID{Namespace: "web", Release: "web"})
			return err
		},
		"InstanceLabel": func(ctx context.Context) error { _, err := client.InstanceLabel(ctx, "argocd"); return err },
		"Namespaces":    func(ctx context.Context) error { _, err := client.Namespaces(ctx); return err },
		"Operator":      func(ctx context.Context) error { _, err := client.Operator(ctx); return err },
		"Projects":      func(ctx context.Context) error { _, err := client.Projects(ctx, "argocd"); return err },
	} {
		t.Run(name, func(t *testing.T) {
			if err := read(t.Context()); !errors.Is(err, cluster.ErrUnreachable) || !strings.Contains(err.Error(), "--request-timeout") {
				t.Errorf("the error is %v", err)
			}
		})
	}
}
