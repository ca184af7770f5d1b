package argocd

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// parse reads the text of one Application file.
func parse(text []byte) (*Application, error) {
	object, err := values.DecodeObject("", text)
	if err != nil {
		return nil, err
	}
	if object == nil {
		return nil, errors.New("the file is empty")
	}
	return New(object)
}

// maxTries bounds how many lines that could be meant are tried.
const maxTries = 32

// setInChart sets a text of the chart's source. It changes one line where it can, and shows by reading the result that nothing else
// has changed; else the file is written anew. It returns an error where that would lose a further document.
func setInChart(text []byte, key, value string) (out []byte, anew bool, err error) {
	a, err := parse(text)
	if err != nil {
		return nil, false, err
	}
	chart, err := a.ChartSource()
	if err != nil {
		return nil, false, err
	}
	chart.tree[key] = value // which is part of a's tree
	quoted, err := json.Marshal(value)
	if err != nil {
		return nil, false, err
	}
	line := regexp.MustCompile(`^([ -]*` + regexp.QuoteMeta(key) + `:[ ]+)("[^"]*"|'[^']*'|[^ #\r\n'"][^ #\r\n]*)([ ]*(?:[ ]#.*)?\r?\n?)$`)
	lines := strings.SplitAfter(string(text), "\n")
	tries := 0
	for i, was := range lines {
		part := line.FindStringSubmatch(was)
		if part == nil || tries == maxTries {
			continue
		}
		tries++
		for _, scalar := range []string{value, string(quoted)} {
			lines[i] = part[1] + scalar + part[3]
			edited := strings.Join(lines, "")
			if again, err := values.DecodeObject("", []byte(edited)); err == nil && values.Equal(again, a.object) {
				return []byte(edited), false, nil
			}
		}
		lines[i] = was
	}
	if doc, err := values.Parse("", text); err != nil || doc.MoreDocuments {
		return nil, false, errors.New("the file would have to be written anew, and holds more than the Application: give it a file of its own, or write its " + key + " on a line of its own")
	}
	out, err = values.Marshal(a.object)
	return out, true, err
}
