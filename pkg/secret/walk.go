package secret

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

const (
	// maxDepth bounds the recursion; no chart nests its values a tenth as deep.
	maxDepth = 500
	// maxLevel bounds strings in documents in strings; each level reads the text once more.
	maxLevel = 3
	// minToken is the length of the shortest map key that is taken for a token.
	minToken = 16
	// masked stands for a map key that holds a secret itself.
	masked = "***"
)

// walker is one scan. path is where the walk stands; it is pushed and popped, and copied only into a Hit.
type walker struct {
	rules    []textRule
	leaks    *leakFinder
	tiers    map[string]tier
	keys     map[string]bool // whether a map key holds a secret itself
	path     values.Path
	label    label       // the name of the string at path, as far as it has one
	document values.Path // the string whose document is being walked, when level > 0 and embedded
	embedded bool
	level    int
	hits     []Hit
}

func (w *walker) push(s values.Step) { w.path = append(w.path, s) }
func (w *walker) pop()               { w.path = w.path[:len(w.path)-1] }

func (w *walker) report(rule string, v verdict) {
	if v == clean {
		return
	}
	h := Hit{Rule: rule, Severity: v.severity(), Path: slices.Clone(w.path)}
	if w.embedded {
		h.Path, h.Inside = w.document, slices.Clone(w.path)
	}
	w.hits = append(w.hits, h)
}

// tier is tierOf with a memory: the same few keys stand everywhere.
func (w *walker) tier(name string) tier {
	t, ok := w.tiers[name]
	if !ok {
		t = tierOf(name)
		w.tiers[name] = t
	}
	return t
}

func (w *walker) walk(v any, depth int) {
	switch v := v.(type) {
	case map[string]any:
		w.mapping(v, plain, depth)
	case []any:
		w.list(v, plain, depth)
	case string:
		w.text(v, false)
	}
}

// mapping walks a map. outer is the tier of the key that holds it, so that password: {value: x} is seen.
func (w *walker) mapping(m map[string]any, outer tier, depth int) {
	if depth > maxDepth {
		w.report(RuleUnscanned, literal)
		return
	}
	above := w.label
	judged := w.payloads(m, depth)
	pair, valueKey := namedPair(m)
	for k, v := range m {
		w.key(k)
		w.label = label{name: k}
		if outer == credential && isRandom(k, minToken) {
			w.path[len(w.path)-1].Key = masked // tokens: {<token>: user}
			w.report(RuleNamedKey, literal)
		}
		switch {
		case slices.Contains(judged, k):
		case k == "auths" && w.auths(v):
		case k == "encryptedData":
			w.encrypted(v, depth)
		case isDockerKey(k) && w.dockerConfig(v):
		case k == valueKey:
			t := w.tier(pair)
			if t == plain && outer != eitherOr { // credentials: [{name: user, value: admin}]
				t = outer
			}
			w.label = label{name: pair}
			w.entry(RuleNamedEnv, t, v, m, depth)
		case outer == passwords, outer != plain && holdsValue(k), (outer == eitherOr || outer == objectName) && isVariable(k):
			w.label = above
			w.entry(RuleNamedKey, outer, v, m, depth)
		case holdsValue(k):
			w.label = above
			w.entry(RuleNamedKey, plain, v, m, depth)
		case strings.EqualFold(k, "authorization"):
			w.header(v, depth)
		default:
			w.entry(RuleNamedKey, w.tier(k), v, m, depth)
		}
		w.pop()
	}
}

// key steps into a map's entry. A key can hold a secret too (registries by URL, scripts read as YAML); then no path may
// show it.
func (w *walker) key(k string) {
	w.push(values.Step{Key: k})
	holds, known := w.keys[k]
	switch {
	case len(k) < minText, known && !holds:
		return
	}
	at := len(w.hits)
	w.path[len(w.path)-1].Key, w.label = masked, label{}
	for _, folded := range foldings(k) {
		w.search(folded, func(reporter) {}, false)
	}
	w.keys[k] = len(w.hits) > at
	if !w.keys[k] {
		w.path[len(w.path)-1].Key = k
	}
}

// entry judges the value of a named entry; siblings is the map it stands in.
func (w *walker) entry(rule string, t tier, v any, siblings map[string]any, depth int) {
	switch v := v.(type) {
	case string:
		w.named(rule, t, v, siblings)
	case json.Number, float64, int64, int, uint64:
		// A password of digits is a password; max_tokens: 4096 is none.
		if t.digits() {
			w.report(rule, literal)
		} else if digits := wholeNumber(v); len(digits) >= minNumber {
			w.leak(digits, nil)
		}
	case []any:
		w.list(v, t, depth+1)
	case map[string]any:
		w.mapping(v, t, depth+1)
	}
}

// named judges a string by what it is, and by the name that it has: a PEM key under "password" is one hit, not two.
func (w *walker) named(rule string, t tier, s string, siblings map[string]any) {
	v := t.judge(s, siblings)
	if w.text(s, v != clean) < wellKnown {
		w.report(rule, v)
	}
}

// list walks a list. t is the tier of the key that holds it: passwords: [a, b]. An argument list is read in pairs,
// because a flag's value may be the element after it.
func (w *walker) list(items []any, t tier, depth int) {
	if depth > maxDepth {
		w.report(RuleUnscanned, literal)
		return
	}
	var args argumentReader
	list := label{name: w.label.name, listed: true}
	for i, item := range items {
		w.push(values.Step{Index: i, IsIndex: true})
		w.label = list
		if i > 0 {
			if flag, ok := items[i-1].(string); ok && isFlag(flag) {
				w.label = label{name: flag}
			}
		}
		if s, ok := item.(string); ok {
			if v := args.next(s); v != clean {
				w.report(RuleArgument, v)
			} else {
				w.named(RuleNamedKey, t, s, nil)
			}
		} else {
			w.entry(RuleNamedKey, t, item, nil, depth)
		}
		w.pop()
	}
}

// header judges the value of a map's key Authorization.
func (w *walker) header(v any, depth int) {
	if s, ok := v.(string); ok {
		v := judgeHeader(s)
		w.report(RuleAuthorization, v)
		if v == clean {
			w.leak(s, nil)
		}
		return
	}
	w.walk(v, depth+1)
}

// encrypted walks the encryptedData of a SealedSecret: what is long base64 there is sealed, whatever its key is called.
func (w *walker) encrypted(v any, depth int) {
	m, ok := v.(map[string]any)
	if !ok {
		w.walk(v, depth+1)
		return
	}
	for k, v := range m {
		s, ok := v.(string)
		if ok && isSealed(s) {
			continue
		}
		w.key(k)
		w.label = label{name: k}
		w.entry(RuleNamedKey, w.tier(k), v, m, depth+1)
		w.pop()
	}
}

// namedPair returns the name of a list entry such as an env variable and the key that holds its value, both empty when
// m is no such entry.
func namedPair(m map[string]any) (name, valueKey string) {
	if _, ok := m["value"]; !ok {
		return "", ""
	}
	for _, k := range []string{"name", "key", "Name", "envName", "type"} {
		if name, ok := m[k].(string); ok {
			return name, "value"
		}
	}
	return "", ""
}

// isVariable tells the names of environment variables: charts make a Secret of what stands under secrets: or secretEnv:.
func isVariable(key string) bool { return len(key) > 1 && upperVariable.MatchString(key) }

// holdsValue tells the keys under which a map that stands for one value holds that value.
func holdsValue(key string) bool {
	switch key {
	case "value", "plaintext", "plainText", "literal", "raw", "content":
		return true
	}
	return false
}
