package finding

import (
	"cmp"
	"slices"
)

// unitFindings are the findings of a unit that was checked.
type unitFindings struct {
	unit     Unit
	findings []Finding
}

// name is what a unit is called within its app.
func (u Unit) name() string { return cmp.Or(u.File, u.App, "the repo") }

// cases sorts findings to the units that were checked, each unit once. A finding whose unit is not among them brings its own, so that
// none is lost; one that says no app goes to the unit of its file, where there is one only.
func cases(r *Report) []unitFindings {
	var list []unitFindings
	at := map[Unit]int{}
	files := map[string][]int{}
	add := func(u Unit) int {
		if i, ok := at[u]; ok {
			return i
		}
		i := len(list)
		at[u] = i
		files[u.File] = append(files[u.File], i)
		list = append(list, unitFindings{unit: u})
		return i
	}
	for _, u := range r.Run.Checked {
		add(u)
	}
	for _, f := range r.Findings {
		u := Unit{App: f.App, File: f.File}
		if _, ok := at[u]; !ok && f.App == "" && f.File != "" && len(files[f.File]) == 1 {
			u = list[files[f.File][0]].unit
		}
		i := add(u)
		list[i].findings = append(list[i].findings, f)
	}
	if len(list) == 0 {
		add(Unit{}) // CI systems take a report without any test for a broken one
	}
	slices.SortStableFunc(list, func(a, b unitFindings) int {
		return cmp.Or(cmp.Compare(a.unit.App, b.unit.App), cmp.Compare(a.unit.File, b.unit.File))
	})
	return list
}
