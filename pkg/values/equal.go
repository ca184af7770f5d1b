package values

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
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
		if n == "-0" { // JSON's, a float with a sign that templates print; in YAML text -0 is the integer 0
			return "-0", true
		}
		return canonical(string(n)), true
	case float64:
		if n == 0 && math.Signbit(n) {
			return "-0", true
		}
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

// sameDigits tells whether the numbers in v, which stand at a and b in two texts and are equal in both trees, have the
// same digits there too: a tree has lost those beyond float64. Where there is no node the tree's own digits count.
func sameDigits(v any, a, b *yamlv3.Node) bool {
	switch x := v.(type) {
	case map[string]any:
		inA, inB := valueNodes(a), valueNodes(b)
		for k, item := range x {
			if !sameDigits(item, inA[k], inB[k]) {
				return false
			}
		}
	case []any:
		for i, item := range x {
			if !sameDigits(item, itemNode(a, i), itemNode(b, i)) {
				return false
			}
		}
	case json.Number:
		return spelling(a, x) == spelling(b, x)
	}
	return true
}

// spelling returns the canonical digits of a number as its node has them. They count only while Helm reads the node
// as n: a tree can have been changed since.
func spelling(node *yamlv3.Node, n json.Number) string {
	own, _ := digits(n)
	node = followed(node)
	if node == nil || node.Kind != yamlv3.ScalarNode || node.Style != 0 {
		return own
	}
	if text := canonical(node.Value); text != own && readsAs(node.Value, n) {
		return text
	}
	return own
}

// lossyNumber tells whether a plain scalar can be a number with more digits than the float64 that Helm makes of it. It
// says yes to some that have not.
func lossyNumber(text string) bool {
	if text == "" || text[0] > '9' || strings.IndexByte("+-.0123456789", text[0]) < 0 {
		return false
	}
	return len(text) > 15 || strings.ContainsAny(text, "eE")
}
