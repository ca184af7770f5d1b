package printer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// note is what one or more findings say alike, and what they say it of.
type note struct {
	finding.Finding          // the first of them
	of              []string // apps, or places of what is about no app; each once
	tells           int      // how many findings there are
}

// alikeNotes gathers findings that differ in their app or place only, by rule: thirty charts without a schema are one note. Findings
// come sorted, and so do notes of a rule.
func alikeNotes(list []finding.Finding) []note {
	type key struct{ rule, path, message, next string }
	at := map[key]int{}
	var notes []note
	for _, f := range list {
		k := key{f.Rule, f.Path, f.Message, f.Next}
		i, ok := at[k]
		if !ok {
			i = len(notes)
			at[k] = i
			notes = append(notes, note{Finding: f})
		}
		notes[i].tells++
		if name := cmp.Or(f.App, f.Place()); name != "" && (len(notes[i].of) == 0 || notes[i].of[len(notes[i].of)-1] != name) {
			notes[i].of = append(notes[i].of, name)
		}
	}
	slices.SortStableFunc(notes, func(a, b note) int { return cmp.Compare(a.Rule, b.Rule) })
	return notes
}

// notes prints infos below their rule, a line for each thing that they say; of those of one rule it prints some and counts the rest.
// There is nothing that a person has to do about them.
func (p *page) notes(list []finding.Finding) {
	if len(list) == 0 {
		return
	}
	p.write(p.style.paint(bold, "Notes") + "\n")
	for notes := alikeNotes(list); len(notes) > 0; {
		n := slices.IndexFunc(notes, func(other note) bool { return other.Rule != notes[0].Rule })
		if n < 0 {
			n = len(notes)
		}
		p.write("  " + p.style.paint(faint, "["+oneLine(notes[0].Rule)+"]") + "\n")
		for _, shown := range notes[:min(n, maxAlike)] {
			p.write("    " + noCommand(oneLine(shown.line())) + "\n")
		}
		if n > maxAlike {
			p.printf("    and %d more (-o json lists them)\n", n-maxAlike)
		}
		notes = notes[n:]
	}
	p.write("\n")
}

// line is what a note says, and of what. A value file's path names its app already.
func (n note) line() string {
	parts := []string{n.App, n.Place(), about(n.Finding)}
	switch {
	case len(n.of) > 1:
		parts = []string{about(n.Finding), bounded(n.of, maxAlike)}
	case n.App != "" && strings.Contains(n.File, "/"+n.App+"/"):
		parts = parts[1:]
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ": ")
}
