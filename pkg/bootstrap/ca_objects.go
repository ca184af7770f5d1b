package bootstrap

import (
	"fmt"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// fromRepo returns the object as the values repo has it, or else as it was built.
func (p *Plan) fromRepo(built map[string]any, builtFrom string) (Object, error) {
	metadata := built["metadata"].(map[string]any)
	namespace, _ := metadata["namespace"].(string)
	o := Object{Kind: built["kind"].(string), Namespace: namespace, Name: customCA, From: builtFrom, want: built}
	group, _, _ := strings.Cut(built["apiVersion"].(string), "/")
	id := layout.ObjectID{Group: group, Kind: o.Kind, Namespace: namespace, Name: customCA}
	for _, file := range objectPaths(id) {
		data, found, err := p.in.Repo.HeadFile(file)
		if err != nil {
			return o, fmt.Errorf("read %s in HEAD: %w", file, err)
		}
		if !found {
			continue
		}
		tree, err := values.DecodeObject(file, data)
		if err != nil {
			return o, err
		}
		if !names(tree, id) {
			p.add(finding.Finding{Rule: RuleCustomCA, Severity: finding.Error, File: file, App: customCA,
				Message: fmt.Sprintf("the file is to hold %s %s of group %s, and holds something else", o.Kind, customCA, group), Next: "correct or remove it"})
		}
		delete(tree, "status") // a controller's
		for _, hit := range secret.New().Scan(tree) {
			if f := hit.Finding(); f.Severity == finding.Error {
				f.File, f.App = file, customCA
				p.add(f)
			}
		}
		o.From, o.want = file, tree
		break
	}
	return o, nil
}

// objectPaths returns the files that an object can have: with its group in the folder's name where another kind is called alike.
func objectPaths(id layout.ObjectID) []string {
	other := id
	other.Group = ""
	both := layout.ObjectFiles([]layout.ObjectID{other, id})
	return []string{layout.ObjectFiles([]layout.ObjectID{id})[0].Path(), both[1].Path()}
}

// names tells whether a tree is the object of an id.
func names(tree map[string]any, id layout.ObjectID) bool {
	version, _ := tree["apiVersion"].(string)
	metadata, _ := tree["metadata"].(map[string]any)
	namespace, _ := metadata["namespace"].(string)
	return strings.HasPrefix(version, id.Group+"/") && tree["kind"] == id.Kind && metadata["name"] == id.Name && namespace == id.Namespace
}

// customCASecret is the ExternalSecret as the platform writes it. It holds the certificate, and a reference to the key.
func customCASecret(certificate string) map[string]any {
	const key = "customRootCAKey"
	return map[string]any{
		"apiVersion": "external-secrets.io/v1",
		"kind":       "ExternalSecret",
		"metadata":   map[string]any{"name": customCA, "namespace": certManager},
		"spec": map[string]any{
			"refreshInterval": "5m",
			"secretStoreRef":  map[string]any{"kind": "ClusterSecretStore", "name": "core-secrets-store"},
			"data": []any{map[string]any{
				"secretKey": key,
				"remoteRef": map[string]any{"key": "cert-manager-secrets", "property": key},
			}},
			"target": map[string]any{
				"name": customCA, "creationPolicy": "Owner",
				"template": map[string]any{
					"type": "Opaque",
					"data": map[string]any{"tls.crt": certificate, "tls.key": "{{ ." + key + " | toString }}"},
				},
			},
		},
	}
}

// customCAIssuer is the ClusterIssuer as the platform writes it.
func customCAIssuer() map[string]any {
	return map[string]any{
		"apiVersion": "cert-manager.io/v1",
		"kind":       "ClusterIssuer",
		"metadata":   map[string]any{"name": customCA},
		"spec":       map[string]any{"ca": map[string]any{"secretName": customCA}},
	}
}
