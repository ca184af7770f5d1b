package secret

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/zricethezav/gitleaks/v8/config"
)

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
