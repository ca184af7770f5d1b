package secret

import "strings"

// findAuthorization finds the credentials of an Authorization header in a text such as a curl command, and a string that
// is such a header's value as a whole.
func findAuthorization(text string, report reporter) {
	const name = "authorization"
	for at := 0; ; {
		i := indexFold(text[at:], name)
		if i < 0 {
			break
		}
		start := at + i
		at = start + len(name)
		rest := strings.TrimLeft(text[at:], `"'\ `)
		switch between := text[at : len(text)-len(rest)]; {
		case rest == "":
			continue
		case strings.IndexByte(":=,", rest[0]) >= 0:
			rest = strings.TrimLeft(rest[1:], `"'\ `)
		case !strings.Contains(between, " ") || !strings.ContainsAny(between[len(between)-1:], `"'`):
			continue // nginx has Authorization "Basic x"
		}
		if scheme, _, ok := strings.Cut(rest[:min(len(rest), 32)], " "); ok && isScheme(scheme) {
			report.found(RuleAuthorization, start, judgeHeader(rest))
		}
	}
	scheme, credentials, ok := strings.Cut(strings.TrimSpace(text), " ")
	if !ok || !strings.EqualFold(scheme, "bearer") && !strings.EqualFold(scheme, "basic") {
		return
	}
	// "Basic authentication" is a sentence; credentials have a digit or a dot, or are long.
	if !strings.ContainsAny(credentials, " \n") && (len(credentials) >= 20 || strings.ContainsAny(credentials, "0123456789.")) {
		report.found(RuleAuthorization, 0, judgeHeader(text))
	}
}

func isScheme(s string) bool {
	return strings.EqualFold(s, "bearer") || strings.EqualFold(s, "basic") || strings.EqualFold(s, "token") ||
		strings.EqualFold(s, "apikey") || strings.EqualFold(s, "negotiate")
}

// judgeHeader judges the value of an Authorization header. What follows the credentials in the text is passed over.
// Without a scheme, a value that reads like a word is a setting: authorization: simple.
func judgeHeader(value string) verdict {
	value = strings.TrimSpace(value)
	if scheme, rest, ok := strings.Cut(value, " "); ok && isScheme(scheme) {
		value = strings.TrimSpace(rest)
	} else if wordy(value) {
		return clean
	}
	if strings.HasPrefix(value, "{{") || strings.HasPrefix(value, "$(") {
		return clean
	}
	if end := strings.IndexAny(value, " \t\r\n\"'`,;\\)"); end >= 0 {
		value = value[:end]
	}
	switch strings.ToLower(value) {
	case "token", "auth", "authentication", "authorization", "credentials", "bearer", "basic", "required":
		return clean // a sentence about headers
	}
	if isTextReference(value) {
		return clean
	}
	return classify(value, true).verdict()
}

// indexFold returns the first index of word, which is ASCII in lower case, in s in any case.
func indexFold(s, word string) int {
	for i := 0; i+len(word) <= len(s); i++ {
		if s[i]|0x20 == word[0] && strings.EqualFold(s[i:i+len(word)], word) {
			return i
		}
	}
	return -1
}
