package secret

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// Values that gitleaks knows, in two parts each, so that nothing that reads this file takes them for real.
const (
	githubToken   = "gh" + "p_" + "zQ4mB7xK2vN9cR5tY8wL1pD6sF3hJ0gAeUiO"
	airtableToken = "pa" + "tQ4mB7xK2vN9cR5.3f79bb7b435b05321651daefd374cd21b5e3c2c7f0b0a8d1b1e9f5b3c2d1e0a7"
	adafruitKey   = "k7m2x9q4v1b8" + "n3c6z5l0j8h2f4d7s9a1"
	randomValue   = "zQ4mB7xK2vN" + "9cR5tY8wL1p"
	someCommit    = "3f79bb7b435b05321651" + "daefd374cd21b5e3c2c7"
)

func leakHit(id string) []string { return []string{"error " + leakPrefix + id} }

func TestScanLeaks(t *testing.T) {
	github, generic := leakHit("github-pat"), leakHit("generic-api-key")
	runScan(t, map[string]scanCase{
		"Anywhere": {
			reason: "A token that is known by its look is found wherever it stands, whatever its name.",
			text: fmt.Sprintf(`
note: %[1]s
sentence: use %[1]s for now
list: [a, %[1]s]
args: [--user, %[1]s]
env: [{name: MODE, value: %[1]s}]
config: "level = debug\nuser = %[1]s\n"
coded: %[2]s
document: "a: b\ntoken_ttl: 5m\nnote: %[1]s\n"
commented: "a: b\ntoken_ttl: 5m\n# not %[1]s\n"
authorization: x-%[1]s
? %[1]s
: {a: b}
`, githubToken, b64("see "+githubToken)),
			want: map[string][]string{
				"note": github, "sentence": github, "list[1]": github, "args[1]": github, "env[0].value": github, "config": github,
				"coded": github, "document#note": github, "commented": github, "authorization": {"error secret-authorization"},
				`["***"]`: github,
			},
		},
		"StructureWins": {
			reason: "One secret is one finding, by the rule that says how it got there.",
			text: fmt.Sprintf(`
githubToken: %[1]s
env: [{name: GITHUB_TOKEN, value: %[1]s}]
args: [--token, %[1]s]
url: https://me:%[1]s@github.example.test
config: "level = debug\ngithub_token = %[1]s\n"
kind: Secret
data: {a: %[1]s}
`, githubToken),
			want: map[string][]string{
				"githubToken": namedKey, "env[0].value": namedEnv, "args[1]": argument, "url": inURL, "config": assignment, "data.a": object,
			},
		},
		"TwoSecrets": {
			reason: "Another secret on another line is another finding: what accepts the first must not hide it.",
			text:   "config: |\n  password = Xk29\n  user = " + githubToken + "\n",
			want:   map[string][]string{"config": {"error secret-assignment", "error " + leakPrefix + "github-pat"}},
		},
		"SurerRule": {
			reason: "Where two rules of gitleaks take the same bytes, the generic one is silent.",
			text:   "a: {access: " + githubToken + "}\nb: {access: " + randomValue + "}\n",
			want:   map[string][]string{"a.access": github, "b.access": generic},
		},
		"Names": {
			reason: "Some secrets are known by the vendor's name before them: of the key, the variable, the flag or the list.",
			text: fmt.Sprintf(`
adafruit: %[1]s
other: %[1]s
env: [{name: ADAFRUIT_ID, value: %[1]s}]
args: [--adafruit, %[1]s, --adafruit-id=%[1]s]
adafruitKeys: [a, %[1]s]
adafruitKey: {value: %[1]s}
adafruit-id: {content: %[1]s}
discord: {client: 1, discord_client: 123456789012345678}
`, adafruitKey),
			want: map[string][]string{
				"adafruit": leakHit("adafruit-api-key"), "env[0].value": leakHit("adafruit-api-key"), "args[1]": leakHit("adafruit-api-key"),
				"args[2]": leakHit("adafruit-api-key"), "adafruitKeys[1]": leakHit("adafruit-api-key"),
				"adafruitKey.value":   leakHit("adafruit-api-key"),
				"adafruit-id.content": leakHit("adafruit-api-key"), "discord.discord_client": leakHit("discord-client-id"),
			},
		},
		"NameFarAway": {
			reason: "Where gitleaks wants the vendor's name anywhere in the file, it may stand in another key.",
			text:   "airtable: {enabled: true}\nbases:\n- {name: one, id: " + airtableToken + "}\n",
			want:   map[string][]string{"bases[0].id": leakHit("airtable-personnal-access-token")},
		},
		"NoNameAnywhere": {
			reason: "Without the name it is not known.",
			text:   "bases:\n- {name: one, id: " + airtableToken + "}\n",
		},
		"Commits": {
			reason: "To gitleaks, with the word sourcegraph anywhere in the file, every commit is a token; to us only beside it.",
			text:   "ref: " + someCommit + "\nsourcegraph: {enabled: true}\ncode: sourcegraph " + someCommit + "\n",
			want:   map[string][]string{"code": leakHit("sourcegraph-access-token")},
		},
		"NotSilenced": {
			reason: "What is accepted stands in .apl.yaml with a reason; a mark of gitleaks beside the value accepts nothing.",
			text:   "note: '" + githubToken + " gitleaks:allow'\n",
			want:   map[string][]string{"note": github},
		},
		"BesideExpressions": {
			reason: "A Secret may hold expressions; a token beside one is still a token.",
			text:   "kind: Secret\nstringData: {a: '{{ .Values.x }}', b: '{{ .Values.x }} " + githubToken + "'}\n",
			want:   map[string][]string{"stringData.b": github},
		},
	})
}

// TestScanLeaksLookAlikes are values that gitleaks' generic rule takes for secrets, or would under such names.
func TestScanLeaksLookAlikes(t *testing.T) {
	runScan(t, map[string]scanCase{
		"Names": {
			reason: "A name of something is no secret, however random it looks (case E1).",
			text: fmt.Sprintf(`
authSecretName: tls-%[1]s
secretKeyRef: {key: %[1]s}
keyId: "2048"
tokenFile: %[1]s
authImageTag: %[1]s
apiVersion: gateway.networking.k8s.io/v1beta1
apiGroups: [cilium.io, operators.coreos.com/v1alpha1]
access: [ReadWriteOnce, ReadOnly1Many]
authConfigMap: oauth2-proxy-config-v2
authUrl: https://login.example.test/realms/x9
tokenEndpoint: login-%[1]s
`, "a9c4e7f2b5"),
		},
		"Digests": {
			reason: "A digest, a checksum, an identifier says nothing of what it stands for.",
			text: `
authImage: registry.example.test/auth@sha256:3f79bb7b435b05321651daefd374cd21b5e3c2c7f0b0a8d1b1e9f5b3c2d1e0a7
apiDigest: sha256:3f79bb7b435b05321651daefd374cd21b5e3c2c7f0b0a8d1b1e9f5b3c2d1e0a7
checksum/auth: 3f79bb7b435b05321651daefd374cd21b5e3c2c7f0b0a8d1b1e9f5b3c2d1e0a7
authTenant: 8c7e1a52-77aa-4f0e-9d2e-5b1c0a9e7f11
`,
		},
		"References": {
			reason: "Paths, templates and placeholders are no secrets (case E9).",
			text: `
access: /run/secrets/x9q4v1b8n3c6
authData: ${AUTH_DATA_X9Q4V1B8}
keyMaterial: '{{ .Values.x9q4v1b8 }}'
apiAccess: ref+vault://kv/web#/x9q4v1b8n3
authHeader: xxxxxxxxxxxxxxxx
script: "curl -u $USER:$PASS -H 'X-Api-Key: $KEY' http://x"
`,
		},
	})
}

func TestScanTextLeaks(t *testing.T) {
	text := "# as before:\n# note: " + githubToken + "\n# github_token = " + githubToken + "\n"
	want := []Hit{
		{Line: 2, Rule: leakPrefix + "github-pat", Severity: finding.Error},
		{Line: 3, Rule: RuleAssignment, Severity: finding.Error},
	}
	if diff := cmp.Diff(want, New().ScanText(text)); diff != "" {
		t.Errorf("in a comment, a line has one finding for each secret: -want, +got:\n%s", diff)
	}
}

func TestKnows(t *testing.T) {
	d := New()
	tests := map[string]struct {
		reason string
		want   bool
	}{
		RuleNamedKey:                            {"a structural rule can be accepted", true},
		"secret-gitleaks-github-pat":            {"a rule of gitleaks can be accepted, by its id", true},
		"secret-gitleaks-generic-api-key":       {"the generic one too", true},
		RuleGitleaks:                            {"all rules of gitleaks at once cannot", false},
		"secret-gitleaks-":                      {"a prefix is no rule", false},
		"secret-gitleaks-private-key":           {"a rule that never hits would accept nothing", false},
		"secret-gitleaks-hashicorp-tf-password": {"a rule for files of another kind never hits", false},
		"github-pat":                            {"gitleaks' own id is not how findings write it", false},
	}
	for rule, tc := range tests {
		if got := d.Knows(rule); got != tc.want {
			t.Errorf("Knows(%q) = %t: %s", rule, got, tc.reason)
		}
	}
}

// TestRulesCompile compiles what is compiled on first use, so that no rule of a new version of gitleaks fails in a scan.
func TestRulesCompile(t *testing.T) {
	l, err := loadLeakRules()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.allowed(); err != nil {
		t.Errorf("the lists for all rules: %v", err)
	}
	const fewest = 200
	if len(l.rules) < fewest {
		t.Errorf("gitleaks has %d rules for us, want %d or more", len(l.rules), fewest)
	}
	for _, r := range l.rules {
		p, err := r.pattern()
		if err != nil {
			t.Errorf("rule %s: %v", r.id, err)
			continue
		}
		if _, err := r.allowed(); err != nil {
			t.Errorf("the lists of rule %s: %v", r.id, err)
		}
		if len(p.RequiredRules) > 0 || p.SkipReport {
			t.Errorf("rule %s wants another rule beside it, which find does not ask for", r.id)
		}
		if len(p.Keywords) == 0 {
			t.Errorf("rule %s has no keyword, so that nothing calls it", r.id)
		}
	}
}

// TestUnreadableRules: what cannot be searched is never counted as searched.
func TestUnreadableRules(t *testing.T) {
	d := New()
	d.leaks = func() (*leakRules, error) { return nil, fmt.Errorf("no rules") }
	want := map[string][]string{"note": {"error secret-unscanned"}}
	if diff := cmp.Diff(want, byPlace(d.Scan(map[string]any{"note": "some ordinary text"}))); diff != "" {
		t.Errorf("Scan without gitleaks' rules: -want, +got:\n%s", diff)
	}
}

func TestKeywordsAreFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfNDistinct(rapid.StringMatching(`[abc_]{1,4}`), 1, 8, rapid.ID[string]).Draw(t, "words")
		text := rapid.StringMatching(`[abcABC_ .]{0,40}`).Draw(t, "text")
		type place struct{ Word, End int }
		var want, got []place
		for i, word := range words {
			for end := len(word); end <= len(text); end++ {
				if strings.EqualFold(text[end-len(word):end], word) {
					want = append(want, place{i, end})
				}
			}
		}
		last := 0
		newKeywords(words).find(text, func(word, end int) {
			if end < last {
				t.Fatalf("the ends of words come in order; %d came after %d", end, last)
			}
			last = end
			got = append(got, place{word, end})
		})
		order := func(a, b place) int { return 1000*(a.End-b.End) + a.Word - b.Word }
		slices.SortFunc(want, order)
		slices.SortFunc(got, order)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("words %q in %q: -want, +got:\n%s", words, text, diff)
		}
	})
}

// TestLeaksNearKeywords: reading only what is near a keyword finds what reading everything does.
func TestLeaksNearKeywords(t *testing.T) {
	l, err := loadLeakRules()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		for range rapid.IntRange(1, 5).Draw(t, "pieces") {
			text.WriteString(strings.Repeat(rapid.SampledFrom([]string{"level = debug\n", "a b. ", "x=1;"}).Draw(t, "filler"), random.IntN(100)))
			rule := rapid.SampledFrom(l.rules).Draw(t, "rule")
			if rule.id == "sourcegraph-access-token" {
				continue // to it every commit in the text is a token; to us only beside the word (TestScanLeaks, Commits)
			}
			p, err := rule.pattern()
			if err != nil {
				t.Fatal(err)
			}
			if planted, ok := draw(random, p.Rule); ok {
				text.WriteString(rapid.SampledFrom([]string{"\n", " ", "'", "; "}).Draw(t, "before") + planted.name + " = " + planted.secret + "\n" + planted.whole)
			}
		}
		var everywhere []leak
		for i, rule := range l.rules {
			p, err := rule.pattern()
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(p.Keywords, func(word string) bool { return strings.Contains(strings.ToLower(text.String()), word) }) {
				continue
			}
			found, err := l.find(i, text.String(), func(m leak) bool {
				return acceptLeak(rule.id, text.String()[m.matchAt:m.at], text.String()[m.at:m.to])
			})
			if err != nil {
				t.Fatal(err)
			}
			everywhere = append(everywhere, found...)
		}
		near, err := newLeakFinder(func() (*leakRules, error) { return l, nil }).find(label{}, text.String())
		if err != nil {
			t.Fatal(err)
		}
		order := func(a, b located) int { return a.at - b.at }
		want := l.locate(everywhere)
		slices.SortFunc(want, order)
		slices.SortFunc(near, order)
		if diff := cmp.Diff(want, near, cmp.AllowUnexported(located{})); diff != "" {
			t.Fatalf("-everywhere, +near keywords:\n%s\nin %q", diff, text.String())
		}
	})
}

// TestDetectorServesMany: scans at once find what each finds alone.
func TestDetectorServesMany(t *testing.T) {
	tree := map[string]any{"a": map[string]any{"note": githubToken, "access": randomValue}, "airtable": true, "id": airtableToken}
	want := byPlace(New().Scan(tree))
	d := New()
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if diff := cmp.Diff(want, byPlace(d.Scan(tree))); diff != "" {
				t.Errorf("a scan beside others: -want, +got:\n%s", diff)
			}
		})
	}
	group.Wait()
}
