package argocd

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// shownName returns a parameter's name for messages, less what follows an assignment that someone put into it.
func shownName(name string) string {
	if i := strings.IndexAny(name, "=,"); i >= 0 {
		return name[:i+1] + "..."
	}
	return name
}

// maxIndex bounds the index of a list in a parameter's name: Helm makes a list of that length for it.
const maxIndex = 1000

// parseName reads the name of a parameter as Helm's strvals does: keys joined by dots, indexes in brackets, and a
// backslash before what is meant as it is.
func parseName(name string) (values.Path, error) {
	var path values.Path
	var part strings.Builder
	inIndex, closed := false, false // closed: an index has just ended, so that no key stands here
	key := func() error {
		if part.Len() == 0 {
			return errors.New("its name has an empty part")
		}
		path = append(path, values.Step{Key: part.String()})
		part.Reset()
		return nil
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case closed && c != '[' && c != '.':
			return nil, errors.New("its name has text after an index")
		case c == '\\':
			if i++; i == len(name) {
				return nil, errors.New("its name ends in a backslash")
			}
			part.WriteByte(name[i])
		case inIndex && c == ']':
			index, err := strconv.Atoi(part.String())
			if err != nil || index < 0 {
				return nil, errors.New("its name has an index that is no number")
			}
			if index > maxIndex {
				return nil, fmt.Errorf("its name has an index above %d", maxIndex)
			}
			path = append(path, values.Step{Index: index, IsIndex: true})
			part.Reset()
			inIndex, closed = false, true
		case inIndex:
			part.WriteByte(c)
		case c == '[' || c == '.':
			if !closed {
				if err := key(); err != nil {
					return nil, err
				}
			}
			inIndex, closed = c == '[', false
		case c == '=' || c == ',':
			return nil, fmt.Errorf("its name holds %q", string(c))
		default:
			part.WriteByte(c)
		}
	}
	switch {
	case inIndex:
		return nil, errors.New("its name has an index that does not end")
	case closed:
		return path, nil
	}
	if err := key(); err != nil {
		return nil, err
	}
	return path, nil
}

// steps is a tree of the paths that were assigned to so far.
type steps struct {
	name  string // the parameter that ends here, or the first that goes through here
	count int    // of parameters that end here or go through here
	ends  bool
	next  map[values.Step]*steps
}

// add adds the path of a parameter. It returns the name of an earlier one that overlaps: one of both is within the other, or
// one takes for a list what the other takes for a map.
func (s *steps) add(path values.Path, name string) (other string, overlap bool) {
	at := s
	for _, step := range path {
		if at.ends {
			return at.name, true
		}
		for sibling, node := range at.next {
			if sibling.IsIndex != step.IsIndex {
				return node.name, true
			}
			break // those that are there already agree
		}
		child, ok := at.next[step]
		if !ok {
			child = &steps{name: name}
			if at.next == nil {
				at.next = map[values.Step]*steps{}
			}
			at.next[step] = child
		}
		at = child
		at.count++
	}
	if at.ends || len(at.next) > 0 {
		return at.name, true
	}
	at.ends, at.name = true, name
	return "", false
}

// dropsEmpty reports whether Helm may drop an empty value at path, by whether another parameter came first: strvals gives up
// on a list where the text ends at a key within one of its items, so that the item is only kept if it was there.
func (s *steps) dropsEmpty(path values.Path) bool {
	if path[len(path)-1].IsIndex {
		return false
	}
	at := s
	for _, step := range path {
		if step.IsIndex {
			return at.count > 1
		}
		at = at.next[step]
	}
	return false
}
