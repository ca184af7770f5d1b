package check_test

import (
	"strings"
	"testing"
)

// Paths of manifests, and what stands there.
const (
	webMap    = "env/manifests/namespaces/web/configmap/a.yaml"
	aMap      = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: web\ndata: {k: v}\n"
	ownMap    = "env/manifests/namespaces/web/mine/own.yml"
	rawLabels = "  labels:\n    app.kubernetes.io/instance: web-artifacts\n    app.kubernetes.io/managed-by: Helm\n    helm.sh/chart: raw-0.1.0\n"
)

// TestManifestParse breaks manifests so that Argo CD does not read them.
func TestManifestParse(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, path, text string
		want               []string
	}{
		"Clean":         {"nothing is wrong", webMap, aMap, nil},
		"NoNamespace":   {"Argo CD puts it into the namespace of the folder", webMap, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", nil},
		"CRLF":          {"line ends are as git checks them out", webMap, strings.ReplaceAll(aMap, "\n", "\r\n"), nil},
		"Comments":      {"a file of comments holds nothing", webMap, "# nothing yet\n---\n", nil},
		"Null":          {"C3: documents that are null are passed over", webMap, "---\nnull\n---\n" + aMap, nil},
		"Syntax":        {"a list that does not end", webMap, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: [\n", []string{"error manifest-parse " + webMap + ":4:1"}},
		"Tab":           {"a tab that indents", webMap, "apiVersion: v1\nkind: ConfigMap\nmetadata:\n\tname: a\n", []string{"error manifest-parse " + webMap + ":4:1"}},
		"Second":        {"the line is that of the file", webMap, aMap + "---\n# more\na: b: c\n", []string{"error manifest-parse " + webMap + ":9:1"}},
		"List":          {"a document that is a list", webMap, aMap + "---\n- a\n", []string{"error manifest-parse " + webMap + ":8:1"}},
		"NoKind":        {"an object without kind", webMap, aMap + "---\napiVersion: v1\nmetadata: {name: b}\n", []string{"error manifest-parse " + webMap + ":8:1"}},
		"NoVersion":     {"an object without apiVersion", webMap, "kind: ConfigMap\nmetadata: {name: a}\n", []string{"error manifest-parse " + webMap + ":1:1"}},
		"NoName":        {"an object without a name", webMap, "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  labels: {}\n", []string{"error manifest-parse " + webMap + ":3:1"}},
		"NumberName":    {"a name that YAML reads as a number", webMap, "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: 12\n", []string{"error manifest-parse " + webMap + ":4:3"}},
		"ItemName":      {"an item of a list", webMap, "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {labels: {}}\n", []string{"error manifest-parse " + webMap + ":6:3"}},
		"Item":          {"an item that is no object", webMap, "apiVersion: v1\nkind: List\nitems:\n- a\n", []string{"error manifest-parse " + webMap + ":4:1"}},
		"Template":      {"a template is no YAML", webMap, "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\n", []string{"error manifest-parse " + webMap + ":4:10"}},
		"TemplateIf":    {"nor is one that begins a line", webMap, "{{ if .x }}\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n{{ end }}\n", []string{"error manifest-parse " + webMap + ":1:2"}},
		"Dashes":        {"Argo CD parts documents within a quoted text too", webMap, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: web}\ndata:\n  k: \"a\n--- b\"\n", []string{"error manifest-parse " + webMap + ":6:1"}},
		"DashesContent": {"and takes nothing behind the dashes", webMap, "--- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n", []string{"error manifest-parse " + webMap + ":1:1"}},
		"DashesComment": {"but a comment", webMap, "--- # c\n" + aMap, nil},
		"Certificate":   {"a certificate at the line's start", webMap, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: web}\ndata: {k: \"\n-----BEGIN CERTIFICATE-----\n\"}\n", []string{"error manifest-parse " + webMap + ":5:1"}},
		"Glued":         {"of two objects in one document the first is lost", webMap, aMap + aMap, []string{"error manifest-parse " + webMap + ":8:1"}},
		"GluedQuoted":   {"also where it is hard to see", webMap, aMap + "\"kind\": ConfigMap\napiVersion: v1\nmetadata: {name: b}\n", []string{"error manifest-parse " + webMap + ":7:1"}},
		"Behind":        {"what stands behind a map in braces is not read", webMap, "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n# c\n" + aMap, []string{"error manifest-parse " + webMap + ":3:1"}},
		"BehindJson":    {"nor behind JSON", webMap, aMap + "---\n{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"b\"}}\n" + strings.Replace(aMap, "name: a", "name: c", 1), []string{"error manifest-parse " + webMap + ":9:1"}},
		"End":           {"nor behind the end of a document", webMap, aMap + "...\n" + strings.Replace(aMap, "name: a", "name: b", 1), []string{"error manifest-parse " + webMap + ":7:1"}},
		"EndLast":       {"where nothing follows, nothing is lost", webMap, aMap + "...\n", nil},
		"Directive":     {"C5: Argo CD does not take directives", webMap, "%YAML 1.1\n---\n" + aMap, []string{"error manifest-parse " + webMap + ":1:1"}},
		"Mark":          {"C5: a byte order mark begins a file", webMap, "\ufeff" + aMap, nil},
		"MarkWithin":    {"and nothing within", webMap, aMap + "\ufeff---\n" + strings.Replace(aMap, "name: a", "name: b", 1), []string{"error manifest-parse " + webMap + ":7:1"}},
		"KeyTwice":      {"a key that stands twice", webMap, aMap + "data: {}\n", []string{"warning manifest-parse " + webMap + ":7:1"}},
		"Latin":         {"no UTF-8", webMap, aMap + "# \xe9\n", []string{"error manifest-parse " + webMap + ":7:3"}},
		"Json":          {"JSON is YAML", "env/manifests/namespaces/web/mine/a.yaml", `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}`, []string{"error artifact-path env/manifests/namespaces/web/mine/a.yaml:1:22 kind"}},
		"JsonFile":      {"a .json file holds one object", "env/manifests/namespaces/web/a.json", `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}`, []string{"warning artifact-path env/manifests/namespaces/web/a.json:1:22 kind"}},
		"JsonTwo":       {"and no second one", "env/manifests/namespaces/web/a.json", "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"a\"}}\n {}", []string{"error manifest-parse env/manifests/namespaces/web/a.json:2:2"}},
		"JsonNone":      {"and no YAML", "env/manifests/namespaces/web/a.json", aMap, []string{"error manifest-parse env/manifests/namespaces/web/a.json:1:1"}},
		"JsonCut":       {"nor half of an object", "env/manifests/namespaces/web/a.json", "{\"a\": [1,\n", []string{"error manifest-parse env/manifests/namespaces/web/a.json:2:1"}},
		"PassedOver":    {"Argo CD passes over what does not look like a manifest", ownMap, "replicas: 2\n", []string{"warning stray-file " + ownMap + ":0:0"}},
		"PassedOverBad": {"also where it is no YAML", ownMap, "replicas: [\n", []string{"warning stray-file " + ownMap + ":0:0"}},
		"Vanished":      {"where the layout has an object, that object would go", webMap, "replicas: [\n", []string{"error manifest-parse " + webMap + ":1:1"}},
		"Skipped":       {"who says that a file is not to be read is believed", webMap, "# +argocd:skip-file-rendering\na: [\n", []string{"info stray-file " + webMap + ":0:0"}},
		"JsonnetSecret": {"what is in its text can be read", "env/manifests/namespaces/web/a.jsonnet", "{password: 'warm-kettle-19'}", []string{"error artifact-secret env/manifests/namespaces/web/a.jsonnet:0:0", "warning stray-file env/manifests/namespaces/web/a.jsonnet:0:0"}},
		"Parameters":    {"Argo CD takes parameters of the folder's Application from it", "env/manifests/namespaces/web/.argocd-source.yaml", "directory: {exclude: '*'}\n", []string{"error stray-file env/manifests/namespaces/web/.argocd-source.yaml:0:0"}},
		"ParametersOf":  {"or of the one that it names", "env/manifests/global/.argocd-source-gitops-global.yaml", "a: b\n", []string{"error stray-file env/manifests/global/.argocd-source-gitops-global.yaml:0:0"}},
		"ParametersIn":  {"but from none further down", "env/manifests/namespaces/web/a/.argocd-source.yaml", "a: b\n", []string{"error manifest-parse env/manifests/namespaces/web/a/.argocd-source.yaml:1:1"}},
		"Jsonnet":       {"Argo CD evaluates jsonnet", "env/manifests/namespaces/web/a.jsonnet", "local a = 1; {", []string{"warning stray-file env/manifests/namespaces/web/a.jsonnet:0:0"}},
		"NotApplied":    {"no Application applies a file beside the folders", "env/manifests/namespaces/a.yaml", aMap, []string{"warning stray-file env/manifests/namespaces/a.yaml:0:0"}},
		"Team":          {"what is a team's is left alone", "env/manifests/namespaces/team-a/configmap/a.yaml", "a: [\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			wantFindings(t, tc.reason, tc.want, memoryRepo{tc.path: tc.text}.check(t, ours))
		})
	}
}
