package secret

import (
	"regexp"
	"strings"
)

// acceptLeak has the last word on what a rule of gitleaks takes for a secret: what our own rules know to be a reference,
// a placeholder, a path or a digest is none (cases E1 and E9). before is what of the match stands before the secret.
func acceptLeak(id, before, secret string) bool {
	if isReference(secret) || isPlaceholder(secret) {
		return false
	}
	switch id {
	case genericRule:
		return classify(secret, true) == other && !digestForm.MatchString(secret) && isGeneric(before, secret)
	case "curl-auth-user":
		return judgeUser(secret) == literal
	case "curl-auth-header":
		return !isTextReference(secret)
	}
	return true
}

var uuidForm = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// minGeneric is the length of the shortest secret that gitleaks' generic rule finds.
const minGeneric = 10

// isGeneric judges what gitleaks' generic rule finds. The rule goes by words such as key, auth and api anywhere in a
// name, and by the randomness of the value: to it, most keys of a chart and most versions of an API are secrets. So the
// name is judged as the structural rules judge names; and where it says nothing, the value must be made of no words.
func isGeneric(before, secret string) bool {
	before = strings.TrimRight(before, " \t\r\n\"'`=:>|?,")
	name := before[nameStart(before, len(before)):]
	if tierOf(name) != plain {
		return judgeText(name, secret) == literal
	}
	return !namesAnother(name) && isRandom(secret, minGeneric) && !uuidForm.MatchString(secret)
}

// mayBeGeneric reports whether gitleaks' generic rule can find a secret in a text that isGeneric then takes: a digit in a
// long enough run of what such secrets are made of.
func mayBeGeneric(text string) bool {
	run, digit := 0, false
	for i := range len(text) {
		c := text[i]
		if !isNameByte(c) && c != '=' && c != '+' && c != '/' {
			run, digit = 0, false
			continue
		}
		run++
		digit = digit || isDigit(c)
		if digit && run >= minGeneric {
			return true
		}
	}
	return false
}

// namesAnother reports whether a name is that of a name, a place or a kind, which says where or what a secret is.
func namesAnother(name string) bool {
	words := nameWords(name)
	if len(words) == 0 {
		return true
	}
	switch words[len(words)-1] {
	case "name", "names", "ref", "file", "path", "dir", "url", "uri", "class", "image", "tag", "digest", "version", "checksum",
		"fingerprint", "revision", "commit", "host", "endpoint", "namespace":
		return true
	}
	return words[0] == "checksum"
}

// isOpen reports whether a name leaves it open what it holds: the structural rules say nothing of it, nor does the name
// say that it is something else.
func isOpen(name string) bool { return tierOf(name) == plain && !namesAnother(name) }
