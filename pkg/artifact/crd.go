package artifact

import (
	"errors"
	"fmt"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// crdKind is the kind of an object that defines a kind.
func crdKind() GroupKind { return GroupKind{"apiextensions.k8s.io", "CustomResourceDefinition"} }

// errContradicts is wrapped where two CustomResourceDefinitions say different things of a kind.
var errContradicts = errors.New("another CustomResourceDefinition says otherwise")

// Define takes the kind of an object that is a CustomResourceDefinition; another object says nothing. The error is for a
// definition that does not say which kind it defines and where its objects live, or that contradicts an earlier one.
func (s *Scopes) Define(o Object) error {
	if o.Kind() != crdKind() {
		return nil
	}
	tree, err := values.DecodeObject("", o.Text)
	if err != nil {
		return fmt.Errorf("read CustomResourceDefinition %s: %w", o.ID.Name, err)
	}
	return s.DefineTree(tree)
}
