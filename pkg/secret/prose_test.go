package secret

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// textHits returns the hits of ScanText as "line severity rule".
func textHits(text string) []string {
	var got []string
	for _, h := range New().ScanText(text) {
		got = append(got, fmt.Sprint(h.Line, " ", h.Severity, " ", h.Rule))
	}
	return got
}

func TestScanTextOfPeople(t *testing.T) {
	const noted = "1 error secret-assignment"
	tests := map[string]struct {
		reason string
		lines  []string
		want   []string
	}{
		"Notes": {
			reason: "People note a password down in many ways, each on its own line here.",
			lines: []string{
				"# admin password: %s", "# the admin password: %s", `# db password: "%s"`, "# old: password: %s",
				"# was: adminPassword: %s", "# use password: %s for now", "# password -> %s", "# password := %s", "# password=%s, old",
				"# grafana password is %s", "# grafana password is %s.", "# The password was %s until May", "# api key: %s", "# secret access key => %s",
				"# old:password:%s", "# the `password`: `%s`", "# **password**: %s", "# password is: %s", "# smtp client secret = '%s'",
			},
			want: []string{noted},
		},
		"Sentences": {
			reason: "A sentence about a password holds none.",
			lines: []string{
				"# the admin password: required", "# the password is required", "# Its password is base64-encoded", "# the secret: optional",
				"# password is a SHA-256 hash", "# token is HS256", "# the token: see README.md", "# auth: password -> token", "# db password is \"required\"",
				"# the password is set!", "# admin password: <password>.", "# admin password: $PASSWORD", "# db password: {{ .x }}", "# db password: ${PW}",
				"# the secret: my-secret-2", "# password is in /run/secrets/pw1", "# a password: /run/secrets/pw1", "# the token: https://auth.test/v2/t1",
				"# max token: 4096", "# the public key: Xk29ab", "# existingSecret: web2", "# the secretName is web2", "# a password is 12 characters",
				"# credentials: secret:foo/bar#creds", "# password: (8 characters or more)", "# the password is:", "# the password is",
			},
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			for _, line := range tc.lines {
				for _, value := range []string{"hunter2", "Sup3rS3cret!", "Xk29", "HAGiIjHGbCXlMaXZ", "p@ssword", "8c7e1a52-77aa-4f0e-9d2e-5b1c0a9e7f11"} {
					text := line
					if strings.Contains(line, "%s") {
						text = fmt.Sprintf(line, value)
					}
					if diff := cmp.Diff(tc.want, textHits(text)); diff != "" {
						t.Errorf("%s\nScanText(%q): -want, +got:\n%s", tc.reason, text, diff)
					}
				}
			}
		})
	}
}

func TestScanTextWithHiddenBlanks(t *testing.T) {
	const reason = "A blank that is no ASCII space, or a character that cannot be seen, hides no assignment."
	for _, blank := range []string{"\u00a0", "\ufeff", "\u200b", "\u200e", "\u2003", "\u2009", "\u202f", "\u3000", "\u2060", "\u00ad", "\u3164", "\u2800", "\ufe0f"} {
		for _, form := range []string{"# é\n# password_:_Xk29", "# é\n#_password:_Xk29", "# é\n# password:_Xk29_", "# é\n# admin_password:_Xk29", "# é\n#_-_name:_TOKEN\n#   value:_Xk29"} {
			text := strings.ReplaceAll(form, "_", blank)
			line := strings.Count(text, "\n") + 1
			if diff := cmp.Diff([]string{fmt.Sprint(line, " error secret-assignment")}, textHits(text)); diff != "" {
				t.Errorf("%s\nScanText(%q): -want, +got:\n%s", reason, text, diff)
			}
		}
		if got := byPlace(New().Scan(map[string]any{"a": "x y\npassword" + blank + "=" + blank + "Xk29"})); !cmp.Equal(got, map[string][]string{"a": assignment}) {
			t.Errorf("%s\nScan with %q: got %v", reason, blank, got)
		}
	}
	if got := textHits("# pass\u200bword: Xk29"); len(got) != 1 {
		t.Errorf("Nor does one inside of the name; got %v", got)
	}
}

func TestScanLiteralTemplates(t *testing.T) {
	runScan(t, map[string]scanCase{
		"Literals": {
			reason: "A template that holds a literal and nothing else is that literal; text that looks random beside one is a secret.",
			text: `
a: {password: '{{ "hunter2" }}'}
b: {password: '{{- "hunter2" | b64enc | quote -}}'}
c: {token: "{{ ` + "`Xk29`" + ` }}"}
d: {password: 'S3cr3t!{{ .x }}'}
e: {password: 'Xk29ab{{ .x }}'}
f: {secretKey: Zx81Qp}
g: {secretKey: '{{ "Zx81Qp" }}'}
h: {secretKey: kX93mLq2}
j: {password: 'p!ssw^rd-{{ .x }}'}
i: "--password='{{ \"hunter2\" }}'"
`,
			want: map[string][]string{
				"a.password": namedKey, "b.password": namedKey, "c.token": namedKey, "d.password": namedKey, "e.password": namedKey,
				"f.secretKey": namedKey, "g.secretKey": namedKey, "h.secretKey": namedKey, "i": argument, "j.password": namedKey,
			},
		},
		"References": {
			reason: "What a template looks up, and the names of objects and keys, are none.",
			text: `
a: {password: '{{ "{{ .x }}" }}'}
b: {password: '{{ "pw" | lookup .x }}'}
c: {password: '{{ "{{" }} .x {{ "}}" }}'}
d: {password: '{{ .Release.Name }}-postgres-16'}
e: {secretKey: s3Key}
f: {secretKey: '{{ "admin-password" }}'}
g: {secretKey: s3Password}
h: {secretKey: oauth2ClientSecret}
i: {password: '{{ "" }}'}
j: {password: 'user={{ .x }}&password={{ .y }}'}
l: {password: '{{ "db2-password" | env }}'}
k: {password: '{{ .x }} + {{ .y }}!'}
`,
		},
		"Scripts": {
			reason: "Comments in a script are comments of people; its other lines are not.",
			text:   "a: |\n  # the password is Xk29ab\n  echo x\nb: |\n  echo the password is Xk29ab\n  echo x\nc: |\n  a: b # the password is Xk29ab\n",
			want:   map[string][]string{"a": assignment, "c": assignment},
		},
	})
}
