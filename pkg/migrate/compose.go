package migrate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

const (
	managedIntro = "# Managed values, written by kubectl apl"
	digestIntro  = "# sha256 of the rest: "
	customIntro  = "# Custom values: they win over values.managed.yaml. Yours to edit; kubectl apl leaves them alone.\n"
)

// managedFile composes values.managed.yaml: a comment that says what wrote it, from which platform version, and the
// digest of the body, by which an edit by hand is seen without rendering anything; then the text as helmfile wrote
// it, less what is no content (BOM, CR). It returns the file, and how many lines stand above the body.
func managedFile(doc *values.Document, platformVersion string) (data []byte, above int) {
	body := []byte(doc.Text())
	var b bytes.Buffer
	b.WriteString(managedIntro)
	if platformVersion != "" {
		fmt.Fprintf(&b, " from platform version %s", platformVersion)
	}
	b.WriteString(".\n# Do not edit: put overrides in values.custom.yaml beside this file.\n")
	fmt.Fprintf(&b, "%s%s\n", digestIntro, digest(body))
	above = bytes.Count(b.Bytes(), []byte("\n"))
	b.Write(body)
	return b.Bytes(), above
}

func digest(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// editedByHand tells whether a managed file is other than what was written: its digest is missing or does not match.
func editedByHand(file []byte) bool {
	rest := string(file)
	for line := range strings.Lines(rest) {
		if !strings.HasPrefix(line, "#") {
			return true
		}
		rest = rest[len(line):]
		if sum, ok := strings.CutPrefix(line, digestIntro); ok {
			return strings.TrimSpace(sum) != digest([]byte(rest))
		}
	}
	return true
}

// customFile composes values.custom.yaml. It opens with a comment, which is all of it when nothing is custom: Argo CD
// fails on a value file that is missing.
func customFile(text []byte) []byte {
	return append([]byte(customIntro), text...)
}

func isApplication(path string) bool {
	place, ok := layout.Parse(path)
	if !ok {
		return false
	}
	_, application := place.(layout.Application)
	return application
}
