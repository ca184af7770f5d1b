package schema

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// scalars puts what b says of numbers and texts to a.
func (p pair) scalars(from, to facts) []failure {
	var out []failure
	if p.types&typeNumber != 0 {
		out = append(out, p.numbers(from, to)...)
	}
	if p.types&typeString == 0 {
		return out
	}
	out = append(out, p.counts("minLength", from.minLength, to.minLength, 1)...)
	out = append(out, p.counts("maxLength", from.maxLength, to.maxLength, -1)...)
	if slices.ContainsFunc(to.patterns, func(pattern string) bool { return !slices.Contains(from.patterns, pattern) }) {
		out = append(out, p.fail("pattern", quoted(from.patterns), quoted(to.patterns)))
	}
	for _, s := range p.b.members {
		if name, _ := p.b.format(s); name != "" && !slices.Contains(from.formats, name) {
			out = append(out, p.fail("format", quoted(from.formats), strconv.Quote(name)))
		}
	}
	return out
}

func (p pair) numbers(from, to facts) []failure {
	var out []failure
	if to.lower != nil && (from.lower == nil || to.lower.tighter(*from.lower, 1)) {
		out = append(out, p.fail("minimum", from.lower.text(">"), to.lower.text(">")))
	}
	if to.upper != nil && (from.upper == nil || to.upper.tighter(*from.upper, -1)) {
		out = append(out, p.fail("maximum", from.upper.text("<"), to.upper.text("<")))
	}
	for _, m := range to.multiples {
		// Integers are multiples of 1, and what is a multiple of one number is one of all that this is a multiple of.
		have := from.multiples
		if p.types&typeFraction == 0 {
			have = append(slices.Clip(have), big.NewRat(1, 1))
		}
		if !slices.ContainsFunc(have, func(h *big.Rat) bool { return m.Sign() != 0 && new(big.Rat).Quo(h, m).IsInt() }) {
			out = append(out, p.fail("multipleOf", "", number(m)))
		}
	}
	return out
}

// counts compares two bounds of a length; sign is 1 for lower bounds, -1 for upper ones.
func (p pair) counts(keyword string, from, to, sign int) []failure {
	if to < 0 || sign > 0 && to == 0 || from >= 0 && sign*from >= sign*to {
		return nil
	}
	return []failure{p.fail(keyword, count(from), count(to))}
}

func count(n int) string {
	if n < 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// text writes a bound: >= 1.
func (l *limit) text(sign string) string {
	if l == nil {
		return ""
	}
	if !l.exclusive {
		sign += "="
	}
	return sign + " " + number(l.at)
}

func number(r *big.Rat) string {
	if r.IsInt() && r.Num().BitLen() <= 64 {
		return r.Num().String()
	}
	f, _ := r.Float64() // to be shown, not compared
	return strconv.FormatFloat(f, 'g', -1, 64)
}

func quoted(list []string) string {
	words := make([]string, 0, len(list))
	for _, text := range list {
		words = append(words, quoteJSON(text))
	}
	slices.Sort(words)
	return shorten(strings.Join(slices.Compact(words), " and "))
}

// String writes types as people do: string or null. All of them are "" here: nothing is said of them.
func (t types) String() string {
	if t == allTypes {
		return ""
	}
	var words []string
	for _, one := range []struct {
		bits types
		name string
	}{{typeObject, "object"}, {typeArray, "array"}, {typeString, "string"}, {typeNumber, "number"}, {typeInteger, "integer"},
		{typeFraction, "number with a fraction"}, {typeBoolean, "boolean"}, {typeNull, "null"}} {
		if t&one.bits == one.bits {
			words = append(words, one.name)
			t &^= one.bits
		}
	}
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, " or ")
}

// constants writes what the enums of a conjunction list, "" where there are none.
func (c conjunction) constants() string {
	const most = 20
	var words []string
	for _, s := range c.members {
		for _, list := range [][]any{s.Constant, s.Enum} {
			for _, v := range list[:min(len(list), most)] {
				words = append(words, quoteJSON(v))
			}
		}
	}
	return shorten(strings.Join(words, ", "))
}
