package schema

import "github.com/santhosh-tekuri/jsonschema/v5"

const (
	// maxSteps bounds the work of one validation, in schemas that are put to a value. The values of a release are under
	// 1 MB, and an honest schema looks at each of them a few times; one that branches at each level of a deep tree asks
	// for more than a machine has.
	maxSteps = 500_000

	// maxWork bounds it in deep trees: the library writes a place for each error, so that a step in the depth takes time
	// by the square of it.
	maxWork = 400_000_000
)

// stepsFor returns how many steps a tree of some depth may take: some seconds' worth of them.
func stepsFor(depth int) int { return min(maxSteps, maxWork/max(1, depth*depth)) }

// budget counts the steps of one validation. The library has no way to stop it; what it calls can panic.
type budget struct{ left int }

// overspent is what budget panics with, through the library, to the Schema that started it.
type overspent struct{}

// Compile makes the budget part of every schema; there is no keyword that asks for it.
func (b *budget) Compile(_ jsonschema.CompilerContext, m map[string]any) (jsonschema.ExtSchema, error) {
	if m["uniqueItems"] == true {
		return unique{b}, nil
	}
	return b, nil
}

// Validate takes one step.
func (b *budget) Validate(jsonschema.ValidationContext, any) error {
	if b.left--; b.left < 0 {
		panic(overspent{}) //nolint:forbidigo // recovered in run; an error would not stop the library
	}
	return nil
}
