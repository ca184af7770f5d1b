package preflight_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/preflight"
)

const valuesRepo = "https://git.example.test/platform/values.git"

// application returns an Application in namespace argocd with the label of the platform, from the YAML of what differs.
func application(t *testing.T, name, more string) *argocd.Application {
	t.Helper()
	text := fmt.Sprintf(`
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: %s, namespace: argocd}
%s`, name, more)
	var tree map[string]any
	if err := yaml.Unmarshal([]byte(text), &tree); err != nil {
		t.Fatal(err)
	}
	if metadata, ok := tree["meta"].(map[string]any); ok {
		for key, value := range metadata {
			tree["metadata"].(map[string]any)[key] = value
		}
		delete(tree, "meta")
	}
	a, err := argocd.New(tree)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// chart returns an Application that renders a chart, and whose spec.source managers own.
func chart(t *testing.T, namespace, release string, managers ...string) *argocd.Application {
	t.Helper()
	var b strings.Builder
	for _, m := range managers {
		name, operation, _ := strings.Cut(m, "/")
		fmt.Fprintf(&b, "  - {manager: %q, operation: %s, fieldsV1: {f:spec: {f:source: {f:helm: {f:values: {}}}}}}\n", name, operation)
	}
	meta := ""
	if b.Len() > 0 {
		meta = "meta:\n  managedFields:\n" + b.String()
	}
	return application(t, namespace+"-"+release, meta+fmt.Sprintf(`
spec:
  destination: {namespace: %s}
  source: {repoURL: https://charts.example.test, chart: %s, helm: {releaseName: %s, values: "a: 1"}}
`, namespace, release, release))
}

// directory returns an Application that applies a folder of the values repo.
func directory(t *testing.T, name, path, options string) *argocd.Application {
	t.Helper()
	return application(t, name, fmt.Sprintf(`
spec:
  sources: [{repoURL: %s, path: %s, targetRevision: main, directory: {%s}}]
`, valuesRepo, path, options))
}

// fine is a cluster with nothing to say.
func fine() *preflight.Facts {
	return &preflight.Facts{
		ArgoCD:   cluster.ArgoCD{Version: "v3.2.11", Repositories: []string{valuesRepo}},
		Operator: cluster.Operator{Found: true, Replicas: 0},
		Projects: cluster.Projects{List: []argocd.Project{{Name: "default", SourceRepos: []string{"*"}}}},
	}
}

func with(change func(*preflight.Facts)) *preflight.Facts {
	facts := fine()
	change(facts)
	return facts
}

// root is a root app that is live, and has nothing to say.
func root(t *testing.T) *argocd.Application {
	t.Helper()
	return directory(t, "gitops-ns-argocd", "env/manifests/namespaces/argocd", "recurse: true")
}

// summary is what the tables compare: severity, rule and message.
func summary(list []finding.Finding) []string {
	var out []string
	for _, f := range list {
		out = append(out, fmt.Sprintf("%s %s: %s", f.Severity, f.Rule, f.Message))
	}
	return out
}

type scenario struct {
	reason  string
	cluster *preflight.Facts
	apps    []*argocd.Application
	change  func(*preflight.Input)
	// rules are those of the findings that the scenario is about.
	rules string
	want  []string
	next  string // what the next step of the first one holds
}

func check(t *testing.T, cases map[string]scenario) {
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			moving := []*argocd.Application{chart(t, "web", "web")}
			in := preflight.Input{
				Cluster: tc.cluster, Applications: append(tc.apps, moving...), Moving: moving,
				ValuesRepoURL: valuesRepo, ValuesRevision: "main", RootApp: "gitops-ns-argocd", OperatorMakesIt: true,
			}
			if tc.change != nil {
				tc.change(&in)
			}
			var got []finding.Finding
			for _, f := range preflight.Check(in) {
				if strings.Contains(tc.rules, f.Rule) {
					got = append(got, f)
				}
			}
			if diff := cmp.Diff(tc.want, summary(got)); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
			if tc.next != "" && (len(got) == 0 || !strings.Contains(got[0].Next, tc.next)) {
				t.Errorf("%s: the next step lacks %q: %+v", tc.reason, tc.next, got)
			}
		})
	}
}

func TestOperator(t *testing.T) {
	const rules = preflight.RuleOperator + preflight.RulePaused + preflight.RuleNoOperator + preflight.RuleOperatorBlind
	const does = "about every five minutes it applies every Application anew, server-side and with force: spec.source comes back, " +
		"which changes nothing while spec.sources is there, since that wins; so does what it computes of labels, finalizers and the rest of the spec, " +
		"over what the Application files say"
	running := with(func(f *preflight.Facts) { f.Operator = cluster.Operator{Found: true, Replicas: 1, Ready: 1} })
	blind := with(func(f *preflight.Facts) { f.Operator = cluster.Operator{Unknown: "forbidden"} })
	push := func(in *preflight.Input) { in.Push = true }
	accepted := func(in *preflight.Input) { in.Push, in.AcceptOperator = true, true }
	heals := application(t, "apl-operator-apl-operator", `
spec:
  destination: {namespace: apl-operator}
  source: {repoURL: https://charts.example.test, chart: x, helm: {releaseName: apl-operator}}
  syncPolicy: {automated: {selfHeal: true}}
`)
	check(t, map[string]scenario{
		"Commit": {reason: "a commit alone races nobody", rules: rules, cluster: running, apps: []*argocd.Application{root(t)},
			want: []string{"info operator-running: the platform's operator runs: " + does},
			next: "pause it before a push: kubectl scale deployment apl-operator -n apl-operator --replicas=0"},
		"Push": {reason: "a push hands over what the operator goes on writing", rules: rules, cluster: running, apps: []*argocd.Application{root(t)}, change: push,
			want: []string{"error operator-running: the platform's operator runs: " + does}, next: "--accept-operator"},
		"Accepted": {reason: "somebody has said that both may write", rules: rules, cluster: running, apps: []*argocd.Application{root(t)}, change: accepted,
			want: []string{"warning operator-running: the platform's operator runs: " + does}},
		"Starting": {reason: "what is wanted and not ready yet acts soon", rules: rules, apps: []*argocd.Application{root(t)}, change: push,
			cluster: with(func(f *preflight.Facts) { f.Operator = cluster.Operator{Found: true, Replicas: 1} }),
			want:    []string{"error operator-running: the platform's operator runs: " + does}},
		"Stopping": {reason: "what is to stop and still ready acts until it has", rules: rules, apps: []*argocd.Application{root(t)}, change: push,
			cluster: with(func(f *preflight.Facts) { f.Operator = cluster.Operator{Found: true, Ready: 1} }),
			want:    []string{"error operator-running: the platform's operator runs: " + does}},
		"SelfHeals": {reason: "an Application that heals itself would scale the operator up again", rules: rules, cluster: running, apps: []*argocd.Application{root(t), heals},
			want: []string{"info operator-running: the platform's operator runs: " + does},
			next: `kubectl patch applications.argoproj.io apl-operator-apl-operator -n argocd --type json -p '[{"op":"remove","path":"/spec/syncPolicy/automated"}]' (or Argo CD scales it up again), then kubectl scale`},
		"Paused": {reason: "the root app is there already", rules: rules, cluster: fine(), apps: []*argocd.Application{root(t)}, change: push,
			want: []string{"info operator-paused: the platform's operator is paused"}},
		"PausedNoRoot": {reason: "only the operator makes the root app", rules: rules, cluster: fine(), change: push,
			want: []string{"warning operator-paused: the platform's operator is paused: until it runs again, nobody makes gitops-ns-argocd, and nothing takes over what is pushed"}},
		"None": {reason: "no operator, no root app", rules: rules, cluster: with(func(f *preflight.Facts) { f.Operator = cluster.Operator{} }),
			want: []string{"warning operator-missing: the cluster has no Deployment apl-operator in namespace apl-operator, so nobody makes gitops-ns-argocd"}},
		"OwnRoot": {reason: "who has a root app needs no operator", rules: rules, cluster: with(func(f *preflight.Facts) { f.Operator = cluster.Operator{} }),
			change: func(in *preflight.Input) { in.RootApp, in.OperatorMakesIt = "root", false }},
		"Blind": {reason: "what nobody saw is not counted as fine", rules: rules, cluster: blind, apps: []*argocd.Application{root(t)},
			want: []string{"warning operator-unknown: nobody knows whether the platform's operator runs: forbidden"}},
		"BlindPush": {reason: "nor pushed over", rules: rules, cluster: blind, apps: []*argocd.Application{root(t)}, change: push,
			want: []string{"error operator-unknown: nobody knows whether the platform's operator runs: forbidden"}, next: "--accept-operator"},
		"Files": {reason: "without a cluster there is no operator to speak of", rules: rules},
		"FilesPush": {reason: "who pushes from files has chosen to ask no cluster: it is told, not refused", rules: rules, change: push,
			want: []string{"warning operator-unknown: a push hands Applications over, and without a cluster nobody looked whether the platform's operator runs and goes on writing them"}},
		"FilesAccepted": {reason: "nor told to who knows", rules: rules, change: accepted},
	})
}

func TestVersion(t *testing.T) {
	version := func(v string) *preflight.Facts {
		return with(func(f *preflight.Facts) { f.ArgoCD.Version = v })
	}
	old := func(v string) []string {
		return []string{"error argocd-version: Argo CD " + v + " does not know spec.sources, which came with 2.6: it would take no values from git"}
	}
	check(t, map[string]scenario{
		"New":     {reason: "it knows several sources", rules: preflight.RuleVersion, cluster: version("v3.2.11")},
		"First":   {reason: "the first that does", rules: preflight.RuleVersion, cluster: version("v2.6.0-rc1")},
		"Ten":     {reason: "minors are numbers", rules: preflight.RuleVersion, cluster: version("v2.14.3")},
		"Old":     {reason: "the last that does not", rules: preflight.RuleVersion, cluster: version("v2.5.22"), want: old("v2.5.22")},
		"One":     {reason: "older still", rules: preflight.RuleVersion, cluster: version("v1.8.7"), want: old("v1.8.7")},
		"Unknown": {reason: "the reader has said so", rules: preflight.RuleVersion, cluster: version("")},
		"Odd": {reason: "a tag that is no version", rules: preflight.RuleVersion, cluster: version("vlatest"),
			want: []string{`warning argocd-version: the version of Argo CD, "vlatest", says nothing about whether it knows several sources`}},
	})
}

func TestOverlaps(t *testing.T) {
	const rules = preflight.RuleOverlap + preflight.RuleValuesOverlap
	owned := func(name string) string {
		return "error path-overlap: Application " + name + " applies 1 file that the root app gitops-ns-argocd is to apply: two owners of one path take its objects from each other"
	}
	read := func(name string) string {
		return "warning values-overlap: Application " + name + " reads 2 files of values as manifests: one that holds the words apiVersion, kind and metadata is applied, or stops its sync"
	}
	one := func(path, options string) []*argocd.Application {
		return []*argocd.Application{root(t), directory(t, "other", path, options)}
	}
	check(t, map[string]scenario{
		"Root":         {reason: "the root app owns its path", rules: rules, apps: []*argocd.Application{root(t)}},
		"Same":         {reason: "the same folder", rules: rules, apps: one("env/manifests/namespaces/argocd/applications", ""), want: []string{owned("other")}, next: "--root-app=other"},
		"Above":        {reason: "a folder above, with subfolders", rules: rules, apps: one("env/manifests", "recurse: true"), want: []string{owned("other")}},
		"AboveFlat":    {reason: "a folder above, without", rules: rules, apps: one("env/manifests", "")},
		"Everything":   {reason: "the root of the repo, with subfolders", rules: rules, apps: one(".", "recurse: true"), want: []string{owned("other"), read("other")}},
		"Values":       {reason: "values are no manifests", rules: rules, apps: one("./env/values/", "recurse: true"), want: []string{read("other")}},
		"Excluded":     {reason: "what is excluded is not applied", rules: rules, apps: one("env", `recurse: true, exclude: "{values/**,manifests/namespaces/argocd/**}"`)},
		"Included":     {reason: "what is not included is not applied", rules: rules, apps: one("env", `recurse: true, include: "teams/**"`)},
		"Beside":       {reason: "a folder that begins alike", rules: rules, apps: one("env/manifests/namespaces/argocd-extra", "recurse: true")},
		"OtherBranch":  {reason: "another branch is another tree", rules: rules, apps: one("env", "recurse: true"), change: func(in *preflight.Input) { in.ValuesRevision = "next" }},
		"OtherSpelled": {reason: "Argo CD takes both spellings for one repo", rules: rules, apps: one("env/manifests", "recurse: true"), change: func(in *preflight.Input) { in.ValuesRepoURL = "https://GIT.example.test/platform/values" }, want: []string{owned("other")}},
		"OtherRepo":    {reason: "another repo", rules: rules, apps: one("env", "recurse: true"), change: func(in *preflight.Input) { in.ValuesRepoURL = "https://git.example.test/other.git" }},
		"NamedRoot": {reason: "whoever is named the root app may own it; the operator's own is then one too many", rules: rules, apps: []*argocd.Application{root(t), directory(t, "other", "env/manifests/namespaces/argocd", "recurse: true")},
			change: func(in *preflight.Input) { in.RootApp = "other" },
			want:   []string{"error path-overlap: Application gitops-ns-argocd applies 1 file that the root app other is to apply: two owners of one path take its objects from each other"}},
	})
}

func TestRootApp(t *testing.T) {
	app := func(name, options, compare string) *argocd.Application {
		return application(t, name, fmt.Sprintf(`
meta: {annotations: {argocd.argoproj.io/compare-options: %q}}
spec:
  sources: [{repoURL: %s, path: env/manifests/namespaces/x, directory: {recurse: true}}]
  syncPolicy: {syncOptions: [ServerSideApply=true%s]}
`, compare, valuesRepo, options))
	}
	const both, diff = ", RespectIgnoreDifferences=true", "ServerSideDiff=true,IncludeMutationWebhook=true"
	has := "warning root-app-stalls: the root app gitops-ns-argocd has RespectIgnoreDifferences with ServerSideDiff: it stops syncing (Unknown: status.operationState.phase is required) while its children sync"
	options := func(text string) *preflight.Facts {
		return with(func(f *preflight.Facts) { f.ArgoCD.CompareOptions = text })
	}
	check(t, map[string]scenario{
		"Both":     {reason: "both options", rules: preflight.RuleRootStalls, cluster: fine(), apps: []*argocd.Application{app("gitops-ns-argocd", both, diff)}, want: []string{has}, next: "ignoreResourceStatusField: none"},
		"NoIgnore": {reason: "as bootstrap makes it", rules: preflight.RuleRootStalls, cluster: fine(), apps: []*argocd.Application{app("gitops-ns-argocd", "", diff)}},
		"NoDiff":   {reason: "client-side diff", rules: preflight.RuleRootStalls, cluster: fine(), apps: []*argocd.Application{app("gitops-ns-argocd", both, "")}},
		"ToBe": {reason: "not made yet: it will look as those that the operator has made", rules: preflight.RuleRootStalls, cluster: fine(), apps: []*argocd.Application{app("gitops-ns-web", both, diff)},
			want: []string{strings.Replace(has, "has Respect", "will have, as the platform's operator makes its gitops apps, Respect", 1)}},
		"Unlike": {reason: "nobody knows what another root app will look like", rules: preflight.RuleRootStalls, cluster: fine(), apps: []*argocd.Application{app("gitops-ns-web", both, diff)},
			change: func(in *preflight.Input) { in.RootApp, in.OperatorMakesIt = "root", false }},
		"None":    {reason: "argocd-cm keeps status", rules: preflight.RuleRootStalls, cluster: options("ignoreResourceStatusField: none\n"), apps: []*argocd.Application{app("gitops-ns-argocd", both, diff)}},
		"Off":     {reason: "YAML's off is a boolean, which Argo CD reads as false", rules: preflight.RuleRootStalls, cluster: options("ignoreResourceStatusField: off\n"), apps: []*argocd.Application{app("gitops-ns-argocd", both, diff)}},
		"CRD":     {reason: "the status of CustomResourceDefinitions is none of ours", rules: preflight.RuleRootStalls, cluster: options("ignoreResourceStatusField: crd\n"), apps: []*argocd.Application{app("gitops-ns-argocd", both, diff)}},
		"All":     {reason: "argocd-cm says the default", rules: preflight.RuleRootStalls, cluster: options("ignoreAggregatedRoles: true\nignoreResourceStatusField: all\n"), apps: []*argocd.Application{app("gitops-ns-argocd", both, diff)}, want: []string{has}},
		"NotYAML": {reason: "what cannot be read is unset", rules: preflight.RuleRootStalls, cluster: options("{"), apps: []*argocd.Application{app("gitops-ns-argocd", both, diff)}, want: []string{has}},
		"Blind": {reason: "argocd-cm may not be read", rules: preflight.RuleRootStalls, apps: []*argocd.Application{app("gitops-ns-argocd", both, diff)},
			cluster: with(func(f *preflight.Facts) { f.ArgoCD.Unknown = []string{"get configmaps argocd-cm: forbidden"} }),
			want:    []string{"warning root-app-stalls: the root app gitops-ns-argocd has RespectIgnoreDifferences with ServerSideDiff: it stops syncing while its children sync, unless argocd-cm says otherwise, which nobody looked at"}},
		"Files": {reason: "nobody looked at argocd-cm", rules: preflight.RuleRootStalls, apps: []*argocd.Application{app("gitops-ns-argocd", both, diff)},
			want: []string{"warning root-app-stalls: the root app gitops-ns-argocd has RespectIgnoreDifferences with ServerSideDiff: it stops syncing while its children sync, unless argocd-cm says otherwise, which nobody looked at"}},
	})
}

func TestValuesRepo(t *testing.T) {
	known := func(urls ...string) *preflight.Facts {
		return with(func(f *preflight.Facts) { f.ArgoCD.Repositories = urls })
	}
	unknown := "warning values-repo-unknown: Argo CD knows no repository " + valuesRepo + ", and no Application reads from it: an Application that it cannot fetch values for stops syncing"
	check(t, map[string]scenario{
		"Known":    {reason: "a repository", rules: preflight.RuleRepo, cluster: known("https://other.example.test/x", "https://git.example.test/platform/values")},
		"Template": {reason: "a template of credentials for all below", rules: preflight.RuleRepo, cluster: known("https://git.example.test/platform/")},
		"Unknown":  {reason: "neither", rules: preflight.RuleRepo, cluster: known("https://git.example.test/other"), want: []string{unknown}, next: "argocd repo add"},
		"Read":     {reason: "Argo CD reads it already", rules: preflight.RuleRepo, cluster: known(), apps: []*argocd.Application{root(t)}},
		"Files":    {reason: "without a cluster nobody knows", rules: preflight.RuleRepo},
	})
}

func TestProjects(t *testing.T) {
	projects := func(inherited bool, patterns ...string) *preflight.Facts {
		return with(func(f *preflight.Facts) {
			f.Projects = cluster.Projects{Inherited: inherited, List: []argocd.Project{
				{Name: "default", SourceRepos: patterns}, {Name: "unused"},
			}}
		})
	}
	const message = "project-forbids: AppProject default, of web/web, does not permit the values repo " + valuesRepo + " as a source"
	check(t, map[string]scenario{
		"Permits": {reason: "a pattern fits", rules: preflight.RuleProject, cluster: projects(false, "https://git.example.test/platform/*")},
		"Forbids": {reason: "none fits", rules: preflight.RuleProject, cluster: projects(false, "https://charts.example.test"), want: []string{"error " + message}, next: "spec.sourceRepos of AppProject default"},
		"Denies":  {reason: "one that forbids wins", rules: preflight.RuleProject, cluster: projects(false, "*", "!"+valuesRepo), want: []string{"error " + message}},
		"Inherits": {reason: "another project may add to it", rules: preflight.RuleProject, cluster: projects(true, "https://charts.example.test"),
			want: []string{"warning " + message + " itself; what it inherits by globalProjects of argocd-cm was not looked at"}},
		"Unknown": {reason: "they could not be read", rules: preflight.RuleProject + preflight.RuleUnknown, cluster: with(func(f *preflight.Facts) { f.Projects = cluster.Projects{Unknown: "forbidden"} }),
			want: []string{"warning preflight-unknown: not looked at: whether the AppProjects permit the values repo: forbidden"}},
	})
}

func TestOwners(t *testing.T) {
	moving := func(apps ...*argocd.Application) func(*preflight.Input) {
		return func(in *preflight.Input) { in.Moving = apps }
	}
	operator := func(n int, names string) string {
		noun := "app"
		if n > 1 {
			noun = "apps"
		}
		return fmt.Sprintf("info source-owner: spec.source of %d %s is owned by apl-operator (Apply), %s: the platform's operator, which puts it back in each of its rounds; what runs stays as it is while spec.sources is there", n, noun, names)
	}
	var many []*argocd.Application
	for i := range 46 {
		many = append(many, chart(t, "many", fmt.Sprintf("app%02d", i), "apl-operator/Apply"))
	}
	var managers []string
	for i := range 14 {
		managers = append(managers, fmt.Sprintf("kubectl-edit%02d/Update", i))
	}
	child := application(t, "web-web", `
meta:
  annotations: {argocd.argoproj.io/tracking-id: "parent:argoproj.io/Application:argocd/web-web"}
  managedFields: [{manager: argocd-controller, operation: Apply, fieldsV1: {f:spec: {f:source: {}}}}]
spec: {destination: {namespace: web}, source: {repoURL: https://charts.example.test, chart: web, helm: {releaseName: web}}}
`)
	applied := application(t, "web-web", `
meta: {annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}"}}
spec: {destination: {namespace: web}, source: {repoURL: https://charts.example.test, chart: web, helm: {releaseName: web}}}
`)
	moved := application(t, "web-web", `
meta: {managedFields: [{manager: apl-operator, operation: Apply, fieldsV1: {f:spec: {f:sources: {}}}}]}
spec: {destination: {namespace: web}, sources: [{repoURL: https://charts.example.test, chart: web}]}
`)
	check(t, map[string]scenario{
		"Operator": {reason: "the usual case", rules: preflight.RuleSourceOwner, change: moving(chart(t, "web", "web", "apl-operator/Apply", "argocd-application-controller/Update")),
			want: []string{operator(1, "web/web"),
				"info source-owner: spec.source of 1 app is owned by argocd-application-controller (Update), web/web: it was changed once, and nothing writes it again"}},
		"Many": {reason: "46 apps are one line", rules: preflight.RuleSourceOwner, change: moving(many...),
			want: []string{operator(46, "many/app00, many/app01, many/app02 and 43 more")}},
		"Kubectl": {reason: "somebody has a file of it", rules: preflight.RuleSourceOwner, change: moving(chart(t, "web", "web", "kubectl-client-side-apply/Update")),
			want: []string{"warning source-owner: spec.source of 1 app is owned by kubectl-client-side-apply (Update), web/web: somebody applies it from a file with kubectl apply; the next time puts it back, and removes what that file has removed"}},
		"LastApplied": {reason: "kubectl get hides managedFields, but not what kubectl apply leaves", rules: preflight.RuleSourceOwner, change: moving(applied),
			want: []string{"warning source-owner: spec.source of 1 app is owned by kubectl-client-side-apply, web/web: somebody applies it from a file with kubectl apply; the next time puts it back, and removes what that file has removed"}},
		"Parent": {reason: "an app of apps is named", rules: preflight.RuleSourceOwner, change: moving(child), next: "their owner is parent: ",
			want: []string{"warning source-owner: spec.source of 1 app is owned by argocd-controller (Apply), web/web: another Application syncs it from git; its next sync puts it back; what runs stays as it is while spec.sources is there"}},
		"Stranger": {reason: "a manager that nobody knows is worth a look", rules: preflight.RuleSourceOwner, change: moving(chart(t, "web", "web", "node-fetch/Update")),
			want: []string{"warning source-owner: spec.source of 1 app is owned by node-fetch (Update), web/web: a name that is not known here; a program that writes again puts it back; what runs stays as it is while spec.sources is there"}},
		"Moved":   {reason: "there is no spec.source to own", rules: preflight.RuleSourceOwner, change: moving(moved)},
		"Bounded": {reason: "names of managers can be anything", rules: preflight.RuleSourceOwner, change: func(in *preflight.Input) { in.Moving = []*argocd.Application{chart(t, "web", "web", managers...)} }, want: bounded()},
	})
}

func bounded() (out []string) {
	for i := range 10 {
		out = append(out, fmt.Sprintf("warning source-owner: spec.source of 1 app is owned by kubectl-edit%02d (Update), web/web: a name that is not known here; a program that writes again puts it back; what runs stays as it is while spec.sources is there", i))
	}
	return append(out, "warning source-owner: 4 more field managers own spec.source of some apps")
}

func TestUnknown(t *testing.T) {
	const nobody = "info preflight-unknown: without a cluster nobody looked at the platform's operator, Argo CD's version and settings, its repositories and AppProjects"
	check(t, map[string]scenario{
		"Files": {reason: "kubectl get hides managedFields", rules: preflight.RuleUnknown, want: []string{nobody + ", and who owns spec.source"}, next: "--show-managed-fields"},
		"Recorded": {reason: "they were recorded", rules: preflight.RuleUnknown, want: []string{nobody},
			change: func(in *preflight.Input) {
				in.Moving = []*argocd.Application{chart(t, "web", "web", "apl-operator/Apply")}
			}},
		"Seen": {reason: "a cluster that told all", rules: preflight.RuleUnknown, cluster: fine()},
		"Part": {reason: "what may not be read is told", rules: preflight.RuleUnknown, cluster: with(func(f *preflight.Facts) { f.ArgoCD.Unknown = []string{"get configmaps argocd-cm: forbidden"} }),
			want: []string{"warning preflight-unknown: not looked at: get configmaps argocd-cm: forbidden"}},
	})
}

func TestNewApp(t *testing.T) {
	const makes = "info push-makes-app: the folder env/manifests/namespaces/argocd is new to the cluster: once it is pushed the platform's operator makes the Application gitops-ns-argocd of it, which recurses, prunes and heals itself"
	check(t, map[string]scenario{
		"New":    {reason: "the operator makes an app for each folder", rules: preflight.RuleNewApp, want: []string{makes}},
		"There":  {reason: "it is made already", rules: preflight.RuleNewApp, apps: []*argocd.Application{root(t)}},
		"Nobody": {reason: "no operator, no app", rules: preflight.RuleNewApp, cluster: with(func(f *preflight.Facts) { f.Operator = cluster.Operator{} })},
		"Second": {reason: "another root app gets company", rules: preflight.RuleNewApp, change: func(in *preflight.Input) { in.RootApp, in.OperatorMakesIt = "root", false },
			want: []string{makes + "; the root app root would then be the second one on that path"}},
	})
}

func TestOrder(t *testing.T) {
	facts := with(func(f *preflight.Facts) {
		f.ArgoCD.Version = "v2.4.0"
		f.ArgoCD.Repositories = nil
		f.ArgoCD.Unknown = []string{"x"}
	})
	list := preflight.Check(preflight.Input{Cluster: facts, Moving: []*argocd.Application{chart(t, "web", "web", "apl-operator/Apply")}, ValuesRepoURL: valuesRepo, ValuesRevision: "main", RootApp: "gitops-ns-argocd", OperatorMakesIt: true})
	var got []finding.Severity
	for _, f := range list {
		if len(got) == 0 || got[len(got)-1] != f.Severity {
			got = append(got, f.Severity)
		}
	}
	if diff := cmp.Diff([]finding.Severity{finding.Error, finding.Warning, finding.Info}, got); diff != "" {
		t.Errorf("worst first: (-want +got)\n%s", diff)
	}
	if !preflight.Stops(list) || preflight.Stops(list[1:]) {
		t.Errorf("the one error alone stops a plan: %v", summary(list))
	}
}
