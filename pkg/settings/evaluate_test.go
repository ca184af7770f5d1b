package settings_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/settings"
)

func TestEvaluate(t *testing.T) {
	read := func(files repo) *settings.Settings {
		s, err := settings.Read(files.input().Read)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	const apps = layout.AppsFile
	cases := map[string]struct {
		reason string
		id     string
		files  repo
		state  settings.State
		why    string
	}{
		"Always":   {reason: "most releases of the core have no gate", id: "cert-manager/cert-manager", state: settings.On, why: "it is always installed"},
		"On":       {reason: "one flag", id: "gitea/gitea-valkey", files: repo{apps: "apps:\n  gitea: {enabled: true}\n"}, state: settings.On, why: "apps.gitea.enabled is true at env/settings/apps.yaml:2"},
		"Off":      {reason: "the place is named", id: "gitea/gitea", files: repo{apps: "apps:\n  gitea:\n    enabled: false\n"}, state: settings.Off, why: "apps.gitea.enabled is false at env/settings/apps.yaml:3"},
		"Silent":   {reason: "what is not set has the platform's default, which nobody here knows", id: "git-server/git-server", files: repo{apps: "apps: {}\n"}, state: settings.Unknown, why: "apps.git-server.enabled is not set in env/settings/apps.yaml, so that the platform's default counts"},
		"NoFile":   {reason: "the same without the file", id: "git-server/git-server", state: settings.Unknown, why: "apps.git-server.enabled is not set in env/settings/apps.yaml, so that the platform's default counts"},
		"Null":     {reason: "a flag that is left empty says nothing", id: "gitea/gitea", files: repo{apps: "apps: {gitea: {enabled: }}\n"}, state: settings.Unknown, why: "apps.gitea.enabled is not set in env/settings/apps.yaml, so that the platform's default counts"},
		"EitherOn": {reason: "one of two is enough, though the other is unknown", id: "otel/otel-operator", files: repo{apps: "apps: {loki: {enabled: true}}\n"}, state: settings.On, why: "apps.loki.enabled is true at env/settings/apps.yaml:1"},
		"EitherUnknown": {reason: "one that is off decides nothing", id: "otel/otel-operator", files: repo{apps: "apps: {otel: {enabled: false}}\n"}, state: settings.Unknown,
			why: "apps.loki.enabled is not set in env/settings/apps.yaml, so that the platform's default counts"},
		"BothOff": {reason: "both are named", id: "otel/otel-operator", files: repo{apps: "apps:\n  otel: {enabled: false}\n  loki: {enabled: false}\n"}, state: settings.Off,
			why: "apps.otel.enabled is false at env/settings/apps.yaml:2, apps.loki.enabled is false at env/settings/apps.yaml:3"},
		"Ambient":   {reason: "a flag of another name", id: "istio-system/ztunnel", files: repo{apps: "apps: {istio: {ambient: true}}\n"}, state: settings.On, why: "apps.istio.ambient is true at env/settings/apps.yaml:1"},
		"Nested":    {reason: "a sub-flag", id: "istio-system/istio-egressgateway", files: repo{apps: "apps:\n  istio:\n    egressGateway:\n      enabled: false\n"}, state: settings.Off, why: "apps.istio.egressGateway.enabled is false at env/settings/apps.yaml:4"},
		"OtherFile": {reason: "a flag of another settings file", id: "external-dns/external-dns", files: repo{layout.SettingsFile: "kind: AplCapabilitySet\nspec:\n  hasExternalDNS: true\n"}, state: settings.On, why: "otomi.hasExternalDNS is true at env/settings/otomi.yaml:3"},
		"Text":      {reason: "text is no flag", id: "external-dns/external-dns", files: repo{layout.SettingsFile: "spec:\n  hasExternalDNS: 'true'\n"}, state: settings.Unknown, why: "otomi.hasExternalDNS is neither true nor false at env/settings/otomi.yaml:2"},
		"Receiver":  {reason: "an item of a list", id: "monitoring/prometheus-msteams", files: repo{layout.AlertsFile: "spec:\n  receivers: [slack, msteams]\n"}, state: settings.On, why: "msteams in alerts.receivers is there at env/settings/alerts.yaml:2"},
		"NoItem":    {reason: "which it lacks", id: "monitoring/prometheus-msteams", files: repo{layout.AlertsFile: "spec:\n  receivers: [{a: b}]\n"}, state: settings.Off, why: "msteams in alerts.receivers is not there at env/settings/alerts.yaml:2"},
		"Provider":  {reason: "a key of a map", id: "cert-manager/cert-manager-webhook-linode", files: repo{layout.DNSFile: "spec:\n  provider:\n    linode: {}\n"}, state: settings.On, why: "linode in dns.provider is there at env/settings/dns.yaml:2"},
		"OddList":   {reason: "neither a list nor a map", id: "monitoring/prometheus-msteams", files: repo{layout.AlertsFile: "spec: {receivers: msteams}\n"}, state: settings.Unknown, why: "alerts.receivers is neither a list nor a map at env/settings/alerts.yaml:1"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			id, err := app.Parse(tc.id)
			if err != nil {
				t.Fatal(err)
			}
			all := read(tc.files)
			v, ok := all.Evaluate(id)
			if on, known, why := all.Gate(id); on != (tc.state == settings.On) || known != (tc.state != settings.Unknown) || why != tc.why {
				t.Errorf("Gate says %v, %v: %s", on, known, why)
			}
			if !ok || v.State != tc.state || v.Why() != tc.why {
				t.Errorf("%s: %v %s: %s", tc.reason, ok, v.State, v.Why())
			}
		})
	}
	if _, ok := read(repo{}).Evaluate(app.ID{Namespace: "team-red", Release: "team-ns-red"}); ok {
		t.Error("releases of teams have no gate here")
	}
	if _, known, _ := settings.New(nil).Gate(app.ID{Namespace: "team-red", Release: "team-ns-red"}); known {
		t.Error("nor is anything known of them")
	}
}

func TestParseErrors(t *testing.T) {
	const text = `more: 1
apps:
  Gitea: {}
  gitea:
    enabled: "yes"
  istio: on
  tekton:
    _rawValues: {a: s3cret}
`
	want := []string{
		"apps.yaml:1:1: the file has an unknown key; the known key is apps; put the settings of an app below apps, under its name",
		"apps.yaml:3:3: this is no name of an app; name it in lower case, with letters, digits and hyphens",
		"apps.yaml:5:5: this decides what is installed, and is neither true nor false; write true or false, without quotes",
		"apps.yaml:6:3: the settings of an app are no map; write them as a map, such as enabled: true",
		"apps.yaml:8:5: _rawValues has no effect here; put values of a chart in the custom file of the release",
	}
	_, err := settings.Parse("apps.yaml", []byte(text))
	var typed *settings.Error
	if !errors.As(err, &typed) || len(typed.Findings) != len(want) {
		t.Fatalf("want an *Error with all that is wrong: %v", err)
	}
	if diff := cmp.Diff(want, strings.Split(err.Error(), "\n")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, text := range []string{"apps: {a: [}", "a: 1\na: 2\n", "apps: {}\n---\napps: {}\n", "[]"} {
		if _, err := settings.Parse("apps.yaml", []byte(text)); !errors.As(err, &typed) {
			t.Errorf("%q is refused: %v", text, err)
		}
	}
}

func TestGatesAreWhole(t *testing.T) {
	seen := map[app.ID]bool{}
	for _, g := range settings.Gates() {
		if err := g.ID.Validate(); err != nil || seen[g.ID] {
			t.Errorf("%s stands twice, or is no identity: %v", g.ID, err)
		}
		seen[g.ID] = true
		if got, ok := settings.GateOf(g.ID); !ok || got.String() != g.String() {
			t.Errorf("%s is not found again", g.ID)
		}
	}
}
