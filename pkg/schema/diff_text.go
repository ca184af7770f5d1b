package schema

import (
	"cmp"
	"fmt"
)

// Text says in a sentence what has changed, without the path.
func (c Change) Text() string {
	switch c.Kind {
	case Came:
		return "new" + holding(c.New)
	case Went:
		if c.Breaking {
			return "gone, and refused where it is set"
		}
		return "gone: it loses its effect"
	}
	text := c.what()
	switch {
	case c.Unknown && c.Keyword != keywordSize:
		text += "; it cannot be told whether values break"
	case c.Defaulted:
		text += "; the chart's own values have it"
	}
	return text
}

func holding(what string) string {
	if what == "" {
		return ""
	}
	return ", " + what
}

// what says which word of the schema says something else.
func (c Change) what() string {
	turned := fmt.Sprintf("was %s, is %s", cmp.Or(c.Old, "none"), cmp.Or(c.New, "none"))
	switch c.Keyword {
	case "required":
		if c.Kind == Widened {
			return "no longer required"
		}
		return "required now"
	case keywordFalse:
		if c.Kind == Widened {
			return "allowed now"
		}
		return "no longer allowed"
	case "type":
		return fmt.Sprintf("type was %s, is %s", orAny(c.Old), orAny(c.New))
	case "enum":
		return c.constants()
	case "additionalProperties":
		if c.Kind == Widened {
			return "keys that the schema does not name are taken now"
		}
		return "keys that the schema does not name are refused now"
	case "propertyNames":
		return "names of keys are held to something else"
	case "uniqueItems":
		if c.Kind == Widened {
			return "items may be equal now"
		}
		return "items may no longer be equal"
	case "anyOf", "oneOf":
		return fmt.Sprintf("the alternatives that the schema gives (%s) are others", c.Keyword)
	case "not", "if", "contains", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems", "$ref", "$dynamicRef", "$recursiveRef":
		return fmt.Sprintf("what the schema says by %q is something else", c.Keyword)
	case "dependentRequired":
		if c.Kind == Widened {
			return "wants no more keys beside it"
		}
		return "wants keys beside it: " + c.New
	case keywordSize:
		return "the schemas are too large to be compared to the end: it cannot be told whether values break"
	}
	return c.Keyword + " " + turned
}

func (c Change) constants() string {
	switch {
	case c.Kind == Widened && c.Old != "" && c.New == "":
		return "any value is taken now, and not only " + c.Old
	case c.Kind == Widened:
		return "more values are taken: " + orAny(c.Old)
	case c.New == "":
		return "values are no longer taken: " + c.Old
	case c.Old == "":
		return "only some values are taken now: " + c.New
	}
	return fmt.Sprintf("values are no longer taken: %s; what is taken: %s", c.Old, c.New)
}

func orAny(text string) string {
	if text == "" {
		return "anything"
	}
	return text
}
