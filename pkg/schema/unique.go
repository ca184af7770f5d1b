package schema

import "github.com/santhosh-tekuri/jsonschema/v5"

// maxCompared is up to how many items Helm's library compares each with each. In longer lists it compares those of equal
// hashes, as ours does, and texts have other hashes than numbers.
const maxCompared = 20

// unique holds lists to uniqueItems as Helm's library does: a number is equal to a text before it that looks like it.
type unique struct{ *budget }

// Validate takes a step, and compares the items.
func (u unique) Validate(ctx jsonschema.ValidationContext, v any) error {
	if err := u.budget.Validate(ctx, v); err != nil {
		return err
	}
	list, _ := v.([]any)
	if len(list) > maxCompared {
		return nil
	}
	for i, item := range list {
		if !isNumber(item) {
			continue
		}
		for j, before := range list[:i] {
			s, ok := before.(string)
			if !ok {
				continue
			}
			if n, ok := numberOf(s); ok && sameNumber(item, n) {
				return ctx.Error("uniqueItems", "items at index %d and %d are equal", j, i)
			}
		}
	}
	return nil
}
