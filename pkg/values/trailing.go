package values

import (
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
)

var errorLine = regexp.MustCompile(`^yaml: line (\d{1,9}): `)

// Trailing returns the line of what stands behind the first document of a text without a line that begins another one, and whether there is
// such. Helm and Kubernetes read the first document and never see it: a map in braces ends where they end. It is asked of a text that they take.
func Trailing(text []byte) (line int, ok bool) {
	decoder := yamlv3.NewDecoder(strings.NewReader(string(text)))
	for range 2 { // this parser reads on, and fails at what is behind, at the first document already or at the second
		var document yamlv3.Node
		err := decoder.Decode(&document)
		switch {
		case errors.Is(err, io.EOF):
			return 0, false
		case err == nil:
			continue
		}
		if found := errorLine.FindStringSubmatch(err.Error()); found != nil {
			line, _ = strconv.Atoi(found[1]) // digits that fit
			if strings.Contains(err.Error(), "<document start>") {
				line++ // the library counts these from 0
			}
		}
		return max(line, 1), true
	}
	return 0, false
}
