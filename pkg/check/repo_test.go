package check_test

import (
	"strings"
	"testing"
)

func TestFileNameCase(t *testing.T) {
	for name, tc := range map[string]struct {
		reason   string
		paths    string
		selected []string
		want     []string
	}{
		"File":     {"two files", "env/settings/Dns.yaml env/settings/dns.yaml", nil, []string{"error file-name-case env/settings/dns.yaml:0:0"}},
		"Three":    {"each further one", "env/settings/DNS.yaml env/settings/Dns.yaml env/settings/dns.yaml", nil, []string{"error file-name-case env/settings/Dns.yaml:0:0", "error file-name-case env/settings/dns.yaml:0:0"}},
		"Folder":   {"two folders, and not each file in them", "env/a/B/c.yaml env/a/B/d.yaml env/a/b/C.yaml env/a/b/c.yaml env/a/b/d.yaml", nil, []string{"error file-name-case env/a/b/C.yaml:0:0", "error file-name-case env/a/b/c.yaml:0:0"}},
		"FileDir":  {"a file and a folder", "env/a/B env/a/b/c.yaml", nil, []string{"error file-name-case env/a/b/c.yaml:0:0"}},
		"Accent":   {"an accent can stand apart from its letter", "env/a/caf\u00e9.yaml env/a/cafe\u0301.yaml", nil, []string{"error file-name-case env/a/caf\u00e9.yaml:0:0"}},
		"Letters":  {"other letters have case too", "env/a/\u00c9\u03a3.yaml env/a/e\u0301\u03c2.yaml", nil, []string{"error file-name-case env/a/\u00c9\u03a3.yaml:0:0"}},
		"SharpS":   {"ss is not the letter that is written so in upper case", "env/a/ss.yaml env/a/\u00df.yaml", nil, nil},
		"Others":   {"near misses", "env/a/b.yaml env/a/b.yml env/a-b.yaml env/a/b/c", nil, nil},
		"Team":     {"what teams have is left alone", "env/teams/a/B.yaml env/teams/a/b.yaml", nil, nil},
		"Selected": {"it is told where one of the two is selected", "env/a/B/c.yaml env/a/b/d.yaml", []string{"env/a/B/c.yaml"}, []string{"error file-name-case env/a/b/d.yaml:0:0"}},
		"Neither":  {"and else not", "env/a/B/c.yaml env/a/b/d.yaml", []string{"env/a/e"}, nil},
		"Windows":  {"a colon ends a path on Windows", "env/a/b:c.yaml", nil, []string{"warning file-name-case env/a/b:c.yaml:0:0"}},
		"Point":    {"and a point at the end goes", "env/a./b.yaml", nil, []string{"warning file-name-case env/a./b.yaml:0:0"}},
		"Bytes":    {"a name is text", "env/a/\xff.yaml", nil, []string{"warning file-name-case env/a/\xff.yaml:0:0"}},
	} {
		t.Run(name, func(t *testing.T) {
			repo := memoryRepo{}
			for path := range strings.SplitSeq(tc.paths, " ") {
				repo[path] = ""
			}
			wantFindings(t, tc.reason, tc.want, repo.check(t, "file-name-case", tc.selected...))
		})
	}
}

func TestStrayFile(t *testing.T) {
	const site = "env/values/web/site/"
	const key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEwarmkettlewarmkettlewarmkettle\n-----END RSA PRIVATE KEY-----\n"
	for name, tc := range map[string]struct {
		reason, path, text string
		severity           string // "" for none
		says               string
	}{
		"Values":      {"the name that Helm's users know", site + "values.yaml", "a: 1\n", "warning", "did you mean " + site + "values.custom.yaml?"},
		"Ending":      {"another ending", site + "values.custom.yml", "a: 1\n", "warning", "did you mean " + site + "values.custom.yaml?"},
		"Managed":     {"a copy", site + "values.managed.yaml~", "a: 1\n", "warning", "did you mean " + site + "values.managed.yaml?"},
		"Backup":      {"a copy of what is there", "env/values/web/api/values.custom.yaml.bak", "a: 1\n", "warning", "remove it: what counts is env/values/web/api/values.custom.yaml"},
		"Case":        {"another case", site + "Values.Custom.yaml", "a: 1\n", "warning", "did you mean " + site + "values.custom.yaml?"},
		"Typo":        {"a slip", site + "value.costom.yaml", "a: 1\n", "warning", "did you mean " + site + "values.custom.yaml?"},
		"Depth":       {"the folder of the release lacks", "env/values/web/values.custom.yaml", "a: 1\n", "warning", "did you mean env/values/<namespace>/<release>/values.custom.yaml?"},
		"Folders":     {"folders that are no app", "env/values/Web/site/values.custom.yaml", "a: 1\n", "warning", "no namespace name"},
		"Notes":       {"something else", site + "notes.txt", "a\n", "warning", "move it out of env/values"},
		"Secret":      {"a copy that still holds a secret", site + "values.custom.yaml.orig", "password: warm-kettle-19\n", "error", "git keeps its history"},
		"Manifest":    {"an ending that Argo CD does not read", "env/manifests/namespaces/web/configmap/a.YAML", aMap, "warning", "did you mean a.yaml?"},
		"Copy":        {"a copy of a manifest", webMap + ".bak", aMap, "warning", "a copy of a.yaml"},
		"Dashboard":   {"something else", "env/manifests/namespaces/web/board.png", "\xff", "warning", "move it out of env/manifests"},
		"Hidden":      {"what editors leave", site + ".values.custom.yaml.swp", "", "info", ""},
		"System":      {"and what systems do", "env/manifests/.DS_Store", "", "info", ""},
		"Readme":      {"people explain", "env/manifests/namespaces/web/README.md", "# Web\n", "", ""},
		"Keep":        {"git needs a file in a folder", site + ".gitkeep", "", "", ""},
		"ReadmeKey":   {"and can paste too much", site + "README.md", "Use:\n" + key, "error", "git keeps its history"},
		"ReadmeWords": {"what explains is no secret", site + "README.md", "Set `password: hunter2`, or postgres://user:password@db.\n", "", ""},
		"Large":       {"nothing is known of what is not searched", site + "notes.txt", strings.Repeat("a\n", 1<<20), "error", "move it out of env/values"},
		"Link":        {"links are not followed", "env/values/web/api/values.managed.yaml", link, "error", "put the file itself in its place"},
		"LinkSetting": {"of settings neither", "env/settings/dns.yaml", link, "error", "put the file itself in its place"},
		"Settings":    {"settings are the platform's", "env/settings/README.txt", "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := memoryRepo{tc.path: tc.text, "env/values/web/api/values.custom.yaml": ""}.check(t, "stray-file")
			var want []string
			if tc.severity != "" {
				want = []string{tc.severity + " stray-file " + tc.path + ":0:0"}
			}
			wantFindings(t, tc.reason, want, got)
			if len(got) == 1 && !strings.Contains(got[0].Next, tc.says) {
				t.Errorf("%s: it says %q: %q", tc.reason, tc.says, got[0].Next)
			}
			if len(memoryRepo{tc.path: tc.text}.check(t, "stray-file", "env/other")) > 0 {
				t.Error("what is not selected is not told")
			}
		})
	}
}
