package webhook

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"testing"
	"time"
)

const testHost = "apl-webhook.apl-webhook.svc"

// issue makes a CA that is valid for a day from start, and a certificate of it for host.
func issue(t *testing.T, host string, start time.Time) (chain, key, authority []byte) {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "CA"}, NotBefore: start, NotAfter: start.Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	caKey, caDER := sign(t, template, template, nil)
	parent, err := x509.ParseCertificate(caDER)
	if err != nil {
		t.Fatal(err)
	}
	leafKey, leafDER := sign(t, &x509.Certificate{
		SerialNumber: big.NewInt(2), NotBefore: start, NotAfter: start.Add(24 * time.Hour), DNSNames: []string{host},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, parent, caKey)
	der, err := x509.MarshalPKCS8PrivateKey(leafKey)
	if err != nil {
		t.Fatal(err)
	}
	encode := func(kind string, der []byte) []byte { return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}) }
	return encode("CERTIFICATE", leafDER), encode("PRIVATE KEY", der), encode("CERTIFICATE", caDER)
}

func sign(t *testing.T, template, parent *x509.Certificate, signer *ecdsa.PrivateKey) (*ecdsa.PrivateKey, []byte) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if signer == nil {
		signer = key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	return key, der
}

func TestCertificateKeepsTheLastGoodOne(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	c := &certificate{host: testHost}
	if _, err := c.get(nil); err == nil || c.ready(now) == nil {
		t.Error("a server without a certificate says that it is ready")
	}
	chain, key, authority := issue(t, testHost, now)
	if err := c.put(chain, key, authority, now); err != nil {
		t.Fatal(err)
	}
	good := c.current.Load()
	otherChain, otherKey, otherCA := issue(t, "other.svc", now)
	oldChain, oldKey, oldCA := issue(t, testHost, now.Add(-48*time.Hour))
	for reason, input := range map[string][3][]byte{
		"another host":       {otherChain, otherKey, otherCA},
		"expired":            {oldChain, oldKey, oldCA},
		"another CA":         {chain, key, otherCA},
		"another key":        {chain, otherKey, authority},
		"no CA":              {chain, key, nil},
		"an emptied Secret":  {nil, nil, nil},
		"half a certificate": {chain[:len(chain)/2], key, authority},
	} {
		if err := c.put(input[0], input[1], input[2], now); err == nil {
			t.Errorf("%s: was taken", reason)
		}
	}
	if got, err := c.get(nil); err != nil || got != good || c.ready(now) != nil {
		t.Errorf("the last good certificate is gone: %v", err)
	}
	if c.ready(now.Add(25*time.Hour)) == nil {
		t.Error("an expired certificate counts as ready")
	}
}

func TestJoinBundles(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	_, _, wanted := issue(t, testHost, now)
	_, _, old := issue(t, testHost, now.Add(-time.Hour))
	_, _, expired := issue(t, testHost, now.Add(-48*time.Hour))
	published := bytes.Join([][]byte{old, expired, wanted, []byte("no PEM")}, nil)
	if got := joinBundles(wanted, published, now); !bytes.Equal(got, append(bytes.Clone(wanted), old...)) {
		t.Errorf("want the new CA and the old one, without the expired one:\n%s", got)
	}
	if got := joinBundles(wanted, []byte("Cg=="), now); !bytes.Equal(got, wanted) {
		t.Errorf("the placeholder of the manifests is kept:\n%s", got)
	}
}
