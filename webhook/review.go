// Package webhook owns the admission server: one reviewer for each kind, TLS, health and metrics. It decodes, asks pkg/admission, and
// translates the verdict; it holds no rule, and changes nothing in the cluster but its own certificate.
package webhook

import (
	"context"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/kubectl-apl/kubectl-apl/pkg/admission"
)

// reviewer judges the objects of one kind. It has no side effects: the verdict is the same for a dry run. The error is for what could not be
// decoded, or asked; it quotes no values.
type reviewer interface {
	review(ctx context.Context, request *admissionv1.AdmissionRequest) (admission.Verdict, error)
}
