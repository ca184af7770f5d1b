package check_test

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"strings"
	"testing"
)

// settingsRepo is a repo with one file of settings, and what was made of env/apps.
func settingsRepo(path, text string) memoryRepo {
	return memoryRepo{appsPath: "apps:\n  loki:\n    enabled: true\n", path: text}
}

const appsPath = "env/settings/apps.yaml"

func TestAppsYAML(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, text string
		want         []string
		says         string
	}{
		"Clean":      {"apps with flags and settings", "apps:\n  gitea:\n    enabled: true\n    resources: {}\n  istio:\n    egressGateway: {enabled: false}\n", nil, ""},
		"Empty":      {"an empty file has no apps", "", nil, ""},
		"Syntax":     {"no YAML", "apps:\n  gitea: [\n", []string{"error apps-yaml " + appsPath + ":2:3"}, ""},
		"Shape":      {"a list of apps", "apps:\n- gitea\n", []string{"error apps-yaml " + appsPath + ":1:1 apps"}, "as a map"},
		"Beside":     {"a key beside apps", "apps: {}\ngitea: {enabled: true}\n", []string{"error apps-yaml " + appsPath + ":2:1"}, "below apps"},
		"Flag":       {"a flag that is text", "apps:\n  gitea:\n    enabled: \"yes\"\n", []string{"error apps-yaml " + appsPath + ":3:5 apps.gitea.enabled"}, "without quotes"},
		"Raw":        {"values of a chart have no place here", "apps:\n  gitea:\n    _rawValues: {a: b}\n", []string{"error apps-yaml " + appsPath + ":3:5 apps.gitea._rawValues"}, "custom file"},
		"Twice":      {"an app that stands twice", "apps:\n  gitea: {enabled: true}\n  gitea: {enabled: false}\n", []string{"error apps-yaml " + appsPath + ":3:3"}, "keep one"},
		"All":        {"all that is wrong is told", "apps:\n  gitea:\n    enabled: 1\n  loki:\n    enabled: 0\n", []string{"error apps-yaml " + appsPath + ":3:5 apps.gitea.enabled", "error apps-yaml " + appsPath + ":5:5 apps.loki.enabled"}, ""},
		"Unknown":    {"an app that nothing reads", "apps:\n  gitee:\n    enabled: true\n", []string{"warning apps-yaml " + appsPath + ":2:3 apps.gitee"}, "did you mean gitea?"},
		"Other":      {"another", "apps:\n  warehouse: {}\n", []string{"warning apps-yaml " + appsPath + ":2:3 apps.warehouse"}, "gone for good"},
		"Former":     {"one that the platform had", "apps:\n  promtail: {enabled: false}\n", []string{"info apps-yaml " + appsPath + ":2:3 apps.promtail"}, "remove them"},
		"Misspelt":   {"a key that was meant to be a flag", "apps:\n  gitea:\n    enabld: true\n", []string{"warning apps-yaml " + appsPath + ":3:5 apps.gitea.enabld"}, "did you mean enabled?"},
		"Deep":       {"a flag that stands deeper", "apps:\n  istio:\n    egressGateway:\n      enable: true\n", []string{"warning apps-yaml " + appsPath + ":4:7 apps.istio.egressGateway.enable"}, "did you mean enabled?"},
		"NotSpelled": {"where the flag is there, nothing was meant", "apps:\n  gitea:\n    enabled: true\n    enable: true\n", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := memoryRepo{appsPath: tc.text}.check(t, ours)
			wantFindings(t, tc.reason, tc.want, got)
			if len(got) > 0 && !strings.Contains(got[0].Next, tc.says) {
				t.Errorf("%s: it says %q: %q", tc.reason, tc.says, got[0].Next)
			}
		})
	}
}

func TestSettings(t *testing.T) {
	const dns = "env/settings/dns.yaml"
	const sops = "sops:\n    mac: ENC[AES256_GCM,data:x,type:str]\n    azure_kv: [{clientSecret: warm-kettle-19}]\n"
	for name, tc := range map[string]struct {
		reason string
		repo   memoryRepo
		want   []string
	}{
		"Clean":       {"settings", settingsRepo(dns, "kind: AplDns\nspec:\n    provider: {linode: {}}\n"), nil},
		"Syntax":      {"no YAML", settingsRepo(dns, "kind: AplDns\nspec: [\n"), []string{"error settings-parse " + dns + ":2:1"}},
		"Twice":       {"a key that stands twice", settingsRepo(dns, "kind: AplDns\nkind: AplDns\n"), []string{"warning settings-parse " + dns + ":2:1"}},
		"Envelope":    {"an envelope of env/apps", memoryRepo{"env/apps/loki.yaml": "kind: [\n"}, []string{"error settings-parse env/apps/loki.yaml:1:1"}},
		"NoYAML":      {"the platform reads YAML", settingsRepo("env/settings/notes.txt", "a: [\n"), nil},
		"Copy":        {"what somebody left holds secrets too", settingsRepo("env/settings/dns.yaml.bak", "spec:\n    apiToken: warm-kettle-19\n"), []string{"error settings-secret env/settings/dns.yaml.bak:2:5 spec.apiToken"}},
		"JSON":        {"and so does JSON", settingsRepo("env/settings/dns.json", `{"spec": {"apiToken": "warm-kettle-19"}}`), []string{"error settings-secret env/settings/dns.json:1:11 spec.apiToken"}},
		"Text":        {"or words", settingsRepo("env/settings/notes.txt", "export TOKEN\nexport API_TOKEN=warm-kettle-19\n"), []string{"error settings-secret env/settings/notes.txt:0:0"}},
		"Readme":      {"people explain", settingsRepo("env/settings/README.md", "Set `password: hunter2`.\n"), nil},
		"Secret":      {"a literal secret", settingsRepo(dns, "spec:\n    apiToken: warm-kettle-19\n"), []string{"error settings-secret " + dns + ":2:5 spec.apiToken"}},
		"Comment":     {"also in a comment", settingsRepo(dns, "spec: {}\n# password: warm-kettle-19\n"), []string{"error settings-secret " + dns + ":2:1 ."}},
		"Apps":        {"and in apps.yaml", settingsRepo(appsPath, "apps:\n  loki:\n    adminPassword: warm-kettle-19\n"), []string{"error settings-secret " + appsPath + ":3:5 apps.loki.adminPassword"}},
		"Unmoved":     {"before anything has moved the settings are the platform's own", memoryRepo{dns: "spec:\n    apiToken: warm-kettle-19\n", "env/apps/loki.yaml": "kind: AplApp\nmetadata: {name: loki}\nspec: {adminPassword: warm-kettle-19}\n"}, nil},
		"Accepted":    {"an exception names the file", with(settingsRepo(dns, "spec:\n    apiToken: warm-kettle-19\n"), ".apl.yaml", "secrets: [{file: "+dns+", path: spec.apiToken, rule: secret-named-key, reason: r}]"), []string{"info settings-secret .apl.yaml:1:11 spec.apiToken"}},
		"OtherFile":   {"and no other", with(settingsRepo(dns, "spec:\n    apiToken: warm-kettle-19\n"), ".apl.yaml", "secrets: [{file: "+appsPath+", path: spec.apiToken, rule: secret-named-key, reason: r}]"), []string{"warning exception-unused .apl.yaml:1:11 spec.apiToken", "error settings-secret " + dns + ":2:5 spec.apiToken"}},
		"GoneFile":    {"an exception for a file that is not there", with(settingsRepo(dns, ""), ".apl.yaml", "secrets: [{file: env/settings/kms.yaml, path: a, rule: secret-named-key, reason: r}]"), []string{"warning exception-unused .apl.yaml:1:11 a"}},
		"Encrypted":   {"what SOPS has encrypted is none", settingsRepo(dns, "spec:\n    apiToken: ENC[AES256_GCM,data:x,type:str]\n"+sops), nil},
		"HalfSOPS":    {"what it has not is one", settingsRepo(dns, "spec:\n    apiToken: warm-kettle-19\n"+sops), []string{"error settings-secret " + dns + ":2:5 spec.apiToken"}},
		"SecretsFile": {"a file of secrets that is encrypted", settingsRepo("env/settings/secrets.dns.yaml", "spec:\n    apiToken: ENC[AES256_GCM,data:x,type:str]\n"+sops), nil},
		"PlainFile":   {"and one that is not", settingsRepo("env/settings/secrets.dns.yaml", "# c\nspec:\n    name: a\n"), []string{"error settings-secret env/settings/secrets.dns.yaml:2:1"}},
		"Decrypted":   {"what is left of decrypting one", settingsRepo("env/secrets.settings.yaml.dec", "spec:\n    apiToken: warm-kettle-19\n"), []string{"error settings-secret env/secrets.settings.yaml.dec:1:1"}},
		"BrokenFile":  {"a file of secrets that nothing can read", settingsRepo("env/settings/secrets.dns.yaml", "a: [\n"), []string{"error settings-secret env/settings/secrets.dns.yaml:1:1"}},
		"EmptyFile":   {"an empty one holds none", settingsRepo("env/settings/secrets.dns.yaml", "# none\n"), nil},
		"Manifest":    {"a manifest can be called so", settingsRepo("env/manifests/namespaces/web/configmap/secrets.a.yaml", strings.Replace(aMap, "name: a", "name: secrets.a", 1)), nil},
	} {
		t.Run(name, func(t *testing.T) {
			wantFindings(t, tc.reason, tc.want, tc.repo.check(t, ours+" exception-unused"))
		})
	}
}

func with(repo memoryRepo, path, text string) memoryRepo {
	repo = maps.Clone(repo)
	repo[path] = text
	return repo
}

func TestLeftover(t *testing.T) {
	const envelope = "kind: AplApp\nmetadata:\n    name: loki\nspec:\n    enabled: true\n    size: 1\n"
	const body = "apps:\n    loki:\n        enabled: true\n        size: 1\n"
	const head = "# The apps of the platform: what is on, and their settings. Yours to edit: kubectl apl keeps what you write.\n# Made from env/apps, whose sha256 was "
	made := head + fmt.Sprintf("%x\n", sha256.Sum256([]byte(body))) // as settings migrate makes it
	for name, tc := range map[string]struct {
		reason, apps, envelope string
		want                   []string
		says                   string
	}{
		"Same":     {"both say the same", body, envelope, []string{"info leftover-env-apps env/apps/loki.yaml:0:0"}, "says the same"},
		"Words":    {"in other words", "apps: {loki: {enabled: true, size: 1}}\n", envelope, []string{"info leftover-env-apps env/apps/loki.yaml:0:0"}, "says the same"},
		"Flags":    {"the flags alone were gathered", "apps:\n    loki:\n        enabled: true\n", envelope, []string{"info leftover-env-apps env/apps/loki.yaml:0:0"}, "says the same"},
		"Changed":  {"nothing tells which is newer", strings.Replace(body, "size: 1", "size: 2", 1), envelope, []string{"warning leftover-env-apps " + appsPath + ":4:9 apps.loki.size"}, "env/apps/loki.yaml:6 says otherwise"},
		"Made":     {"as it was made", made + body, envelope, []string{"info leftover-env-apps env/apps/loki.yaml:0:0"}, "says the same"},
		"Edited":   {"apps.yaml was edited, and is the later word", made + strings.Replace(body, "true", "false", 1), envelope, []string{"info leftover-env-apps " + appsPath + ":5:9 apps.loki.enabled"}, "does not see that"},
		"Console":  {"env/apps was edited", made + body, strings.Replace(envelope, "true", "false", 1), []string{"warning leftover-env-apps " + appsPath + ":5:9 apps.loki.enabled"}, "was edited since"},
		"Both":     {"both were", made + strings.Replace(body, "size: 1", "size: 2", 1), strings.Replace(envelope, "true", "false", 1), []string{"warning leftover-env-apps " + appsPath + ":5:9 apps.loki.enabled"}, "one of 2 places"},
		"Lacks":    {"apps.yaml has nothing of the app", "apps: {}\n", envelope, []string{"warning leftover-env-apps env/apps/loki.yaml:5:5 apps.loki.enabled"}, "env/settings/apps.yaml says otherwise"},
		"Envelope": {"an envelope that cannot be read is told as that", body, "kind: [\n", []string{"error settings-parse env/apps/loki.yaml:1:1"}, ""},
		"NoApp":    {"what is no app leaves nothing", body, "kind: AplTeam\n", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := memoryRepo{appsPath: tc.apps, "env/apps/loki.yaml": tc.envelope}.check(t, "leftover-env-apps settings-parse")
			wantFindings(t, tc.reason, tc.want, got)
			if len(got) > 0 && !strings.Contains(got[0].Message, tc.says) {
				t.Errorf("%s: it says %q: %q", tc.reason, tc.says, got[0].Message)
			}
		})
	}
}
