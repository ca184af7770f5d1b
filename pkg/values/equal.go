package values

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
)

// Equal tells whether two values trees mean the same to Helm and, for numbers, say the same with their digits:
// 493 equals 0755, 1.0 equals 1, but 9007199254740993 is not 9007199254740992 although Helm's float64 is.
// Numbers may be json.Number, float64 or Go integers. A null and a missing key differ, as do {} and null.
func Equal(a, b any) bool {
	switch x := a.(type) {
	case nil:
		return b == nil
	case string:
		y, ok := b.(string)
		return ok && x == y
	case bool:
		y, ok := b.(bool)
		return ok && x == y
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k, v := range x {
			w, ok := y[k]
			if !ok || !Equal(v, w) {
				return false
			}
		}
		return true
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !Equal(x[i], y[i]) {
				return false
			}
		}
		return true
	}
	x, okX := digits(a)
	y, okY := digits(b)
	return okX && okY && x == y
}

// digits returns the canonical digits of a number, false for what is none.
func digits(v any) (string, bool) {
	switch n := v.(type) {
	case json.Number:
		return canonical(string(n)), true
	case float64:
		return canonical(strconv.FormatFloat(n, 'g', -1, 64)), true
	case int, int64, uint64, int32:
		return canonical(fmt.Sprint(n)), true
	}
	return "", false
}

var decimal = regexp.MustCompile(`^([-+]?)([0-9]*)\.?([0-9]*)(?:[eE]([-+]?[0-9]+))?$`)

// canonical writes a YAML 1.1 number (go-yaml v2's forms: 0x, 0b, 0o and 0 prefixes, underscores) so that equal
// numbers have equal text, whatever their size: sign, digits without zeros at either end, "e", exponent. Working on
// the digits keeps 1e-999999999 from becoming a number with a billion of them.
func canonical(text string) string {
	plain := strings.ReplaceAll(text, "_", "")
	if i, err := strconv.ParseInt(plain, 0, 64); err == nil {
		plain = strconv.FormatInt(i, 10)
	} else if u, err := strconv.ParseUint(plain, 0, 64); err == nil {
		plain = strconv.FormatUint(u, 10)
	}
	m := decimal.FindStringSubmatch(plain)
	if m == nil {
		return text
	}
	exponent := 0
	if m[4] != "" {
		e, err := strconv.Atoi(m[4])
		if err != nil {
			return text
		}
		exponent = e
	}
	sign := strings.TrimPrefix(m[1], "+")
	exponent -= len(m[3])
	all := strings.TrimLeft(m[2]+m[3], "0")
	kept := strings.TrimRight(all, "0")
	if kept == "" {
		return sign + "0"
	}
	return sign + kept + "e" + strconv.Itoa(exponent+len(all)-len(kept))
}

// comparison is Equal for two documents: where both trees hold the same float, the digits of their texts decide,
// since the tree has lost those beyond float64.
type comparison struct {
	a, b *Document
}

// equal tells whether a, at path in both documents, and b mean and say the same.
func (c comparison) equal(a, b any, path Path) bool {
	return Equal(a, b) && (!holdsFloat(a) || c.spelledAlike(a, path))
}

func holdsFloat(v any) bool {
	switch x := v.(type) {
	case map[string]any:
		for _, item := range x {
			if holdsFloat(item) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(x, holdsFloat)
	case json.Number:
		return strings.ContainsAny(string(x), ".eE")
	}
	return false
}

func (c comparison) spelledAlike(v any, path Path) bool {
	switch x := v.(type) {
	case map[string]any:
		for k, item := range x {
			if !c.spelledAlike(item, path.Key(k)) {
				return false
			}
		}
	case []any:
		for i, item := range x {
			if !c.spelledAlike(item, path.Index(i)) {
				return false
			}
		}
	case json.Number:
		return c.a.spelling(path, x) == c.b.spelling(path, x)
	}
	return true
}

// spelling returns the canonical digits of a number as the text has them, or as the tree has them without text.
func (d *Document) spelling(path Path, n json.Number) string {
	if node := d.node(path); node != nil && node.Kind == yamlv3.ScalarNode && node.Style == 0 {
		return canonical(node.Value)
	}
	return canonical(string(n))
}
