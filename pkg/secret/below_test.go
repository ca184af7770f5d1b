package secret

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestScanTextOfLines(t *testing.T) {
	tests := map[string]struct {
		reason string
		text   string
		want   []string
	}{
		"Object": {
			reason: "A Secret that is commented out, with the signs at the margin, at each line's own indentation, or with gaps.",
			text:   "# kind: Secret\n# stringData:\n#   p: hunter2\n---\n# kind: Secret\n\n# data:\n  # p: aHVudGVy\n",
			want:   []string{"3 error secret-object", "8 error secret-object"},
		},
		"BlockScalar": {
			reason: "A value that stands below its name, as a block or as the next line's one word.",
			text:   "# auth:\n#   password: |\n#     hunter two\n# a:\n#   token: >-\n\n#     Xk29\n# b:\n#   apiKey:\n#     Xk29\n# passwords:\n# - Xk29\n",
			want:   []string{"3 error secret-assignment", "7 error secret-assignment", "10 error secret-assignment", "12 error secret-assignment"},
		},
		"NoBlockScalar": {
			reason: "What stands below a name can be a map, a sentence, a reference, the name of an object or nothing.",
			text: "# password:\n#   valueFrom: {x: y}\n# token:\n#   the token of the app\n# password: |\n#   {{ .Values.x }}\n# imagePullSecrets:\n#   - myRegistryKeySecretName\n" +
				"# secrets: |\n#   - resourceName: x\n# password:\n# other: Xk29\n# sshPrivateKey: |\n#   -----BEGIN OPENSSH PRIVATE KEY-----\n#   ...\n# password:\n",
			want: []string{"14 info secret-private-key"}, // three dots are a placeholder
		},
		"Entry": {
			reason: "The name and the value of a list entry, in either order, with others between.",
			text:   "# - name: DB_PASSWORD\n#   value: Xk29\n# - value: 'Xk 29'\n#   other: x\n#   name: A_TOKEN\n#    - name: B_TOKEN\n#      value: Xk29 # old\n",
			want:   []string{"2 error secret-assignment", "3 error secret-assignment", "7 error secret-assignment"},
		},
		"NoEntry": {
			reason: "The value of another entry, a reference and a sentence are none.",
			text:   "# - name: DB_PASSWORD\n# - value: Xk29\n# - name: A_TOKEN\n#   valueFrom:\n#     value: x9\n# - name: B_TOKEN\n#   value: $(X)\n# - name: C_TOKEN\n#   value: what it is\n",
		},
		"Twice":    {reason: "What was commented out twice.", text: "# # password: Xk29\n#  ## - token: Xk29\n", want: []string{"1 error secret-assignment", "2 error secret-assignment"}},
		"Flow":     {reason: "A map on one line.", text: "# {user: x, password: Xk29}\n# e.g. {token: 'Xk 29' , a: b}\n", want: []string{"1 error secret-assignment", "2 error secret-assignment"}},
		"Sentence": {reason: "A password at the end of a sentence.", text: "# login admin, password: Xk29\n# (token: Xk29)\n", want: []string{"1 error secret-assignment", "2 error secret-assignment"}},
		"NoClause": {
			reason: "Sentences, templates and programs hold none.",
			text:   "# see the docs, password: what it is for\n# {password: {{ .x }}}\n# f({password: password, token: config.token})\n# {secret: {name: x}}\n",
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, h := range New().ScanText(tc.text) {
				got = append(got, fmt.Sprint(h.Line, " ", h.Severity, " ", h.Rule))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\nScanText(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestScanLookAlikes(t *testing.T) {
	const digest = "3f79bb7b435b05321651daefd374cdc681dc06faa65e374e38337b88ca046dea"
	runScan(t, map[string]scanCase{
		"Checksums": {
			reason: "Checksums of secrets are how charts restart pods, and say nothing of them.",
			text: `
podAnnotations: {checksum/secret: ` + digest + `, checksum/config-token: ` + digest + `}
labels: {checksum/password: 3f79bb7b}
secret: sha256:` + digest + `
token: sha256:` + digest + `
`,
		},
		"NoChecksums": {
			reason: "Hex digits alone are what openssl rand writes, and a hash can be where a password has to be.",
			text:   "secret: " + digest + "\npassword: sha256:" + digest + "\n",
			want:   map[string][]string{"secret": namedKey, "password": namedKey},
		},
		"Objects": {
			reason: "Two secrets in a name are an object that holds one; a namespace and a name are an object.",
			text: `
accessKeySecret: thanos-s3
tokenReviewerJwtSecret: vault-reviewer
clientSecret: ns/oidc-client
args: [--secret=ns/name, --cookie-secret=ns/name, --webhook-secret, ns/name]
command: x --client-secret=ns/name
`,
		},
		"NoObjects": {
			reason: "What no object can be called is the secret.",
			text:   "accessKeySecret: LTAI5tXk29\njwtSecret: my-jwt\nargs: [--client-secret=8f1d/Xk29]\n",
			want:   map[string][]string{"accessKeySecret": namedKey, "jwtSecret": namedKey, "args[0]": argument},
		},
		"Templates": {
			reason: "What is literal in a template is what runs: a default, and text that is no name.",
			text: `
a: {password: '{{ .x | default "Xk29" }}'}
b: {token: '{{ default "Xk29" .x }}-{{ .y }}'}
c: {password: 'h8Kq27xZ{{ .x }}'}
d: {password: '{{ .x | default "" }}'}
e: {password: '{{ .Release.Name }}-postgres-16'}
f: {password: '{{ index .secret (default "password" .key) }}'}
g: {token: 'Bearer {{ .x }}'}
h: {password: '{{ .x | default "{{ .y }}" }}'}
`,
			want: map[string][]string{"a.password": namedKey, "b.token": namedKey, "c.password": namedKey},
		},
		"Elements": {
			reason: "Configuration files in XML hold secrets in elements.",
			text:   "a: <c><user>x</user><password id=\"1\">Xk29</password></c>\nb: <c><password>${PW}</password><password/></c>\nc: <passwordFile>/x</passwordFile>\n",
			want:   map[string][]string{"a": assignment},
		},
		"BasicAuth": {
			reason: "A user and a password stand in one value.",
			text:   "a: {basicAuth: 'me:Xk29'}\nb: {basic_auth: 'me:{{ .pw }}'}\nc: {basicAuth: web-users}\nd: {basicAuth: {username: {name: x9}}}\ne: {basicAuth: true}\n",
			want:   map[string][]string{"a.basicAuth": namedKey},
		},
		"TokensAsKeys": {
			reason: "A token can be what its user is filed under; no path shows it.",
			text:   "tokens: {Ab39dkfjslwk39dkcnsle8: admin}\napiKeys: {reporting-service-2: {role: admin}}\n",
			want:   map[string][]string{`tokens["***"]`: namedKey},
		},
	})
}

func TestScanCommentsInDocuments(t *testing.T) {
	runScan(t, map[string]scanCase{
		"Comments": {
			reason: "A document in a string can have something of several lines commented out, each line at its own indentation.",
			text: `
a: |
  secret:
    # kind: Secret
    # stringData:

      # p: hunter2
    name: x
b: |
  x: {secret: my-db}
  # auth:
    # password: |
      # hunter2
  y:
    z: 1
c: |
  # kind: Secret
  secret: {name: x}
  # data:
  #   p: x9
`,
			want: map[string][]string{"a": object, "b": assignment},
		},
	})
}
