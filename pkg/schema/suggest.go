package schema

import "strings"

const (
	maxKeyLength = 100 // longer keys are not compared
	maxKnown     = 2_000
)

// Nearest returns the key that was likely meant: the same but for case, or with few letters to change. "" for none; of
// equally near ones the first.
func Nearest(key string, known []string) string {
	if len(key) > maxKeyLength || len(known) > maxKnown {
		return ""
	}
	best, limit := "", min(max(1, len(key)/3)+1, len(key)) // not all of its letters
	for _, name := range known {
		if strings.EqualFold(name, key) {
			return name
		}
		if len(name) > maxKeyLength {
			continue
		}
		if d := distance(strings.ToLower(key), strings.ToLower(name)); d < limit {
			best, limit = name, d
		}
	}
	return best
}

// distance counts the letters to put in, take out or change to make b of a (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
