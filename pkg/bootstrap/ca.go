package bootstrap

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// The platform's custom root CA. With one, every certificate rests on two objects that have to be there before Argo CD is: an
// ExternalSecret, which brings certificate and key together in a Secret, and the ClusterIssuer that reads that (apl-core's
// cert-manager-artifacts; seed 000, Phase 1).
const (
	customCA     = "custom-ca"
	certManager  = "cert-manager"
	customRootCA = "customRootCA"
)

// customCA plans the objects of a custom root CA, where the settings have one.
func (p *Plan) customCA(ctx context.Context) error {
	setting, err := p.customRootCA()
	if err != nil || setting.pem == "" {
		return err
	}
	if problem := checkCertificates(setting.pem); problem != "" {
		p.add(finding.Finding{Rule: RuleCustomCA, Severity: finding.Error, File: setting.file, Path: setting.path.String(),
			Message: "the custom root CA " + problem, Next: "put the certificate there as PEM, and nothing else; its key is a secret, which the ExternalSecret reads"})
		return nil
	}
	for _, built := range []map[string]any{customCASecret(setting.pem), customCAIssuer()} {
		o, err := p.fromRepo(built, setting.file)
		if err != nil {
			return err
		}
		if err := p.compare(ctx, &o); err != nil {
			return err
		}
		p.Objects = append(p.Objects, o)
	}
	return nil
}

// setting is where a custom root CA stands.
type setting struct {
	file string
	path values.Path
	pem  string
}

// customRootCA reads the setting: from env/settings/apps.yaml, or, on a platform that does not have that yet, from the app's
// envelope.
func (p *Plan) customRootCA() (setting, error) {
	app := values.Path{}.Key("apps").Key(certManager)
	for _, s := range []setting{
		{file: layout.AppsFile, path: app.Key(customRootCA)},
		{file: layout.AppsDir + "/" + certManager + ".yaml", path: values.Path{}.Key("spec").Key(customRootCA)},
	} {
		data, found, err := p.in.Repo.HeadFile(s.file)
		if err != nil {
			return setting{}, fmt.Errorf("read %s in HEAD: %w", s.file, err)
		}
		if !found {
			continue
		}
		tree, err := values.DecodeObject(s.file, data)
		if err != nil {
			return setting{}, err
		}
		value, _ := values.Lookup(tree, s.path)
		text, isText := value.(string)
		if value != nil && !isText {
			p.add(finding.Finding{Rule: RuleCustomCA, Severity: finding.Error, File: s.file, Path: s.path.String(),
				Message: "the custom root CA is no text", Next: "put the certificate there as PEM, and nothing else"})
			return setting{}, nil
		}
		if s.pem = text; strings.TrimSpace(text) != "" {
			return s, nil
		}
	}
	return setting{}, nil
}

// checkCertificates says what is wrong with a text that is to hold certificates and nothing else. It quotes nothing of it. A decoder
// of PEM skips what stands before a block, and a block that it cannot read: a key could stand there.
func checkCertificates(text string) string {
	const begin = "-----BEGIN "
	rest := strings.TrimSpace(text)
	if !strings.Contains(rest, begin) {
		return "is no PEM certificate"
	}
	for rest != "" { // each round takes one block
		switch {
		case !strings.HasPrefix(rest, begin):
			return "holds something else than certificates"
		case !strings.HasPrefix(rest, begin+"CERTIFICATE-----"):
			return "holds a PEM block that is no certificate"
		}
		block, after := pem.Decode([]byte(rest))
		taken := rest[:len(rest)-len(after)]
		if block == nil || len(block.Headers) > 0 || strings.Count(taken, begin) > 1 {
			return "holds a certificate that cannot be read"
		}
		if _, err := x509.ParseCertificate(block.Bytes); err != nil {
			return "holds a certificate that cannot be read"
		}
		rest = strings.TrimSpace(string(after))
	}
	return ""
}

// compare decides about an object that is no Application.
func (p *Plan) compare(ctx context.Context, o *Object) error {
	live, err := p.in.Cluster.Live(ctx, o.want)
	switch {
	case errors.Is(err, cluster.ErrNotFound):
		o.Action, o.Reason = Create, "it is not there"
	case errors.Is(err, cluster.ErrUnserved):
		o.Action, o.Reason = Create, "the cluster does not know its kind"
		p.add(finding.Finding{Rule: RuleMissing, Severity: finding.Error, App: o.Name, File: o.From,
			Message: fmt.Sprintf("the settings have a custom root CA, and the cluster does not serve %s in version %v, which it takes", o.Kind, o.want["apiVersion"]),
			Next:    "install its CustomResourceDefinition first: external-secrets and cert-manager come before the bootstrap"})
	case err != nil:
		return fmt.Errorf("read %s %s: %w", o.Kind, o.Name, err)
	default:
		if o.Changes = differences(o.want, live); len(o.Changes) > 0 {
			o.Action, o.Reason = Change, "differs: "+strings.Join(o.Changes, ", ")
			return nil
		}
		o.Action, o.Reason = Unchanged, "it says all it is to say"
	}
	return nil
}
