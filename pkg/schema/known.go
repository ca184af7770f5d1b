package schema

import (
	"maps"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// maxTogether bounds how many subschemas are looked at for one place.
const maxTogether = 1_000

// Place is what a schema says of one place in values: all of its subschemas that can speak of it. The zero Place says nothing.
type Place struct {
	schemas []*jsonschema.Schema
}

// Root returns what the schema says of the values as a whole.
func (s *Schema) Root() Place { return together(s.compiled) }

// Join returns what two schemas say of one place.
func (p Place) Join(other Place) Place {
	return Place{schemas: append(slices.Clip(p.schemas), other.schemas...)}
}

// Key returns what is said of the value under a key of a map at this place, and whether anything is: by name, by a pattern, or of all
// keys that have no name.
func (p Place) Key(key string) (Place, bool) {
	var found []*jsonschema.Schema
	for _, s := range p.schemas {
		named := s.Properties[key]
		if named != nil {
			found = append(found, named)
		}
		for pattern, sub := range s.PatternProperties {
			if pattern.MatchString(key) {
				found, named = append(found, sub), sub
			}
		}
		if named != nil {
			continue
		}
		for _, rest := range []any{s.AdditionalProperties, s.UnevaluatedProperties} {
			if sub, ok := rest.(*jsonschema.Schema); ok && sub != nil && sub.Always == nil {
				found = append(found, sub)
			}
		}
	}
	return together(found...), len(found) > 0
}

// Names returns the keys that a map at this place can have by name, sorted.
func (p Place) Names() []string {
	names := map[string]bool{}
	for _, s := range p.schemas {
		for name := range s.Properties {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// Free tells whether something is said of this place, and nothing of the keys of a map there.
func (p Place) Free() bool {
	for _, s := range p.schemas {
		open := s.AdditionalProperties == nil || s.AdditionalProperties == true
		if len(s.Properties) > 0 || len(s.PatternProperties) > 0 || !open || s.UnevaluatedProperties != nil {
			return false
		}
	}
	return len(p.schemas) > 0
}

// together collects the subschemas that apply to the same values as those given, or can.
func together(list ...*jsonschema.Schema) Place {
	seen := map[*jsonschema.Schema]bool{}
	var out []*jsonschema.Schema
	for len(list) > 0 && len(out) < maxTogether {
		s := list[0]
		list = list[1:]
		if s == nil || seen[s] {
			continue
		}
		seen[s] = true
		out = append(out, s)
		list = append(list, s.Ref, s.RecursiveRef, s.DynamicRef, s.If, s.Then, s.Else)
		list = append(slices.Concat(list, s.AllOf, s.AnyOf, s.OneOf), slices.Collect(maps.Values(s.DependentSchemas))...)
		for _, dependency := range s.Dependencies {
			if sub, ok := dependency.(*jsonschema.Schema); ok {
				list = append(list, sub)
			}
		}
	}
	return Place{schemas: out}
}
