package check

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// told makes findings of a rule of ours of what pkg/scan has found in a document, which stands below as many lines of a file. A message begins
// with pkg/secret's own rule, since that is what an exception names. whose is how an exception says what it is about.
func told(rule, file, whose string, above int, list []finding.Finding) []finding.Finding {
	for i := range list {
		f := &list[i]
		f.Message = f.Rule + ": " + f.Message
		if f.File != layout.ConfigFile { // else it is accepted, and told where that stands
			if f.File = file; f.Line > 0 {
				f.Line += above
			}
			f.Next = next(*f, whose)
		}
		f.Rule = rule
	}
	return list
}

// next is the next step for a secret, with the exception that would accept it.
func next(f finding.Finding, whose string) string {
	if f.Severity == finding.Info {
		return f.Next
	}
	step := f.Next
	if !strings.Contains(step, layout.ConfigFile) {
		step += ", or accept the place under secrets: in " + layout.ConfigFile
	}
	place := f.Path
	if place == "" { // in a comment
		place = values.Path(nil).String()
	}
	return step + fmt.Sprintf(`: - {%s, path: %s, rule: %s, reason: "..."}`, whose, strconv.Quote(place), f.Rule)
}
