package gitmatch

import (
	"bytes"
)

// State is what an attribute is for a path.
type State uint8

// The states of an attribute (gitattributes(5)).
const (
	Unspecified State = iota // no rule says anything, or a rule says "!name"
	Set                      // "name"
	Unset                    // "-name"
	Value                    // "name=value"
)

// Attribute is one attribute of a path and the rule that gave it.
type Attribute struct {
	State State
	Value string
	Source
}

// Attributes answers which attributes a path has. It asks for each folder's .gitattributes once.
type Attributes struct {
	mode Mode
	low  []attributeList // built-in, system, user: lowest precedence first
	info attributeList   // .git/info/attributes, above all others
	load func(dir string) (File, error)
	dirs map[string][]attributeList
}

type attributeList struct {
	dir    string
	rules  []attributeRule
	macros map[string]attributeRule
}

type attributeRule struct {
	pattern pattern
	set     []setting
	source  Source
}

type setting struct {
	name  string
	state State
	value string
}

const (
	macroPrefix = "[attr]"
	blanks      = " \t\r\n"
	maxAttrLine = 2048 // git ignores a longer line
)

// NewAttributes returns the attributes that the general files (the system's, then core.attributesFile; the later wins),
// the .gitattributes files that load returns and .git/info/attributes give. load is called for "" and for each folder
// by its path, and returns an empty File where there is none.
func NewAttributes(load func(dir string) (File, error), mode Mode, info File, general ...File) *Attributes {
	a := &Attributes{mode: mode, load: load, dirs: map[string][]attributeList{}}
	general = append([]File{{Name: "[builtin]", Data: []byte("[attr]binary -diff -merge -text")}}, general...)
	for _, f := range general {
		a.low = append(a.low, parseAttributes("", f, true))
	}
	a.info = parseAttributes("", info, true)
	return a
}

// Lookup returns the attributes of the file at path by name. A name that is absent is unspecified.
func (a *Attributes) Lookup(path string) (map[string]Attribute, error) {
	lists, err := a.folder(parentOf(path))
	if err != nil {
		return nil, err
	}
	found := map[string]Attribute{}
	a.apply(found, a.info, lists, path)
	for i := len(lists) - 1; i >= 0; i-- {
		a.apply(found, lists[i], lists, path)
	}
	for i := len(a.low) - 1; i >= 0; i-- {
		a.apply(found, a.low[i], lists, path)
	}
	return found, nil
}

// apply adds what one file says of path, its last line first: the first word on an attribute stands.
func (a *Attributes) apply(found map[string]Attribute, list attributeList, lists []attributeList, path string) {
	for i := len(list.rules) - 1; i >= 0; i-- {
		if rule := list.rules[i]; rule.pattern.match(list.dir, path, false, a.mode) {
			a.fill(found, rule, rule.source, lists)
		}
	}
}

// fill gives the attributes of one rule, and those of each macro that it sets. It calls itself only for an attribute that
// it has just given, which happens once for each.
func (a *Attributes) fill(found map[string]Attribute, rule attributeRule, source Source, lists []attributeList) {
	for i := len(rule.set) - 1; i >= 0; i-- {
		s := rule.set[i]
		if _, ok := found[s.name]; ok {
			continue
		}
		found[s.name] = Attribute{State: s.state, Value: s.value, Source: source}
		if macro, ok := a.macro(s.name, lists); ok && s.state == Set {
			a.fill(found, macro, source, lists)
		}
	}
}

// macro returns the definition of a macro that has most weight. Only the root's .gitattributes may define some.
func (a *Attributes) macro(name string, lists []attributeList) (attributeRule, bool) {
	if m, ok := a.info.macros[name]; ok {
		return m, true
	}
	for _, stack := range [][]attributeList{lists, a.low} {
		for i := len(stack) - 1; i >= 0; i-- {
			if m, ok := stack[i].macros[name]; ok {
				return m, true
			}
		}
	}
	return attributeRule{}, false
}

// folder returns the files that apply in a folder, the root's first. It calls itself once for each path component.
func (a *Attributes) folder(dir string) ([]attributeList, error) {
	if known, ok := a.dirs[dir]; ok {
		return known, nil
	}
	var lists []attributeList
	if dir != "" {
		var err error
		if lists, err = a.folder(parentOf(dir)); err != nil {
			return nil, err
		}
	}
	file, err := a.load(dir)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(file.Data)) > 0 {
		lists = append(lists[:len(lists):len(lists)], parseAttributes(dir, file, dir == ""))
	}
	a.dirs[dir] = lists
	return lists, nil
}
