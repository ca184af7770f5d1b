package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// violations says in our words what one error of the library is about. The library's quote values, which can be secrets:
// what is quoted here is the schema's text, and keys.
func (r *reader) violations(e *jsonschema.ValidationError) []Violation {
	pointer := pointerOf(e)
	path, value := r.resolve(e.InstanceLocation)
	v := Violation{Path: path, SchemaPath: pointer, Keyword: keywordOf(pointer)}
	if e.Message == "not allowed" {
		v.Keyword, v.Message = "false", "this is not allowed here"
		v.Next = globalHint(path)
		return []Violation{v}
	}
	at := r.schema.at(e.AbsoluteKeywordLocation)
	if m, ok := value.(map[string]any); ok {
		var list []Violation
		switch v.Keyword {
		case "additionalProperties":
			list = additional(v, at, m)
		case "required":
			list = missing(v, at, m)
		}
		if len(list) > 0 {
			return list
		}
	}
	v.Message = messageOf(v.Keyword, e.Message, at)
	if v.Keyword == "dependencies" || v.Keyword == "dependentRequired" {
		v.Near = r.schema.dependent(path, e.AbsoluteKeywordLocation)
	}
	if v.Keyword == "type" && value == nil && at["nullable"] == true {
		v.Next = `"nullable" is a word of OpenAPI, not of JSON schema: Helm refuses null here; leave the key out`
	}
	return []Violation{v}
}

// missing says of each key that is required and not there that it is missing.
func missing(v Violation, at, m map[string]any) []Violation {
	names, _ := at["required"].([]any)
	var list []Violation
	for _, item := range names {
		key, _ := item.(string)
		if _, ok := m[key]; ok {
			continue
		}
		one := v
		one.Near = []values.Path{v.Path.Key(key)}
		one.Message = fmt.Sprintf("the key %q is missing", shorten(key))
		list = append(list, one)
		if len(list) > MaxViolations {
			break
		}
	}
	return list
}

// dependent returns the places of a key that another one asks for, and of that one. location ends in that one, and an index.
func (s *Schema) dependent(path values.Path, location string) []values.Path {
	list := tokens(location)
	if len(list) < 2 {
		return nil
	}
	asking, last := list[len(list)-2], list[len(list)-1]
	wanted, _ := s.at(location[:strings.LastIndexByte(location, '/')])[asking].([]any)
	if i := index(last, len(wanted)); i >= 0 {
		if key, ok := wanted[i].(string); ok {
			return []values.Path{path.Key(key), path.Key(asking)}
		}
	}
	return []values.Path{path.Key(asking)}
}

// messageOf says what a keyword wants.
func messageOf(keyword, said string, at map[string]any) string {
	switch keyword {
	case "const":
		return "the only value allowed is " + quoteJSON(at["const"])
	case "enum":
		list, _ := at["enum"].([]any)
		if len(list) == 1 {
			return "the only value allowed is " + quoteJSON(list[0])
		}
		words := make([]string, 0, min(len(list), 20))
		for _, item := range list[:min(len(list), 20)] {
			words = append(words, quoteJSON(item))
		}
		return "must be one of " + shorten(strings.Join(words, ", "))
	case "format":
		return "this is no " + quoteJSON(at["format"])
	case "pattern":
		return "does not match the pattern " + quoteJSON(at["pattern"])
	case "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum":
		said, _, _ = strings.Cut(said, " but found ")
		return said
	case "multipleOf":
		return "must be a multiple of " + quoteJSON(at["multipleOf"])
	case "minLength", "maxLength":
		said, _, _ = strings.Cut(said, ", but got ")
		return said
	case "minContains":
		return "too few items are as \"contains\" wants them"
	case "maxContains":
		return "too many items are as \"contains\" wants them"
	case "not":
		return "is what the schema's \"not\" forbids"
	case "oneOf":
		return "fits more than one of the alternatives, of which only one may fit: " + strings.TrimPrefix(said, "valid against schemas at ")
	case "type", "required", "minProperties", "maxProperties", "minItems", "maxItems", "uniqueItems", "additionalItems",
		"dependencies", "dependentRequired":
		return shorten(said) // types, counts and the names of keys
	}
	return "is not as the schema wants it" // and not what the library says, which could quote the value
}

// additional says for each key that no keyword of the schema takes that it is not allowed, and what was meant.
func additional(v Violation, at, m map[string]any) []Violation {
	known, _ := at["properties"].(map[string]any)
	byPattern, _ := at["patternProperties"].(map[string]any)
	var patterns []*regexp.Regexp
	for pattern := range byPattern {
		if re, err := regexp.Compile(pattern); err == nil {
			patterns = append(patterns, re)
		}
	}
	names := slices.SortedFunc(maps.Keys(known), compareFold)
	var list []Violation
	for _, key := range slices.Sorted(maps.Keys(m)) {
		_, ok := known[key]
		if ok || slices.ContainsFunc(patterns, func(re *regexp.Regexp) bool { return re.MatchString(key) }) {
			continue
		}
		one := v
		one.Path = v.Path.Key(key)
		one.Message = "the schema knows no such key"
		one.Next = globalHint(one.Path)
		if near := Nearest(key, names); near != "" && one.Next == "" {
			one.Next = fmt.Sprintf("did you mean %q?", shorten(near))
		}
		list = append(list, one)
		if len(list) > MaxViolations {
			break
		}
	}
	return list
}

// globalHint explains the one key that nobody wrote.
func globalHint(path values.Path) string {
	if len(path) == 1 && path[0].Key == "global" {
		return `Helm puts "global" into the values of each subchart, so that a schema which forbids it works for a chart on its own only`
	}
	return ""
}

// quoteJSON writes a piece of the schema, shortened.
func quoteJSON(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // patterns are full of angle brackets
	if err := e.Encode(v); err != nil {
		return "what the schema says"
	}
	return shorten(strings.TrimSuffix(b.String(), "\n"))
}
