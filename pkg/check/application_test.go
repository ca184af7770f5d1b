package check_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/check"
	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
	"github.com/kubectl-apl/kubectl-apl/pkg/valuefile"
)

// apps is a values repo of three apps, by path.
type apps map[string]string

const (
	applications = "env/manifests/namespaces/argocd/applications/"
	site         = applications + "web-site.yaml"
)

// applicationText is an Application as the tool writes it.
func applicationText(namespace, release string) string {
	return strings.NewReplacer("NAMESPACE", namespace, "RELEASE", release).Replace(`apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  annotations:
    argocd.argoproj.io/sync-options: Prune=false,Delete=false
  finalizers:
  - resources-finalizer.argocd.argoproj.io
  labels:
    otomi.io/app: managed
  name: NAMESPACE-RELEASE
  namespace: argocd
spec:
  destination:
    namespace: NAMESPACE
    server: https://kubernetes.default.svc
  project: default
  sources:
  - helm:
      releaseName: RELEASE
      valueFiles:
      - $values/env/values/NAMESPACE/RELEASE/values.managed.yaml
      - $values/env/values/NAMESPACE/RELEASE/values.custom.yaml
    path: charts/RELEASE
    repoURL: https://git.example.test/charts.git
    targetRevision: v1
  - ref: values
    repoURL: https://git.example.test/values.git
    targetRevision: main
  syncPolicy:
    automated:
      prune: true
    syncOptions:
    - ServerSideApply=true
`)
}

func platform() apps {
	repo := apps{}
	for _, id := range [][2]string{{"web", "site"}, {"web", "api"}, {"db", "store"}} {
		repo[applications+id[0]+"-"+id[1]+".yaml"] = applicationText(id[0], id[1])
		repo = repo.values(id[0], id[1])
	}
	return repo
}

// values returns the repo with the two value files of another app.
func (r apps) values(namespace, release string) apps {
	folder := "env/values/" + namespace + "/" + release + "/"
	managed, _ := valuefile.Managed([]byte("a: 1\n"), valuefile.Inputs{})
	return r.add(folder+"values.managed.yaml", string(managed)).add(folder+"values.custom.yaml", "b: 1\n")
}

// with returns the repo with one edit; the text that is replaced has to be there once.
func (r apps) with(t testing.TB, file, old, text string) apps {
	t.Helper()
	if strings.Count(r[file], old) != 1 {
		t.Fatalf("%q is %d times in %s", old, strings.Count(r[file], old), file)
	}
	out := maps.Clone(r)
	out[file] = strings.Replace(r[file], old, text, 1)
	return out
}

// move returns the repo with a file under another path, "" for none.
func (r apps) move(file, to string) apps {
	out := maps.Clone(r)
	delete(out, file)
	if to != "" {
		out[to] = r[file]
	}
	return out
}

// add returns the repo with another file.
func (r apps) add(file, text string) apps {
	out := maps.Clone(r)
	out[file] = text
	return out
}

// detector is made once: that takes longer than most runs.
var detector = sync.OnceValue(secret.New)

// input is the repo as it is checked.
func (r apps) input() check.Input {
	in := check.Input{Config: &config.Config{}, Detector: detector(), Read: func(path string) ([]byte, error) {
		text, ok := r[path]
		if !ok {
			return nil, errors.New("no such file")
		}
		return []byte(text), nil
	}}
	for _, path := range slices.Sorted(maps.Keys(r)) {
		in.Files = append(in.Files, check.File{Path: path})
	}
	return in
}

// run checks a repo by all rules, and returns what is more than an info.
func run(t testing.TB, in check.Input) []finding.Finding {
	t.Helper()
	result, err := check.Run(context.Background(), in, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out []finding.Finding
	for _, f := range result.Findings {
		if f.Severity == finding.Info {
			continue
		}
		if f.Message == "" || f.Next == "" || f.File == "" {
			t.Errorf("a finding does not say what is wrong, where, or what to do: %+v", f)
		}
		out = append(out, f)
	}
	return out
}

// brief writes findings as the tables have them, each with "error" left out.
func brief(list []finding.Finding) []string {
	var out []string
	for _, f := range list {
		text := fmt.Sprintf("%s %s:%d:%d %s", f.Rule, strings.TrimPrefix(f.File, applications), f.Line, f.Column, f.Path)
		if f.Severity != finding.Error {
			text = string(f.Severity) + " " + text
		}
		out = append(out, strings.TrimSpace(text))
	}
	return out
}

// scenario is a repo that is broken by one edit.
type scenario struct {
	reason string
	repo   apps
	want   []string
	says   string // in the message or the next step of one of them
}

func runScenarios(t *testing.T, list map[string]scenario) {
	t.Helper()
	for name, tc := range list {
		t.Run(name, func(t *testing.T) {
			got := run(t, tc.repo.input())
			if diff := cmp.Diff(tc.want, brief(got)); diff != "" {
				t.Errorf("%s (-want +got)\n%s\n%+v", tc.reason, diff, got)
			}
			if !slices.ContainsFunc(got, func(f finding.Finding) bool { return strings.Contains(f.Message+"; "+f.Next, tc.says) }) && tc.says != "" {
				t.Errorf("nothing says %q: %+v", tc.says, got)
			}
		})
	}
}

func TestApplicationShape(t *testing.T) {
	base := platform()
	edit := func(old, text string) apps { return base.with(t, site, old, text) }
	const custom = "      - $values/env/values/web/site/values.custom.yaml\n"
	const files = "      valueFiles:\n      - $values/env/values/web/site/values.managed.yaml\n" + custom
	stripped := []string{`application-shape web-site.yaml:8:3 metadata.labels["otomi.io/app"]`, "value-files-order web-site.yaml:18:5 spec.sources[0].helm.valueFiles"}
	const ref = "  - ref: values\n    repoURL: https://git.example.test/values.git\n    targetRevision: main\n"
	runScenarios(t, map[string]scenario{
		"Fine":       {reason: "what the tool writes is fine", repo: base},
		"JSON":       {reason: "so is JSON", repo: base.move(site, "").add(site, `{"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": {"name": "web-site", "namespace": "argocd", "labels": {"otomi.io/app": "managed"}, "annotations": {"argocd.argoproj.io/sync-options": "Prune=false,Delete=false"}}, "spec": {"project": "", "destination": {"namespace": "web", "name": "in-cluster"}, "sources": [{"helm": {"releaseName": "site", "valueFiles": ["$values/env/values/web/site/values.managed.yaml", "$values/env/values/web/site/values.custom.yaml"]}, "chart": "site", "repoURL": "https://charts.example.test", "targetRevision": "1.2.3"}, {"ref": "values", "repoURL": "https://git.example.test/values", "targetRevision": "main"}]}}`)},
		"RefFirst":   {reason: "the values repo may come first", repo: base.with(t, site, ref, "").with(t, site, "  sources:\n", "  sources:\n"+ref)},
		"OtherRef":   {reason: "a further source that is only referred to may have its reasons", repo: edit(ref, ref+"  - ref: more\n    repoURL: https://git.example.test/more.git\n")},
		"MoreOption": {reason: "sync options beside the protection may stay", repo: edit("Prune=false,Delete=false", "ServerSideApply=true, Prune=false , Delete=false")},

		"Kind":       {reason: "a kind that is mistyped", repo: edit("kind: Application", "kind: application"), want: []string{"application-shape web-site.yaml:2:1 kind"}},
		"Version":    {reason: "a version that there is not", repo: edit("argoproj.io/v1alpha1", "argoproj.io/v1"), want: []string{"application-shape web-site.yaml:1:1 apiVersion"}},
		"NoName":     {reason: "no name", repo: edit("  name: web-site\n", ""), want: []string{"application-shape web-site.yaml:3:1 metadata.name"}},
		"NoSpec":     {reason: "no spec", repo: base.add(site, base[site][:strings.Index(base[site], "spec:")]), want: []string{"application-shape web-site.yaml:1:1 spec"}},
		"Name":       {reason: "another name than that of what is deployed", repo: edit("name: web-site", "name: web-sites"), want: []string{"application-shape web-site.yaml:10:3 metadata.name"}},
		"Namespace":  {reason: "Argo CD does not look elsewhere", repo: edit("namespace: argocd", "namespace: argo"), want: []string{"application-shape web-site.yaml:11:3 metadata.namespace"}},
		"NoSpace":    {reason: "nor does anything say where", repo: edit("  namespace: argocd\n", ""), want: []string{"application-shape web-site.yaml:3:1 metadata.namespace"}},
		"Label":      {reason: "without the label it is nobody's", repo: edit("app: managed", "app: manged"), want: []string{`application-shape web-site.yaml:9:5 metadata.labels["otomi.io/app"]`}},
		"NoLabels":   {reason: "without labels neither", repo: edit("  labels:\n    otomi.io/app: managed\n", ""), want: []string{`application-shape web-site.yaml:3:1 metadata.labels["otomi.io/app"]`}},
		"Release":    {reason: "it deploys another release than all else says", repo: edit("releaseName: site", "releaseName: sites"), want: []string{"application-shape web-site.yaml:19:7 spec.sources[0].helm.releaseName"}, says: "write releaseName: site"},
		"NoRelease":  {reason: "it deploys as the Application is called", repo: edit("      releaseName: site\n", ""), want: []string{"application-shape web-site.yaml:18:5 spec.sources[0].helm.releaseName"}},
		"Deploys":    {reason: "it deploys elsewhere than all else says", repo: edit("    namespace: web\n", "    namespace: webs\n"), want: []string{"application-shape web-site.yaml:14:5 spec.destination.namespace"}, says: "write namespace: web"},
		"ToTeam":     {reason: "a team's namespace does not make a team's of it", repo: edit("    namespace: web\n", "    namespace: team-web\n"), want: []string{"application-shape web-site.yaml:14:5 spec.destination.namespace"}},
		"Nowhere":    {reason: "it deploys nowhere", repo: edit("    namespace: web\n", ""), want: []string{"application-shape web-site.yaml:13:3 spec.destination.namespace"}},
		"NoNames":    {reason: "a namespace that cannot be", repo: edit("    namespace: web\n", "    namespace: We_b\n"), want: []string{"application-shape web-site.yaml:14:5 spec.destination.namespace"}},
		"NoCluster":  {reason: "no cluster", repo: edit("    server: https://kubernetes.default.svc\n", ""), want: []string{"application-shape web-site.yaml:13:3 spec.destination.server"}},
		"TwoCluster": {reason: "a cluster by address and name", repo: edit("svc\n", "svc\n    name: in-cluster\n"), want: []string{"application-shape web-site.yaml:16:5 spec.destination.name"}},
		"NoProject":  {reason: "the API server wants one", repo: edit("  project: default\n", ""), want: []string{"application-shape web-site.yaml:12:1 spec.project"}},
		"Cluster":    {reason: "another cluster can be meant", repo: edit("https://kubernetes.default.svc", "https://other.example.test"), want: []string{"warning application-shape web-site.yaml:15:5 spec.destination.server"}},

		"Unprotected": {reason: "a revert would delete the app", repo: edit("Prune=false,Delete=false", "Prune=false"), want: []string{`application-shape web-site.yaml:5:5 metadata.annotations["argocd.argoproj.io/sync-options"]`}, says: "Prune=false,Delete=false"},
		"NoOptions":   {reason: "so would one without the annotation", repo: edit("  annotations:\n    argocd.argoproj.io/sync-options: Prune=false,Delete=false\n", ""), want: []string{`application-shape web-site.yaml:3:1 metadata.annotations["argocd.argoproj.io/sync-options"]`}},
		"Contradicts": {reason: "which of two options counts?", repo: edit("Prune=false,Delete=false", "Prune=confirm,Prune=false,Delete=false"), want: []string{`application-shape web-site.yaml:5:5 metadata.annotations["argocd.argoproj.io/sync-options"]`}},
		"Replaced":    {reason: "its status would be wiped", repo: edit("Prune=false,Delete=false", "Replace=true,Prune=false,Delete=false"), want: []string{`application-shape web-site.yaml:5:5 metadata.annotations["argocd.argoproj.io/sync-options"]`}, says: "Replace=true"},
		"Policy":      {reason: "all that it runs would be made anew", repo: edit("- ServerSideApply=true", "- Force=true"), want: []string{"warning application-shape web-site.yaml:33:7 spec.syncPolicy.syncOptions[0]"}},
		"Finalizer":   {reason: "nobody takes this one away", repo: edit("resources-finalizer", "resource-finalizer"), want: []string{"application-shape web-site.yaml:7:5 metadata.finalizers[0]"}},
		"Foreground":  {reason: "Argo CD knows others too", repo: edit("resources-finalizer.argocd.argoproj.io", "resources-finalizer.argocd.argoproj.io/foreground")},

		"Hydrator":   {reason: "it wins over the sources", repo: edit("  project: default\n", "  project: default\n  sourceHydrator: {}\n"), want: []string{"application-shape web-site.yaml:17:3 spec.sourceHydrator"}},
		"Leftover":   {reason: "what the operator puts back is dead", repo: edit("  sources:\n", "  source: {repoURL: https://git.example.test/charts.git, path: charts/site, helm: {values: 'a: 1'}}\n  sources:\n"), want: []string{"warning application-shape web-site.yaml:17:3 spec.source"}},
		"NoSources":  {reason: "no source at all", repo: base.add(site, base[site][:strings.Index(base[site], "  sources:")]), want: []string{"application-shape web-site.yaml:12:1 spec.sources"}},
		"Second":     {reason: "something else is deployed with it", repo: edit(ref, ref+"  - repoURL: https://git.example.test/more.git\n    path: more\n"), want: []string{"application-shape web-site.yaml:29:5 spec.sources[2]"}},
		"RefPath":    {reason: "so is what lies at the path of the values repo", repo: edit("  - ref: values\n", "  - ref: values\n    path: env/manifests\n"), want: []string{"application-shape web-site.yaml:27:5 spec.sources[1].path"}},
		"RefTwice":   {reason: "two by one name", repo: edit(ref, ref+ref), want: []string{"application-shape web-site.yaml:29:5 spec.sources[2].ref"}},
		"RefTypo":    {reason: "nothing has the name", repo: edit("ref: values", "ref: value"), want: []string{"application-shape web-site.yaml:26:5 spec.sources[1].ref"}, says: "ref: values"},
		"NoRef":      {reason: "a repo for nothing", repo: edit("  - ref: values\n    repoURL: https://git.example.test/values.git", "  - repoURL: https://git.example.test/values.git"), want: []string{"application-shape web-site.yaml:26:5 spec.sources[1].ref"}},
		"NoRepo":     {reason: "no values repo", repo: edit(ref, ""), want: []string{"application-shape web-site.yaml:17:3 spec.sources"}},
		"ChartIsRef": {reason: "the chart's repo by the name of the values repo", repo: edit("    path: charts/site\n", "    path: charts/site\n    ref: values\n"), want: []string{"application-shape web-site.yaml:24:5 spec.sources[0].ref"}},
		"Revisions":  {reason: "two revisions of one repo", repo: edit("charts.git", "values.git"), want: []string{"application-shape web-site.yaml:28:5 spec.sources[1].targetRevision"}},
		"Repo":       {reason: "another repo than the others", repo: edit("values.git", "values2.git"), want: []string{"warning application-shape web-site.yaml:27:5 spec.sources[1].repoURL"}, says: "https://git.example.test/values.git at main"},
		"Revision":   {reason: "another revision than the others", repo: edit("targetRevision: main", "targetRevision: next"), want: []string{"warning application-shape web-site.yaml:28:5 spec.sources[1].targetRevision"}},
		"Spelling":   {reason: "one repo is spelled in several ways", repo: edit("https://git.example.test/values.git", "https://Git.example.test/values")},
		"Kustomize":  {reason: "another tool reads no value files", repo: edit("    path: charts/site\n", "    path: charts/site\n    kustomize: {namePrefix: a}\n"), want: []string{"application-shape web-site.yaml:24:5 spec.sources[0].kustomize"}},
		"NoPath":     {reason: "a chart from nowhere", repo: edit("    path: charts/site\n", ""), want: []string{"application-shape web-site.yaml:18:5 spec.sources[0].path"}},
		"NoVersion":  {reason: "a chart of a Helm repository without a version", repo: edit("    path: charts/site\n    repoURL: https://git.example.test/charts.git\n    targetRevision: v1\n", "    chart: site\n    repoURL: https://git.example.test/charts.git\n"), want: []string{"application-shape web-site.yaml:18:5 spec.sources[0].targetRevision"}},
		"Number":     {reason: "the API server takes no number there", repo: edit("targetRevision: v1", "targetRevision: 1.0"), want: []string{"application-shape web-site.yaml:25:5 spec.sources[0].targetRevision"}, says: "put it in quotes"},
		"LabelType":  {reason: "one fault at one place", repo: edit("app: managed", "app: true"), want: []string{`application-shape web-site.yaml:9:5 metadata.labels["otomi.io/app"]`}},
		"MapType":    {reason: "nor two, one below the other", repo: edit("  destination:\n    namespace: web\n    server: https://kubernetes.default.svc\n", "  destination: web\n"), want: []string{"application-shape web-site.yaml:13:3 spec.destination"}},
		"FileType":   {reason: "an entry that is no text", repo: edit(custom, "      - 5\n"), want: []string{"application-shape web-site.yaml:22:9 spec.sources[0].helm.valueFiles[1]"}},

		"File":        {reason: "it stands in another file", repo: base.move(site, applications+"site.yaml"), want: []string{"application-shape site.yaml:10:3 metadata.name"}, says: "git mv " + applications + "site.yaml " + site},
		"Folder":      {reason: "Argo CD reads folders below too", repo: base.move(site, applications+"web/site.yaml"), want: []string{"application-shape web/site.yaml:10:3 metadata.name"}},
		"Live":        {reason: "what a server wrote is not declared", repo: edit("  name: web-site\n", "  name: web-site\n  resourceVersion: '1'\n"), want: []string{"warning application-shape web-site.yaml:11:3 metadata.resourceVersion"}},
		"Record":      {reason: "a refresh for ever", repo: edit("  annotations:\n", "  annotations:\n    argocd.argoproj.io/refresh: hard\n"), want: []string{`warning application-shape web-site.yaml:5:5 metadata.annotations["argocd.argoproj.io/refresh"]`}},
		"KeyTwice":    {reason: "the first one is lost", repo: edit("  project: default\n", "  project: default\n  project: other\n"), want: []string{"warning application-shape web-site.yaml:17:3"}},
		"Skipped":     {reason: "Argo CD passes over it, and what is edited has no effect", repo: edit("  project: default\n", "  project: default # +argocd:skip-file-rendering\n"), want: []string{"application-shape web-site.yaml:16:22"}},
		"Documents":   {reason: "what follows is not looked into", repo: edit("    - ServerSideApply=true\n", "    - ServerSideApply=true\n---\nkind: ConfigMap\napiVersion: v1\n"), want: []string{"application-shape web-site.yaml:35:1"}},
		"Below":       {reason: "places are those of the file where a document stands above", repo: base.add(site, "# a comment\n---\n"+strings.Replace(base[site], "app: managed", "app: x", 1)), want: []string{`application-shape web-site.yaml:11:5 metadata.labels["otomi.io/app"]`}},
		"Empty":       {reason: "an empty file is meant for something", repo: base.add(site, "# later\n"), want: []string{"warning application-shape web-site.yaml:0:0"}},
		"List":        {reason: "a list is not looked into", repo: base.add(site, "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: a}, spec: {}}\n"), want: []string{"application-shape web-site.yaml:2:1 kind"}},
		"Unreadable":  {reason: "Argo CD syncs nothing of the folder", repo: edit("  project: default\n", "  project: a: b\n"), want: []string{"manifest-parse web-site.yaml:16:3"}},
		"Glued":       {reason: "of two Applications in one document the first would be gone", repo: base.add(site, base[site]+base[applications+"web-api.yaml"]), want: []string{"manifest-parse web-site.yaml:35:1"}},
		"Credentials": {reason: "a token in a URL", repo: edit("https://git.example.test/charts.git", "https://tokenish@git.example.test/charts.git"), want: []string{"artifact-secret web-site.yaml:24:5 spec.sources[0].repoURL"}, says: "https://***@git.example.test/charts.git"},
		"Secret":      {reason: "a secret anywhere in the file", repo: edit("  project: default\n", "  project: default\n  info: [{name: password, value: warm-kettle-19}]\n"), want: []string{"artifact-secret web-site.yaml:17:27 spec.info[0].value"}},
		"SecretBelow": {reason: "at its line where a document stands above", repo: base.add(site, "---\n---\n"+strings.Replace(base[site], "  project: default\n", "  project: default\n  info: [{name: password, value: warm-kettle-19}]\n", 1)), want: []string{"artifact-secret web-site.yaml:19:27 spec.info[0].value"}},
		"Stripped":    {reason: "without its label and its value files it would deploy the chart's defaults; its file tells whose it is", repo: edit("    otomi.io/app: managed", "    a: b").with(t, site, files, ""), want: stripped},
		"StrippedTo":  {reason: "a team's namespace makes no team's of it", repo: edit("    otomi.io/app: managed", "    a: b").with(t, site, files, "").with(t, site, "namespace: web", "namespace: team-web"), want: []string{stripped[0], "application-shape web-site.yaml:14:5 spec.destination.namespace", stripped[1]}},
		"Renamed":     {reason: "so does its name", repo: edit("    otomi.io/app: managed", "    a: b").with(t, site, files, "").move(site, applications+"x.yaml"), want: []string{`application-shape x.yaml:8:3 metadata.labels["otomi.io/app"]`, "application-shape x.yaml:10:3 metadata.name", "value-files-order x.yaml:18:5 spec.sources[0].helm.valueFiles"}},
		"TeamApp":     {reason: "a team's is left alone", repo: base.add(applications+"team-red-shop.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: team-red-shop, namespace: argocd, labels: {otomi.io/app: managed}}\nspec: {destination: {namespace: team-red}, source: {helm: {values: a}}}\n")},
		"GitOps":      {reason: "so is a gitops one", repo: base.add(applications+"x.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: gitops-ns-x, namespace: argocd, labels: {otomi.io/app: generic-gitops}}\nspec: {}\n")},
		"Somebody":    {reason: "and what is nobody's", repo: base.add(applications+"x.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: page, namespace: argocd}\nspec: {source: {helm: {values: a}}}\n")},
		"OtherKind":   {reason: "another kind is no Application, and judged like other manifests", repo: base.add(applications+"x.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: {name: x}\nspec: {}\n"), want: []string{"artifact-path x.yaml:2:1 kind"}},
		"Jsonnet":     {reason: "jsonnet is Argo CD's to evaluate", repo: base.add(applications+"x.jsonnet", "local a = 1;\n{}"), want: []string{"warning stray-file x.jsonnet:0:0"}},
		"AlsoCustom":  {reason: "an unlabelled one that reads custom values is meant for an app", repo: base.add(applications+"x-w.yaml", strings.Replace(applicationText("x", "w"), "  labels:\n    otomi.io/app: managed\n", "", 1)).values("x", "w"), want: []string{`application-shape x-w.yaml:3:1 metadata.labels["otomi.io/app"]`}},
	})
}
