package values

import (
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// scribe writes a tree as YAML text the way people do: in every style that YAML has for it, drawn at random. With
// anchors it also writes aliases and merge keys, so that the text can mean another tree than the one it was given:
// what a text means is for Helm's parser to say.
type scribe struct {
	t       *rapid.T
	out     strings.Builder
	anchors []string // of finished maps
	names   int
}

// drawText draws one text for a tree.
func drawText(t *rapid.T, tree map[string]any) string {
	s := &scribe{t: t}
	if chance(t, 8, "head") {
		s.out.WriteString(rapid.SampledFrom([]string{"---\n", "# head\n---\n", "%YAML 1.1\n---\n", "--- # start\n", "# head\n\n", "\n\n"}).Draw(t, "header"))
	}
	switch {
	case len(tree) == 0:
		s.out.WriteString(rapid.SampledFrom([]string{"", "{}\n", "null\n", "# nothing\n", "{}"}).Draw(t, "empty"))
	case chance(t, 12, "flow root"):
		s.flow(tree, 0)
		s.out.WriteByte('\n')
	default:
		s.mapping(tree, 0)
	}
	text := s.out.String()
	switch rapid.IntRange(0, 15).Draw(t, "ending") {
	case 0:
		text = strings.TrimSuffix(text, "\n")
	case 1:
		text += "\n\n# the end\n"
	case 2:
		if len(tree) > 0 {
			text += "---\nsecond: document\n"
		}
	case 3:
		if len(tree) > 0 {
			text += "...\n"
		}
	case 4:
		text = "\ufeff" + text
	case 5:
		if !strings.Contains(text, "\r") {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
	}
	return text
}

func (s *scribe) spaces(n int) { s.out.WriteString(strings.Repeat(" ", n)) }

// interlude writes what may stand between two entries.
func (s *scribe) interlude(column int) {
	switch rapid.IntRange(0, 11).Draw(s.t, "interlude") {
	case 0:
		s.spaces(column)
		s.out.WriteString("# about the next\n")
	case 1:
		s.out.WriteByte('\n')
	case 2:
		s.spaces(column)
		s.out.WriteString("# old: value\n\n")
	case 3:
		s.out.WriteString("# at the margin\n")
	case 4:
		s.spaces(column + 2)
		s.out.WriteString("# deeper\n")
	}
}

// mapping writes the lines of a block mapping.
func (s *scribe) mapping(m map[string]any, column int) {
	keys := rapid.Permutation(slices.Sorted(maps.Keys(m))).Draw(s.t, "order")
	if len(s.anchors) > 0 && chance(s.t, 6, "merge") {
		s.spaces(column)
		s.out.WriteString("<<: *" + rapid.SampledFrom(s.anchors).Draw(s.t, "merged") + "\n")
	}
	for _, key := range keys {
		s.interlude(column)
		s.spaces(column)
		s.key(key)
		s.out.WriteByte(':')
		s.afterColon(m[key], column)
	}
}

func (s *scribe) key(key string) {
	if plainSafe(key) && !chance(s.t, 6, "quoted key") {
		s.out.WriteString(key)
		return
	}
	if key == "8080" || key == "1.5" || key == "true" {
		s.out.WriteString(key) // a key of another type that becomes this text
		return
	}
	s.quoted(key, -1)
}

func (s *scribe) afterColon(v any, column int) {
	switch x := v.(type) {
	case map[string]any:
		if len(s.anchors) > 0 && chance(s.t, 10, "alias") {
			s.out.WriteString(" *" + rapid.SampledFrom(s.anchors).Draw(s.t, "aliased") + "\n")
			return
		}
		if len(x) > 0 && !chance(s.t, 4, "flow") {
			name := ""
			if chance(s.t, 8, "anchor") {
				s.names++
				name = "m" + string(rune('a'+s.names%26)) + strings.Repeat("x", s.names/26)
				s.out.WriteString(" &" + name)
			}
			s.endLine()
			s.mapping(x, column+rapid.IntRange(1, 4).Draw(s.t, "indent"))
			if name != "" {
				s.anchors = append(s.anchors, name)
			}
			return
		}
	case []any:
		if len(x) > 0 && !chance(s.t, 4, "flow") {
			s.endLine()
			s.list(x, column+rapid.IntRange(0, 3).Draw(s.t, "indent"))
			return
		}
	case string:
		if s.block(x, column) {
			return
		}
	}
	s.out.WriteByte(' ')
	s.inline(v, column)
	s.endLine()
}

func (s *scribe) endLine() {
	if chance(s.t, 10, "remark") {
		s.out.WriteString(" # remark")
	}
	s.out.WriteByte('\n')
}

func (s *scribe) list(items []any, column int) {
	for _, item := range items {
		s.spaces(column)
		s.out.WriteByte('-')
		if m, ok := item.(map[string]any); ok && len(m) > 0 && chance(s.t, 2, "block item") {
			s.out.WriteByte('\n')
			s.mapping(m, column+2)
			continue
		}
		s.out.WriteByte(' ')
		s.inline(item, column)
		s.endLine()
	}
}

// inline writes a value at the end of a line, which it does not end.
func (s *scribe) inline(v any, column int) {
	switch x := v.(type) {
	case map[string]any, []any:
		s.flow(x, column)
	case string:
		if plainSafe(x) && chance(s.t, 2, "plain") {
			s.out.WriteString(x)
			return
		}
		s.quoted(x, column)
	default:
		s.plainOther(v)
	}
}

func (s *scribe) plainOther(v any) {
	switch x := v.(type) {
	case nil:
		s.out.WriteString(rapid.SampledFrom([]string{"null", "~", "Null"}).Draw(s.t, "null"))
	case bool:
		if x {
			s.out.WriteString(rapid.SampledFrom([]string{"true", "yes", "On", "y"}).Draw(s.t, "true"))
		} else {
			s.out.WriteString(rapid.SampledFrom([]string{"false", "no", "OFF", "n"}).Draw(s.t, "false"))
		}
	case spelled:
		s.out.WriteString(string(x))
	default:
		s.out.WriteString(otherScalar(v))
	}
}

func (s *scribe) flow(v any, column int) {
	switch x := v.(type) {
	case map[string]any:
		s.out.WriteByte('{')
		for i, key := range rapid.Permutation(slices.Sorted(maps.Keys(x))).Draw(s.t, "order") {
			s.comma(i, column)
			s.key(key)
			s.out.WriteString(": ")
			s.flow(x[key], column)
		}
		s.out.WriteByte('}')
	case []any:
		s.out.WriteByte('[')
		for i, item := range x {
			s.comma(i, column)
			s.flow(item, column)
		}
		s.out.WriteByte(']')
	case string:
		s.quoted(x, column)
	default:
		s.plainOther(v)
	}
}

func (s *scribe) comma(i, column int) {
	if i == 0 {
		return
	}
	s.out.WriteByte(',')
	if chance(s.t, 8, "line") {
		s.out.WriteByte('\n')
		s.spaces(column + 1)
		return
	}
	s.out.WriteByte(' ')
}

// quoted writes a text in quotes, over two lines now and then where it has a lone space; column < 0 forbids that.
func (s *scribe) quoted(text string, column int) {
	single := !strings.ContainsAny(text, "\n\r\t\u0085\u2028\u2029\ufeff\x00\a\x7f") && chance(s.t, 2, "single")
	out := quote(text)
	if single {
		out = "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	if i := strings.Index(text, "a b"); column >= 0 && i >= 0 && chance(s.t, 3, "fold") {
		// YAML lets the second line stand anywhere, at the margin too.
		at := strings.Repeat(" ", rapid.SampledFrom([]int{0, column + 2}).Draw(s.t, "margin"))
		out = strings.Replace(out, "a b", "a\n"+at+"b", 1)
	}
	s.out.WriteString(out)
}

// block writes a text as a block scalar, where it has a shape for one.
func (s *scribe) block(text string, column int) bool {
	body := strings.TrimRight(text, "\n")
	if body == "" || strings.ContainsAny(text, "\r\u0085\u2028\u2029\ufeff\x00\a\x7f") || chance(s.t, 3, "no block") {
		return false
	}
	chomp := "+"
	switch len(text) - len(body) {
	case 0:
		chomp = "-"
	case 1:
		chomp = ""
	}
	indent, indicator := rapid.IntRange(1, 4).Draw(s.t, "block indent"), ""
	if strings.ContainsAny(body[:1], " \t\n") || chance(s.t, 4, "indicator") {
		indicator = string(rune('0' + indent))
	}
	folded := !strings.ContainsAny(body, "\n\t") && body[0] != ' ' && chance(s.t, 4, "folded")
	lines := strings.Split(body, "\n")
	mark := "|"
	if folded {
		mark = ">"
		lines = strings.Split(strings.Replace(body, "a b", "a\nb", 1), "\n")
	}
	s.out.WriteString(" " + mark + indicator + chomp)
	s.endLine()
	for _, line := range lines {
		if line != "" {
			s.spaces(column + indent)
		}
		s.out.WriteString(line + "\n")
	}
	for n := len(text) - len(body); n > 1; n-- {
		s.out.WriteByte('\n')
	}
	return true
}
