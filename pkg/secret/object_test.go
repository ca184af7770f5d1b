package secret

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const testKey = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7v\n-----END RSA PRIVATE KEY-----\n"

func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

func TestScanKeys(t *testing.T) {
	escaped := strings.ReplaceAll(testKey, "\n", `\n`)
	runScan(t, map[string]scanCase{
		"PrivateKeys": {
			reason: "A private key is found plain, on one line and in base64; its encrypted form is one too.",
			text: `
plain: |
  -----BEGIN PRIVATE KEY-----
  MIIE
  -----END PRIVATE KEY-----
line: '` + escaped + `'
folded: "-----BEGIN RSA PRIVATE KEY----- MIIEpAIBAAKCAQEA7v -----END RSA PRIVATE KEY-----"
coded: ` + b64(testKey) + `
wrapped: |
  ` + b64(testKey)[:40] + `
  ` + b64(testKey)[40:] + `
urlsafe: ` + strings.TrimRight(strings.NewReplacer("+", "-", "/", "_").Replace(b64(testKey)), "=") + `
encrypted: "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES,00\n\nMIIE\n-----END RSA PRIVATE KEY-----"
cut: "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIBkg4LVWM9nuwNSk"
pgp: "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQdGBF\n-----END PGP PRIVATE KEY BLOCK-----"
password: |
  -----BEGIN PRIVATE KEY-----
  MIIE
  -----END PRIVATE KEY-----
age: AGE-SECRET-KEY-1QQPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L
bundle: "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----"
`,
			want: map[string][]string{
				"plain": privateKey, "line": privateKey, "folded": privateKey, "coded": privateKey, "wrapped": privateKey,
				"urlsafe": privateKey, "encrypted": privateKey, "cut": privateKey, "pgp": privateKey, "password": privateKey,
				"age": privateKey, "bundle": privateKey,
			},
		},
		"NoPrivateKeys": {
			reason: "Public halves, templates and sentences about keys are no keys.",
			text: `
cert: "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"
coded: ` + b64("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n") + `
public: "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----"
template: "-----BEGIN PRIVATE KEY-----\n{{ .Values.key }}\n-----END PRIVATE KEY-----"
mention: grep -q -e "-----BEGIN RSA PRIVATE KEY-----" file
prose: it opens with -----BEGIN RSA PRIVATE KEY----- and goes on
ssh: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ me
digest: sha256:8f1d2c3b4a8f1d2c3b4a8f1d2c3b4a8f1d2c3b4a8f1d2c3b4a8f1d2c3b4a8f1d
tag: 1.27.0-alpine@sha256:8f1d2c3b4a8f1d2c3b4a8f1d2c3b4a8f1d2c3b4a
long: inventoryTransferApprovalWorkflowHandlerFactory
`,
		},
		"Docker": {
			reason: "A docker config is found as a tree, as JSON text and in base64, by its structure.",
			text: `
tree: {auths: {r.test: {auth: ` + b64("me:Xk29") + `, username: me, password: Xk29}}}
.dockerconfigjson: '{"auths":{"r.test":{"auth":"` + b64("me:Xk29") + `"}}}'
other: ` + b64(`{"auths":{"r.test":{"password":"Xk29"}}}`) + `
.dockercfg: '{"r.test":{"auth":"` + b64("me:Xk29") + `"}}'
empty: {auths: {}}
user: {auths: {r.test: {username: me, auth: ""}}}
tpl: {auths: {r.test: {auth: "{{ .auth }}", password: "${PW}"}}}
half: {auths: {r.test: {auth: ` + b64("me:") + `}}}
`,
			want: map[string][]string{
				`tree.auths["r.test"].auth`: docker, `tree.auths["r.test"].password`: docker,
				`[".dockerconfigjson"]#auths["r.test"].auth`: docker,
				`other#auths["r.test"].password`:             docker,
				`[".dockercfg"]#["r.test"].auth`:             docker,
			},
		},
		"DockerUnreadable": {
			reason: "What stands under a docker config's key and cannot be read is not taken for fine.",
			text:   "a: {.dockerconfigjson: not-json}\nb: {.dockerconfigjson: '{{ .x }}'}\nc: {.dockercfg: ''}",
			want:   map[string][]string{`a[".dockerconfigjson"]`: docker},
		},
	})
}

func TestScanObjects(t *testing.T) {
	runScan(t, map[string]scanCase{
		"Object": {
			reason: "Whatever a Secret holds is secret: a single byte, a path, a public certificate.",
			text: `
data: {a: YQ==, tls.crt: ` + b64("-----BEGIN CERTIFICATE-----") + `}
stringData: {b: w, c: /etc/x, d: "true", e: 5}
metadata: {name: x}
kind: Secret
`,
			want: map[string][]string{
				"data.a": object, `data["tls.crt"]`: object, "stringData.b": object, "stringData.c": object, "stringData.d": object,
				"stringData.e": object,
			},
		},
		"ObjectWithoutData": {
			reason: "A Secret without literals, or with sealed ones, gives nothing away.",
			text: `
a: {kind: Secret, data: {}, stringData: {}}
b: {kind: Secret, data: null}
c: {kind: Secret, stringData: {p: "{{ .Values.p }}", q: ""}}
d: {kind: Secret, data: {p: "ENC[AES256_GCM,data:x]"}, sops: {mac: "ENC[AES256_GCM,data:x]"}}
e: {kind: Secret, name: ref}
f: {kind: SecretProviderClass, data: {a: b9}}
g: {kind: ConfigMap, data: {a: b9}}
h: {properties: {stringData: {type: object, description: text}}}
i: {kind: SealedSecret, spec: {encryptedData: {password: ` + strings.Repeat("AgBx", 40) + `}}}
j: {kind: ExternalSecret, spec: {data: [{secretKey: password, remoteRef: {key: a, property: b}}], target: {template: {data: {password: "{{ .p }}"}}}}}
`,
		},
		"SealedInNameOnly": {
			reason: "A literal does not pass for sealed by standing under encryptedData.",
			text:   "spec: {encryptedData: {password: hunter2}}",
			want:   map[string][]string{"spec.encryptedData.password": namedKey},
		},
		"Lists": {
			reason: "Objects stand in lists, in typed lists without a kind of their own, and in policies that generate them.",
			text: `
a: {kind: List, items: [{kind: Secret, stringData: {p: w}}]}
b: {kind: SecretList, items: [{data: {p: dw==}}]}
c: {generate: {kind: Secret, name: x, data: {metadata: {labels: {a: b}}, type: Opaque, stringData: {p: w}}}}
d: {stringData: {p: w}}
`,
			want: map[string][]string{
				"a.items[0].stringData.p": object, "b.items[0].data.p": object, "c.generate.data.stringData.p": object,
				"d.stringData.p": object,
			},
		},
		"Embedded": {
			reason: "A document inside a string is read by its structure, several documents and JSON too.",
			text: `
extra:
- |
  stringData: {p: w}
  kind: Secret
- |
  kind: ConfigMap
  data: {a: b}
  ---
  kind: Secret
  data:
    p: dw==
- '{"kind":"Secret","data":{"p":"dw=="}}'
- "{\n\t\"kind\": \"Secret\",\n\t\"data\": {\"p\": \"dw==\"}\n}"
- |
  # password: Xk29
  level: debug
- |
  db:
    password: Xk29
- |
  x: &x {p: dw==}
  kind: Secret
  data: *x
- |
  base: &b {kind: Secret}
  object:
    <<: *b
    stringData: {p: w}
- |
  kind: Secret
  kind: ConfigMap
  data: {p: dw==}
- |
  password: Xk29
  password: ""
`,
			want: map[string][]string{
				"extra[0]#stringData.p": object, "extra[1]#[1].data.p": object, "extra[2]#data.p": object, "extra[3]#data.p": object,
				"extra[4]": assignment, "extra[5]#db.password": namedKey, "extra[6]#data.p": object,
				"extra[7]#object.stringData.p": object, "extra[8]#data.p": object, "extra[9]#password[0]": namedKey,
			},
		},
		"EmbeddedTemplate": {
			reason: "A manifest that only a template engine can read is read line by line.",
			text: `
extra:
- |
  {{- if .Values.on }}
  apiVersion: v1
  kind: Secret
  stringData:
    p: hunter2
  {{- end }}
- |
  {{- range .Values.x }}
  kind: Secret
  data:
    p: {{ .p | b64enc }}
  {{- end }}
- |
  {{- if .Values.on }}
  kind: ConfigMap
  data:
    p: hunter
  {{- end }}
  ---
  kind: Secret
  metadata: {name: x}
`,
			want: map[string][]string{"extra[0]": object},
		},
		"Nested": {
			reason: "A document in a document's string is read too; its place goes on from the outer one.",
			text: `
files:
  a.yaml: |
    kind: ConfigMap
    data:
      b.yaml: |
        db:
          password: Xk29
`,
			want: map[string][]string{`files["a.yaml"]#data["b.yaml"].db.password`: namedKey},
		},
		"AliasBomb": {
			reason: "Aliases that multiply are not written out; what was not searched is not taken for fine.",
			text: `
a: |
  a: &a [secret, a1, a2, a3, a4, a5, a6, a7]
  b: &b [*a, *a, *a, *a, *a, *a, *a, *a]
  c: &c [*b, *b, *b, *b, *b, *b, *b, *b]
  d: &d [*c, *c, *c, *c, *c, *c, *c, *c]
  e: [*d, *d, *d, *d, *d, *d, *d, *d]
`,
			want: map[string][]string{"a": unscanned},
		},
	})
}

func TestScanDepth(t *testing.T) {
	var tree any = map[string]any{"password": "hunter2"}
	for range 2 * maxDepth {
		tree = []any{tree}
	}
	hits := New().Scan(tree)
	if len(hits) != 1 || hits[0].Rule != RuleUnscanned {
		t.Errorf("A tree that is too deep is a finding, not a crash and not fine; got %d hits: %v", len(hits), byPlace(hits))
	}
	if hits := New().Scan(map[string]any{"a": "{\"secret\":" + strings.Repeat("[", 20000)}); len(hits) != 0 {
		t.Errorf("Text that no parser takes is text; got %v", byPlace(hits))
	}
}

func TestScanText(t *testing.T) {
	tests := map[string]struct {
		reason string
		text   string
		want   []string
	}{
		"Empty":    {reason: "No text, no hits.", text: ""},
		"Sentence": {reason: "A sentence about passwords holds none.", text: "# The password is set by the chart.\n# password: see the secret\n"},
		"Line": {
			reason: "A setting that is commented out still stands in the file.",
			text:   "# a note\n  ## password: hunter2\n# token: \"Xk29\" # old\n#apiKey: {{ .x }}\n",
			want:   []string{"2 error secret-assignment", "3 error secret-assignment"},
		},
		"Key": {
			reason: "A key that is commented out line by line is a key, at the line where it starts.",
			text:   "# old:\n# -----BEGIN PRIVATE KEY-----\n# MIIE\n# -----END PRIVATE KEY-----\n",
			want:   []string{"2 error secret-private-key"},
		},
		"URL": {
			reason: "So is a URL.",
			text:   "a: b\n# was redis://:hunter@cache\r\n",
			want:   []string{"2 error secret-url-password"},
		},
		"Object": {
			reason: "And a whole Secret, whatever the order of its keys.",
			text:   "# - stringData:\n#     p: hunter2\n#   kind: Secret\n# - kind: ConfigMap\n#   data:\n#     p: x9\n",
			want:   []string{"2 error secret-object"},
		},
		"OtherObject": {
			reason: "The data of another object is not the Secret's.",
			text:   "# - kind: Secret\n#   metadata: {name: x}\n# - data:\n#     p: x9\n#   kind: ConfigMap\n",
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, h := range New().ScanText(tc.text) {
				got = append(got, string(rune('0'+h.Line))+" "+string(h.Severity)+" "+h.Rule)
				if f := h.Finding(); f.Line != h.Line || f.Path != "" {
					t.Errorf("%s\nFinding() = %+v: want the line and no path", tc.reason, f)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\nScanText(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
