package check

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// typed says what the values at a path have to be, as the Application's CustomResourceDefinition does. A step "*" is every key of a
// map, "#" every item of a list.
type typed struct {
	steps []string
	want  string
}

const (
	aMap     = "a map"
	aList    = "a list"
	aText    = "text"
	aBoolean = "true or false"
)

// typedFields are those that the other rules read.
func typedFields() []typed {
	out := []typed{
		{[]string{"metadata", "namespace"}, aText},
		{[]string{"metadata", "labels"}, aMap},
		{[]string{"metadata", "labels", "*"}, aText},
		{[]string{"metadata", "annotations"}, aMap},
		{[]string{"metadata", "annotations", "*"}, aText},
		{[]string{"metadata", "finalizers"}, aList},
		{[]string{"metadata", "finalizers", "#"}, aText},
		{[]string{"spec", "project"}, aText},
		{[]string{"spec", "destination"}, aMap},
		{[]string{"spec", "destination", "*"}, aText},
		{[]string{"spec", "syncPolicy"}, aMap},
		{[]string{"spec", "syncPolicy", "syncOptions"}, aList},
		{[]string{"spec", "syncPolicy", "syncOptions", "#"}, aText},
		{[]string{"spec", "source"}, aMap},
		{[]string{"spec", "sources"}, aList},
		{[]string{"spec", "sources", "#"}, aMap},
	}
	for _, source := range [][]string{{"spec", "source"}, {"spec", "sources", "#"}} {
		for _, f := range []typed{
			{[]string{"repoURL"}, aText}, {[]string{"path"}, aText}, {[]string{"chart"}, aText}, {[]string{"targetRevision"}, aText}, {[]string{"ref"}, aText},
			{[]string{"helm"}, aMap},
			{[]string{"helm", "releaseName"}, aText},
			{[]string{"helm", "valueFiles"}, aList},
			{[]string{"helm", "valueFiles", "#"}, aText},
			{[]string{"helm", "ignoreMissingValueFiles"}, aBoolean},
			{[]string{"helm", "values"}, aText},
			{[]string{"helm", "valuesObject"}, aMap},
			{[]string{"helm", "parameters"}, aList},
			{[]string{"helm", "fileParameters"}, aList},
		} {
			out = append(out, typed{slices.Concat(source, f.steps), f.want})
		}
	}
	return out
}

// types finds values of the wrong type: the API server refuses the whole Application for each of them.
func (s *subject) types() []placed {
	var out []placed
	for _, f := range typedFields() {
		for _, at := range f.wrong(s.Object(), f.steps, nil) {
			value, _ := values.Lookup(s.Object(), at)
			next := "correct the type"
			if f.want == aText && typeOf(value) != aMap && typeOf(value) != aList {
				next = "put it in quotes"
			}
			message := fmt.Sprintf("this is %s and must be %s: the API server refuses the Application", typeOf(value), f.want)
			if out = append(out, found(at, RuleShape, message, next)); len(out) == maxFaults {
				return out
			}
		}
	}
	return out
}

// wrong returns the paths of values that are of another type. What is not there, or of another type further up, is none of them.
func (f typed) wrong(v any, steps []string, at values.Path) []values.Path {
	if len(steps) == 0 {
		if typeOf(v) == f.want {
			return nil
		}
		return []values.Path{at}
	}
	var out []values.Path
	switch m := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(m)) {
			if (steps[0] == "*" || steps[0] == key) && m[key] != nil { // to the API server a null is not there
				out = append(out, f.wrong(m[key], steps[1:], at.Key(key))...)
			}
		}
	case []any:
		for i, item := range m {
			if steps[0] == "#" {
				out = append(out, f.wrong(item, steps[1:], at.Index(i))...)
			}
		}
	}
	return out
}

func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case map[string]any:
		return aMap
	case []any:
		return aList
	case string:
		return aText
	case bool:
		return aBoolean
	}
	return "a number"
}
