package artifact

import (
	"errors"
	"fmt"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// CRDKind is the kind of an object that defines a kind.
func CRDKind() GroupKind { return GroupKind{"apiextensions.k8s.io", "CustomResourceDefinition"} }

// errContradicts is wrapped where two CustomResourceDefinitions say different things of a kind.
var errContradicts = errors.New("another CustomResourceDefinition says otherwise")

// Define takes the kind of an object that is a CustomResourceDefinition; another object says nothing. The error is for a
// definition that does not say which kind it defines and where its objects live, or that contradicts an earlier one.
func (s *Scopes) Define(o Object) error {
	if o.Kind() != CRDKind() {
		return nil
	}
	tree, err := values.DecodeObject("", o.Text)
	if err != nil {
		return fmt.Errorf("read CustomResourceDefinition %s: %w", o.ID.Name, err)
	}
	kind, namespaced, err := Definition(tree)
	if err != nil {
		return err
	}
	return s.DefineKind(kind, namespaced)
}

// DefineKind takes a kind that is defined. The error is for one that an earlier definition contradicts.
func (s *Scopes) DefineKind(kind GroupKind, namespaced bool) error {
	if before, ok := s.defined[kind]; ok && before != namespaced {
		return fmt.Errorf("%w: %s lives in namespaces in the one, and not in the other", errContradicts, kind)
	}
	s.defined[kind] = namespaced
	return nil
}
