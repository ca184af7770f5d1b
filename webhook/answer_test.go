package webhook

import (
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilnet "k8s.io/apimachinery/pkg/util/net"

	"github.com/kubectl-apl/kubectl-apl/pkg/admission"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

func TestAnswer(t *testing.T) {
	denied := []finding.Finding{{Rule: "schema", Severity: finding.Error, Message: "replicas is no number"}}
	advice := []finding.Finding{{Rule: "no-schema", Severity: finding.Warning, Message: "the chart has no schema"}}
	text := admission.Verdict{Denied: denied}.Message(maxMessage)
	hint := admission.Verdict{Denied: advice}.Message(maxMessage)
	refused := &metav1.Status{Status: metav1.StatusFailure, Code: http.StatusForbidden, Reason: metav1.StatusReasonForbidden, Message: text}
	tests := map[string]struct {
		reason  string
		mode    Mode
		verdict admission.Verdict
		want    *admissionv1.AdmissionResponse
	}{
		"nothing to say": {"a good object passes in silence", ModeEnforce, admission.Verdict{},
			&admissionv1.AdmissionResponse{Allowed: true}},
		"advice": {"advice refuses nobody", ModeEnforce, admission.Verdict{Warnings: advice},
			&admissionv1.AdmissionResponse{Allowed: true, Warnings: []string{hint}}},
		"enforce": {"a violation refuses, and advice is still given", ModeEnforce, admission.Verdict{Denied: denied, Warnings: advice},
			&admissionv1.AdmissionResponse{Result: refused, Warnings: []string{hint}}},
		"warn": {"violations become warnings, before advice", ModeWarn, admission.Verdict{Denied: denied, Warnings: advice},
			&admissionv1.AdmissionResponse{Allowed: true, Warnings: []string{text, hint}}},
		"audit": {"users see nothing, the audit log does", ModeAudit, admission.Verdict{Denied: denied, Warnings: advice},
			&admissionv1.AdmissionResponse{Allowed: true, AuditAnnotations: map[string]string{auditViolations: text}}},
		"unknown mode": {"what is no known mode enforces", "", admission.Verdict{Denied: denied},
			&admissionv1.AdmissionResponse{Result: refused}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, answer(test.mode, test.verdict)); diff != "" {
				t.Errorf("%s: -want +got:\n%s", test.reason, diff)
			}
		})
	}
}

func TestFailureStopsNobodyUnlessEnforced(t *testing.T) {
	for mode, allowed := range map[Mode]bool{ModeEnforce: false, ModeWarn: true, ModeAudit: true} {
		response := failure(mode, http.StatusInternalServerError, metav1.StatusReasonInternalError, "could not be judged\n"+strings.Repeat("ä", maxMessage))
		if response.Allowed != allowed {
			t.Errorf("mode %s: allowed is %t, want %t", mode, response.Allowed, allowed)
		}
		texts := append([]string{response.AuditAnnotations[auditViolations]}, response.Warnings...)
		if response.Result != nil {
			texts = append(texts, response.Result.Message)
		}
		for _, text := range texts {
			if len(text) > maxMessage || !utf8.ValidString(text) {
				t.Errorf("mode %s: a text has %d bytes, valid UTF-8: %t", mode, len(text), utf8.ValidString(text))
			}
		}
	}
}

func TestWarningsPassTheAPIServer(t *testing.T) {
	var list []finding.Finding
	for i := range 100 {
		list = append(list, finding.Finding{Message: strings.Repeat("é", i) + "\ttab\nline\x00" + strings.Repeat("long ", 100)})
	}
	lines, total := warnings(list), 0
	for _, line := range lines {
		if len(line) > maxWarning {
			t.Errorf("a warning has %d bytes", len(line))
		}
		if _, err := utilnet.NewWarningHeader(299, "", line); err != nil {
			t.Errorf("the API server would drop %q: %v", line, err)
		}
		total += len(line)
	}
	if total > maxWarnings || len(lines) < 10 || lines[len(lines)-1] != "more warnings were left out" {
		t.Errorf("%d lines of %d bytes, the last one %q", len(lines), total, lines[len(lines)-1])
	}
}
