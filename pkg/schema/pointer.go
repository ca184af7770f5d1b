package schema

import (
	"net/url"
	"strconv"
	"strings"
)

// tokens cuts a JSON pointer as the library writes it: percent-encoded, with ~0 and ~1.
func tokens(pointer string) []string {
	pointer = strings.TrimPrefix(pointer, "/")
	if pointer == "" {
		return nil
	}
	list := strings.Split(pointer, "/")
	for i, token := range list {
		if plain, err := url.PathUnescape(token); err == nil {
			token = plain
		}
		list[i] = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
	}
	return list
}

// index reads a token as an index into a list of some length, -1 when it is none.
func index(token string, length int) int {
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || i >= length {
		return -1
	}
	return i
}

// at returns the schema that holds the keyword at a location, nil when there is none.
func (s *Schema) at(location string) map[string]any {
	document, pointer, _ := strings.Cut(location, "#")
	here, ok := s.others[document]
	if !ok {
		here = s.doc
	}
	list := tokens(pointer)
	if len(list) == 0 {
		m, _ := here.(map[string]any)
		return m
	}
	for _, token := range list[:len(list)-1] {
		switch v := here.(type) {
		case map[string]any:
			here = v[token]
		case []any:
			i := index(token, len(v))
			if i < 0 {
				return nil
			}
			here = v[i]
		default:
			return nil
		}
	}
	m, _ := here.(map[string]any)
	return m
}
