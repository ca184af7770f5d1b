package secret

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// harmless draws a tree in which nothing is secret: plain keys and values, and references under secret names.
func harmless(t *rapid.T, depth int) any {
	kinds := 5
	if depth == 0 {
		kinds = 3
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return rapid.SampledFrom([]any{true, nil, 3.5, "", "debug", "10m", "{{ .Values.a }}", "/etc/app/x.yaml", "https://host.test:8443/x"}).Draw(t, "scalar")
	case 1:
		return rapid.StringMatching(`[a-z]{1,8}`).Draw(t, "word")
	case 2:
		return map[string]any{
			rapid.SampledFrom([]string{"password", "clientSecret", "API_KEY", "token"}).Draw(t, "name"): rapid.SampledFrom(
				[]any{"", nil, true, "$(X)", "${X}", "{{ .x }}", "/run/secrets/x", "ref+vault://a", "***"}).Draw(t, "reference"),
		}
	case 3:
		items := rapid.IntRange(0, 3).Draw(t, "items")
		list := make([]any, 0, items)
		for range items {
			list = append(list, harmless(t, depth-1))
		}
		return list
	default:
		m := map[string]any{}
		for range rapid.IntRange(0, 4).Draw(t, "entries") {
			m[rapid.StringMatching(`[a-j]{1,6}`).Draw(t, "key")] = harmless(t, depth-1)
		}
		return m
	}
}

// plant returns the tree with a secret somewhere in it, the secret's place, and its rule.
func plant(t *rapid.T, tree any, path values.Path) (any, values.Path, string) {
	switch v := tree.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			if strings.Trim(k, "abcdefghij") == "" {
				keys = append(keys, k)
			}
		}
		slices.Sort(keys)
		if len(keys) > 0 && rapid.Bool().Draw(t, "deeper") {
			k := rapid.SampledFrom(keys).Draw(t, "into")
			planted, at, rule := plant(t, v[k], path.Key(k))
			v[k] = planted
			return v, at, rule
		}
	case []any:
		if len(v) > 0 && rapid.Bool().Draw(t, "deeper") {
			i := rapid.IntRange(0, len(v)-1).Draw(t, "into")
			planted, at, rule := plant(t, v[i], path.Index(i))
			v[i] = planted
			return v, at, rule
		}
	}
	value := rapid.StringMatching(`[A-Z][a-z]{2}[0-9]{3}[a-zA-Z0-9]{4,12}`).Draw(t, "secret")
	switch rapid.IntRange(0, 5).Draw(t, "form") {
	case 0:
		return map[string]any{"password": value}, path.Key("password"), RuleNamedKey
	case 1:
		return map[string]any{"name": "X_TOKEN", "value": value}, path.Key("value"), RuleNamedEnv
	case 2:
		return "redis://:" + value + "@cache:6379/0", path, RuleURLPassword
	case 3:
		return "--client-secret=" + value, path, RuleArgument
	case 4:
		return strings.ReplaceAll(testKey, "\n", rapid.SampledFrom([]string{"\n", `\n`, "\r\n", "\n  "}).Draw(t, "break")), path, RulePrivateKey
	default:
		if rapid.Bool().Draw(t, "object") {
			return map[string]any{"kind": "Secret", "data": map[string]any{"p": b64(value)}}, path.Key("data").Key("p"), RuleObject
		}
		return "see " + drawToken(t) + " there", path, leakPrefix + "github-pat"
	}
}

// drawToken draws what GitHub would give out.
func drawToken(t *rapid.T) string {
	return "gh" + "p_" + rapid.StringMatching(`[a-z]{2}[A-Z]{2}[0-9]{2}[a-zA-Z0-9]{30}`).Draw(t, "token")
}

func TestHarmlessTreesHaveNoHits(t *testing.T) {
	d := New()
	rapid.Check(t, func(t *rapid.T) {
		tree := harmless(t, 4)
		if hits := d.Scan(tree); len(hits) != 0 {
			t.Fatalf("references and plain values are no secrets; got %v in %v", byPlace(hits), tree)
		}
	})
}

func TestPlantedSecretsAreFound(t *testing.T) {
	d := New()
	rapid.Check(t, func(t *rapid.T) {
		tree, at, rule := plant(t, harmless(t, 4), values.Path{})
		want := []Hit{{Path: at, Rule: rule, Severity: finding.Error}}
		if diff := cmp.Diff(byPlace(want), byPlace(d.Scan(tree))); diff != "" {
			t.Fatalf("one planted secret is the one hit, at its place: -want, +got:\n%s\nin %v", diff, tree)
		}
		// The same tree as text in a string: found by the same rule, or by that for text where no document is seen in it.
		text, err := yaml.Marshal(tree)
		if err != nil {
			t.Fatalf("write tree: %v", err)
		}
		hits := d.Scan(map[string]any{"file": string(text)})
		if len(hits) != 1 || hits[0].Severity != finding.Error || hits[0].Rule != rule && hits[0].Rule != RuleAssignment {
			t.Fatalf("a document in a string is searched as the tree is; got %v, want %s in:\n%s", byPlace(hits), rule, text)
		}
	})
}

// TestTimeIsLinear holds texts that cost a quadratic rule minutes against a bound that a linear one never nears.
func TestTimeIsLinear(t *testing.T) {
	const size, bound = 1 << 17, 20 * time.Second
	d := New()
	for _, unit := range []string{
		"://", "a://", "a://b:", "a://b:c#", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "password=", "password: ", "=", `":"`,
		`"password":"`, "'", `"`, `x' "`, "--password ", "authorization: ", "bearer ", "{{", "${", "$(", "<", "kind: Secret\n",
		"data:\n", "- ", "\n", "# ", "a: &a [secret]\n", "{secret: ", "[", "A", "secretSecret", "_pw_",
		"password: |\n", "password:\n x\n", "- name: pw\n", "value: x\n", "{password: ", ", pw: x", "</pw>", "<pw>x</pw>", "{{ default \"", "# ", "#",
		"the password is ", "password -> ", "pw := ", "a b pw:", " is", "\u200b", "pw\u00a0: ", "api_key: x9 ", "key", "curl ", "airtable ", `{{ "x" }}`, `{{ "`, "{{ \"x\" | a",
	} {
		text := strings.Repeat(unit, size/len(unit))
		start := time.Now()
		d.Scan(map[string]any{"password": text, text[:min(len(text), 1<<15)]: []any{text}})
		d.ScanText(text)
		if took := time.Since(start); took > bound {
			t.Errorf("a text of %q took %v", unit, took)
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, seed := range []string{
		"password: a1", "a: |\n  kind: Secret\n  data: {p: dw==}\n", "- --token\n- x\n", "x: redis://:a@b", "auths: {a: {auth: YTpi}}",
		"# password: a1", "a: \"-----BEGIN PRIVATE KEY-----\\nMIIE\"", "kind: SecretList\nitems: [{data: {p: a}}]", "{{ x }}\nkind: Secret\ndata:\n  p: a",
		"\"://\": \"\"", "a: !!binary dw==", "Authorization: Bearer", "a: ${PW:-x}", "? [a]\n: b",
	} {
		f.Add(seed)
	}
	d := New()
	f.Fuzz(func(t *testing.T, text string) {
		var tree any
		if err := yaml.Unmarshal([]byte(text), &tree); err != nil {
			tree = nil
		}
		input := map[string]any{"file": text, "password": text, text: tree, "tree": tree}
		hits := d.Scan(input)
		if diff := cmp.Diff(fmt.Sprint(hits), fmt.Sprint(d.Scan(input))); diff != "" {
			t.Errorf("two scans of one tree differ: -first, +second:\n%s", diff)
		}
		last := strings.Count(text, "\n") + 1
		for _, h := range d.ScanText(text) {
			if h.Line < 1 || h.Line > last || h.Path != nil {
				t.Errorf("a hit of %s stands in line %d of %d", h.Rule, h.Line, last)
			}
		}
	})
}
