// Package backup owns the file that a migration leaves so that there is a way back: the declared form of each Application
// that it supersedes, as it was, and what an Application does not tell and a way back needs. It writes and reads that
// file, and refuses to know how a migration is made or undone.
package backup

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Annotation holds a Record as JSON, on each Application of a backup. As an annotation it goes through kubectl: the file stays
// one of Applications and nothing else, which kubectl get, diff and apply read too.
const Annotation = argocd.BackupAnnotation

// ErrCutOff is wrapped where the end of a backup is missing. A block of values that was cut off is YAML still.
var ErrCutOff = errors.New("the backup was cut off")

// A backup ends with endLine, which its head, by wholeLine, promises.
const (
	endLine   = "# End of the backup."
	wholeLine = "# It is whole if it ends with: " + endLine
)

// ErrRecord is wrapped where what stands in the annotation is no Record.
var ErrRecord = errors.New("the annotation " + Annotation + " is none that kubectl apl wrote")

// Record is what a way back needs and an Application does not tell.
type Record struct {
	// UID is that of the live Application, "" where it was not recorded.
	UID string `json:"uid,omitempty"`
	// SourceOwners are the field managers that owned spec.source, as the server recorded them; none where that is not known.
	SourceOwners []argocd.Manager `json:"sourceOwners,omitempty"`
	// TrackedBy is the Application that synced this one before, "" for none.
	TrackedBy string `json:"trackedBy,omitempty"`
	// RootApp is the Application that was to take over.
	RootApp string `json:"rootApp,omitempty"`
	// Files are the app's value files, by path in the values repo, and the Digest of what the migration wrote there.
	Files map[string]string `json:"files,omitempty"`
}

// Entry is one Application of a backup.
type Entry struct {
	// Application is as it was read; its declared form is what the backup keeps.
	Application *argocd.Application
	// Record is nil for an Application of a file that no migration wrote.
	Record *Record
}

// UID returns that of the live Application that the entry was made of, "" where nobody has recorded it.
func (e Entry) UID() string {
	if e.Record != nil && e.Record.UID != "" {
		return e.Record.UID
	}
	return e.Application.UID()
}

// Encode returns the file: a comment that says what it is and how to use it, and a YAML document for each entry. written is
// when, version what wrote it. The file holds live values, secrets too.
func Encode(entries []Entry, written time.Time, version string) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, `# Written by kubectl apl %s on %s, before it moved what is below to git.
# Applications as they were declared in the cluster, with their inline values: keep this file as you keep passwords.
# Put them back:  kubectl apl rollback -f THIS-FILE
# kubectl apply does not: spec.sources would stay, and win over spec.source.
%s
`, version, written.UTC().Format(time.RFC3339), wholeLine)
	for _, e := range entries {
		object := e.Application.Declared()
		if e.Record != nil {
			text, err := json.Marshal(e.Record)
			if err != nil {
				return nil, fmt.Errorf("back up Application %s: %w", e.Application.Name(), err)
			}
			metadata, _ := object["metadata"].(map[string]any)
			annotations, ok := metadata["annotations"].(map[string]any)
			if !ok {
				annotations = map[string]any{}
				metadata["annotations"] = annotations
			}
			annotations[Annotation] = string(text)
		}
		document, err := values.Marshal(object)
		if err != nil {
			return nil, fmt.Errorf("back up Application %s: %w", e.Application.Name(), err)
		}
		if err := readsBack(object, document); err != nil {
			return nil, fmt.Errorf("back up Application %s: %w", e.Application.Name(), err)
		}
		b.WriteString("---\n")
		b.Write(document)
	}
	b.WriteString(endLine + "\n")
	return b.Bytes(), nil
}

// readsBack demands that a document means what it was made of. A way back that cannot be trusted is none.
func readsBack(object map[string]any, document []byte) error {
	again, err := values.DecodeObject("backup", document)
	if err != nil {
		return err
	}
	if !values.Equal(object, again) {
		return errors.New("its YAML does not read back the same")
	}
	return nil
}

// Decode reads a backup, or any stream of Applications. name is how errors name it. It returns the errors of argocd.Read, and
// ones that wrap ErrRecord and ErrCutOff.
func Decode(name string, r io.Reader) ([]Entry, error) {
	var entries []Entry
	ends := &ending{}
	_, err := argocd.Read(name, io.TeeReader(r, ends), func(a *argocd.Application) error {
		e := Entry{Application: a}
		if text := a.Annotation(Annotation); text != "" {
			e.Record = &Record{}
			if err := json.Unmarshal([]byte(text), e.Record); err != nil {
				return fmt.Errorf("%s:%d: Application %s: %w", a.File, a.Line, a.Name(), ErrRecord)
			}
		}
		entries = append(entries, e)
		return nil
	})
	if err == nil && ends.missing() {
		err = fmt.Errorf("%s: %w: its last line, %q, is missing; find a whole copy", name, ErrCutOff, endLine)
	}
	return entries, err
}

// ending sees a stream go by, and whether each backup in it has its end.
type ending struct {
	line []byte // so far, and no more of it than tells the lines apart
	open bool
}

// Write takes the next part of the stream. It cannot fail.
func (e *ending) Write(data []byte) (int, error) {
	for _, c := range data {
		switch {
		case c == '\n':
			e.endOfLine()
		case len(e.line) <= len(wholeLine)+1:
			e.line = append(e.line, c)
		}
	}
	return len(data), nil
}

func (e *ending) endOfLine() {
	switch string(bytes.TrimRight(e.line, "\r")) {
	case wholeLine:
		e.open = true
	case endLine:
		e.open = false
	}
	e.line = e.line[:0]
}

func (e *ending) missing() bool {
	e.endOfLine()
	return e.open
}

// Digest tells two files of values apart by what they mean; by their bytes where they mean nothing. Comments and layout do
// not count.
func Digest(path string, data []byte) string {
	if tree, err := values.DecodeObject(path, data); err == nil {
		if text, err := values.Marshal(tree); err == nil {
			data = text
		}
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
