package secret

import (
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"unicode"
)

// sample writes a text that an expression matches: at each turn one of what may stand there. The text is for a line of a
// YAML file, so that a character is a plain one wherever the expression leaves the choice.
func sample(r *rand.Rand, e *syntax.Regexp) string {
	var b strings.Builder
	switch e.Op {
	case syntax.OpLiteral:
		return string(e.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return string(character(r, e))
	case syntax.OpCapture:
		return sample(r, e.Sub[0])
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		low, high := bounds(e)
		for range low + r.IntN(high-low+1) {
			b.WriteString(sample(r, e.Sub[0]))
		}
	case syntax.OpConcat:
		for _, sub := range e.Sub {
			b.WriteString(sample(r, sub))
		}
	case syntax.OpAlternate:
		return sample(r, e.Sub[r.IntN(len(e.Sub))])
	}
	return b.String()
}

func bounds(e *syntax.Regexp) (low, high int) {
	const more = 8
	switch e.Op {
	case syntax.OpStar:
		return 0, more
	case syntax.OpPlus:
		return 1, more
	case syntax.OpQuest:
		return 0, 1
	}
	if e.Max < 0 || e.Max > e.Min+more {
		return e.Min, e.Min + more
	}
	return e.Min, e.Max
}

func character(r *rand.Rand, e *syntax.Regexp) rune {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	in := func(c rune) bool {
		for i := 0; i+1 < len(e.Rune); i += 2 {
			if e.Rune[i] <= c && c <= e.Rune[i+1] {
				return true
			}
		}
		return e.Op != syntax.OpCharClass
	}
	var some []rune
	for _, c := range plain {
		if in(c) {
			some = append(some, c)
		}
	}
	if e.Op != syntax.OpCharClass {
		return '.' // mostly a dot that somebody forgot to escape
	}
	if len(some) == 0 {
		for c := rune(' '); c <= unicode.MaxASCII; c++ {
			if in(c) {
				some = append(some, c)
			}
		}
	}
	if len(some) == 0 {
		return e.Rune[0]
	}
	return some[r.IntN(len(some))]
}
