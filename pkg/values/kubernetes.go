package values

import (
	"bytes"
	"errors"
	"io"

	"k8s.io/apimachinery/pkg/util/yaml"
)

// KubernetesDocuments returns how many documents that hold something kubectl and Argo CD read of a file of objects, and whether they read it to
// its end. They part documents at lines that begin with --- alone, and read of each part the first document.
func KubernetesDocuments(text []byte) (read int, whole bool) {
	const buffer = 4096 // how far they look to tell JSON from YAML
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), buffer)
	for {
		var document map[string]any
		switch err := decoder.Decode(&document); {
		case errors.Is(err, io.EOF):
			return read, true
		case err != nil:
			return read, false
		case document != nil:
			read++
		}
	}
}
