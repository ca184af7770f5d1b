package stream

import (
	"bytes"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// maxNesting bounds how deep lists may stand in lists. kubectl writes one level.
const maxNesting = 8

// Item is an object of a document: the document's own, or one of a list.
type Item struct {
	Object map[string]any
	// Line is where it begins in the stream, as far as that can be told: else it is that of its list.
	Line int
	// At is its path in the document.
	At values.Path
	// Whole tells that it is the document's own, and no item of a list.
	Whole bool
}

// Objects calls each for what the document's object is made of: lists of any kind are taken apart, at any depth, as kubectl does,
// and an item without kind and apiVersion gets those of its list. What is no object goes to bad, as a *values.Error with its line. An error of
// either ends it and is returned.
func (d Document) Objects(object map[string]any, each func(Item) error, bad func(*values.Error) error) error {
	w := walk{d, each, bad}
	return w.visit(Item{Object: object, Line: d.First(), Whole: true}, 0)
}

type walk struct {
	Document
	each func(Item) error
	bad  func(*values.Error) error
}

func (w walk) visit(at Item, depth int) error {
	kind, _ := at.Object["kind"].(string)
	if !isList(kind, at.Object) {
		return w.each(at)
	}
	items, ok := at.Object["items"].([]any)
	switch value := at.Object["items"]; {
	case !ok && value != nil:
		return w.bad(w.errorAt(at.Line, 1, "items of %s is no list", kind))
	case depth == maxNesting:
		return w.bad(w.errorAt(at.Line, 1, "lists stand in lists more than %d deep", maxNesting))
	}
	var lines []int
	if at.Whole {
		lines = w.itemLines(len(items))
	}
	for i, value := range items {
		item := Item{Line: at.Line, At: at.At.Key("items").Index(i)}
		if i < len(lines) {
			item.Line = lines[i]
		}
		var err error
		if item.Object, ok = value.(map[string]any); ok {
			if of := strings.TrimSuffix(kind, "List"); of != "" && item.Object["kind"] == nil && item.Object["apiVersion"] == nil {
				// The API server leaves both out of the items of a typed list.
				item.Object["kind"], item.Object["apiVersion"] = of, at.Object["apiVersion"]
			}
			err = w.visit(item, depth+1)
		} else {
			err = w.bad(w.errorAt(item.Line, 1, "items[%d] of %s is no object", i, kind))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isList reports whether an object is a list: its kind ends in List, and it has no name of its own, but items, or is kubectl's.
func isList(kind string, object map[string]any) bool {
	metadata, _ := object["metadata"].(map[string]any)
	if !strings.HasSuffix(kind, "List") || metadata["name"] != nil {
		return false
	}
	_, has := object["items"]
	return has || kind == "List"
}

// itemLines returns the line of each item of a list as kubectl writes it, with every item's "- " at the line's start. It
// returns nil where the text is written otherwise; items then stand at the line of their list.
func (d Document) itemLines(items int) []int {
	if d.JSON {
		return nil
	}
	var lines []int
	line := d.Line
	for text := range bytes.Lines(d.Text) {
		if bytes.HasPrefix(text, []byte("- ")) {
			lines = append(lines, line)
		}
		line++
	}
	if len(lines) != items {
		return nil
	}
	return lines
}
