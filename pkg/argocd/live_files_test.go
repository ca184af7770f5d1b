package argocd_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
)

// The shapes of sources that value files are read from.
const (
	gitSource  = `{repoURL: "https://git.example.test/core.git", path: charts/web, targetRevision: v1, helm: {valueFiles: %s}}`
	helmSource = `{repoURL: "https://charts.example.test", chart: web, targetRevision: 1.2.3, helm: {valueFiles: %s}}`
	ociSource  = `{repoURL: "oci://registry.example.test/web", path: sub, targetRevision: 1.2.3, helm: {valueFiles: %s}}`
	refSource  = `{repoURL: "https://git.example.test/extra.git", targetRevision: main, ref: extra}`
)

func TestLiveValueFiles(t *testing.T) {
	single := func(source string) string { return "{destination: {namespace: web}, source: " + source + "}" }
	several := func(source, other string) string {
		return "{destination: {namespace: web}, sources: [" + source + ", " + other + "]}"
	}
	const core, charts, extra = "https://git.example.test/core.git ", "https://charts.example.test ", "https://git.example.test/extra.git "
	cases := map[string]struct {
		reason string
		spec   string
		files  string   // the entries, in flow style
		want   []string // repo and path
		warned string
		said   string // the reason why it is blocked
	}{
		"Relative":     {reason: "a file is looked for beside the chart", spec: single(gitSource), files: "[values-prod.yaml, ./more/x.yaml]", want: []string{core + "charts/web/values-prod.yaml", core + "charts/web/more/x.yaml"}},
		"Up":           {reason: "and anywhere else in its repo", spec: single(gitSource), files: "[../../env/x.yaml]", want: []string{core + "env/x.yaml"}},
		"Root":         {reason: "a slash begins at the repo's root", spec: single(gitSource), files: "[/env/../x.yaml, //y.yaml]", want: []string{core + "x.yaml", core + "y.yaml"}},
		"Archive":      {reason: "an archive has the chart at its root", spec: single(helmSource), files: "[values-prod.yaml, /ci/x.yaml]", want: []string{charts + "values-prod.yaml", charts + "ci/x.yaml"}},
		"OCI":          {reason: "an artifact has a path, as a repo has", spec: single(ociSource), files: "[x.yaml, /y.yaml]", want: []string{"oci://registry.example.test/web sub/x.yaml", "oci://registry.example.test/web y.yaml"}},
		"Ref":          {reason: "a ref is another source's repo, from its root on", spec: several(gitSource, refSource), files: "[$extra/env/x.yaml, y.yaml]", want: []string{extra + "env/x.yaml", core + "charts/web/y.yaml"}},
		"RefFirst":     {reason: "which may stand before the chart's", spec: several(refSource, helmSource), files: "[$extra/x.yaml]", want: []string{extra + "x.yaml"}},
		"RefToOwn":     {reason: "a ref to the chart's own repo is that", spec: several(gitSource, `{repoURL: "https://git.example.test/CORE", targetRevision: v1, ref: own}`), files: "[$own/x.yaml]", want: []string{core + "x.yaml"}},
		"RefOnlySame":  {reason: "two refs can be one repo at one revision", spec: several(helmSource, refSource+`, {repoURL: "https://git.example.test/extra", targetRevision: main, ref: b}`), files: "[$extra/x.yaml, $b/y.yaml]", want: []string{extra + "x.yaml", "https://git.example.test/extra y.yaml"}},
		"Variable":     {reason: "Argo CD replaces variables in names too", spec: single(gitSource), files: "[values-$ARGOCD_APP_NAMESPACE.yaml, '$${x}.yaml']", want: []string{core + "charts/web/values-web.yaml", core + "charts/web/${x}.yaml"}},
		"RefVariable":  {reason: "behind a ref as well", spec: several(gitSource, refSource), files: "[$extra/$ARGOCD_APP_NAME.yaml]", want: []string{extra + "web.yaml"}},
		"SingleRef":    {reason: "in a single source a ref is a variable without a value, and the file is the chart's", spec: single(gitSource), files: "[$extra/x.yaml]", want: []string{core + "x.yaml"}, warned: "replaces by nothing"},
		"Revision":     {reason: "what changes with every commit is no name", spec: single(gitSource), files: "[$ARGOCD_APP_REVISION.yaml]", said: "changes with every commit"},
		"RefUnknown":   {reason: "a mistyped ref is none", spec: several(gitSource, refSource), files: "[$exta/x.yaml]", said: "no source has the ref"},
		"RefVariables": {reason: "nor is a variable, where there are sources", spec: several(gitSource, refSource), files: "[$ARGOCD_APP_NAME/x.yaml]", said: "no source has the ref"},
		"RefAlone":     {reason: "a repo is no file", spec: several(gitSource, refSource), files: "[$extra]", said: "names a folder"},
		"RefTwice":     {reason: "Argo CD refuses two sources with one ref", spec: several(gitSource, refSource+", "+refSource), files: "[$extra/x.yaml]", said: "several sources"},
		"RefToOther":   {reason: "and two revisions of one repo", spec: several(gitSource, `{repoURL: "https://git.example.test/core", targetRevision: v2, ref: own}`), files: "[$own/x.yaml]", said: "two revisions of one repo"},
		"RefsDiffer":   {reason: "also when both are referred to only", spec: several(helmSource, refSource+`, {repoURL: "https://git.example.test/extra", ref: b}`), files: "[$extra/x.yaml, $b/y.yaml]", said: "two revisions of one repo"},
		"RefOut":       {reason: "nothing outside of a repo is read", spec: several(gitSource, refSource), files: "[$extra/../x.yaml]", said: "outside of its repo"},
		"Out":          {reason: "not from the chart's folder either", spec: single(gitSource), files: "[../../../x.yaml]", said: "outside of its repo"},
		"OutOfArchive": {reason: "nor from an archive", spec: single(helmSource), files: "[../x.yaml]", said: "outside of its repo"},
		"RootOut":      {reason: "nor from the root", spec: single(gitSource), files: "[/../x.yaml]", said: "outside of its repo"},
		"Remote":       {reason: "a remote file is in no repo", spec: single(gitSource), files: "['https://u:hunter2@files.example.test/x.yaml']", said: "is remote"},
		"RemoteS3":     {reason: "of no scheme", spec: single(gitSource), files: "['s3://bucket/x.yaml']", said: "is remote"},
		"Glob":         {reason: "case B7: patterns depend on the version", spec: single(gitSource), files: "['values-*.yaml']", said: "pattern"},
		"GlobSet":      {reason: "of every kind", spec: single(gitSource), files: "['values-[ab].yaml']", said: "pattern"},
		"Twice":        {reason: "case B7: which of two equal entries counts depends on the version", spec: single(gitSource), files: "[a.yaml, b.yaml, ./a.yaml]", said: "same file as spec.source.helm.valueFiles[0]"},
		"TwiceByRef":   {reason: "also by two ways", spec: several(gitSource, `{repoURL: "https://git.example.test/core", targetRevision: v1, ref: own}`), files: "[a.yaml, $own/charts/web/a.yaml]", said: "same file"},
		"Comma":        {reason: "Helm splits at a comma", spec: single(gitSource), files: "['a,b.yaml']", said: "more than one name"},
		"Empty":        {reason: "the chart's folder is no file", spec: single(gitSource), files: "['']", said: "names a folder"},
		"Number":       {reason: "a name is text", spec: single(gitSource), files: "[1]", said: "a number; it must be text"},
		"Ours":         {reason: "our files by another ref are ours all the same", spec: several(gitSource, refSource), files: "[$extra/env/values/web/web/values.managed.yaml]", said: "not just managed and then custom"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			live := one(t, application("web", "", strings.Replace(tc.spec, "%s", tc.files, 1))).LiveValues()
			var warned, said []string
			for _, f := range live.Warnings {
				warned = append(warned, f.Message)
			}
			for _, f := range live.Blocking {
				said = append(said, f.Message)
			}
			if tc.said != "" {
				if len(said) != 1 || !strings.Contains(said[0], tc.said) || strings.Contains(said[0], "hunter2") {
					t.Errorf("%s: blocked because of %q, want %q", tc.reason, said, tc.said)
				}
				return
			}
			if diff := cmp.Diff(tc.want, tell(live).Files); diff != "" || len(said) > 0 {
				t.Errorf("%s: blocked because of %q (-want +got)\n%s", tc.reason, said, diff)
			}
			if !strings.Contains(strings.Join(warned, "\n"), tc.warned) || tc.warned == "" && len(warned) > 0 {
				t.Errorf("%s: warned of %q, want %q", tc.reason, warned, tc.warned)
			}
		})
	}
}

// TestLiveValueFilesStayInside holds the resolving of names to what Argo CD does with absolute paths on disk (its
// resolveFileOrDirectory): join, then look whether the checkout is still above.
func TestLiveValueFilesStayInside(t *testing.T) {
	const checkout = "/tmp/checkout"
	rapid.Check(t, func(rt *rapid.T) {
		step := rapid.SampledFrom([]string{"..", ".", "", "a", "charts", "web", "x.yaml"})
		name := strings.Join(rapid.SliceOfN(step, 1, 6).Draw(rt, "steps"), "/")
		folder := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{".", "charts", "web"}), 1, 3).Draw(rt, "folder"), "/")
		on := filepath.Join(checkout, folder, name)
		if filepath.IsAbs(name) {
			on = filepath.Join(checkout, name)
		}
		want, inside := strings.CutPrefix(on, checkout+"/")

		spec := fmt.Sprintf("{destination: {namespace: web}, source: {repoURL: r, path: %q, helm: {valueFiles: [%q]}}}", folder, name)
		live := one(t, application("web", "", spec)).LiveValues()
		switch {
		case name == "":
			if !live.Blocked() {
				rt.Fatal("no name is a folder")
			}
		case inside == live.Blocked():
			rt.Fatalf("%q from %q is %s; blocked: %v", name, folder, on, live.Blocking)
		case inside && live.Files[0].Path != want:
			rt.Fatalf("%q from %q is %s, got %s", name, folder, on, live.Files[0].Path)
		}
	})
}

func TestOverrideFiles(t *testing.T) {
	got := one(t, application("web-web", "", chart(""))).OverrideFiles()
	if diff := cmp.Diff([]string{".argocd-source.yaml", ".argocd-source-web-web.yaml"}, got); diff != "" {
		t.Errorf("Argo CD looks for these (-want +got)\n%s", diff)
	}
}

// TestDropSource holds that a dead source comes with the command that drops it: it can be pasted, and shows no values and no
// password.
func TestDropSource(t *testing.T) {
	const sources = `sources: [{chart: web, targetRevision: 1.2.4, helm: {values: "a: hunter2"}}, {repoURL: r, ref: values}]`
	cases := map[string]struct {
		reason, name, spec, want string
	}{
		"Left": {
			reason: "the patch tests both forms before it removes one",
			name:   "web", spec: `{source: {repoURL: "https://u:hunter2@git.example.test/x", path: "charts/it's", helm: {values: "a: hunter2"}}, ` + sources + `}`,
			want: `kubectl patch applications.argoproj.io web -n argocd --type json -p '[` +
				`{"op":"test","path":"/spec/sources/0/chart","value":"web"},{"op":"test","path":"/spec/sources/0/targetRevision","value":"1.2.4"},` +
				`{"op":"test","path":"/spec/sources/1/ref","value":"values"},{"op":"test","path":"/spec/source/path","value":"charts/it\u0027s"},` +
				`{"op":"remove","path":"/spec/source"}]'`,
		},
		"Applied": {
			reason: "case B15: what kubectl apply noted holds the old values too",
			name:   `web, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"spec":{"source":{"helm":{"values":"hunter2"}}}}'}`,
			spec:   `{source: {chart: web}, sources: [{chart: web}]}`,
			want: `kubectl patch applications.argoproj.io web -n argocd --type json -p '[{"op":"test","path":"/spec/sources/0/chart","value":"web"},` +
				`{"op":"test","path":"/spec/source/chart","value":"web"},{"op":"remove","path":"/spec/source"},` +
				`{"op":"remove","path":"/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration"}]'`,
		},
		"AppliedSince": {
			reason: "what it noted of the new form stays",
			name:   `web, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"spec":{"sources":[]}}'}`,
			spec:   `{source: {path: x}, sources: [{path: z}]}`,
			want: `kubectl patch applications.argoproj.io web -n argocd --type json -p '[{"op":"test","path":"/spec/sources/0/path","value":"z"},` +
				`{"op":"test","path":"/spec/source/path","value":"x"},{"op":"remove","path":"/spec/source"}]'`,
		},
		"Name": {
			reason: "a name that a shell would take for more is not put into a command",
			name:   `"web;x"`, spec: `{source: {path: x}, ` + sources + `}`, want: "by a JSON patch that removes /spec/source",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			for _, f := range one(t, application(tc.name, "", tc.spec)).LiveValues().Warnings {
				if f.Rule == argocd.RuleDeadSource {
					if diff := cmp.Diff("drop it from the live Application: "+tc.want, f.Next); diff != "" {
						t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
					}
					return
				}
			}
			t.Error("a dead source is not told of")
		})
	}
}
