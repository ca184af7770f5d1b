package webhook

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrladmission "sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/kubectl-apl/kubectl-apl/pkg/admission"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// The deadline of a request: what the API server says that it waits (?timeout=3s), less a margin for the answer's way back.
const (
	timeoutUnsaid = 10 * time.Second // the API server's own default
	timeoutMargin = 250 * time.Millisecond
)

// The words for how a request ended, in metrics and logs.
const (
	resultAllowed = "allowed"
	resultWarned  = "warned"
	resultDenied  = "denied"
	resultError   = "error"
)

// handler serves one resource: it asks the reviewer, translates, and tells metrics and log. Neither is given a value of an object.
type handler struct {
	reviewer reviewer
	mode     Mode
	log      *slog.Logger
	now      func() time.Time
	observe  func(result string, took time.Duration)
}

// Handle answers one request; a panic of the reviewer is an error of this request only.
func (h *handler) Handle(ctx context.Context, request ctrladmission.Request) ctrladmission.Response {
	start := h.now()
	verdict, err := h.review(ctx, &request.AdmissionRequest)
	var response *admissionv1.AdmissionResponse
	result := resultAllowed
	switch {
	case err != nil:
		result = resultError
		code, reason := status(err)
		response = failure(h.mode, code, reason, "the request could not be judged: "+err.Error())
	default:
		response = answer(h.mode, verdict)
		if len(verdict.Denied) > 0 {
			result = resultDenied
		} else if len(verdict.Warnings) > 0 {
			result = resultWarned
		}
	}
	took := h.now().Sub(start)
	h.observe(result, took)
	if result == resultDenied || result == resultError {
		h.report(ctx, &request.AdmissionRequest, result, response.Allowed, verdict, err, took)
	}
	response.UID = request.UID
	return ctrladmission.Response{AdmissionResponse: *response}
}

// review asks the reviewer. What a panic said may quote an object, so that only its type and place are told.
func (h *handler) review(ctx context.Context, request *admissionv1.AdmissionRequest) (verdict admission.Verdict, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			h.log.ErrorContext(ctx, "a reviewer panicked", "uid", request.UID, "type", fmt.Sprintf("%T", cause), "stack", string(debug.Stack()))
			verdict, err = admission.Verdict{}, errors.New("internal error; the log of apl-webhook says where")
		}
	}()
	return h.reviewer.review(ctx, request)
}

// report writes the one line that a refused request leaves, in each mode alike. It names rules and places of the request, and no contents.
func (h *handler) report(ctx context.Context, request *admissionv1.AdmissionRequest, result string, allowed bool, verdict admission.Verdict,
	err error, took time.Duration,
) {
	attributes := []any{
		"uid", request.UID, "resource", request.Resource.Resource, "namespace", request.Namespace, "name", request.Name,
		"operation", request.Operation, "user", request.UserInfo.Username, "dryRun", request.DryRun != nil && *request.DryRun,
		"mode", h.mode, "verdict", result, "allowed", allowed, "rules", rules(verdict.Denied), "duration", took.String(),
	}
	if err != nil {
		h.log.ErrorContext(ctx, "request could not be judged", append(attributes, "error", err.Error())...)
		return
	}
	h.log.InfoContext(ctx, "request breaks rules", attributes...)
}

// rules lists each rule once, in the order of the findings.
func rules(findings []finding.Finding) []string {
	var list []string
	seen := map[string]bool{}
	for _, f := range findings {
		if !seen[f.Rule] {
			seen[f.Rule] = true
			list = append(list, f.Rule)
		}
	}
	return list
}

// status takes code and reason from an error of the API, and answers 504 for a deadline and 500 for what else there is.
func status(err error) (int32, metav1.StatusReason) {
	var api apierrors.APIStatus
	if errors.As(err, &api) && api.Status().Code >= http.StatusBadRequest {
		return api.Status().Code, api.Status().Reason
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return http.StatusGatewayTimeout, metav1.StatusReasonTimeout
	}
	return http.StatusInternalServerError, metav1.StatusReasonInternalError
}

// withDeadline puts the API server's timeout on each request's context, so that a reviewer answers before nobody listens any more.
func withDeadline(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), deadline(r.URL.Query().Get("timeout")))
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// deadline reads what the API server says; what it never says (nothing, nonsense, more than 30 seconds) counts as unsaid.
func deadline(said string) time.Duration {
	timeout, err := time.ParseDuration(said)
	if err != nil || timeout <= 0 || timeout > 30*time.Second {
		timeout = timeoutUnsaid
	}
	return timeout - min(timeoutMargin, timeout/4)
}
