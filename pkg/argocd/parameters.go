package argocd

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// parameters reads helm.parameters as Argo CD hands them to Helm: of two with one name the last counts, apart for
// forceString and not; $ is replaced; all --set come before all --set-string.
//
// Argo CD keeps them in Go maps, so that Helm gets each of the two kinds in random order. Where the order matters, the live
// values are whatever the last rendering came to, and the Application is blocked.
func (l *live) parameters(s Source) {
	at := s.At + ".helm.parameters"
	list, _, err := field[[]any](s.helm, "parameters")
	if err != nil {
		l.block(RuleParameter, at, err.Error(), "correct the Application")
		return
	}
	var set, setString parameterSet
	for i, entry := range list {
		path := fmt.Sprintf("%s[%d]", at, i)
		p, err := readParameter(entry)
		if err != nil {
			l.block(RuleParameter, path, err.Error(), "correct the parameter")
			continue
		}
		p.at = path
		if p.String {
			setString.put(p)
		} else {
			set.put(p)
		}
	}
	environment := l.app.environment(s)
	for _, kind := range []*parameterSet{&set, &setString} {
		var seen steps
		kind.list = slices.DeleteFunc(kind.list, func(p parameter) bool { return !l.distinct(p, &seen) })
		for _, p := range kind.list {
			l.parameter(p, environment, &seen)
		}
	}
}

// distinct reports whether a parameter has a name that Helm reads as one place, which no earlier one overlaps.
func (l *live) distinct(p parameter, seen *steps) bool {
	path, err := parseName(p.Name)
	if err != nil {
		l.block(RuleParameter, p.at, fmt.Sprintf("parameter %q cannot be folded in: %v", shownName(p.Name), err), "move its value into helm.values")
		return false
	}
	if other, overlap := seen.add(path, p.Name); overlap {
		l.block(RuleParameter, p.at,
			fmt.Sprintf("parameters %q and %q overlap, and Argo CD applies them in random order", other, p.Name),
			"keep one of both")
		return false
	}
	return true
}

// parameter adds one parameter to the assignments, or says why it cannot.
func (l *live) parameter(p parameter, environment map[string]string, seen *steps) {
	value, ok := l.substitute(p, environment)
	if !ok {
		return
	}
	p.Value = escapeCommas(value)
	if !singleValue(p.Value) {
		l.block(RuleParameter, p.at, fmt.Sprintf("the value of parameter %q is more than one assignment to Helm", p.Name), "move its value into helm.values")
		return
	}
	if path, err := parseName(p.Name); err == nil && p.Value == "" && seen.dropsEmpty(path) {
		l.block(RuleParameter, p.at,
			fmt.Sprintf("parameter %q is empty, and Helm keeps or drops it by the random order in which Argo CD applies parameters", p.Name),
			"move the parameters of this list into helm.values")
		return
	}
	if !p.String && printsOtherwise(p.Value) {
		l.block(RuleParameter, p.at,
			fmt.Sprintf("parameter %q is a whole number of a million or more, which templates print in full, but in powers of ten once it is in a file", p.Name),
			"set forceString on it or move it into helm.values, and see that what runs stays the same")
		return
	}
	l.Parameters = append(l.Parameters, p.Assignment)
}

// printsOtherwise reports whether a value is, or lists, a whole number that templates would print otherwise from a file:
// Helm makes an int64 of --set's number, and a float64 of a file's, which Go prints as 1e+06 from a million on.
func printsOtherwise(value string) bool {
	set, err := new(values.Document).Set([]values.Assignment{{Name: "v", Value: value}})
	if err != nil {
		return false // folding it says why
	}
	items, isList := set.Values["v"].([]any)
	if !isList {
		items = []any{set.Values["v"]}
	}
	return slices.ContainsFunc(items, func(item any) bool {
		number, _ := item.(json.Number)
		n, err := number.Int64()
		return err == nil && (n <= -1_000_000 || n >= 1_000_000)
	})
}

type parameter struct {
	values.Assignment
	at string
}

func readParameter(entry any) (parameter, error) {
	tree, ok := entry.(map[string]any)
	if !ok {
		return parameter{}, fmt.Errorf("the parameter is %s; it must be a map", typeName(entry))
	}
	name, _, err := field[string](tree, "name")
	if err != nil {
		return parameter{}, err
	}
	if name == "" {
		return parameter{}, errors.New("the parameter has no name")
	}
	value, _, err := field[string](tree, "value")
	if err != nil {
		return parameter{}, fmt.Errorf("parameter %q: %w", shownName(name), err)
	}
	force, _, err := field[bool](tree, "forceString")
	if err != nil {
		return parameter{}, fmt.Errorf("parameter %q: %w", shownName(name), err)
	}
	return parameter{Assignment: values.Assignment{Name: name, Value: value, String: force}}, nil
}

// parameterSet keeps parameters of one kind by name, each where its name stood first.
type parameterSet struct {
	list  []parameter
	index map[string]int
}

func (s *parameterSet) put(p parameter) {
	if i, ok := s.index[p.Name]; ok {
		s.list[i] = p
		return
	}
	if s.index == nil {
		s.index = map[string]int{}
	}
	s.index[p.Name] = len(s.list)
	s.list = append(s.list, p)
}

// substitute replaces what a parameter's value holds, and tells of it. A name that Argo CD does not know is not shown: in a
// mangled password it is a part of the password.
func (l *live) substitute(p parameter, environment map[string]string) (string, bool) {
	done := substitute(p.Value, environment)
	switch {
	case done.changing:
		l.block(RuleSubstitution, p.at, fmt.Sprintf("parameter %q holds the revision that is synced, which no file can", p.Name), "move it out of the values")
		return "", false
	case done.unknown:
		l.warn(RuleSubstitution, p.at,
			fmt.Sprintf("parameter %q holds a $ that Argo CD replaces by nothing; what is live is kept", p.Name),
			"if the $ was meant, correct the value in the custom file")
	case len(done.fixed) > 0:
		l.warn(RuleSubstitution, p.at,
			fmt.Sprintf("parameter %q holds $%s; what that is today is written, and no longer follows the Application", p.Name, strings.Join(done.fixed, ", $")),
			"")
	}
	return done.text, true
}

// escapeCommas does what Argo CD does before it hands a value to Helm (its cleanSetParameters): every comma that has no
// backslash before it gets one, except in a value that looks like a list.
func escapeCommas(value string) string {
	if strings.HasPrefix(value, "{") && strings.HasSuffix(value, "}") {
		return value
	}
	var b strings.Builder
	var previous rune
	for _, r := range value {
		if r == ',' && previous != '\\' {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
		previous = r
	}
	return b.String()
}

// singleValue reports whether Helm reads an escaped value as the value of one assignment: a list that ends where the
// text ends, or text without a bare comma, after which another assignment would begin.
func singleValue(value string) bool {
	list := strings.HasPrefix(value, "{")
	for i := 0; i < len(value); i++ {
		switch value[i] {
		case '\\':
			i++
		case '}':
			if list {
				return i == len(value)-1
			}
		case ',':
			if !list {
				return false
			}
		}
	}
	return !list
}
