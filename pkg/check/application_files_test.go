package check_test

import (
	"strings"
	"testing"
)

// listed returns the platform with another list of value files for one app. MANAGED and CUSTOM stand for its own two.
func listed(t *testing.T, entries ...string) apps {
	t.Helper()
	const folder = "$values/env/values/web/site/values."
	text := ""
	for _, e := range entries {
		text += "      - " + strings.NewReplacer("MANAGED", folder+"managed.yaml", "CUSTOM", folder+"custom.yaml").Replace(e) + "\n"
	}
	return platform().with(t, site, "      - "+folder+"managed.yaml\n      - "+folder+"custom.yaml\n", text)
}

func TestValueFilesOrder(t *testing.T) {
	const at = "value-files-order web-site.yaml:"
	const list = " spec.sources[0].helm.valueFiles"
	runScenarios(t, map[string]scenario{
		"Swapped":  {reason: "managed would win", repo: listed(t, "CUSTOM", "MANAGED"), want: []string{at + "21:9" + list + "[0]"}, says: "managed values win"},
		"Custom":   {reason: "nothing of the platform's is read", repo: listed(t, "CUSTOM"), want: []string{at + "20:7" + list}, says: "the managed file is not read"},
		"Managed":  {reason: "nothing of the user's is read", repo: listed(t, "MANAGED"), want: []string{at + "20:7" + list}, says: "the custom file is not read"},
		"None":     {reason: "chart defaults run", repo: platform().with(t, site, "      valueFiles:\n      - $values/env/values/web/site/values.managed.yaml\n      - $values/env/values/web/site/values.custom.yaml\n", ""), want: []string{at + "18:5" + list}, says: "defaults"},
		"Empty":    {reason: "an empty list is none", repo: platform().with(t, site, "\n      - $values/env/values/web/site/values.managed.yaml\n      - $values/env/values/web/site/values.custom.yaml\n", " []\n"), want: []string{at + "20:7" + list}},
		"NoHelm":   {reason: "without any options of Helm one thing is wrong", repo: platform().with(t, site, "helm:\n      releaseName: site\n      valueFiles:\n      - $values/env/values/web/site/values.managed.yaml\n      - $values/env/values/web/site/values.custom.yaml\n    path", "path"), want: []string{at + "18:5 spec.sources[0].helm"}},
		"Again":    {reason: "B7: managed wins in some versions", repo: listed(t, "MANAGED", "CUSTOM", "MANAGED"), want: []string{at + "23:9" + list + "[2]"}, says: "valueFiles[0]"},
		"Before":   {reason: "the one that is too much is the first", repo: listed(t, "CUSTOM", "MANAGED", "CUSTOM"), want: []string{at + "21:9" + list + "[0]"}, says: "valueFiles[2]"},
		"Twice":    {reason: "twice the same one", repo: listed(t, "MANAGED", "CUSTOM", "CUSTOM"), want: []string{at + "23:9" + list + "[2]"}},
		"Glob":     {reason: "B7: a pattern puts custom first, or is a missing file", repo: listed(t, "$values/env/values/web/site/values.*.yaml"), want: []string{at + "21:9" + list + "[0]"}, says: "pattern"},
		"GlobToo":  {reason: "B7: both together are no better", repo: listed(t, "$values/env/values/web/site/*.yaml", "CUSTOM"), want: []string{at + "21:9" + list + "[0]"}},
		"RefTypo":  {reason: "it falls to the chart's own root", repo: listed(t, "$value/env/values/web/site/values.managed.yaml", "CUSTOM"), want: []string{at + "21:9" + list + "[0]"}, says: "chart's own repo"},
		"RefCase":  {reason: "refs have case", repo: listed(t, "MANAGED", "$Values/env/values/web/site/values.custom.yaml"), want: []string{at + "22:9" + list + "[1]"}},
		"NoDollar": {reason: "the chart's own folder", repo: listed(t, "MANAGED", "values/env/values/web/site/values.custom.yaml"), want: []string{at + "22:9" + list + "[1]"}, says: "chart's own source"},
		"Spelled":  {reason: "another spelling of the same file", repo: listed(t, "MANAGED", "$values/./env/values/web/site/values.custom.yaml"), want: []string{at + "22:9" + list + "[1]"}, says: "spells"},
		"Variable": {reason: "a variable spells it too", repo: listed(t, "MANAGED", "$values/env/values/$ARGOCD_APP_NAMESPACE/site/values.custom.yaml"), want: []string{at + "22:9" + list + "[1]"}, says: "spells"},
		"Other":    {reason: "another app's file", repo: listed(t, "MANAGED", "$values/env/values/web/api/values.custom.yaml"), want: []string{at + "22:9" + list + "[1]"}, says: "web/api"},
		"Outside":  {reason: "a file outside of env/values", repo: listed(t, "MANAGED", "CUSTOM", "$values/env/settings/otomi.yaml"), want: []string{at + "23:9" + list + "[2]"}, says: "wins over both"},
		"Between":  {reason: "one between both", repo: listed(t, "MANAGED", "$values/env/values/all.yaml", "CUSTOM"), want: []string{at + "22:9" + list + "[1]"}, says: "wins over managed"},
		"First":    {reason: "one below both", repo: listed(t, "values-big.yaml", "MANAGED", "CUSTOM"), want: []string{at + "21:9" + list + "[0]"}},
		"Remote":   {reason: "a remote one", repo: listed(t, "MANAGED", "https://example.test/values.yaml", "CUSTOM"), want: []string{at + "22:9" + list + "[1]"}, says: "remote"},
		"Escapes":  {reason: "one outside of the repo", repo: listed(t, "MANAGED", "CUSTOM", "$values/../x.yaml"), want: []string{at + "23:9" + list + "[2]"}},
		"TwoWrong": {reason: "each wrong entry is told", repo: listed(t, "MANAGED", "$values/a.yaml", "CUSTOM", "$values/b.yaml"), want: []string{at + "22:9" + list + "[1]", at + "24:9" + list + "[3]"}},
		"Replaced": {reason: "another file in place of one is one fault", repo: listed(t, "$values/a.yaml", "CUSTOM"), want: []string{at + "21:9" + list + "[0]"}},
		"OneOther": {reason: "another file in place of both is two", repo: listed(t, "$values/a.yaml"), want: []string{at + "20:7" + list, at + "21:9" + list + "[0]"}},
		"Tolerant": {reason: "a missing file would sync defaults", repo: platform().with(t, site, "      valueFiles:\n", "      ignoreMissingValueFiles: true\n      valueFiles:\n"), want: []string{at + "20:7 spec.sources[0].helm.ignoreMissingValueFiles"}},
		"Strict":   {reason: "saying that it is not tolerated is fine", repo: platform().with(t, site, "      valueFiles:\n", "      ignoreMissingValueFiles: false\n      valueFiles:\n")},
		"Quoted":   {reason: "quotes and an anchor change nothing", repo: listed(t, `&a "MANAGED"`, "'CUSTOM'")},
	})
}

func TestInlineValues(t *testing.T) {
	inline := func(text string) apps {
		return platform().with(t, site, "      releaseName: site\n", "      releaseName: site\n      "+text+"\n")
	}
	const at = "inline-values web-site.yaml:20:7 spec.sources[0].helm."
	form := platform().with(t, site, "  sources:\n  - helm:\n      releaseName: site\n      valueFiles:\n      - $values/env/values/web/site/values.managed.yaml\n      - $values/env/values/web/site/values.custom.yaml\n    path: charts/site\n    repoURL: https://git.example.test/charts.git\n    targetRevision: v1\n  - ref: values\n    repoURL: https://git.example.test/values.git\n    targetRevision: main\n",
		"  source:\n    helm:\n      releaseName: site\n      values: 'a: 1'\n    path: charts/site\n    repoURL: https://git.example.test/charts.git\n")
	runScenarios(t, map[string]scenario{
		"Values":       {reason: "values lie over the files", repo: inline("values: 'a: 1'"), want: []string{at + "values"}, says: "env/values/web/site/values.custom.yaml"},
		"NoValues":     {reason: "empty text says nothing", repo: inline("values: ''")},
		"Object":       {reason: "so does an object", repo: inline("valuesObject: {a: 1}"), want: []string{at + "valuesObject"}},
		"EmptyObject":  {reason: "B1: an empty one hides values", repo: inline("valuesObject: {}"), want: []string{at + "valuesObject"}},
		"NoObject":     {reason: "B1: null is none", repo: inline("valuesObject: null")},
		"Parameters":   {reason: "parameters win over all", repo: inline("parameters: [{name: a, value: b}]"), want: []string{at + "parameters"}},
		"NoParameters": {reason: "no parameters say nothing", repo: inline("parameters: []")},
		"Files":        {reason: "those from files too", repo: inline("fileParameters: [{name: a, path: b}]"), want: []string{at + "fileParameters"}},
		"Both":         {reason: "each is told", repo: inline("values: 'a: 1'\n      parameters: [{name: a, value: b}]"), want: []string{at + "values", "inline-values web-site.yaml:21:7 spec.sources[0].helm.parameters"}},
		"NotMoved":     {reason: "the inline form alone is one fault, whatever else a move would write", repo: form.with(t, site, "  annotations:\n    argocd.argoproj.io/sync-options: Prune=false,Delete=false\n", ""), want: []string{"inline-values web-site.yaml:15:3 spec.source"}, says: "kubectl apl migrate web/site"},
		"NoSources":    {reason: "an empty list of sources counts as none", repo: form.with(t, site, "  source:\n", "  sources: []\n  source:\n"), want: []string{"inline-values web-site.yaml:18:3 spec.source"}},
	})
}

func TestValueFileMissing(t *testing.T) {
	const custom, managed = "env/values/web/site/values.custom.yaml", "env/values/web/site/values.managed.yaml"
	const at = "value-file-missing web-site.yaml:"
	const first, second = "21:9 spec.sources[0].helm.valueFiles[0]", "22:9 spec.sources[0].helm.valueFiles[1]"
	base := platform()
	runScenarios(t, map[string]scenario{
		"Custom":    {reason: "Argo CD fails on a missing file", repo: base.move(custom, ""), want: []string{at + second}, says: "a comment alone is enough"},
		"Managed":   {reason: "on this one too", repo: base.move(managed, ""), want: []string{at + first}, says: "kubectl apl reconcile"},
		"Both":      {reason: "each is told", repo: base.move(custom, "").move(managed, ""), want: []string{at + first, at + second}},
		"Extension": {reason: "what it was likely meant to be is named", repo: base.move(custom, "env/values/web/site/values.custom.yml"), want: []string{at + second}, says: "git mv env/values/web/site/values.custom.yml " + custom},
		"Case":      {reason: "by a name of another case too", repo: base.move(custom, "env/values/Web/site/values.custom.yaml"), want: []string{"file-name-case env/values/web/api/values.custom.yaml:0:0", at + second}, says: "git mv env/values/Web/"},
		"Sibling":   {reason: "the app's other file is not meant", repo: base.move(managed, ""), want: []string{at + first}, says: "kubectl apl reconcile"},
		"Listed":    {reason: "one that is not listed as it has to be is told as that alone", repo: listed(t, "MANAGED", "$values/env/values/web/site/values.customs.yaml"), want: []string{"value-files-order web-site.yaml:22:9 spec.sources[0].helm.valueFiles[1]"}},
	})
	in := base.input()
	for i := range in.Files {
		in.Files[i].Irregular = in.Files[i].Path == custom
	}
	if got := brief(run(t, in)); len(got) != 1 || got[0] != at+second {
		t.Errorf("a symbolic link is followed: %v", got)
	}
}
