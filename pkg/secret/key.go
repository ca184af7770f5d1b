package secret

import "strings"

const (
	pemBegin = "-----BEGIN "
	pemMark  = "-----"
)

// findPrivateKeys finds private keys in PEM form, with line breaks or with "\n" written out, and the key files of age
// and PuTTY. Certificates and public keys are none, and neither is a mere mention of the header.
func findPrivateKeys(text string, report reporter) {
	for at := 0; ; {
		i := strings.Index(text[at:], pemBegin)
		if i < 0 {
			break
		}
		start := at + i
		at = start + len(pemBegin)
		label, _, ok := strings.Cut(text[at:min(len(text), at+64)], pemMark)
		if !ok || !strings.Contains(label, "PRIVATE KEY") {
			continue
		}
		body := text[at+len(label)+len(pemMark):]
		ended := false
		if end := strings.Index(body, pemMark); end >= 0 {
			ended = strings.HasPrefix(body[end:], "-----END")
			body = body[:end]
		}
		report.found(RulePrivateKey, start, judgeBody(body, ended))
	}
	const age, putty = "AGE-SECRET-KEY-1", "PuTTY-User-Key-File-"
	if i := strings.Index(text, age); i >= 0 && letterRun(text[i+len(age):]) >= 20 {
		report(RulePrivateKey, i, literal)
	}
	if i := strings.Index(text, putty); i >= 0 && strings.Contains(text[i:], "Private-Lines:") {
		report(RulePrivateKey, i, literal)
	}
}

// judgeBody judges what stands between a PEM header and what follows it. ended says that the footer does.
func judgeBody(body string, ended bool) verdict {
	body = strings.NewReplacer(`\r`, "\n", `\n`, "\n", `\`, "", `"`, "", "'", "").Replace(body)
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		if line == "" || strings.Contains(line, ": ") { // Proc-Type, DEK-Info, Comment
			continue
		}
		if v := classify(line, true).verdict(); v != literal {
			return v
		}
		for word := range strings.FieldsSeq(line) {
			if !isBase64(word) {
				return clean
			}
			if len(word) >= 16 {
				return literal
			}
		}
		if ended {
			return literal
		}
		// A short line without a footer is the start of a key only where a line of it would stand.
		if strings.HasPrefix(body, "\n") && !strings.Contains(line, " ") {
			return literal
		}
		return clean
	}
	return clean
}

func isBase64(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isAlnum(c) && c != '+' && c != '/' && c != '=' {
			return false
		}
	}
	return true
}

func letterRun(s string) int {
	n := 0
	for n < len(s) && isAlnum(s[n]) {
		n++
	}
	return n
}
