package schema

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// MaxViolations bounds what one Report lists.
const MaxViolations = 100

// Violation is one thing that a schema refuses in values. No field holds a value; keys and the schema's own text it can.
type Violation struct {
	Path       values.Path
	SchemaPath string // a JSON pointer into the schema, to the keyword
	Keyword    string // "type", "required", ...; "false" where the schema allows nothing
	Message    string
	Next       string // what to do about it; "" when the message says all

	// Near are places that say more than Path of where the fault can be, the best first: a key that is missing, which a null can have
	// deleted, and one that asks for it.
	Near []values.Path
	// Choice is where the outermost oneOf or anyOf stands that nothing of the values fits, as text; "" for a violation of none. Which
	// branch fits best can change with the values, and Path with it.
	Choice string
}

// Report is what Validate found: nothing, when the values are valid.
type Report struct {
	Violations []Violation // sorted by path
	More       int         // how many were left out, at least
}

// Validate puts values to the schema: those of a chart, coalesced as Helm does before it renders (DESIGN 4), with numbers
// as json.Number. It returns an *Error when they cannot be judged.
func (s *Schema) Validate(tree map[string]any) (Report, error) {
	if tree == nil {
		tree = map[string]any{}
	}
	depth := nesting(tree, 0)
	if depth > maxNesting {
		return Report{}, &Error{Name: s.name, Err: ErrLimit, Message: fmt.Sprintf("the values are nested deeper than %d", maxNesting),
			Next: "no chart needs that: flatten the values"}
	}
	err := s.run(tree, stepsFor(depth))
	if err == nil {
		return Report{}, nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return Report{}, err
	}
	r := reader{schema: s, tree: tree}
	list := r.leaves(invalid)
	slices.SortFunc(list, Violation.compare)
	list = slices.CompactFunc(list, func(a, b Violation) bool { return a.compare(b) == 0 })
	report := Report{Violations: list, More: r.more}
	if len(list) > MaxViolations {
		report.Violations, report.More = list[:MaxViolations], r.more+len(list)-MaxViolations
	}
	return report, nil
}

func (v Violation) compare(w Violation) int {
	return cmp.Or(v.Path.Compare(w.Path), cmp.Compare(v.Message, w.Message), cmp.Compare(v.SchemaPath, w.SchemaPath))
}

// run is the library's part. What it panics with can hold values, and is not shown.
func (s *Schema) run(tree map[string]any, steps int) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.budget.left = steps
	defer func() {
		switch r := recover(); r.(type) {
		case nil:
		case overspent:
			err = &Error{Name: s.name, Err: ErrLimit, Next: tellVendor,
				Message: fmt.Sprintf("the schema asks for more than %d steps with these values", steps)}
		default:
			err = &Error{Name: s.name, Err: ErrInvalid, Next: tellVendor,
				Message: "the schema or the values hold a number that is out of all bounds"}
		}
	}()
	err = s.compiled.Validate(tree)
	var loop jsonschema.InfiniteLoopError
	var wrong jsonschema.InvalidJSONTypeError
	switch {
	case errors.As(err, &loop):
		return &Error{Name: s.name, Err: ErrLoop, Next: tellVendor, Message: "the schema refers to itself without end"}
	case errors.As(err, &wrong):
		return &Error{Name: s.name, Err: ErrInvalid, Message: "the values hold something that JSON has not: " + string(wrong)}
	}
	return err
}

// shorten bounds a text of the schema's or of a key's.
func shorten(text string) string {
	const most = 200
	text = strings.ToValidUTF8(text, "�")
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
