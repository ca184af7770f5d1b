package secret

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
	"github.com/zricethezav/gitleaks/v8/config"
)

const (
	// genericRule is gitleaks' rule for names such as key and token, which says little: see isGeneric.
	genericRule = "generic-api-key"
	// maxReach stands for the length of a match that has no bound, such as a JWT's.
	maxReach = 8192
)

// leakRules are gitleaks' default rules. Reading them takes milliseconds, compiling all of them a tenth of a second and
// 12 MB; so they are read when a scan first needs them, and each is compiled when its keyword first stands in a text.
type leakRules struct {
	rules    []*leakRule // in gitleaks' order
	keywords *keywords
	byWord   [][]int // for each keyword, the rules that it calls
	allowed  func() ([]*config.Allowlist, error)
}

// leakRule is one rule of gitleaks. What it needs is compiled on first use, by gitleaks' own code.
type leakRule struct {
	id string
	// loose says that no keyword stands in what the rule matches: to gitleaks it may be anywhere in the file.
	loose   bool
	pattern func() (*pattern, error)
	allowed func() ([]*config.Allowlist, error)
}

// pattern is what a rule looks for.
type pattern struct {
	config.Rule
	reach int // the longest match, in characters
}

// loadLeakRules reads the rules that gitleaks' library carries. Rules for files of another kind, which it tells by their
// names, are left out; so are private keys, which findPrivateKeys tells from a mere mention of their header.
func loadLeakRules() (*leakRules, error) {
	var all config.ViperConfig
	if err := toml.Unmarshal([]byte(config.DefaultConfig), &all); err != nil {
		return nil, fmt.Errorf("read gitleaks' default rules: %w", err)
	}
	l := &leakRules{allowed: sync.OnceValues(func() ([]*config.Allowlist, error) {
		lists := config.ViperConfig{AllowList: all.AllowList, Allowlists: all.Allowlists} //nolint:staticcheck // gitleaks' own rules still use the older field
		compiled, err := lists.Translate()
		return compiled.Allowlists, err
	})}
	words := map[string]int{}
	var list []string
	for i, r := range all.Rules {
		if r.Path != "" || r.Regex == "" || r.ID == "private-key" {
			continue
		}
		one := func(lists bool) (config.Rule, error) {
			rule := config.ViperConfig{Rules: slices.Clone(all.Rules[i : i+1])}
			if !lists {
				rule.Rules[0].AllowList, rule.Rules[0].Allowlists = nil, nil
			}
			compiled, err := rule.Translate()
			return compiled.Rules[r.ID], err
		}
		for _, word := range r.Keywords {
			word = strings.ToLower(word)
			at, ok := words[word]
			if !ok {
				at = len(list)
				words[word] = at
				list = append(list, word)
				l.byWord = append(l.byWord, nil)
			}
			l.byWord[at] = append(l.byWord[at], len(l.rules))
		}
		l.rules = append(l.rules, &leakRule{
			id:    r.ID,
			loose: !mentionsAny(r.Regex, r.Keywords),
			pattern: sync.OnceValues(func() (*pattern, error) {
				rule, err := one(false)
				if err != nil {
					return nil, err
				}
				return &pattern{Rule: rule, reach: reachOf(rule.Regex.String())}, nil
			}),
			allowed: sync.OnceValues(func() ([]*config.Allowlist, error) {
				rule, err := one(true)
				return rule.Allowlists, err
			}),
		})
	}
	l.keywords = newKeywords(list)
	return l, nil
}

// mentionsAny reports whether an expression spells out one of the words.
func mentionsAny(expr string, words []string) bool {
	expr = strings.ToLower(strings.ReplaceAll(expr, `\`, ""))
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(expr, strings.ToLower(word)) })
}

// reachOf returns the length of the longest match of a regular expression, and maxReach where there is no such bound.
func reachOf(expr string) int {
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return maxReach
	}
	return min(maxReach, longest(tree))
}

func longest(e *syntax.Regexp) int {
	switch e.Op {
	case syntax.OpLiteral:
		return len(e.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpCapture, syntax.OpQuest:
		return longest(e.Sub[0])
	case syntax.OpStar, syntax.OpPlus:
		return maxReach
	case syntax.OpRepeat:
		if e.Max < 0 {
			return maxReach
		}
		return min(maxReach, e.Max*longest(e.Sub[0]))
	}
	sum, most := 0, 0
	for _, sub := range e.Sub {
		n := longest(sub)
		sum, most = min(maxReach, sum+n), max(most, n)
	}
	if e.Op == syntax.OpAlternate {
		return most
	}
	return sum
}
