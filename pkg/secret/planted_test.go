package secret

import (
	"fmt"
	"math/rand/v2"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/zricethezav/gitleaks/v8/config"
	"github.com/zricethezav/gitleaks/v8/detect"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// planting is a secret as a rule of gitleaks knows it: a name that calls the rule, the secret itself, and a whole text
// that the rule's expression matches.
type planting struct{ name, secret, whole string }

// draw makes one from the rule's expression; ok is false when it is none, as where the secret would break the line.
func draw(r *rand.Rand, rule config.Rule) (p planting, ok bool) {
	tree, err := syntax.Parse(rule.Regex.String(), syntax.Perl)
	if err != nil {
		return planting{}, false
	}
	p.whole = strings.Trim(sample(r, tree), " \n")
	if rule.RuleID == "private-key" {
		// Letters at random between two headers are no key to us. A key has lines of base64.
		line := strings.Repeat("MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", 2)
		p.whole = "-----BEGIN RSA PRIVATE KEY-----\\n" + line + "\\n-----END RSA PRIVATE KEY-----"
	}
	p.name = rule.Keywords[r.IntN(len(rule.Keywords))]
	groups := rule.Regex.FindStringSubmatch(p.whole)
	if groups == nil {
		return planting{}, false
	}
	p.secret = groups[0]
	if rule.SecretGroup > 0 {
		p.secret = groups[rule.SecretGroup]
	} else if i := slices.IndexFunc(groups[1:], func(s string) bool { return s != "" }); i >= 0 {
		p.secret = groups[1+i]
	}
	return p, p.secret != "" && !strings.ContainsFunc(p.whole, func(c rune) bool { return c < ' ' || c > '~' })
}

// shapes are the places of a values file that a secret can stand in.
func shapes() map[string]func(p planting) string {
	quoted := func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
	upper := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r < unicode.MaxASCII && isAlnum(byte(r)) {
				return unicode.ToUpper(r)
			}
			return '_'
		}, s)
	}
	return map[string]func(p planting) string{
		"TellingName":  func(p planting) string { return quoted(p.name+"_api_token") + ": " + quoted(p.secret) + "\n" },
		"VendorsName":  func(p planting) string { return quoted(p.name) + ": " + quoted(p.secret) + "\n" },
		"Unquoted":     func(p planting) string { return quoted(p.name+"Value") + ": " + p.secret + "\n" },
		"NoName":       func(p planting) string { return "note: " + quoted(p.secret) + "\n" },
		"Sentence":     func(p planting) string { return "note: " + quoted("use "+p.secret+" for now") + "\n" },
		"Whole":        func(p planting) string { return "note: " + quoted(p.whole) + "\n" },
		"MapKey":       func(p planting) string { return quoted(p.secret) + ": {a: b}\n" },
		"FlagEquals":   func(p planting) string { return "args: [run, " + quoted("--"+p.name+"-value="+p.secret) + "]\n" },
		"FlagAndValue": func(p planting) string { return "args: [" + quoted("--"+p.name) + ", " + quoted(p.secret) + "]\n" },
		"ListItem":     func(p planting) string { return "list:\n- some\n- " + quoted(p.secret) + "\n" },
		"ConfigFile": func(p planting) string {
			return "config: |\n  level = debug\n  " + p.name + ".id = " + p.secret + "\n  root = /\n"
		},
		"ConfigQuoted":  func(p planting) string { return "config: |\n  level = debug\n  " + p.name + "=\"" + p.secret + "\"\n" },
		"WholeInScript": func(p planting) string { return "script: |\n  set -e\n  " + p.whole + "\n  exit 0\n" },
		"Document": func(p planting) string {
			return "extra: |\n  apiVersion: v1\n  kind: ConfigMap\n  data:\n    token_ttl: 5m\n    " + quoted(p.name) + ": " + quoted(p.secret) + "\n"
		},
		"JSON": func(p planting) string {
			return "json: " + quoted(fmt.Sprintf("{\"level\": 1, %q: %q}", p.name, p.secret)) + "\n"
		},
		"Env": func(p planting) string {
			return "env:\n- name: " + upper(p.name) + "_ID\n  value: " + quoted(p.secret) + "\n"
		},
		"EnvFlow":    func(p planting) string { return "env: [{name: A, value: " + quoted(p.secret) + "}]\n" },
		"Comment":    func(p planting) string { return "a: b\n# " + p.name + " = " + p.secret + "\nc: d\n" },
		"OldValue":   func(p planting) string { return "a: b\n# " + p.name + ": \"" + p.secret + "\"\nc: d\n" },
		"EndOfLine":  func(p planting) string { return "a: b # " + p.whole + "\nc: d\n" },
		"InAComment": func(p planting) string { return "# not " + p.secret + " any more\na: b\n" },
	}
}

// scanFile searches a values file as a migration does: its values and its comments. It returns the rules that hit; ok is
// false when the text is no YAML.
func scanFile(d *Detector, text string) (rules []string, ok bool) {
	doc, err := values.Parse("values.yaml", []byte(text))
	if err != nil {
		return nil, false
	}
	for _, h := range d.Scan(doc.Values) {
		rules = append(rules, h.Rule)
	}
	doc.Comments(func(_ int, comment string) {
		for _, h := range d.ScanText(comment) {
			rules = append(rules, h.Rule)
		}
	})
	return rules, true
}

// notOurs are the rules of gitleaks that no hit of ours names, each with the reason.
func notOurs() map[string]string {
	const otherFile = "it is for files of another kind, told by their name"
	return map[string]string{
		"freemius-secret-key":    otherFile,
		"hashicorp-tf-password":  otherFile,
		"nuget-config-password":  otherFile,
		"pkcs12-file":            otherFile,
		"kubernetes-secret-yaml": "an object of kind Secret is found by its structure (secret-object)",
		"private-key":            "a private key is told from a mention of its header (secret-private-key)",
	}
}

// shadowed are the rules that always share their bytes with a surer one, which is the one that hits.
func shadowed() map[string]string {
	return map[string]string{
		"age-secret-key":                              "secret-private-key",
		"bittrex-secret-key":                          "bittrex-access-key has the same expression",
		"gitlab-pat-routable":                         "gitlab-pat matches its beginning",
		"gitlab-runner-authentication-token-routable": "gitlab-runner-authentication-token matches its beginning",
		"flutterwave-secret-key":                      "flutterwave-encryption-key matches its beginning",
		"sidekiq-sensitive-url":                       "secret-url-password",
	}
}

// TestEveryRuleOfGitleaks plants secrets of every rule in a values file, in many shapes, and lets gitleaks' own engine read
// the file as a whole. What it finds we must find: by the same rule, by a structural one, or by another of gitleaks' that
// it reports as well.
func TestEveryRuleOfGitleaks(t *testing.T) {
	oracle, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		t.Fatal(err)
	}
	whole := func(text string) (ids []string) {
		for _, f := range oracle.Detect(detect.Fragment{Raw: text, FilePath: "env/values/a/b/values.custom.yaml"}) { //nolint:staticcheck // the type that this version's Detect takes
			ids = append(ids, f.RuleID)
		}
		return ids
	}
	d := New()
	for _, id := range oracle.Config.OrderedRules {
		if notOurs()[id] != "" && id != "private-key" {
			continue
		}
		r := rand.New(rand.NewPCG(8, uint64(len(id))))
		found, named := 0, 0
		for range 2 {
			p := plantable(t, r, oracle.Config.Rules[id], whole)
			for shape, write := range shapes() {
				text := write(p)
				got, ok := scanFile(d, text)
				theirs := whole(text)
				if !ok || !slices.Contains(theirs, id) {
					continue
				}
				found++
				switch {
				case slices.Contains(got, leakPrefix+id):
					named++
				case !slices.ContainsFunc(got, func(rule string) bool {
					other, isLeak := strings.CutPrefix(rule, leakPrefix)
					return !isLeak || slices.Contains(theirs, other)
				}):
					t.Errorf("gitleaks finds a secret of %s on the whole file and we find %q, planted as %s:\n%s", id, got, shape, text)
				}
			}
		}
		if found < 3 {
			t.Errorf("gitleaks finds the planted secrets of %s in %d places only, which shows too little", id, found)
		}
		if hidden := shadowed()[id] != "" || notOurs()[id] != ""; hidden == (named > 0) {
			t.Errorf("rule %s is the one that hits %d times of %d; the list of what is shadowed says %t", id, named, found, hidden)
		}
	}
}

// plantable draws until gitleaks' engine takes the secret for one.
func plantable(t *testing.T, r *rand.Rand, rule config.Rule, whole func(string) []string) planting {
	t.Helper()
	const tries = 500
	for range tries {
		p, ok := draw(r, rule)
		if ok && slices.Contains(whole("# "+p.name+"\nnote: |\n  "+p.whole+"\n"), rule.RuleID) {
			return p
		}
	}
	t.Fatalf("none of %d texts of rule %s is a secret to gitleaks", tries, rule.RuleID)
	return planting{}
}
