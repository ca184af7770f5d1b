package check

import (
	"fmt"

	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// inlineValues: nothing of the Application lies over its value files, or beside them.
func (s *subject) inlineValues() []placed {
	if s.chart < 0 || s.inline {
		return nil
	}
	var out []placed
	for _, key := range s.sources[s.chart].Inline() {
		var message string
		switch key {
		case "values", "valuesObject":
			message = "wins over both value files: what people write in the custom file has no effect where it says something too"
			if key == "valuesObject" {
				message += "; helm.values beside it is ignored"
			}
		case "parameters", "fileParameters":
			message = "wins over all values, those of the custom file too"
		default:
			continue // of the value files: see tolerance
		}
		next := "move what it sets into the app's custom file, and remove it"
		if s.known {
			next = fmt.Sprintf("move what it sets into %s, and remove it", layout.CustomFile(s.id))
		}
		out = append(out, found(s.at(s.chart).Key("helm").Key(key), RuleInline, "helm."+key+" "+message, next))
	}
	return out
}
