package check_test

import (
	"strings"
	"testing"
)

func TestArtifactSecret(t *testing.T) {
	const namespaces = "env/manifests/namespaces/"
	const secretPath = namespaces + "web/secret/x.yaml"
	const appFile = namespaces + "argocd/applications/web-site.yaml"
	accept := func(path, rule string) string {
		return "secrets: [{app: web/web-artifacts, path: '" + path + "', rule: " + rule + ", reason: r}]"
	}
	owned := strings.Replace(aMap, "name: a\n", "name: a\n"+rawLabels, 1)
	for name, tc := range map[string]struct {
		reason string
		repo   memoryRepo
		want   []string
		says   string // of message or next step
	}{
		"Data":          {"E3: data before the kind", memoryRepo{secretPath: "apiVersion: v1\ndata:\n  a: c3VwZXItc2VjcmV0LW9uZQ==\nkind: Secret\nmetadata: {name: x}\n"}, []string{"error artifact-secret " + secretPath + ":2:1 Secret/web/x"}, "SealedSecret"},
		"StringData":    {"E3: one character is enough, in JSON", memoryRepo{namespaces + "web/b.json": `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Secret","metadata":{"name":"y"},"stringData":{"p":"w"}}]}`}, []string{"warning artifact-path " + namespaces + "web/b.json:1:62 kind", "error artifact-secret " + namespaces + "web/b.json:1:102 Secret/web/y"}, ""},
		"InText":        {"E3: YAML inside a string", memoryRepo{webMap: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  extra: |\n    apiVersion: v1\n    kind: Secret\n    metadata: {name: z}\n    stringData: {p: warm-kettle-19}\n"}, []string{"error artifact-secret " + webMap + ":5:3 ConfigMap/web/a:data.extra#stringData.p"}, ""},
		"Both":          {"a Secret is one finding, at the first of what it holds", memoryRepo{secretPath: "kind: Secret\nstringData: {a: b}\napiVersion: v1\ndata: {a: Yg==}\nmetadata: {name: x}\n"}, []string{"error artifact-secret " + secretPath + ":2:1 Secret/web/x"}, ""},
		"Empty":         {"a Secret without data is none", memoryRepo{secretPath: "apiVersion: v1\nkind: Secret\nmetadata: {name: x}\ndata: {}\ntype: Opaque\n"}, nil, ""},
		"Sealed":        {"a SealedSecret is encrypted", memoryRepo{namespaces + "web/sealedsecret/x.yaml": "apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: {name: x}\nspec: {encryptedData: {password: " + strings.Repeat("AgBx", 40) + "}, template: {data: {}}}\n"}, nil, ""},
		"External":      {"an ExternalSecret refers", memoryRepo{namespaces + "web/externalsecret/x.yaml": "apiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: {name: x}\nspec: {data: [{secretKey: password, remoteRef: {key: a, property: password}}]}\n"}, nil, ""},
		"Password":      {"any object can hold one", memoryRepo{webMap: owned + "spec:\n  password: warm-kettle-19\n"}, []string{"error artifact-secret " + webMap + ":12:3 ConfigMap/web/a:spec.password"}, `- {app: web/web-artifacts, path: "ConfigMap/web/a:spec.password", rule: secret-named-key, reason: "..."}`},
		"Second":        {"lines are those of the file", memoryRepo{ownMap: aMap + "---\n" + in("v1", "Thing", "name: b") + "password: warm-kettle-19\n"}, []string{"warning artifact-path " + ownMap + ":8:1", "error artifact-secret " + ownMap + ":11:1 Thing/web/b:password"}, ""},
		"Item":          {"and of a list", memoryRepo{ownMap: "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a}\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: b}\n  # password: warm-kettle-19\n  data: {password: warm-kettle-19}\n"}, []string{"warning artifact-path " + ownMap + ":7:3", "error artifact-secret " + ownMap + ":10:1 ConfigMap/web/b:.", "error artifact-secret " + ownMap + ":11:10 ConfigMap/web/b:data.password"}, ""},
		"Comment":       {"a comment is in git too", memoryRepo{webMap: aMap + "# password: warm-kettle-19\n"}, []string{"error artifact-secret " + webMap + ":7:1 ConfigMap/web/a:."}, "secret-assignment: in a comment"},
		"Hidden":        {"what a key that stands twice hides", memoryRepo{webMap: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nspec: {password: warm-kettle-19}\nspec: {}\n"}, []string{"error artifact-secret " + webMap + ":0:0 ConfigMap/web/a:spec[0].password", "warning manifest-parse " + webMap + ":5:1"}, ""},
		"PublicKey":     {"E5: a certificate is public", memoryRepo{webMap: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  ca: |\n    -----BEGIN CERTIFICATE-----\n    MIIB\n    -----END CERTIFICATE-----\n"}, nil, ""},
		"PrivateKey":    {"E5: a private key is not", memoryRepo{webMap: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  b64: LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk1JSUUKLS0tLS1FTkQgUFJJVkFURSBLRVktLS0tLQo=\n"}, []string{"error artifact-secret " + webMap + ":5:3 ConfigMap/web/a:data.b64"}, "secret-private-key"},
		"Accepted":      {"what is accepted is told where that stands", memoryRepo{webMap: owned + "spec: {password: warm-kettle-19}\n", ".apl.yaml": accept("ConfigMap/web/a:spec.password", "secret-named-key")}, []string{"info artifact-secret .apl.yaml:1:11 ConfigMap/web/a:spec.password"}, "secret-named-key: accepted"},
		"AcceptedMine":  {"an object that is no release's is accepted under any", memoryRepo{webMap: aMap + "spec: {password: warm-kettle-19}\n", ".apl.yaml": accept("ConfigMap/web/a:spec.password", "secret-named-key")}, []string{"info artifact-secret .apl.yaml:1:11 ConfigMap/web/a:spec.password"}, ""},
		"AcceptedOther": {"an exception for another place accepts nothing", memoryRepo{webMap: owned + "spec: {password: warm-kettle-19}\n", ".apl.yaml": accept("ConfigMap/web/b:spec.password", "secret-named-key")}, []string{"error artifact-secret " + webMap + ":11:8 ConfigMap/web/a:spec.password"}, ""},
		"Idle":          {"an exception that accepts nothing in an object that is there", memoryRepo{webMap: owned, ".apl.yaml": accept("ConfigMap/web/a:spec.password", "secret-named-key")}, []string{"warning exception-unused .apl.yaml:1:11 ConfigMap/web/a:spec.password"}, "accepts nothing"},
		"NotYet":        {"an object that is not there can come", memoryRepo{webMap: owned, ".apl.yaml": accept("ConfigMap/web/b:spec.password", "secret-named-key")}, nil, ""},
		"LeftOut":       {"what leaves a Secret out of git does not let it in", memoryRepo{secretPath: "apiVersion: v1\nkind: Secret\nmetadata: {name: x}\nstringData: {a: b}\n", ".apl.yaml": accept("Secret/web/x", "artifact-secret")}, []string{"error artifact-secret " + secretPath + ":4:1 Secret/web/x"}, ".apl.yaml leaves it out of git"},
		"Excluded":      {"what .apl.yaml leaves out is left alone", memoryRepo{webMap: owned + "spec: {password: warm-kettle-19}\n", ".apl.yaml": "exclude: [{app: web/web-artifacts, reason: r}]"}, nil, ""},
		"Skipped":       {"a file that Argo CD does not read is in git", memoryRepo{webMap: "# +argocd:skip-file-rendering\n" + aMap + "spec: {password: warm-kettle-19}\n"}, []string{"info stray-file " + webMap + ":0:0", "error artifact-secret " + webMap + ":8:8 ConfigMap/web/a:spec.password"}, ""},
		"KeyTypes":      {"an object that only Kubernetes' parser takes", memoryRepo{secretPath: "apiVersion: v1\nkind: Secret\nmetadata: {name: x}\ndata: {1: Yg==, \"1\": Yg==}\n"}, []string{"error artifact-secret " + secretPath + ":1:1 Secret/web/x"}, ""},
		"Application":   {"an Application can hold one", memoryRepo{appFile: applicationWith("        password: warm-kettle-19\n")}, []string{"error artifact-secret " + appFile + ":11:9 spec.source.helm.valuesObject.password"}, ""},
		"Beside":        {"and so can a document beside one", memoryRepo{appFile: applicationWith("        a: b\n") + "---\napiVersion: v1\nkind: Secret\nmetadata: {name: x}\nstringData: {a: b}\n"}, []string{"error artifact-secret " + appFile + ":16:1 Secret/argocd/x"}, ""},
		"Folder":        {"and so can what else is in their folder", memoryRepo{appFile: "apiVersion: v1\nkind: Secret\nmetadata: {name: x}\nstringData: {a: b}\n"}, []string{"error artifact-secret " + appFile + ":4:1 Secret/argocd/x"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := tc.repo.check(t, "manifest-parse artifact-path artifact-secret stray-file exception-unused")
			if name == "Folder" || name == "Application" || name == "Beside" { // what else is wrong the rules about Applications say
				got = tc.repo.check(t, "artifact-secret")
			}
			wantFindings(t, tc.reason, tc.want, got)
			if last := len(got) - 1; last >= 0 && !strings.Contains(got[last].Message+got[last].Next, tc.says) {
				t.Errorf("%s: it says %q: %+v", tc.reason, tc.says, got[last])
			}
		})
	}
}

func applicationWith(values string) string {
	return "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web-site, namespace: argocd, labels: {otomi.io/app: managed}}\nspec:\n  destination: {namespace: web}\n" +
		"  source:\n    path: charts/web\n    helm:\n      releaseName: site\n      valuesObject:\n" + values
}
