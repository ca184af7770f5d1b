package schema

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// maxLeaves bounds what one validation collects before it is sorted and cut.
const maxLeaves = 10_000

// reader turns what the library says into violations.
type reader struct {
	schema *Schema
	tree   map[string]any
	more   int
	count  int
}

// leaves returns the violations at the ends of an error's tree. Of alternatives only the one that fits best is told.
func (r *reader) leaves(e *jsonschema.ValidationError) []Violation {
	switch {
	case e.Message == "oneOf failed", e.Message == "anyOf failed":
		return r.alternatives(e)
	case len(e.Causes) == 0, keywordOf(pointerOf(e)) == "minContains":
		if r.count++; r.count > maxLeaves {
			r.more++
			return nil
		}
		return r.violations(e)
	}
	var list []Violation
	for _, cause := range e.Causes {
		list = append(list, r.leaves(cause)...)
	}
	return list
}

// alternatives tells what is wrong with values that none of several schemas takes. Where none even takes the type, the
// types that they would take are told; else the schema is told of that takes most of the values.
func (r *reader) alternatives(e *jsonschema.ValidationError) []Violation {
	list := r.fittest(e)
	for i := range list {
		list[i].Choice = e.InstanceLocation + " " + pointerOf(e)
	}
	return list
}

func (r *reader) fittest(e *jsonschema.ValidationError) []Violation {
	path, _ := r.resolve(e.InstanceLocation)
	var best []Violation
	var wanted []string
	var typed Violation
	wrongType := 0
	for _, cause := range e.Causes {
		list := r.leaves(cause)
		if len(list) == 0 {
			continue // left out for their number
		}
		if i := slices.IndexFunc(list, func(v Violation) bool { return v.Keyword == "type" && v.Path.Compare(path) == 0 }); i >= 0 {
			wrongType++
			typed = list[i]
			types, _, _ := strings.Cut(strings.TrimPrefix(list[i].Message, "expected "), ", but got ")
			wanted = append(wanted, strings.Split(types, " or ")...)
		}
		if best == nil || fit(list, path) < fit(best, path) {
			best = list
		}
	}
	switch {
	case len(best) == 0:
		return nil
	case len(e.Causes) == 1:
		return best
	case wrongType == len(e.Causes):
		slices.Sort(wanted)
		_, got, _ := strings.Cut(typed.Message, ", but got ")
		typed.SchemaPath = pointerOf(e)
		typed.Message = fmt.Sprintf("expected %s, but got %s", strings.Join(slices.Compact(wanted), " or "), got)
		return []Violation{typed}
	}
	note := fmt.Sprintf("this is about the nearest of the %d alternatives that the schema gives for %s", len(e.Causes), shorten(path.String()))
	for i := range best {
		best[i].Next = strings.TrimPrefix(best[i].Next+"; "+note, "; ")
	}
	return best
}

// fit is how badly an alternative fits values: not at all when they are of another type, badly when it is told from the
// others by a value that is not there, and the less the more is wrong.
func fit(list []Violation, at values.Path) int {
	badness := len(list)
	for _, v := range list {
		depth := len(v.Path) - len(at)
		switch {
		case depth == 0 && v.Keyword == "type":
			badness += 4 * maxLeaves
		case depth <= 1 && (v.Keyword == "const" || v.Keyword == "enum"):
			badness += 2 * maxLeaves
		case depth == 0 && v.Keyword == "required":
			badness++
		}
	}
	return badness
}

// resolve follows a JSON pointer of the library into the values, where a number can be an index or a key.
func (r *reader) resolve(pointer string) (values.Path, any) {
	var path values.Path
	var here any = r.tree
	for _, token := range tokens(pointer) {
		switch v := here.(type) {
		case map[string]any:
			path, here = path.Key(token), v[token]
		case []any:
			i := index(token, len(v))
			if i < 0 {
				return path, nil
			}
			path, here = path.Index(i), v[i]
		default: // the name of a key, which propertyNames is about
			return path.Key(token), nil
		}
	}
	return path, here
}

// keywordOf returns the keyword that a pointer into a schema ends in. Two have a key and an index behind them.
func keywordOf(pointer string) string {
	list := tokens(pointer)
	if len(list) == 0 {
		return ""
	}
	last := list[len(list)-1]
	if len(list) >= 3 && index(last, math.MaxInt) >= 0 {
		return list[len(list)-3]
	}
	return last
}

// pointerOf returns where in the schema an error is from, as a JSON pointer.
func pointerOf(e *jsonschema.ValidationError) string {
	_, pointer, _ := strings.Cut(e.AbsoluteKeywordLocation, "#")
	return pointer
}

// compareFold orders text without regard to case, and then with it.
func compareFold(a, b string) int {
	return cmp.Or(cmp.Compare(strings.ToLower(a), strings.ToLower(b)), cmp.Compare(a, b))
}
