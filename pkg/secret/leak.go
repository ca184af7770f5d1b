package secret

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
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
	if f.spans == nil {
		f.spans = make([][]span, len(l.rules))
	}
	for _, rule := range f.called {
		f.spans[rule] = f.spans[rule][:0]
	}
	f.called = f.called[:0]
	if f.awake {
		for _, rule := range f.loose {
			f.spans[rule], f.called = append(f.spans[rule], span{0, len(text)}), append(f.called, rule)
		}
	}
	l.keywords.find(text, func(word, end int) {
		for _, rule := range l.byWord[word] {
			if l.rules[rule].loose {
				if f.see(rule); len(f.spans[rule]) == 0 {
					f.spans[rule], f.called = append(f.spans[rule], span{0, len(text)}), append(f.called, rule)
				}
				continue
			}
			p, failed := l.rules[rule].pattern()
			if failed != nil {
				err = failed
				return
			}
			reach := p.reach + besideReach
			s := span{max(0, end-reach), min(len(text), end+reach)}
			spans := f.spans[rule]
			switch last := len(spans) - 1; {
			case last >= 0 && s.from <= spans[last].to:
				spans[last].to = s.to
			default:
				if last < 0 {
					f.called = append(f.called, rule)
				}
				f.spans[rule] = append(spans, s)
			}
		}
	})
	return err
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
	label := under.name
	rules, ok := f.labels[label]
	if !ok {
		l.keywords.find(label, func(word, _ int) {
			for _, rule := range l.byWord[word] {
				if l.rules[rule].loose {
					f.see(rule)
				}
				if !slices.Contains(rules, rule) {
					rules = append(rules, rule)
				}
			}
		})
		f.labels[label] = rules
	}
	var leaks []leak
	for _, rule := range rules {
		id := l.rules[rule].id
		if id == genericRule && (under.listed || !isOpen(label) || !mayBeGeneric(text[:min(len(text), maxAuthority)])) {
			continue
		}
		p, err := l.rules[rule].pattern()
		if err != nil {
			return nil, err
		}
		name := label[max(0, len(label)-maxName):] + ": "
		line := name + text[:min(len(text), p.reach+besideReach)]
		found, err := l.find(rule, line, func(m leak) bool {
			return m.at >= len(name) && acceptLeak(id, line[m.matchAt:m.at], line[m.at:m.to])
		})
		if err != nil {
			return nil, err
		}
		for _, m := range found {
			m.at, m.to = m.at-len(name), m.to-len(name)
			leaks = append(leaks, m)
		}
	}
	return leaks, nil
}

// isOpen reports whether a name leaves it open what it holds: the structural rules say nothing of it, nor does the name
// say that it is something else.
func isOpen(name string) bool { return tierOf(name) == plain && !namesAnother(name) }

// locate drops what was found, and all but one of the leaks that share bytes.
func (l *leakRules) locate(leaks []leak) []located {
	generic := func(m leak) int {
		if l.rules[m.rule].id == genericRule {
			return 1
		}
		return 0
	}
	slices.SortFunc(leaks, func(a, b leak) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(generic(a), generic(b)), cmp.Compare(a.rule, b.rule))
	})
	var out []located
	end := -1
	for _, m := range leaks {
		if m.at < end {
			continue
		}
		end = m.to
		out = append(out, located{leakPrefix + l.rules[m.rule].id, m.at})
	}
	return out
}

// acceptLeak has the last word on what a rule of gitleaks takes for a secret: what our own rules know to be a reference,
// a placeholder, a path or a digest is none (cases E1 and E9). before is what of the match stands before the secret.
func acceptLeak(id, before, secret string) bool {
	if isReference(secret) || isPlaceholder(secret) {
		return false
	}
	switch id {
	case genericRule:
		return classify(secret, true) == other && !digestForm.MatchString(secret) && isGeneric(before, secret)
	case "curl-auth-user":
		return judgeUser(secret) == literal
	case "curl-auth-header":
		return !isTextReference(secret)
	}
	return true
}

var uuidForm = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// minGeneric is the length of the shortest secret that gitleaks' generic rule finds.
const minGeneric = 10

// isGeneric judges what gitleaks' generic rule finds. The rule goes by words such as key, auth and api anywhere in a
// name, and by the randomness of the value: to it, most keys of a chart and most versions of an API are secrets. So the
// name is judged as the structural rules judge names; and where it says nothing, the value must be made of no words.
func isGeneric(before, secret string) bool {
	before = strings.TrimRight(before, " \t\r\n\"'`=:>|?,")
	name := before[nameStart(before, len(before)):]
	if tierOf(name) != plain {
		return judgeText(name, secret) == literal
	}
	return !namesAnother(name) && isRandom(secret, minGeneric) && !uuidForm.MatchString(secret)
}

// mayBeGeneric reports whether gitleaks' generic rule can find a secret in a text that isGeneric then takes: a digit in a
// long enough run of what such secrets are made of.
func mayBeGeneric(text string) bool {
	run, digit := 0, false
	for i := range len(text) {
		c := text[i]
		if !isNameByte(c) && c != '=' && c != '+' && c != '/' {
			run, digit = 0, false
			continue
		}
		run++
		digit = digit || isDigit(c)
		if digit && run >= minGeneric {
			return true
		}
	}
	return false
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

// leak reports at the place where the walk stands what gitleaks' rules find in a string.
func (w *walker) leak(s string, taken map[int]bool) {
	seen := map[string]bool{}
	for _, l := range w.leaks.open(w.label, s, taken) {
		if !seen[l.rule] {
			seen[l.rule] = true
			w.report(l.rule, literal)
		}
	}
}

// wholeNumber returns the digits of a number that has no fraction, and "" for any other.
func wholeNumber(v any) string {
	switch v := v.(type) {
	case json.Number:
		if strings.Trim(v.String(), "0123456789") == "" {
			return v.String()
		}
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1e20 {
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
	case int64, int, uint64:
		return fmt.Sprint(v)
	}
	return ""
}

// namesAnother reports whether a name is that of a name, a place or a kind, which says where or what a secret is.
func namesAnother(name string) bool {
	words := nameWords(name)
	if len(words) == 0 {
		return true
	}
	switch words[len(words)-1] {
	case "name", "names", "ref", "file", "path", "dir", "url", "uri", "class", "image", "tag", "digest", "version", "checksum",
		"fingerprint", "revision", "commit", "host", "endpoint", "namespace":
		return true
	}
	return words[0] == "checksum"
}
