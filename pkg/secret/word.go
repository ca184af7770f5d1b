package secret

import (
	"strings"
	"unicode/utf8"
)

// mentions reports whether s holds any of the stems that the name rules know, in any case. It keeps the dearer rules
// away from most strings.
func mentions(s string) bool {
	for i := range len(s) {
		rest := s[i:]
		var stems []string
		switch s[i] | 0x20 {
		case 'p':
			stems = []string{"pass", "pw", "psk"}
		case 's':
			stems = []string{"secret"}
		case 't':
			stems = []string{"token"}
		case 'c':
			stems = []string{"cred", "cookie"}
		case 'k':
			stems = []string{"key"}
		case 'a':
			stems = []string{"auth"}
		}
		for _, stem := range stems {
			if len(rest) >= len(stem) && strings.EqualFold(rest[:len(stem)], stem) {
				return true
			}
		}
	}
	return false
}

// nameWords splits a name into lower-case words, the words that are written together too (adminpassword), and drops
// what says only how the value is written: VALUE, _B64, a trailing number.
func nameWords(name string) []string {
	var words []string
	for _, w := range splitWords(name) {
		words = appendParts(words, strings.ToLower(w))
	}
	for len(words) > 0 {
		last := strings.TrimRight(words[len(words)-1], "0123456789")
		switch last {
		case "", "value", "val", "base", "b", "encoded", "plain", "plaintext", "literal", "raw", "hash", "hashed", "bcrypt",
			"string", "text":
			words = words[:len(words)-1]
			continue
		}
		words[len(words)-1] = last
		break
	}
	return words
}

// splitWords splits at everything that is no letter or digit, and where camel case starts a word: DBPassword is DB and
// Password.
func splitWords(name string) []string {
	var words []string
	start := -1
	for i := range len(name) {
		c := name[i]
		if !isAlnum(c) {
			if start >= 0 {
				words = append(words, name[start:i])
			}
			start = -1
			continue
		}
		if start < 0 {
			start = i
			continue
		}
		afterLower := !isUpper(name[i-1])
		beforeLower := i+1 < len(name) && isLetter(name[i+1]) && !isUpper(name[i+1])
		if isUpper(c) && (afterLower || beforeLower) {
			words = append(words, name[start:i])
			start = i
		}
	}
	if start >= 0 {
		words = append(words, name[start:])
	}
	return words
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// appendParts appends the words that w is written together of: clientsecret, accesskeysecret, apikey.
func appendParts(words []string, w string) []string {
	if head, ok := strings.CutSuffix(w, "key"); ok {
		switch head {
		case "api", "access", "secret", "private", "account", "auth", "master", "license", "signing", "encryption":
			return append(words, head, "key")
		}
		if rest, ok := strings.CutSuffix(head, "access"); ok && rest == "secret" {
			return append(words, "secret", "access", "key")
		}
	}
	for _, tail := range []string{"password", "passwords", "passwd", "passphrase", "secret", "secrets", "token", "tokens", "credentials"} {
		if head, ok := strings.CutSuffix(w, tail); ok && head != "" {
			return append(appendParts(words, head), tail)
		}
	}
	switch w {
	case "dbpass", "userpass", "rootpass", "adminpass", "smtppass", "mysqlpass":
		return append(words, strings.TrimSuffix(w, "pass"), "pass")
	}
	return append(words, w)
}

// wordy reports whether s is made of words, as names are, and not of random letters and digits.
func wordy(s string) bool {
	letters, digits, parts := 0, 0, 0
	for segment := range strings.FieldsFuncSeq(s, func(r rune) bool { return r >= utf8.RuneSelf || !isAlnum(byte(r)) }) {
		humps, inHumps, before := 0, 0, digits
		for _, w := range splitWords(segment) {
			head := strings.TrimRight(w, "0123456789")
			n := len(w) - len(head)
			if strings.ContainsAny(head, "0123456789") || n > 4 || head != "" && n > 2 {
				return false
			}
			digits += n
			if head != "" {
				humps, inHumps = humps+1, inHumps+len(head)
			}
		}
		if humps > 2 && inHumps < 3*humps {
			return false // random letters change their case more often than camel case does
		}
		if humps > 1 && digits-before > 1 && inHumps < 3*humps {
			return false // Zx81Qp; s3Key has one digit
		}
		letters, parts = letters+inHumps, parts+humps
	}
	return letters > 0 && letters >= 2*digits && letters >= 2*parts
}
