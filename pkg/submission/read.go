package submission

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// Rule is the rule of what Read finds.
const Rule = "submission"

// maxKeys bounds how many keys too many are told one by one.
const maxKeys = 20

// Read returns what a ConfigMap hands in, and what is wrong with it as a submission; each finding is of severity error, and they are sorted.
// Where some are wrong, the Submission holds what is right. Nothing is said of the values. No finding quotes a value.
func Read(object *corev1.ConfigMap) (*Submission, []finding.Finding) {
	s := &Submission{
		Name: object.Name, Text: object.Data[Key],
		By: object.Annotations[ByAnnotation], Base: object.Annotations[BaseAnnotation], Collected: object.Annotations[CollectedAnnotation],
	}
	r := &faults{file: "ConfigMap " + object.Namespace + "/" + object.Name}
	if object.Namespace != Namespace {
		r.add("metadata.namespace", fmt.Sprintf("custom values are submitted in namespace %s only", Namespace),
			fmt.Sprintf("create the ConfigMap in namespace %s, or remove its label %s", Namespace, Label))
	}
	if !Is(object) {
		r.add("metadata.labels", fmt.Sprintf("the label %s: %s is not there, so that nobody takes the ConfigMap for a submission", Label, LabelCustom), "write the label")
	}
	s.App = r.app(object)
	r.keys(object)
	for i := range r.list {
		if s.App != (app.ID{}) {
			r.list[i].App = s.App.String()
		}
	}
	slices.SortFunc(r.list, finding.Compare)
	return s, r.list
}

type faults struct {
	file string
	list []finding.Finding
}

func (r *faults) add(path, message, next string) {
	r.list = append(r.list, finding.Finding{Rule: Rule, Severity: finding.Error, File: r.file, Path: path, Message: message, Next: next})
}

// app returns the app that the annotation names, the zero ID where it names none.
func (r *faults) app(object *corev1.ConfigMap) app.ID {
	const path, next = "metadata.annotations", "write " + AppAnnotation + ": namespace/releaseName"
	text, there := object.Annotations[AppAnnotation]
	if !there {
		r.add(path, "the annotation "+AppAnnotation+" is not there, and nothing tells which app the values are for", next)
		return app.ID{}
	}
	id, err := app.Parse(text)
	switch {
	case err != nil:
		r.add(path, AppAnnotation+": "+cut(err.Error()), next)
		return app.ID{}
	case app.IsTeam(id.Namespace):
		r.add(path, fmt.Sprintf("%s: %s is a team's app, which is out of scope: a team owns its values", AppAnnotation, id), "submit values of platform apps only")
	}
	return id
}

// keys: the values stand in one key, and nothing that nobody would read stands beside it.
func (r *faults) keys(object *corev1.ConfigMap) {
	if _, there := object.Data[Key]; !there {
		r.add("data", "the key "+Key+" is not there, which holds the values", "write the values in data, at the key "+Key)
	}
	for _, part := range []struct {
		path string
		keys []string
	}{{"data", slices.Sorted(maps.Keys(object.Data))}, {"binaryData", slices.Sorted(maps.Keys(object.BinaryData))}} {
		told := 0
		for _, key := range part.keys {
			if key == Key && part.path == "data" {
				continue
			}
			if told++; told > maxKeys {
				r.add(part.path, fmt.Sprintf("and %d more keys", len(part.keys)-maxKeys), "remove all but "+Key)
				break
			}
			r.add(part.path, fmt.Sprintf("nobody reads the key %q", key), "remove it: "+Key+" in data is the only key")
		}
	}
}

// cut keeps what quotes an annotation short, which can have 256 KiB.
func cut(text string) string {
	const most = 300
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
