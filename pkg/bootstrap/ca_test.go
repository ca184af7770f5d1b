package bootstrap_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/bootstrap"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

const (
	envelope   = "env/apps/cert-manager.yaml"
	appsFile   = "env/settings/apps.yaml"
	secretFile = "env/manifests/namespaces/cert-manager/externalsecret/custom-ca.yaml"
	issuerFile = "env/manifests/global/clusterissuer.cert-manager.io/custom-ca.yaml"
)

// pair makes a certificate and its key, as PEM.
func pair(t *testing.T) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded}))
}

// inBlock writes text as the block scalar of a key.
func inBlock(head, text string) string {
	indent := strings.Repeat(" ", strings.Count(head, "\n")*2+2)
	return head + " |\n" + indent + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n"+indent) + "\n"
}

func testCustomCA(t *testing.T, w *world) {
	certificate, key := pair(t)
	inApps := inBlock("apps:\n  cert-manager:\n    customRootCA:", certificate)
	inEnvelope := inBlock("kind: AplApp\nspec:\n  customRootCA:", certificate)
	with := func(more map[string]string) map[string]string {
		all := files()
		for path, text := range more {
			all[path] = text
		}
		return all
	}
	plan := func(t *testing.T, more map[string]string) *bootstrap.Plan {
		t.Helper()
		plan, err := bootstrap.New(t.Context(), w.input(t, with(more)), flags(nil))
		if err != nil {
			t.Fatal(err)
		}
		return plan
	}

	t.Run("NotServed", func(t *testing.T) {
		w.fresh(t)
		p := plan(t, map[string]string{appsFile: inApps})
		if diff := cmp.Diff([]string{bootstrap.RuleMissing}, rules(p, finding.Error)); diff != "" {
			t.Errorf("external-secrets is not installed: (-want +got)\n%s", diff)
		}
	})
	w.load(t, "testdata/crds.yaml", "external-secrets.io/v1", "cert-manager.io/v1")
	t.Run("NoNamespace", func(t *testing.T) {
		p := plan(t, map[string]string{appsFile: inApps})
		if diff := cmp.Diff([]string{bootstrap.RuleMissing}, rules(p, finding.Error)); diff != "" {
			t.Errorf("cert-manager is not installed: (-want +got)\n%s", diff)
		}
	})
	w.server.Namespace(t, "cert-manager")
	t.Run("Refused", func(t *testing.T) {
		for name, more := range map[string]map[string]string{
			"Key":   {appsFile: inBlock("apps:\n  cert-manager:\n    customRootCA:", certificate+key)},
			"NoPEM": {appsFile: "apps: {cert-manager: {customRootCA: otter-umbrella-83}}"},
			// A block that does not decode is skipped by a decoder, and the key would be in what is applied.
			"BrokenKey":   {appsFile: inBlock("apps:\n  cert-manager:\n    customRootCA:", strings.Replace(key, "M", "*", 1)+certificate)},
			"BrokenAfter": {appsFile: inBlock("apps:\n  cert-manager:\n    customRootCA:", certificate+strings.Replace(key, "M", "*", 1)+certificate)},
			"Before":      {appsFile: inBlock("apps:\n  cert-manager:\n    customRootCA:", "otter-umbrella-83\n"+certificate)},
			"Cut":         {appsFile: inBlock("apps:\n  cert-manager:\n    customRootCA:", "-----BEGIN CERTIFICATE-----\notter-umbrella-83\n"+certificate)},
			"Header":      {appsFile: inBlock("apps:\n  cert-manager:\n    customRootCA:", strings.Replace(certificate, "-----\n", "-----\nPassword: otter-umbrella-83\n\n", 1))},
			"NoText":      {appsFile: "apps: {cert-manager: {customRootCA: [otter-umbrella-83]}}"},
			"Rest":        {appsFile: inBlock("apps:\n  cert-manager:\n    customRootCA:", certificate+"otter-umbrella-83\n")},
			"Another":     {appsFile: inApps, secretFile: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: custom-ca, namespace: cert-manager}\n"},
			"InSecret":    {appsFile: inApps, secretFile: inBlock("apiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: {name: custom-ca, namespace: cert-manager}\nkey:", key)},
		} {
			t.Run(name, func(t *testing.T) {
				p := plan(t, more)
				if !p.Refused() {
					t.Error("it is not refused")
				}
				for _, f := range p.Findings {
					if strings.Contains(f.Message+f.Next, "otter-umbrella-83") || strings.Contains(f.Message+f.Next, "BEGIN") {
						t.Errorf("a value is shown: %v", f)
					}
				}
			})
		}
	})
	t.Run("Corpus", func(t *testing.T) { testCorpusCA(t, w, with) })
	t.Run("Built", func(t *testing.T) {
		for _, more := range []map[string]string{{appsFile: inApps}, {envelope: inEnvelope}} {
			_, done := w.run(t, w.input(t, with(more)), flags(nil))
			if len(done) > 0 && done[0] != "create custom-ca" {
				t.Errorf("what Argo CD rests on comes first: %v", done)
			}
			if _, done := w.run(t, w.input(t, with(more)), flags(nil)); len(done) > 0 {
				t.Errorf("a second run does %v, defaults of the server or not", done)
			}
		}
		live, err := w.client.Live(t.Context(), map[string]any{"apiVersion": "external-secrets.io/v1", "kind": "ExternalSecret",
			"metadata": map[string]any{"name": "custom-ca", "namespace": "cert-manager"}})
		if err != nil {
			t.Fatal(err)
		}
		data := live["spec"].(map[string]any)["target"].(map[string]any)["template"].(map[string]any)["data"]
		if diff := cmp.Diff(map[string]any{"tls.crt": certificate, "tls.key": "{{ .customRootCAKey | toString }}"}, data); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
	t.Run("FromRepo", func(t *testing.T) {
		more := map[string]string{
			appsFile:   inApps,
			secretFile: "apiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: {name: custom-ca, namespace: cert-manager, labels: {a: b}}\nspec: {refreshInterval: 1h}\n",
			issuerFile: "apiVersion: cert-manager.io/v1\nkind: ClusterIssuer\nmetadata: {name: custom-ca}\nspec: {ca: {secretName: custom-ca}}\n",
		}
		p, done := w.run(t, w.input(t, with(more)), flags(nil))
		if p.Objects[0].From != secretFile || p.Objects[1].From != issuerFile || p.Objects[1].Action != bootstrap.Unchanged || done[0] != "change custom-ca" {
			t.Errorf("what git has is what is applied: %v", done)
		}
		w.apply(t, "argocd-controller", map[string]any{"apiVersion": "cert-manager.io/v1", "kind": "ClusterIssuer",
			"metadata": map[string]any{"name": "custom-ca"}, "spec": map[string]any{"ca": map[string]any{"secretName": "other"}}})
		p, _ = w.run(t, w.input(t, with(more)), flags(nil))
		if diff := cmp.Diff([]string{bootstrap.RuleConflict}, rules(p, finding.Error)); diff != "" {
			t.Errorf("Argo CD has it otherwise: (-want +got)\n%s", diff)
		}
	})
	t.Run("DryRun", func(t *testing.T) {
		w.remove(t, `{"apiVersion":"cert-manager.io/v1","kind":"ClusterIssuer","metadata":{"name":"custom-ca"}}`)
		for _, dryRun := range []cluster.DryRun{cluster.DryRunClient, cluster.DryRunServer} {
			p, done := w.run(t, w.input(t, with(map[string]string{appsFile: inApps})), flags(func(o *bootstrap.Options) { o.DryRun = dryRun }))
			if len(done) > 0 || p.Pending() == 0 || p.Objects[1].Done != (dryRun == cluster.DryRunServer) {
				t.Errorf("%s: did %v, to do %d", dryRun, done, p.Pending())
			}
		}
	})
}

// testCorpusCA holds the form of what is built to what a real platform has: there is nothing to change on it.
func testCorpusCA(t *testing.T, w *world, with func(map[string]string) map[string]string) {
	corpus := filepath.Join("..", "..", "..", "shared", "corpus")
	settings, err := os.ReadFile(filepath.Join(corpus, "values-repo", "env", "apps", "cert-manager.yaml"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("../shared/corpus is not here: a real platform cannot be read")
	}
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(filepath.Join(corpus, "artifacts", "cert-manager-cert-manager-artifacts.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // read only: nothing can be lost
	stream, err := artifact.Read(file)
	if err != nil || len(stream.Problems) > 0 {
		t.Fatalf("%v %v", err, stream.Problems)
	}
	var loaded []string
	for _, o := range stream.Objects {
		if o.ID.Name != "custom-ca" {
			continue
		}
		tree, err := values.DecodeObject("", o.Text)
		if err != nil {
			t.Fatal(err)
		}
		if o.ID.Kind == "ExternalSecret" {
			o.ID.Namespace = "cert-manager"
			tree["metadata"].(map[string]any)["namespace"] = o.ID.Namespace // that of its release
		}
		w.apply(t, "argocd-controller", tree)
		loaded = append(loaded, fmt.Sprintf(`{"apiVersion":"%s/%s","kind":"%s","metadata":{"name":"custom-ca","namespace":"%s"}}`, o.ID.Group, o.Version, o.ID.Kind, o.ID.Namespace))
	}
	defer w.remove(t, loaded...)
	p, err := bootstrap.New(t.Context(), w.input(t, with(map[string]string{envelope: string(settings)})), flags(nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range p.Objects[:2] {
		if o.Name != "custom-ca" || o.Action != bootstrap.Unchanged {
			t.Errorf("%s %s: %s: %s", o.Kind, o.Name, o.Action, o.Reason)
		}
	}
	if len(loaded) != 2 {
		t.Errorf("the platform has %d objects of a custom root CA", len(loaded))
	}
}

func pause(t *testing.T) {
	t.Helper()
	select {
	case <-t.Context().Done():
		t.Fatal(t.Context().Err())
	case <-time.After(100 * time.Millisecond):
	}
}
