package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	ctrladmission "sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/kubectl-apl/kubectl-apl/pkg/admission"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

type reviewFunc func(context.Context, *admissionv1.AdmissionRequest) (admission.Verdict, error)

func (f reviewFunc) review(ctx context.Context, request *admissionv1.AdmissionRequest) (admission.Verdict, error) {
	return f(ctx, request)
}

func TestHandler(t *testing.T) {
	const hidden = "hunter2"
	violation := admission.Verdict{Denied: []finding.Finding{{Rule: "schema", Message: "no number"}, {Rule: "schema", Message: "no text"}}}
	tests := map[string]struct {
		reason string
		review reviewFunc
		result string
		code   int32
		logged string
	}{
		"good": {"a good object leaves no line", func(context.Context, *admissionv1.AdmissionRequest) (admission.Verdict, error) {
			return admission.Verdict{}, nil
		}, resultAllowed, 0, ""},
		"violation": {"the line names each rule once", func(context.Context, *admissionv1.AdmissionRequest) (admission.Verdict, error) {
			return violation, nil
		}, resultDenied, http.StatusForbidden, `"rules":["schema"]`},
		"API error": {"a code of the API is passed on", func(context.Context, *admissionv1.AdmissionRequest) (admission.Verdict, error) {
			return admission.Verdict{}, fmt.Errorf("ask: %w", apierrors.NewBadRequest("no ConfigMap"))
		}, resultError, http.StatusBadRequest, "no ConfigMap"},
		"deadline": {"a reviewer that ran out of time is a timeout", func(context.Context, *admissionv1.AdmissionRequest) (admission.Verdict, error) {
			return admission.Verdict{}, context.DeadlineExceeded
		}, resultError, http.StatusGatewayTimeout, "deadline"},
		"other error": {"what has no code is internal", func(context.Context, *admissionv1.AdmissionRequest) (admission.Verdict, error) {
			return admission.Verdict{}, errors.New("broken")
		}, resultError, http.StatusInternalServerError, "broken"},
		"panic": {"a panic is answered, and what it said is nowhere", func(context.Context, *admissionv1.AdmissionRequest) (admission.Verdict, error) {
			panic("password " + hidden)
		}, resultError, http.StatusInternalServerError, "a reviewer panicked"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			var observed []string
			h := &handler{test.review, ModeEnforce, slog.New(slog.NewJSONHandler(&log, nil)), func() time.Time { return time.Time{} },
				func(result string, _ time.Duration) { observed = append(observed, result) }}
			request := ctrladmission.Request{AdmissionRequest: admissionv1.AdmissionRequest{UID: "u1", Object: runtime.RawExtension{Raw: []byte(hidden)}}}
			response := h.Handle(t.Context(), request)
			var code int32
			if response.Result != nil {
				code = response.Result.Code
			}
			if code != test.code || response.Allowed != (test.code == 0) || response.UID != "u1" || strings.Join(observed, ",") != test.result {
				t.Errorf("%s: code %d, allowed %t, uid %q, observed %q", test.reason, code, response.Allowed, response.UID, observed)
			}
			if !strings.Contains(log.String(), test.logged) || (test.logged == "") != (log.Len() == 0) || strings.Contains(log.String()+fmt.Sprint(response), hidden) {
				t.Errorf("%s: log:\n%s", test.reason, log.String())
			}
		})
	}
}

func TestDeadline(t *testing.T) {
	for said, want := range map[string]time.Duration{
		"3s": 2750 * time.Millisecond, "100ms": 75 * time.Millisecond, "": 9750 * time.Millisecond, "-1s": 9750 * time.Millisecond,
		"1h": 9750 * time.Millisecond, "soon": 9750 * time.Millisecond,
	} {
		if got := deadline(said); got != want {
			t.Errorf("timeout %q: %s, want %s", said, got, want)
		}
	}
	reached := false
	withDeadline(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, reached = r.Context().Deadline()
	})).ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/validate/values?timeout=3s", nil))
	if !reached {
		t.Error("the context of a request has no deadline")
	}
}
