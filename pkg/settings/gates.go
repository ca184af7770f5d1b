package settings

import (
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Flag is one setting that a gate reads. Root says of which settings it is one: apps, otomi, alerts or dns.
type Flag struct {
	Root string
	Path values.Path // below Root
	// Item is what the list at Path has to hold, or the map a key of, for the flag to be on; "" for a boolean.
	Item string
}

// String writes the flag as messages do: apps.gitea.enabled, or "msteams in alerts.receivers".
func (f Flag) String() string {
	text := append(values.Path{}.Key(f.Root), f.Path...).String()
	if f.Item != "" {
		return f.Item + " in " + text
	}
	return text
}

// file is where the flag stands.
func (f Flag) file() string {
	switch f.Root {
	case "otomi":
		return layout.SettingsFile
	case "alerts":
		return layout.AlertsFile
	case "dns":
		return layout.DNSFile
	}
	return layout.AppsFile
}

// Gate says by which flags a release is there: by any of them; without flags it always is.
type Gate struct {
	ID    app.ID
	Flags []Flag
}

// Always reports whether nothing switches the release off.
func (g Gate) Always() bool { return len(g.Flags) == 0 }

// String names the flags in words: "apps.otel.enabled or apps.loki.enabled"; "no gate" where there is none.
func (g Gate) String() string {
	if g.Always() {
		return "no gate"
	}
	words := make([]string, 0, len(g.Flags))
	for _, f := range g.Flags {
		words = append(words, f.String())
	}
	return strings.Join(words, " or ")
}

// GateOf returns the gate of a release, and whether the platform has such a release. Releases of teams are none.
func GateOf(id app.ID) (Gate, bool) {
	return gateIn(Gates(), id)
}

// gateIn returns the gate of a release from a list as Gates makes it.
func gateIn(list []Gate, id app.ID) (Gate, bool) {
	i, ok := slices.BinarySearchFunc(list, id, func(g Gate, id app.ID) int { return app.Compare(g.ID, id) })
	if !ok {
		return Gate{}, false
	}
	return list[i], true
}

// Gates lists the platform's releases with their gates, sorted by identity. It is what the installed expressions of the
// platform's helmfile say (apl-core, helmfile.d), written down: those of a platform of another version can differ, and
// then its registry, which helmfile computes, is right.
func Gates() []Gate {
	var out []Gate
	for _, row := range gateTable() {
		for _, text := range strings.Fields(row.releases) {
			namespace, release, _ := strings.Cut(text, "/")
			out = append(out, Gate{ID: app.ID{Namespace: namespace, Release: release}, Flags: row.flags})
		}
	}
	slices.SortFunc(out, func(a, b Gate) int { return app.Compare(a.ID, b.ID) })
	return out
}

// gateRow is a gate that releases share.
type gateRow struct {
	flags    []Flag
	releases string // namespace/releaseName, separated by white space
}

// on is the flag of an app: enabled, or the key path that is given.
func on(name string, keys ...string) Flag {
	path := values.Path{}.Key(name)
	for _, key := range keys {
		path = path.Key(key)
	}
	if len(keys) == 0 {
		path = path.Key(enabledKey)
	}
	return Flag{Root: appsKey, Path: path}
}

func gateTable() []gateRow {
	one := func(flag Flag, releases string) gateRow { return gateRow{flags: []Flag{flag}, releases: releases} }
	provider := func(name string) Flag { return Flag{Root: "dns", Path: values.Path{}.Key("provider"), Item: name} }
	return []gateRow{
		{releases: `apl-keycloak-operator/apl-keycloak-operator apl-keycloak-operator/apl-keycloak-operator-artifacts
			apl-operator/apl-network-policies apl-operator/apl-operator
			argocd/argocd argocd/argocd-artifacts argocd/argocd-image-updater
			cert-manager/cert-manager cert-manager/cert-manager-artifacts
			cnpg-system/cloudnative-pg cnpg-system/cloudnative-pg-artifacts cnpg-system/cloudnative-pg-plugin-barman-cloud
			external-secrets/external-secrets external-secrets/external-secrets-artifacts
			istio-system/istio-artifacts istio-system/istio-base istio-system/istiod
			istio-system/kubernetes-gateways istio-system/kubernetes-gateways-artifacts
			istio-system/oauth2-proxy istio-system/oauth2-proxy-artifacts
			keycloak/keycloak keycloak/keycloak-artifacts keycloak/keycloak-otomi-db
			monitoring/prometheus-operator otomi/otomi-api otomi/otomi-console otomi-operator/otomi-operator
			sealed-secrets/sealed-secrets`},
		one(on("gitea"), `gitea/gitea gitea/gitea-artifacts gitea/gitea-db-secret-artifacts gitea/gitea-otomi-db gitea/gitea-valkey
			apl-gitea-operator/apl-gitea-operator apl-gitea-operator/apl-gitea-operator-artifacts`),
		one(on("harbor"), `harbor/harbor harbor/harbor-artifacts harbor/harbor-otomi-db
			apl-harbor-operator/apl-harbor-operator apl-harbor-operator/apl-harbor-operator-artifacts`),
		one(on("tekton"), `tekton-pipelines/tekton-pipelines tekton-pipelines/tekton-pipelines-artifacts
			tekton-pipelines/tekton-triggers tekton-dashboard/tekton-dashboard tekton-dashboard/tekton-dashboard-artifacts`),
		one(on("knative"), "knative-operator/knative-operator knative-serving/knative-serving knative-serving/knative-serving-artifacts"),
		{flags: []Flag{on("otel"), on("loki")}, releases: "otel/otel-operator otel/otel-operator-artifacts istio-system/istio-resources-artifacts"},
		one(on("loki"), "monitoring/loki monitoring/loki-artifacts"),
		one(on("kyverno"), "kyverno/kyverno kyverno/kyverno-artifacts"),
		one(on("kubeflow-pipelines"), "kfp/kubeflow-pipelines kfp/kubeflow-pipelines-artifacts"),
		one(on("kserve"), "kserve/kserve"),
		one(on("rabbitmq"), "rabbitmq/rabbitmq"),
		one(on("trivy"), "trivy-operator/trivy-operator"),
		one(on("policy-reporter"), "policy-reporter/policy-reporter"),
		one(on("linode-cfw"), "kube-system/linode-cfw"),
		one(on("metrics-server"), "kube-system/metrics-server"),
		one(on("git-server"), "git-server/git-server"),
		one(on("prometheus"), "monitoring/prometheus-operator-artifacts monitoring/prometheus-blackbox-exporter"),
		one(on("grafana"), "grafana/grafana-dashboards"),
		one(on("istio", "ambient"), "istio-system/istio-cni istio-system/ztunnel"),
		one(on("istio", "egressGateway", enabledKey), "istio-system/istio-egressgateway"),
		one(Flag{Root: "otomi", Path: values.Path{}.Key("hasExternalDNS")}, "external-dns/external-dns external-dns/external-dns-artifacts"),
		one(Flag{Root: "alerts", Path: values.Path{}.Key("receivers"), Item: "msteams"}, "monitoring/prometheus-msteams monitoring/prometheus-msteams-artifacts"),
		one(provider("linode"), "cert-manager/cert-manager-webhook-linode"),
		one(provider("civo"), "cert-manager/cert-manager-webhook-civo"),
	}
}

// flagsOf lists the paths, below the app's name, of what decides on something as a boolean: enabled, the flags of gates, and
// two that templates of the platform read without being called enabled.
func flagsOf(name string) []values.Path {
	out := []values.Path{values.Path{}.Key(enabledKey)}
	add := func(path values.Path) {
		if !slices.ContainsFunc(out, func(p values.Path) bool { return p.Compare(path) == 0 }) {
			out = append(out, path)
		}
	}
	for _, row := range gateTable() {
		for _, f := range row.flags {
			if f.Root == appsKey && f.Path[0].Key == name {
				add(f.Path[1:])
			}
		}
	}
	switch name {
	case "cnpg":
		add(values.Path{}.Key("useBackupPlugin"))
	case "git-server":
		add(values.Path{}.Key("createHttpRoute"))
	}
	slices.SortFunc(out, func(a, b values.Path) int { return a.Compare(b) })
	return out
}
