package values

import (
	"encoding/json"
	"math"
	"math/big"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestEqual(t *testing.T) {
	type tree = map[string]any
	cases := map[string]struct {
		reason string
		a, b   any
		want   bool
	}{
		"Spellings":        {"numbers are compared by value", json.Number("493"), json.Number("4.93e2"), true},
		"Types":            {"whatever Go type holds them", json.Number("7"), 7.0, true},
		"Integers":         {"so are Go's integers", int64(7), uint64(7), true},
		"Int":              {"of every size in use", int32(7), 7, true},
		"BeyondFloat64":    {"to the last digit", json.Number("9007199254740993"), json.Number("9007199254740992"), false},
		"FloatBeyond":      {"a float64 has the digits that it prints", json.Number("9007199254740993"), 9007199254740992.0, false},
		"Huge":             {"of any size", json.Number("1e400"), json.Number("10e399"), true},
		"HugeExponent":     {"without writing them out", json.Number("1e999999999"), json.Number("1e-999999999"), false},
		"NegativeZero":     {"a float's zero has a sign", json.Number("-0"), json.Number("0"), false},
		"NegativeZeroes":   {"in both types", json.Number("-0"), math.Copysign(0, -1), true},
		"NumberAndText":    {"text is no number", json.Number("1"), "1", false},
		"BoolAndText":      {"nor a boolean", true, "true", false},
		"NullAndText":      {"nor null", nil, "", false},
		"NullAndMissing":   {"a null is not a missing key", tree{"a": nil}, tree{}, false},
		"MissingAndNull":   {"the other way round", tree{"b": 1}, tree{"a": nil}, false},
		"NullAndEmptyMap":  {"nor an empty map", nil, tree{}, false},
		"EmptyMapAndList":  {"an empty map is not an empty list", tree{}, []any{}, false},
		"NilMap":           {"a nil map is an empty one", tree(nil), tree{}, true},
		"Order":            {"lists have an order", []any{1, 2}, []any{2, 1}, false},
		"Length":           {"and a length", []any{1}, []any{1, 1}, false},
		"Deep":             {"trees are compared to the leaves", tree{"a": []any{tree{"b": 1.5}}}, tree{"a": []any{tree{"b": json.Number("15e-1")}}}, true},
		"DeepDifference":   {"and differ there", tree{"a": []any{tree{"b": 1.5}}}, tree{"a": []any{tree{"b": 1.6}}}, false},
		"UnknownTypes":     {"what is no JSON value equals nothing", struct{}{}, struct{}{}, false},
		"ListAndMap":       {"a list is not a map", []any{}, tree{}, false},
		"Infinite":         {"an infinite number is itself", math.Inf(1), math.Inf(1), true},
		"InfiniteNegative": {"and not its opposite", math.Inf(1), math.Inf(-1), false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := Equal(tc.a, tc.b); got != tc.want {
				t.Errorf("%s: Equal(%v, %v) is %v", tc.reason, tc.a, tc.b, got)
			}
			if got := Equal(tc.b, tc.a); got != tc.want {
				t.Errorf("%s: Equal(%v, %v) is %v", tc.reason, tc.b, tc.a, got)
			}
		})
	}
}

func TestEqualIsAnEquivalence(t *testing.T) {
	texts := rapid.SampledFrom([]string{"", "1", "a"})
	rapid.Check(t, func(t *rapid.T) {
		tree := anyTree(texts).Draw(t, "a")
		a, b, c := tree, respell(t, tree), respell(t, tree)
		if chance(t, 3, "other") {
			c = anyTree(texts).Draw(t, "c")
		}
		switch {
		case !Equal(a, a) || !Equal(b, b) || !Equal(c, c):
			t.Fatalf("not reflexive")
		case Equal(a, b) != Equal(b, a) || Equal(b, c) != Equal(c, b):
			t.Fatalf("not symmetric")
		case Equal(a, b) && Equal(b, c) && !Equal(a, c):
			t.Fatalf("not transitive: %#v %#v %#v", a, b, c)
		case !Equal(a, b):
			t.Fatalf("another spelling is another tree: %#v %#v", a, b)
		}
	})
}

// respell changes the Go types and spellings of a tree's numbers, not their values.
func respell(t *rapid.T, v any) any {
	switch x := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, item := range x {
			out[k] = respell(t, item)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, item := range x {
			out[i] = respell(t, item)
		}
		return out
	case int64:
		return json.Number(big.NewInt(x).String() + rapid.SampledFrom([]string{"", ".0", "e0", ".00e+0"}).Draw(t, "tail"))
	case float64:
		b, err := json.Marshal(x)
		if err != nil {
			return x
		}
		return json.Number(b)
	}
	return v
}

// TestCanonicalIsExact compares canonical digits with math/big on the number spellings of YAML 1.1.
func TestCanonicalIsExact(t *testing.T) {
	forms := []string{
		`[-+]?[0-9][0-9_]{0,25}`, `[-+]?0[0-7]{1,22}`, `[-+]?0x[0-9a-fA-F]{1,16}`, `[-+]?0b[01]{1,20}`, `[-+]?0o[0-7]{1,20}`,
		`[-+]?[0-9_]{0,3}[0-9]{1,20}\.[0-9]{0,20}`, `[-+]?\.[0-9]{1,20}`, `[-+]?[0-9]{1,20}(\.[0-9]{0,5})?[eE][-+]?[0-9]{1,2}`,
		`[-+]?(1|10|100|1000)0{0,3}(\.0{0,3})?(e[-+]?[0-4])?`, `0{1,3}(1|2)(\.0)?`,
	}
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) string {
			return rapid.StringMatching(rapid.SampledFrom(forms).Draw(t, label+" form")).Draw(t, label)
		}
		a, b := draw("a"), draw("b")
		x, okA := exactly(a)
		y, okB := exactly(b)
		if !okA || !okB {
			return
		}
		same := x.Cmp(y) == 0 && negativeZero(x, a) == negativeZero(y, b)
		if got := canonical(a) == canonical(b); got != same {
			t.Fatalf("%s and %s: canonical %s and %s, exactly %s and %s", a, b, canonical(a), canonical(b), x, y)
		}
		var read []any
		if err := decode([]byte("- "+a+"\n- "+b+"\n"), &read); err != nil {
			t.Fatalf("Helm's parser: %v", err)
		}
		for i, text := range []string{a, b} {
			n, ok := read[i].(json.Number)
			if !ok {
				continue // text to Helm, such as 0x with too many digits
			}
			f, err := n.Float64()
			exact, _ := exactly(text)
			if want, _ := exact.Float64(); err != nil || f != want {
				t.Fatalf("Helm reads %s as %s, exactly it is %s", text, n, exact)
			}
		}
	})
}

// exactly reads a number with math/big as Helm's parser does: whole numbers of 64 bits in the base that their prefix
// says, everything else as decimal. It says false to what is a number in no base.
func exactly(text string) (*big.Rat, bool) {
	plain := strings.ReplaceAll(text, "_", "")
	if i, ok := new(big.Int).SetString(plain, 0); ok && (i.IsInt64() || i.IsUint64() && plain[0] != '+') {
		return new(big.Rat).SetInt(i), true
	}
	if !regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`).MatchString(plain) {
		return nil, false
	}
	return new(big.Rat).SetString(strings.TrimSuffix(strings.Replace(plain, ".e", "e", 1), "."))
}

// negativeZero tells whether a text is the float -0.
func negativeZero(n *big.Rat, text string) bool {
	plain := strings.ReplaceAll(text, "_", "")
	_, whole := new(big.Int).SetString(plain, 0)
	return n.Sign() == 0 && text[0] == '-' && !whole
}
