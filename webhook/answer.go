package webhook

import (
	"net/http"
	"strings"
	"unicode"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-apl/kubectl-apl/pkg/admission"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// Mode says what becomes of violations, for a roll-out in steps: audit, warn, enforce. A dry run is answered alike.
type Mode string

// The modes.
const (
	ModeEnforce Mode = "enforce" // violations refuse the object
	ModeWarn    Mode = "warn"    // violations are warnings, nothing is refused
	ModeAudit   Mode = "audit"   // nothing is refused or said; violations are in the audit log, the log and the metrics
)

// The limits of k8s.io/apiserver (pkg/endpoints/filters/warning.go): once all warnings of one answer are longer than maxWarnings runes, it cuts
// each one to maxWarning, and drops what still exceeds. No text has more runes than bytes, so that bytes are the safe measure.
const (
	maxMessage  = 4096
	maxWarning  = 256
	maxWarnings = 4096
)

// The annotation of the audit log: the API server puts the name of the webhook before it.
const auditViolations = "violations"

// answer translates a verdict. The text of a refusal is at most maxMessage bytes.
func answer(mode Mode, verdict admission.Verdict) *admissionv1.AdmissionResponse {
	response := &admissionv1.AdmissionResponse{Allowed: true}
	switch {
	case mode == ModeAudit:
		if len(verdict.Denied) > 0 {
			response.AuditAnnotations = map[string]string{auditViolations: verdict.Message(maxMessage)}
		}
	case mode == ModeWarn:
		response.Warnings = warnings(verdict.Denied, verdict.Warnings)
	default:
		response.Warnings = warnings(verdict.Warnings)
		if len(verdict.Denied) > 0 {
			refuse(response, http.StatusForbidden, metav1.StatusReasonForbidden, verdict.Message(maxMessage))
		}
	}
	return response
}

// failure answers a request that could not be judged. Only ModeEnforce refuses it: the other modes never stop anybody.
func failure(mode Mode, code int32, reason metav1.StatusReason, message string) *admissionv1.AdmissionResponse {
	response := &admissionv1.AdmissionResponse{Allowed: true}
	switch mode {
	case ModeAudit:
		response.AuditAnnotations = map[string]string{auditViolations: cut(message, maxMessage)}
	case ModeWarn:
		response.Warnings = []string{cut(oneLine(message), maxWarning)}
	default:
		refuse(response, code, reason, cut(message, maxMessage))
	}
	return response
}

func refuse(response *admissionv1.AdmissionResponse, code int32, reason metav1.StatusReason, message string) {
	response.Allowed = false
	response.Result = &metav1.Status{Status: metav1.StatusFailure, Code: code, Reason: reason, Message: message}
}

// warnings writes each finding on one line, as many as the API server passes on; the last line tells of the others.
func warnings(lists ...[]finding.Finding) []string {
	const more = "more warnings were left out"
	var lines []string
	total := 0
	for _, list := range lists {
		for _, f := range list {
			line := cut(oneLine(admission.Verdict{Denied: []finding.Finding{f}}.Message(maxMessage)), maxWarning)
			if total+len(line)+len(more) > maxWarnings {
				return append(lines, more)
			}
			lines, total = append(lines, line), total+len(line)
		}
	}
	return lines
}

// oneLine replaces control characters: the API server drops a warning that holds one.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}

// cut shortens text to at most limit bytes, between runes.
func cut(text string, limit int) string {
	const dots = "..."
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit-len(dots)], "") + dots
}
