package secret

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// leak reports at the place where the walk stands what gitleaks' rules find in a string.
func (w *walker) leak(s string, taken map[int]bool) {
	seen := map[string]bool{}
	for _, l := range w.leaks.open(w.label, s, taken) {
		if !seen[l.rule] {
			seen[l.rule] = true
			w.report(l.rule, literal)
		}
	}
}

// wholeNumber returns the digits of a number that has no fraction, and "" for any other.
func wholeNumber(v any) string {
	switch v := v.(type) {
	case json.Number:
		if strings.Trim(v.String(), "0123456789") == "" {
			return v.String()
		}
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1e20 {
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
	case int64, int, uint64:
		return fmt.Sprint(v)
	}
	return ""
}
