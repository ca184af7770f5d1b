package secret

import (
	"cmp"
	"slices"
)

const (
	// leakPrefix opens the id of a rule of gitleaks; see RuleGitleaks.
	leakPrefix = "secret-gitleaks-"
	// minLeak is the length of the shortest string that is looked at for what gitleaks knows.
	minLeak = 8
	// minNumber is the number of digits from which a number can be an identifier that somebody gave out.
	minNumber = 15
	// besideReach is what an expression may look at beside a match: the end of a word, of a line.
	besideReach = 8
)

// leakFinder searches the texts of one scan with gitleaks' rules. A rule reads only what is near one of its keywords.
type leakFinder struct {
	load   func() (*leakRules, error)
	labels map[string][]int // the rules that a name calls, by name
	spans  [][]span         // what each rule has to read of the text at hand
	called []int            // the rules that have spans
	loose  []int            // the loose rules whose keyword was seen
	awake  bool             // those read every text
}

type span struct{ from, to int }

// label is the name that a text stands under. listed says that it is the name of a list: then it tells what is in it less
// surely.
type label struct {
	name   string
	listed bool
}

func newLeakFinder(load func() (*leakRules, error)) *leakFinder {
	return &leakFinder{load: load, labels: map[string][]int{}}
}

// located is a leak without the value: its rule, and the byte of the text that it begins at.
type located struct {
	rule string
	at   int
}

// find returns what gitleaks' rules find in a text, which stands under a name, or in none when that is empty. Where two
// rules take the same bytes for a secret, it is the more specific one that counts.
func (f *leakFinder) find(under label, text string) ([]located, error) {
	if len(text) < minLeak {
		return nil, nil
	}
	l, err := f.load()
	if err != nil {
		return nil, err
	}
	if err := f.call(l, text); err != nil {
		return nil, err
	}
	leaks, err := f.read(l, text)
	if err != nil {
		return nil, err
	}
	if under.name != "" {
		more, err := f.readUnder(l, under, text)
		if err != nil {
			return nil, err
		}
		leaks = append(leaks, more...)
	}
	return l.locate(leaks), nil
}

// call finds out which rules have to read which parts of a text.
func (f *leakFinder) call(l *leakRules, text string) (err error) {
	for _, rule := range f.called {
		f.spans[rule] = f.spans[rule][:0]
	}
	f.called = f.called[:0]
	if f.awake {
		for _, rule := range f.loose {
			f.add(rule, span{0, len(text)}, len(l.rules))
		}
	}
	l.keywords.find(text, func(word, end int) {
		for _, rule := range l.byWord[word] {
			reach := len(text)
			if l.rules[rule].loose {
				f.see(rule)
			} else if p, failed := l.rules[rule].pattern(); failed != nil {
				err = failed
			} else {
				reach = p.reach + besideReach
			}
			f.add(rule, span{max(0, end-reach), min(len(text), end+reach)}, len(l.rules))
		}
	})
	return err
}

// add calls a rule, one of so many, to a part of the text that does not end before the last one.
func (f *leakFinder) add(rule int, s span, rules int) {
	if f.spans == nil {
		f.spans = make([][]span, rules)
	}
	spans := f.spans[rule]
	if last := len(spans) - 1; last >= 0 && s.from <= spans[last].to {
		spans[last].to = max(spans[last].to, s.to)
		return
	}
	if len(spans) == 0 {
		f.called = append(f.called, rule)
	}
	f.spans[rule] = append(spans, s)
}

// see remembers a loose rule whose keyword stands somewhere.
func (f *leakFinder) see(rule int) {
	if !f.awake && !slices.Contains(f.loose, rule) {
		f.loose = append(f.loose, rule)
	}
}

// wake makes the loose rules that were seen read every text from now on, and reports whether there are any.
func (f *leakFinder) wake() bool {
	f.awake = len(f.loose) > 0
	return f.awake
}

// read tries each rule on the parts that it was called for.
func (f *leakFinder) read(l *leakRules, text string) ([]leak, error) {
	var leaks []leak
	for _, rule := range f.called {
		for _, s := range f.spans[rule] {
			part := text[s.from:s.to]
			isGeneric := l.rules[rule].id == genericRule
			if isGeneric && !mayBeGeneric(part) {
				continue
			}
			found, err := l.find(rule, part, func(m leak) bool {
				return acceptLeak(l.rules[rule].id, part[m.matchAt:m.at], part[m.at:m.to])
			})
			if err != nil {
				return nil, err
			}
			for _, m := range found {
				m.at, m.to = m.at+s.from, m.to+s.from
				leaks = append(leaks, m)
			}
		}
	}
	return leaks, nil
}

// readUnder tries the rules that the name of a text calls on both, as they would stand in a file. What the name alone
// holds is not of the text.
func (f *leakFinder) readUnder(l *leakRules, under label, text string) ([]leak, error) {
	name := under.name
	rules, ok := f.labels[name]
	if !ok {
		l.keywords.find(name, func(word, _ int) {
			for _, rule := range l.byWord[word] {
				if l.rules[rule].loose {
					f.see(rule)
				}
				if !slices.Contains(rules, rule) {
					rules = append(rules, rule)
				}
			}
		})
		f.labels[name] = rules
	}
	var leaks []leak
	for _, rule := range rules {
		id := l.rules[rule].id
		if id == genericRule && (under.listed || !isOpen(name) || !mayBeGeneric(text[:min(len(text), maxAuthority)])) {
			continue
		}
		p, err := l.rules[rule].pattern()
		if err != nil {
			return nil, err
		}
		head := name[max(0, len(name)-maxName):] + ": "
		line := head + text[:min(len(text), p.reach+besideReach)]
		found, err := l.find(rule, line, func(m leak) bool {
			return m.at >= len(head) && acceptLeak(id, line[m.matchAt:m.at], line[m.at:m.to])
		})
		if err != nil {
			return nil, err
		}
		for _, m := range found {
			m.at, m.to = m.at-len(head), m.to-len(head)
			leaks = append(leaks, m)
		}
	}
	return leaks, nil
}

// locate drops what was found, and all but one of the leaks that share bytes: the generic one first, then the later one.
func (l *leakRules) locate(leaks []leak) []located {
	slices.SortFunc(leaks, func(a, b leak) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.rule, b.rule)) })
	var sure, generic []leak
	for _, m := range leaks {
		switch {
		case l.rules[m.rule].id == genericRule:
			generic = append(generic, m)
		case len(sure) == 0 || m.at >= sure[len(sure)-1].to:
			sure = append(sure, m)
		}
	}
	var out []located
	for _, m := range sure {
		out = append(out, located{leakPrefix + l.rules[m.rule].id, m.at})
	}
	next, end := 0, 0
	for _, m := range generic {
		for next < len(sure) && sure[next].to <= m.at {
			next++
		}
		if m.at < end || next < len(sure) && sure[next].at < m.to {
			continue
		}
		end = m.to
		out = append(out, located{leakPrefix + genericRule, m.at})
	}
	return out
}

// open returns the leaks of a text that begin on none of the lines that a structural rule has taken, one for each line and
// rule. Where gitleaks' rules cannot be read, the text is unscanned.
func (f *leakFinder) open(under label, text string, taken map[int]bool) []located {
	found, err := f.find(under, text)
	if err != nil {
		return []located{{rule: RuleUnscanned}}
	}
	type place struct {
		line int
		rule string
	}
	seen := map[place]bool{}
	lines := lineCounter{text: text}
	return slices.DeleteFunc(found, func(l located) bool {
		p := place{lines.of(l.at), l.rule}
		again := taken[p.line] || seen[p]
		seen[p] = true
		return again
	})
}
