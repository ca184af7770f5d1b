package secret

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// scan returns the hits of a YAML text as "severity rule" by place.
func scan(t *testing.T, text string) map[string][]string {
	t.Helper()
	return byPlace(New().Scan(parse(t, []byte(text))))
}

// parse reads YAML as Helm does.
func parse(t *testing.T, text []byte) any {
	t.Helper()
	var tree any
	if err := yaml.Unmarshal(text, &tree); err != nil {
		t.Fatalf("parse YAML: %v", err)
	}
	return tree
}

func byPlace(hits []Hit) map[string][]string {
	got := map[string][]string{}
	for _, h := range hits {
		got[h.Place()] = append(got[h.Place()], string(h.Severity)+" "+h.Rule)
	}
	return got
}

type scanCase struct {
	reason string
	text   string
	want   map[string][]string
}

func runScan(t *testing.T, tests map[string]scanCase) {
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			want := tc.want
			if want == nil {
				want = map[string][]string{}
			}
			if diff := cmp.Diff(want, scan(t, tc.text)); diff != "" {
				t.Errorf("%s\nScan(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

var (
	namedKey   = []string{"error secret-named-key"}
	namedEnv   = []string{"error secret-named-env"}
	argument   = []string{"error secret-argument"}
	privateKey = []string{"error secret-private-key"}
	inURL      = []string{"error secret-url-password"}
	object     = []string{"error secret-object"}
	docker     = []string{"error secret-docker-config"}
	assignment = []string{"error secret-assignment"}
	header     = []string{"error secret-authorization"}
	hash       = []string{"error secret-password-hash"}
	unscanned  = []string{"error secret-unscanned"}
	stub       = []string{"info secret-named-key"}
)

func TestScanNames(t *testing.T) {
	runScan(t, map[string]scanCase{
		"CaseStyles": {
			reason: "A name is judged by its words, however they are joined.",
			text: `
password: a1
adminPassword: a1
DB_PASSWORD: a1
db-password: a1
dbpassword: a1
SMTPPasswd: a1
clientSecret: a1
client_secret: a1
apiKey: a1
APIKey: a1
apikey: a1
accessToken: a1
privateKey: a1
aws.secretAccessKey: a1
ERLANG_COOKIE: a1
pw2: a1
passwordHash: $2a$10$abcdefghijklmnopqrstuv
PASSWORD_B64: a1
`,
			want: map[string][]string{
				"password": namedKey, "adminPassword": namedKey, "DB_PASSWORD": namedKey, "db-password": namedKey,
				"dbpassword": namedKey, "SMTPPasswd": namedKey, "clientSecret": namedKey, "client_secret": namedKey,
				"apiKey": namedKey, "APIKey": namedKey, "apikey": namedKey, "accessToken": namedKey, "privateKey": namedKey,
				`["aws.secretAccessKey"]`: namedKey, "ERLANG_COOKIE": namedKey, "pw2": namedKey, "passwordHash": namedKey,
				"PASSWORD_B64": namedKey,
			},
		},
		"NamesOfSomethingElse": {
			reason: "What stands behind the word secret makes the name one of something else.",
			text: `
secretName: web
existingSecret: pg
existingSecretAdminPassword: Admin-Password-9
passwordMinLength: 12
tokenTTL: 3600s
tokenURL: https://login.example.test/token
PASSWORD_FILE: somewhere
secretProviderClass: vault
passThrough: all9
topologyKey: zone9
publicKey: abc9
maxTokens: 4096
max_tokens: "4096"
secretAnnotations: {a: b9}
secretRef: {name: x9}
author: me9
`,
		},
		"NamesOfSecrets": {
			reason: "Under some names stands, as a rule, the name of an object or of a key in it.",
			text: `
tlsSecret: wildcard
imagePullSecrets: [regcred, {name: other}]
credentialsSecret: my-creds
secret: my-secret
credentials: cloud-credentials
passwordSecretKey: password
secretKey: rootPassword
adminPasswordKey: admin-password
data:
- {secretKey: team_89e495e7941cf9e4, remoteRef: {key: k, property: p}}
`,
		},
		"NoNamesOfSecrets": {
			reason: "A value that no object or key is called like is the secret itself.",
			text: `
tlsSecret: "S3cr3t!"
secret: hunter2
webhookSecret: 8c7e1a52-77aa-4f0e-9d2e-5b1c0a9e7f11
credentials: |
  [default]
  user = me
secretKey: HAGiIjHGbCXlMaXZ
minio: {accessKey: console, secretKey: supersecretpassword}
env: {SECRET_KEY: mysecretkey}
`,
			want: map[string][]string{
				"tlsSecret": namedKey, "secret": namedKey, "webhookSecret": namedKey, "credentials": namedKey,
				"secretKey": namedKey, "minio.secretKey": namedKey, "env.SECRET_KEY": namedKey,
			},
		},
		"Types": {
			reason: "Digits can be a password, whether quoted or not; switches and nothing at all cannot.",
			text: `
a: {password: 12345}
b: {password: "12345"}
c: {password: true}
d: {password: "true"}
e: {password: null}
f: {password: ""}
g: {password: "   "}
h: {password: {value: a1}}
i: {passwords: [a1, b2]}
j: {passwords: {alice: a1}}
k: {password: []}
l: {token: 3600}
m: {token: "3600"}
n: {token: 10m}
`,
			want: map[string][]string{
				"a.password": namedKey, "b.password": namedKey, "h.password.value": namedKey,
				"i.passwords[0]": namedKey, "i.passwords[1]": namedKey, "j.passwords.alice": namedKey,
			},
		},
		"Variables": {
			reason: "Of the variables under secrets: or secretEnv: charts make a Secret, unless the value names one (near case E7).",
			text: `
secrets: {DB_HOST: hunter2, DB_NAME: my-secret, create: true, provider: vault}
secretEnv: {LICENSE: "Ab 12", LEVEL: my-secret, OTHER: {name: x, key: y9}}
extraSecrets: {app: {FOO: "S3cr3t!", bar: x9}}
extraSecretEnvVars: {A_B: "S3cr3t!"}
secret: {data: {FOO: "S3cr3t!"}, type: Opaque, X: 8}
secretData: {FOO: "{{ .Values.foo }}"}
env: {FOO: "S3cr3t!"}
secretEnvFrom: {FOO: "S3cr3t!"}
`,
			want: map[string][]string{
				"secrets.DB_HOST": namedKey, "secretEnv.LICENSE": namedKey, "extraSecretEnvVars.A_B": namedKey,
			},
		},
		"Pairs": {
			reason: "An env variable's name and value stand under two keys and are judged together.",
			text: `
env:
- {name: REGISTRY_PASSWORD, value: Hq7} 
- {value: Hq7, name: OIDC_CLIENT_SECRET}
- {name: PIN_PASSWORD, value: 1234}
- {name: PASSWORD_FILE, value: /run/secrets/db}
- {name: TOKEN_URL, value: https://auth.example.test/token}
- {name: DB_PASSWORD, valueFrom: {secretKeyRef: {name: pg, key: password}}}
- {name: A_PASSWORD, value: $(B_PASSWORD)}
- {name: C_PASSWORD, value: ""}
- {name: D_TOKEN, value: REPLACE_ME}
- {name: LEVEL, value: debug}
parameters: [{key: apiKey, value: Hq7}]
realm: {credentials: [{type: password, value: Hq7}, {type: Hostname, value: web}]}
`,
			want: map[string][]string{
				"env[0].value": namedEnv, "env[1].value": namedEnv, "env[2].value": namedEnv,
				"env[8].value": {"info secret-named-env"}, "parameters[0].value": namedEnv, "realm.credentials[0].value": namedEnv,
			},
		},
	})
}

func TestScanValues(t *testing.T) {
	runScan(t, map[string]scanCase{
		"References": {
			reason: "A reference says where the secret is, in the notation of whatever resolves it.",
			text: `
list:
- {password: "{{ .Values.global.pw }}"}
- {password: "${DB_PASSWORD}"}
- {password: "$(DB_PASSWORD)"}
- {password: $DB_PASSWORD}
- {password: "$__env{PW}"}
- {password: "$__file{/etc/secrets/pw}"}
- {password: "ref+vault://kv/web#/pw"}
- {password: "vault:secret/data/web#pw"}
- {clientSecret: $oidc.clientSecret}
- {clientSecret: "$my-sso:client-secret"}
- {password: /run/secrets/pw}
- {password: ./conf/pw.txt}
- {privateKey: tls.key}
- {token: https://auth.example.test/token}
- {password: "%(DB_PASSWORD)s"}
- {password: "<path:kv/data/web#pw>"}
- {password: "arn:aws:secretsmanager:eu-west-1:1:secret:x"}
- {password: "ENC[AES256_GCM,data:abc=,type:str]"}
- {password: "***"}
- {password: "${PW:-}"}
- {password: "${PW:-$OTHER}"}
`,
		},
		"NoReferences": {
			reason: "What only looks like a reference is the secret.",
			text: `
list:
- {password: "${PW:-hunter2}"}
- {password: "${PW:hunter2}"}
- {password: "$Passw0rd"}
- {password: "/8fj3+Ab9=="}
- {password: "pa{ss}"}
- {password: "a b c"}
- {password: "{{ broken"}
`,
			want: map[string][]string{
				"list[0].password": namedKey, "list[1].password": namedKey, "list[2].password": namedKey,
				"list[3].password": namedKey, "list[4].password": namedKey, "list[5].password": namedKey,
				"list[6].password": namedKey,
			},
		},
		"Placeholders": {
			reason: "A placeholder is one only as a whole; weak passwords that people run with are none.",
			text: `
a: {password: CHANGE_ME}
b: {password: <your password>}
c: {password: placeholder-overridden-by-env}
d: {password: xxxxxxxx}
e: {password: CHANGE_ME_7h}
f: {password: changeme}
g: {password: xxxxxxxx1}
h: {note: CHANGE_ME}
`,
			want: map[string][]string{
				"a.password": stub, "b.password": stub, "c.password": stub, "d.password": stub,
				"e.password": namedKey, "f.password": namedKey, "g.password": namedKey,
			},
		},
		"URLs": {
			reason: "A password in a URL is found wherever the URL stands, and only when it is literal.",
			text: `
list:
- redis://:hunter@cache:6379/0
- see amqp://app:hunter@mq:5672 or ask
- jdbc:postgresql://db/x?user=u&password=hunter
- mongodb://h0:1,u
- postgres://{{ .user }}:hunter@db/x
- postgres://u:pa/ss@db/x
- postgres://u:p%40ss@db/x
- redis://:$PW@cache
- redis://:${PW}@cache
- redis://:$(PW)@cache
- redis://:{{ .Values.pw }}@cache
- redis://:%24%7BPW%7D@cache
- redis://:***@cache
- redis://user@cache
- app:hunter@tcp(db:3306)/app?parseTime=true
- app:${PW}@tcp(db:3306)/app
- https://host:8443/@scope/pkg
- https://host:{{ .port }}/@scope
- git@github.com:a/b.git
- '://[^:]+:([^@]+)@'
- postgres://u:<password>@db/x
- postgres://%s:%s@%s/x
`,
			want: map[string][]string{
				"list[0]": inURL, "list[1]": inURL, "list[2]": assignment, "list[4]": inURL, "list[5]": inURL, "list[6]": inURL,
				"list[14]": inURL, "list[20]": {"info secret-url-password"},
			},
		},
		"KeyHoldsURL": {
			reason: "A map key can hold a secret; the path must not repeat it.",
			text: `
registries:
  https://bot:hunter@registry.test: {mirror: x, password: b2}
`,
			want: map[string][]string{
				`registries["***"]`: inURL, `registries["***"].password`: namedKey,
			},
		},
	})
}
