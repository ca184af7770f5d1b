package schema

import (
	"encoding/json"
	"math/big"
	"slices"
)

// types is a set of what values can be. A number is an integer or has a fraction.
type types uint8

const (
	typeNull types = 1 << iota
	typeBoolean
	typeString
	typeInteger
	typeFraction
	typeArray
	typeObject

	typeNumber = typeInteger | typeFraction
	allTypes   = typeNull | typeBoolean | typeString | typeNumber | typeArray | typeObject
)

// each returns the types of a set, one by one.
func (t types) each() []types {
	var out []types
	for bit := typeNull; bit <= typeObject; bit <<= 1 {
		if t&bit != 0 {
			out = append(out, bit)
		}
	}
	return out
}

func typeNamed(name string) types {
	switch name {
	case "null":
		return typeNull
	case "boolean":
		return typeBoolean
	case "string":
		return typeString
	case "integer":
		return typeInteger
	case "number":
		return typeNumber
	case "array":
		return typeArray
	case "object":
		return typeObject
	}
	return 0
}

func typeOf(v any) types {
	switch v := v.(type) {
	case nil:
		return typeNull
	case bool:
		return typeBoolean
	case string:
		return typeString
	case json.Number:
		if r, ok := new(big.Rat).SetString(v.String()); ok && r.IsInt() {
			return typeInteger
		}
		return typeFraction
	case []any:
		return typeArray
	case map[string]any:
		return typeObject
	}
	return 0
}

// limit is a bound of numbers; nil for none.
type limit struct {
	at        *big.Rat
	exclusive bool
}

// facts are what a conjunction says that can be compared by itself. Counts are -1 for none.
type facts struct {
	types        types
	finite       bool  // only the values fit, if any do
	values       []any // where they are finite
	many         bool  // they are too many to be looked at one by one
	lower, upper *limit
	multiples    []*big.Rat
	patterns     []string
	formats      []string

	minLength, maxLength, minItems, maxItems, minProperties, maxProperties int

	unique   bool
	required map[string]bool
}

// maxFinite is up to how many values of an enum are put to schemas one by one.
const maxFinite = 1_000

// facts gathers what a conjunction says of values of some types. What it returns is not to be changed.
func (g *graph) facts(c conjunction, mask types) facts {
	key := factsKey{c.key, mask}
	f, ok := g.known[key]
	if !ok {
		f = g.gather(c, mask)
		g.known[key] = f
	}
	return f
}

type factsKey struct {
	conjunction string
	types       types
}

func (g *graph) gather(c conjunction, mask types) facts {
	f := facts{types: mask, minLength: -1, maxLength: -1, minItems: -1, maxItems: -1, minProperties: -1, maxProperties: -1, required: map[string]bool{}}
	if c.never {
		f.types, f.finite = 0, true
		return f
	}
	for _, s := range c.members {
		f.types &= namedTypes(s) & g.branchTypes(c.owner, s.AnyOf) & g.branchTypes(c.owner, s.OneOf)
		f.constants(s)
		f.numbers(s)
		f.counts(s)
		if name, surely := c.format(s); surely {
			f.formats = append(f.formats, name)
		}
		for _, key := range s.Required {
			f.required[key] = true
		}
	}
	if !f.finite && f.types&^(typeNull|typeBoolean) == 0 {
		f.finite = true
		f.values = simple(f.types)
	}
	if f.finite {
		f.many = len(f.values) > maxFinite
		f.values = slices.DeleteFunc(f.values, func(v any) bool { return typeOf(v)&f.types == 0 || !f.many && c.refuses(v) })
		var held types
		for _, v := range f.values {
			held |= typeOf(v)
		}
		f.types &= held
	}
	return f
}

// namedTypes returns the types that a subschema names, all of them where it names none.
func namedTypes(s *subschema) (said types) {
	if len(s.Types) == 0 {
		return allTypes
	}
	for _, name := range s.Types {
		said |= typeNamed(name)
	}
	return said
}

// branchTypes returns the types that the branches of a choice take, all of them where there is no choice.
func (g *graph) branchTypes(owner *Schema, branches []*subschema) (said types) {
	if len(branches) == 0 || len(branches) > maxBranches {
		return allTypes
	}
	for _, branch := range branches {
		said |= g.facts(g.conjunction(owner, branch), allTypes).types
	}
	return said
}

// simple returns all values of the types that have few.
func simple(t types) (list []any) {
	if t&typeNull != 0 {
		list = append(list, nil)
	}
	if t&typeBoolean != 0 {
		list = append(list, true, false)
	}
	return list
}

// refuses tells whether a value surely does not fit.
func (c conjunction) refuses(v any) bool {
	for _, s := range c.members {
		if fits, known := c.owner.fits(s, v); known && !fits && !c.owner.dynamic {
			return true
		}
	}
	return c.never
}

// takes tells whether a value surely fits.
func (c conjunction) takes(v any) bool {
	for _, s := range c.members {
		if fits, known := c.owner.fits(s, v); !known || !fits || c.owner.dynamic {
			return false
		}
	}
	return !c.never
}

func (f *facts) constants(s *subschema) {
	for _, list := range [][]any{s.Enum, s.Constant} {
		if len(list) > 0 && (!f.finite || len(list) < len(f.values)) {
			f.finite, f.values = true, slices.Clone(list)
		}
	}
}

func (f *facts) numbers(s *subschema) {
	for _, l := range []limit{{s.Minimum, false}, {s.ExclusiveMinimum, true}} {
		if l.at != nil && (f.lower == nil || l.tighter(*f.lower, 1)) {
			f.lower = &l
		}
	}
	for _, l := range []limit{{s.Maximum, false}, {s.ExclusiveMaximum, true}} {
		if l.at != nil && (f.upper == nil || l.tighter(*f.upper, -1)) {
			f.upper = &l
		}
	}
	if s.MultipleOf != nil {
		f.multiples = append(f.multiples, s.MultipleOf)
	}
}

// tighter tells whether a bound leaves less than another; sign is 1 for lower bounds, -1 for upper ones.
func (l limit) tighter(than limit, sign int) bool {
	c := sign * l.at.Cmp(than.at)
	return c > 0 || c == 0 && l.exclusive && !than.exclusive
}

func (f *facts) counts(s *subschema) {
	for _, c := range []struct{ have, said *int }{{&f.minLength, &s.MinLength}, {&f.minItems, &s.MinItems}, {&f.minProperties, &s.MinProperties}} {
		*c.have = max(*c.have, *c.said)
	}
	for _, c := range []struct{ have, said *int }{{&f.maxLength, &s.MaxLength}, {&f.maxItems, &s.MaxItems}, {&f.maxProperties, &s.MaxProperties}} {
		if *c.said >= 0 && (*c.have < 0 || *c.said < *c.have) {
			*c.have = *c.said
		}
	}
	if s.Pattern != nil {
		f.patterns = append(f.patterns, s.Pattern.String())
	}
	f.unique = f.unique || s.UniqueItems
}
