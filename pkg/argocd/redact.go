package argocd

import "strings"

// redacted stands where something was that must not be shown.
const redacted = "***"

// RedactURL returns a repo URL without what could be a secret: user and password (one alone can be a token), query and
// fragment. The user of an SSH URL stays when it stands alone. A URL that no parser takes is redacted all the same, since a
// password can hold @, / and ? that nobody encoded: rather too much than too little.
func RedactURL(url string) string {
	scheme, rest, hasScheme := strings.Cut(url, "://")
	if hasScheme {
		scheme += "://"
	} else {
		scheme, rest = "", url
	}
	authority, _, _ := strings.Cut(rest, "/")
	if !strings.ContainsAny(authority, "@:") {
		return scheme + cutQuery(rest) // no user; an @ further on is a part of the path
	}
	at := strings.LastIndexByte(rest, '@')
	if at < 0 {
		return scheme + cutQuery(rest)
	}
	user := rest[:at]
	ssh := !hasScheme || strings.EqualFold(scheme, "ssh://") || strings.EqualFold(scheme, "git+ssh://")
	if !ssh || strings.ContainsAny(user, ":/@?#") {
		user = redacted
	}
	return scheme + user + "@" + cutQuery(rest[at+1:])
}

func cutQuery(rest string) string {
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		return rest[:i+1] + redacted
	}
	return rest
}
