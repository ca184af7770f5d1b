package secret

import (
	"fmt"
	"math"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

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
		lists := config.ViperConfig{AllowList: all.AllowList, Allowlists: all.Allowlists}
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

// leak is what a rule found: where the whole match begins and ends in the text, and the secret in it.
type leak struct {
	rule             int
	matchAt, matchTo int
	at, to           int
}

// find returns what the rule finds in a text: each match with the rule's own measure of randomness, less what gitleaks'
// lists allow. accept has its say before those lists are asked, as they are dear.
func (l *leakRules) find(rule int, text string, accept func(leak) bool) ([]leak, error) {
	r := l.rules[rule]
	p, err := r.pattern()
	if err != nil {
		return nil, err
	}
	var found []leak
	for _, at := range p.Regex.FindAllStringIndex(text, -1) {
		whole := text[at[0]:at[1]]
		matched := strings.Trim(whole, "\n")
		start := at[0] + strings.Index(whole, matched)
		m := leak{rule: rule, matchAt: start, matchTo: start + len(matched)}
		m.at, m.to = p.secret(matched)
		m.at, m.to = m.at+start, m.to+start
		secret := text[m.at:m.to]
		if p.Entropy != 0 && entropy(secret) <= p.Entropy || !accept(m) {
			continue
		}
		allowed, err := l.isAllowed(r, secret, matched, lineAround(text, m.matchAt, m.matchTo))
		if err != nil {
			return nil, err
		}
		if !allowed {
			found = append(found, m)
		}
	}
	return found, nil
}

// secret returns where the secret stands in a match: in the group that the rule names, else in the first one that has
// something, else everywhere. Gitleaks tries the expression on the match anew, and so do we.
func (p *pattern) secret(matched string) (from, to int) {
	groups := p.Regex.FindStringSubmatchIndex(matched)
	if i := 2 * p.SecretGroup; i > 0 && i+1 < len(groups) && groups[i] >= 0 {
		return groups[i], groups[i+1]
	}
	for i := 2; i+1 < len(groups) && p.SecretGroup == 0; i += 2 {
		if groups[i] < groups[i+1] {
			return groups[i], groups[i+1]
		}
	}
	return 0, len(matched)
}

// isAllowed asks gitleaks' lists for all rules, and those of the rule.
func (l *leakRules) isAllowed(r *leakRule, secret, match, line string) (bool, error) {
	for _, lists := range []func() ([]*config.Allowlist, error){l.allowed, r.allowed} {
		allowlists, err := lists()
		if err != nil {
			return false, err
		}
		for _, a := range allowlists {
			if allows(a, secret, match, line) {
				return true, nil
			}
		}
	}
	return false, nil
}

// allows asks one list. What a list says of commits and paths holds for none of our texts.
func allows(a *config.Allowlist, secret, match, line string) bool {
	target := secret
	switch a.RegexTarget {
	case "match":
		target = match
	case "line":
		target = line
	}
	byPattern := a.RegexAllowed(target)
	byWord, _ := a.ContainsStopWord(secret)
	if a.MatchCondition != config.AllowlistMatchAnd {
		return byPattern || byWord
	}
	return len(a.Commits)+len(a.Paths) == 0 && (byPattern || len(a.Regexes) == 0) && (byWord || len(a.StopWords) == 0)
}

// lineAround returns the lines that a part of a text stands on. On a line without an end that is in sight, it is what is
// near.
func lineAround(text string, from, to int) string {
	near := text[max(0, from-maxReach):from]
	from -= len(near) - (strings.LastIndexByte(near, '\n') + 1)
	if end := strings.IndexByte(text[to:min(len(text), to+maxReach)], '\n'); end >= 0 {
		return text[from : to+end]
	}
	return text[from:min(len(text), to+maxReach)]
}

// entropy is Shannon's measure of how random a text is, in bits a character, as gitleaks reckons it.
func entropy(s string) float64 {
	var ascii [utf8.RuneSelf]int
	others := map[rune]int{}
	for _, r := range s {
		if r < utf8.RuneSelf {
			ascii[r]++
		} else {
			others[r]++
		}
	}
	sum := 0.0
	add := func(n int) {
		if n > 0 {
			share := float64(n) / float64(len(s))
			sum -= share * math.Log2(share)
		}
	}
	for _, n := range ascii {
		add(n)
	}
	for _, n := range others {
		add(n)
	}
	return sum
}
