package webhook

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// certificate holds what the server shows to the API server. Whoever watches the Secret (or the files) puts each version in; connections take
// the newest good one, without a restart and without waiting for the kubelet to write a mounted Secret anew.
type certificate struct {
	host    string // the name that the API server asks for: apl-webhook.<namespace>.svc
	current atomic.Pointer[tls.Certificate]
}

// put takes a new version. One that the API server would refuse is an error and leaves the last good one in place. No error quotes the key.
func (c *certificate) put(chain, key, authorities []byte, now time.Time) error {
	pair, err := tls.X509KeyPair(chain, key)
	if err != nil {
		return fmt.Errorf("read the serving certificate: %w", err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(authorities) {
		return errors.New("read the serving certificate: its CA holds no certificate")
	}
	intermediates := x509.NewCertPool()
	for _, der := range pair.Certificate[1:] {
		link, err := x509.ParseCertificate(der)
		if err != nil {
			return fmt.Errorf("read the chain of the serving certificate: %w", err)
		}
		intermediates.AddCert(link)
	}
	if _, err := pair.Leaf.Verify(x509.VerifyOptions{DNSName: c.host, Roots: roots, Intermediates: intermediates, CurrentTime: now}); err != nil {
		return fmt.Errorf("verify the serving certificate for %s: %w", c.host, err)
	}
	c.current.Store(&pair)
	return nil
}

// ready is nil while the server has a certificate that is valid now.
func (c *certificate) ready(now time.Time) error {
	pair := c.current.Load()
	switch {
	case pair == nil:
		return errors.New("there is no serving certificate yet")
	case now.Before(pair.Leaf.NotBefore) || now.After(pair.Leaf.NotAfter):
		return fmt.Errorf("the serving certificate is valid from %s to %s only", pair.Leaf.NotBefore, pair.Leaf.NotAfter)
	}
	return nil
}

// get fits tls.Config.GetCertificate.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	if pair := c.current.Load(); pair != nil {
		return pair, nil
	}
	return nil, errors.New("there is no serving certificate yet")
}

// joinBundles returns the caBundle to publish while a CA is replaced: the wanted one first, then those of the published one that have not
// expired, each once. So replicas that still serve a certificate of the old CA are trusted until the last of them has the new one.
func joinBundles(wanted, published []byte, now time.Time) []byte {
	var out bytes.Buffer
	seen := map[string]bool{}
	for i, rest := range [][]byte{wanted, published} {
		// Each turn takes a block off rest, so that the loop ends with it.
		for block, rest := pem.Decode(rest); block != nil; block, rest = pem.Decode(rest) {
			authority, err := x509.ParseCertificate(block.Bytes)
			if err != nil || seen[string(block.Bytes)] || (i > 0 && now.After(authority.NotAfter)) {
				continue
			}
			seen[string(block.Bytes)] = true
			out.Write(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: block.Bytes}))
		}
	}
	return out.Bytes()
}
