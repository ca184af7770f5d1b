package schema_test

import (
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/schema"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

func TestKnows(t *testing.T) {
	s, err := schema.Compile("chart", []byte(`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"image":{"properties":{"tag":{"type":"string"}}},
		"labels":{"type":"object"},"closed":{"additionalProperties":false,"properties":{"a":{}}},"free":{"additionalProperties":true,"properties":{"a":{}}},
		"typed":{"additionalProperties":{"properties":{"x":{}}}},"env":{"items":{"properties":{"name":{}}}},"list":{"type":"array"},
		"kind":{"oneOf":[{"properties":{"file":{"properties":{"path":{}}}}},{"properties":{"url":{}}}]},"matched":{"patternProperties":{"^x-":{"properties":{"y":{}}}}},
		"gone":false}}`))
	if err != nil {
		t.Fatal(err)
	}
	key := func(keys ...string) (p values.Path) {
		for _, k := range keys {
			p = p.Key(k)
		}
		return p
	}
	for name, c := range map[string]struct {
		reason string
		path   values.Path
		want   schema.Knowledge
	}{
		"named":              {"it is named", key("image", "tag"), schema.Known},
		"beside":             {"others are named, and it is not", key("image", "tags"), schema.Unknown},
		"top":                {"as above", key("images"), schema.Unknown},
		"a map":              {"a map without names", key("labels", "tier"), schema.Silent},
		"below a map":        {"as above", key("labels", "tier", "x"), schema.Silent},
		"closed":             {"what is refused is not known", key("closed", "b"), schema.Unknown},
		"forbidden":          {"what is forbidden by name is not known", key("gone"), schema.Unknown},
		"free":               {"it is said that other keys may be there", key("free", "b"), schema.Known},
		"below free":         {"and nothing of what they hold", key("free", "b", "c"), schema.Silent},
		"typed":              {"other keys have a schema", key("typed", "b", "x"), schema.Known},
		"below typed":        {"which names keys", key("typed", "b", "y"), schema.Unknown},
		"an item":            {"items have a schema", key("env").Index(3).Key("name"), schema.Known},
		"beside in an item":  {"which names keys", key("env").Index(3).Key("value"), schema.Unknown},
		"an item of nothing": {"nothing is said of items", key("list").Index(0).Key("x"), schema.Silent},
		"a branch":           {"one branch names it", key("kind", "file", "path"), schema.Known},
		"no branch":          {"no branch names it", key("kind", "other"), schema.Unknown},
		"a pattern":          {"a pattern takes it", key("matched", "x-a", "y"), schema.Known},
		"no pattern":         {"no pattern takes it", key("matched", "a"), schema.Unknown},
		"all":                {"the root is known", nil, schema.Known},
	} {
		t.Run(name, func(t *testing.T) {
			if got := s.Knows(c.path); got != c.want {
				t.Errorf("%s: got %v, want %v", c.reason, got, c.want)
			}
		})
	}
}
