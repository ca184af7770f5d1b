package secret

import (
	"net/url"
	"regexp"
	"strings"
)

// form says what kind of thing a string under a secret's name is.
type form int8

const (
	nothing   form = iota // empty, a boolean, a mask: no secret and no sign of one
	reference             // names where the secret is
	standIn               // a placeholder that a person or a tool replaces
	other                 // anything else: the secret itself
)

// classify tells the form of a value. Numbers and durations are nothing, unless digits can be the secret itself.
func classify(s string, digits bool) form {
	s = strings.TrimSpace(s)
	switch {
	case isNothing(s):
		return nothing
	case isReference(s), isFile(s), isPlainURL(s):
		return reference
	case isPlaceholder(s):
		return standIn
	case !digits && (durationForm.MatchString(s) || shortNumberForm.MatchString(s)):
		return nothing
	default:
		return other
	}
}

func (f form) verdict() verdict {
	switch f {
	case standIn:
		return placeholder
	case other:
		return literal
	default:
		return clean
	}
}

var (
	durationForm    = regexp.MustCompile(`^([0-9]+(\.[0-9]+)?(ns|us|ms|s|m|h|d|w|y))+$`)
	shortNumberForm = regexp.MustCompile(`^[0-9]{1,7}$`)

	// Whole values that tools resolve: $VAR and $name:key of Argo CD, %(x)s, %ENV%, {env.X}, and URIs of secret stores.
	variableForm = regexp.MustCompile(`^(\$[A-Za-z_]+|\$[A-Z][A-Z0-9_]*|\$[A-Za-z][A-Za-z-]*([.:][A-Za-z0-9_-]+)+|` +
		`%\([A-Za-z0-9_]+\)s|%[A-Z][A-Z0-9_]*%|%[sdvq]|\{[A-Za-z_][A-Za-z0-9_.:-]*\}|\$[0-9]|\$\{?[0-9@*#]\}?)$`)
	storeForm = regexp.MustCompile(`^(ref\+[a-z0-9]+://|secretref\+|op://|vault:|bao:|env:|env://|file:|k8s://|kubernetes://|` +
		`keyvault://|ext:/|pullsecret:|secret:[a-z0-9.-]+/|awssm://|awssm:|ssm:|ssm://|secretsmanager:|gcpsm://|azurekv://|akeyless:|doppler://|` +
		`arn:aws[a-z-]*:(secretsmanager|ssm|kms):|projects/[^/]+/secrets/|@Microsoft\.KeyVault\(|os\.environ/|<path:)`)
	sealedForm      = regexp.MustCompile(`^(ENC\[[A-Za-z0-9_]+,|\{cipher\}|-----BEGIN AGE ENCRYPTED FILE-----|-----BEGIN PGP MESSAGE-----)`)
	shellVariable   = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	upperVariable   = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)
	digestForm      = regexp.MustCompile(`^sha(1|224|256|384|512)[:-]([0-9a-f]{40,128}|[A-Za-z0-9+/]{27,86}={0,2})$`)
	shortWords      = regexp.MustCompile(`(^|[-./])(s3|k8s|v[0-9])($|[-./])`)
	placeholderForm = regexp.MustCompile(`^(<[^<>]+>|[xX]{6,}|\.{3,}|__[A-Za-z0-9_]+__|@{1,2}[A-Za-z][A-Za-z0-9_.-]*@{1,2}|\[REDACTED\])$`)
)

func isNothing(s string) bool {
	switch strings.ToLower(s) {
	case "", "true", "false", "yes", "no", "on", "off", "null", "nil", "none", "~", "undefined", "{}", "[]", `""`, "''",
		"enabled", "disabled":
		return true
	}
	return len(s) == 1 && !isAlnum(s[0]) || strings.Trim(s, "*") == "" || strings.Trim(s, "•") == ""
}

// isPlaceholder knows the placeholders whole: what merely starts like one is a secret that someone made of it.
// "changeme" is none, because charts and people run with it.
func isPlaceholder(s string) bool {
	switch s {
	case "CHANGE_ME", "CHANGE-ME", "REPLACE_ME", "REPLACE-ME", "PLACEHOLDER", "placeholder", "placeholder-overridden-by-env",
		"REDACTED", "redacted", "TODO", "TBD", "FIXME", "YOUR_PASSWORD", "YOUR_TOKEN", "YOUR_SECRET", "YOUR_API_KEY",
		"your-password", "your-token", "your-secret", "your-api-key":
		return true
	}
	return placeholderForm.MatchString(s)
}

// isReference reports whether s is, or holds, an expression that something resolves when it runs.
func isReference(s string) bool {
	return variableForm.MatchString(s) || storeForm.MatchString(s) || sealedForm.MatchString(s) || holdsExpression(s)
}

// holdsExpression finds {{ }}, [[ ]], #{ }#, $( ) and ${ } in s. ${NAME:-x} with a literal x is none: x is what runs
// wherever NAME is not set.
func holdsExpression(s string) bool {
	for _, pair := range [...][2]string{{"{{", "}}"}, {"$(", ")"}, {"#{", "}"}, {"$__", "}"}, {"[[", "]]"}, {"%{", "}"}} {
		if _, rest, ok := strings.Cut(s, pair[0]); ok && strings.Contains(rest, pair[1]) {
			return true
		}
	}
	_, rest, ok := strings.Cut(s, "${")
	if !ok {
		return false
	}
	inner, _, ok := strings.Cut(rest, "}")
	return ok && !hasLiteralDefault(inner)
}

func hasLiteralDefault(inner string) bool {
	name, fallback, ok := strings.Cut(inner, ":")
	switch {
	case !ok:
		return false
	case strings.HasPrefix(fallback, "-"), strings.HasPrefix(fallback, "="):
		ok, fallback = shellVariable.MatchString(name), fallback[1:]
	default:
		ok = upperVariable.MatchString(name) // ${env:X} and ${vault:x} are sources, ${X:default} is Spring's form
	}
	fallback = strings.TrimSpace(fallback)
	return ok && fallback != "" && !strings.HasPrefix(fallback, "$") && !strings.HasPrefix(fallback, "?") &&
		!isNothing(fallback) && !isPlaceholder(fallback)
}

// isPlainURL reports whether s is a URL without credentials; those that it may have are the text rules' to find.
func isPlainURL(s string) bool {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok || scheme == "" || rest == "" || strings.ContainsAny(s, " \t\n") {
		return false
	}
	for i := range len(scheme) {
		if c := scheme[i]; !isAlnum(c) && c != '+' && c != '-' && c != '.' && c != ':' {
			return false
		}
	}
	return true
}

var (
	fileName  = regexp.MustCompile(`^[A-Za-z0-9_.-]+\.(key|pem|crt|cer|json|yaml|yml|txt|p12|pfx|jks|conf|cfg|ini|env)$`)
	pathForm  = regexp.MustCompile(`^(~|\.{1,2}|[A-Za-z]:)?[/\\][^\s"']*$`)
	rootNames = regexp.MustCompile(`^/(run|var|etc|opt|mnt|home|tmp|secrets?|usr|root|data|vault|config|certs?|keys?|app|proc|dev|srv|bin|credentials)(/|$)`)
)

// isFile reports whether s is a file's name. Random base64 may start with a slash, so the parts have to look like names.
func isFile(s string) bool {
	switch {
	case len(s) > 512:
		return false
	case rootNames.MatchString(s):
		return pathForm.MatchString(s)
	case pathForm.MatchString(s), fileName.MatchString(s):
		return wordy(s)
	default:
		return false
	}
}

// unescape undoes the percent-encoding of a URL's password; what cannot be undone is left as it is.
func unescape(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}
