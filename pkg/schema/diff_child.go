package schema

import (
	"maps"
	"slices"
	"strings"
)

// named returns the keys that subschemas name, sorted. Those that begin with NUL are our own (besideRef).
func named(lists ...[]*subschema) []string {
	all := map[string]bool{}
	for _, list := range lists {
		for _, s := range list {
			for key := range s.Properties {
				all[key] = true
			}
		}
	}
	maps.DeleteFunc(all, func(key string, _ bool) bool { return strings.HasPrefix(key, "\x00") })
	return slices.Sorted(maps.Keys(all))
}

// knows tells whether a conjunction says something of a key: it names it, in a branch too, has a pattern or a schema for it, or names no
// keys at all. What it forbids it does not know.
func (w *graph) knows(c conjunction, key string) bool {
	if w.child(c, key).never {
		return false
	}
	list := w.inPlace(c)
	names := false
	for _, s := range list {
		if _, ok := s.Properties[key]; ok || matches(s, key) {
			return true
		}
		names = names || len(s.Properties) > 0 || len(s.PatternProperties) > 0
	}
	return !names || slices.ContainsFunc(list, describesOthers)
}

// describesOthers tells whether a subschema says outright what keys without a name may hold.
func describesOthers(s *subschema) bool {
	switch others := s.AdditionalProperties.(type) {
	case bool:
		return others
	case *subschema:
		return others.Always == nil || *others.Always
	}
	return false
}

func matches(s *subschema, key string) bool {
	for pattern := range s.PatternProperties {
		if pattern.MatchString(key) {
			return true
		}
	}
	return false
}

// child returns what a conjunction says of the value of a key.
func (w *graph) child(c conjunction, key string) conjunction {
	list, never := valueOf(c.members, key)
	may, _ := valueOf(w.inPlace(c), key)
	return w.below(c.owner, never, list, may)
}

// valueOf returns what each of some subschemas puts to the value of a key; never tells that one of them forbids the key.
func valueOf(of []*subschema, key string) (list []*subschema, never bool) {
	for _, s := range of {
		sub, ok := s.Properties[key]
		if ok {
			list = append(list, sub)
		}
		for pattern, sub := range s.PatternProperties {
			if pattern.MatchString(key) {
				list = append(list, sub)
				ok = true
			}
		}
		if ok {
			continue
		}
		switch others := s.AdditionalProperties.(type) {
		case bool:
			never = never || !others
		case *subschema:
			list = append(list, others)
		}
	}
	return list, never
}

// nameless returns all that may be put to the values of keys without a name.
func (w *graph) nameless(c conjunction) []*subschema {
	var list []*subschema
	for _, s := range w.inPlace(c) {
		for _, sub := range s.PatternProperties {
			list = append(list, sub)
		}
		if sub, ok := s.AdditionalProperties.(*subschema); ok {
			list = append(list, sub)
		}
	}
	return list
}
