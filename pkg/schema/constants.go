package schema

import (
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
)

// decimal is a text that Helm's library takes for a number where it compares a number with it.
var decimal = regexp.MustCompile(`\A[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,6})?\z`)

// constants makes the library compare as Helm's does: a number of the values is equal to a text of the schema that looks
// like it (the text of the values is not equal to a number of the schema).
func (r *rewriter) constants(m map[string]any) {
	if v, ok := m["const"].(string); ok && r.draft != 4 {
		if n, ok := numberOf(v); ok && also(m, map[string]any{"enum": []any{v, n}}) {
			delete(m, "const")
		}
	}
	list, ok := m["enum"].([]any)
	switch {
	case !ok:
	case len(list) > 0:
		m["enum"] = r.enum(list)
	case r.draft == 0: // nothing fits; the library takes it for no enum at all
		if also(m, map[string]any{"not": map[string]any{}}) {
			delete(m, "enum")
		}
	}
}

// enum adds the numbers that texts look like, where there are numbers: without any, Helm's library does not compare
// numbers with texts. Drafts to 7 want the items unique, by the same comparison with those before.
func (r *rewriter) enum(list []any) []any {
	if !slices.ContainsFunc(list, isNumber) {
		return list
	}
	out := slices.Clone(list)
	for i, item := range list {
		s, ok := item.(string)
		if !ok {
			continue
		}
		n, ok := numberOf(s)
		if !ok {
			continue
		}
		has := func(v any) bool { return sameNumber(v, n) }
		if r.draft != 0 && slices.ContainsFunc(list[i+1:], has) {
			return []any{} // which the metaschema refuses too
		}
		if !slices.ContainsFunc(out, has) {
			out = append(out, n)
		}
	}
	return out
}

// also holds values to one more schema, unless allOf is none.
func also(m, sub map[string]any) bool {
	v, has := m["allOf"]
	list, ok := v.([]any)
	if has && (!ok || len(list) == 0) {
		return false
	}
	m["allOf"] = append(slices.Clip(list), sub)
	return true
}

func isNumber(v any) bool {
	_, ok := v.(json.Number)
	return ok
}

// numberOf returns the number that a text looks like.
func numberOf(s string) (json.Number, bool) {
	if !decimal.MatchString(s) {
		return "", false
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return "", false
	}
	digits, exact := r.FloatPrec()
	if !exact || digits > 1000 || r.Num().BitLen() > 10_000 {
		return "", false
	}
	return json.Number(r.FloatString(digits)), true
}

func sameNumber(v any, n json.Number) bool {
	m, ok := v.(json.Number)
	if !ok {
		return false
	}
	a, ok := new(big.Rat).SetString(m.String())
	b, also := new(big.Rat).SetString(n.String())
	return ok && also && a.Cmp(b) == 0
}
