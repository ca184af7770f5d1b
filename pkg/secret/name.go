package secret

import (
	"slices"
	"strings"
)

// tier says how a value is judged under a name.
type tier int8

const (
	plain        tier = iota // the name says nothing
	password                 // any literal is the secret, a number too
	passwords                // the same, and in a map under the name every entry is one
	credential               // any literal is the secret: tokens, API keys, client secrets
	accessID                 // an access key: the public half of a pair where it is a user's name, or the secret half stands beside it
	userPassword             // the secret is what stands behind the colon
	secretOrPath             // the secret, or the namespace and the name of the object that holds it
	eitherOr                 // the secret, or the name of the object that holds it
	objectName               // as a rule the name of the object that holds the secret
	keyName                  // as a rule the name of a key in that object
)

const maxName = 128

// tierOf judges a name by its last words, in any case style: adminPassword, DB_PASSWORD, client-secret, apikey. What
// stands behind the secret word makes it something else: passwordMinLength, secretName, tokenURL, PASSWORD_FILE.
func tierOf(name string) tier {
	if len(name) > maxName {
		name = name[len(name)-maxName:]
	}
	if !mentions(name) {
		return plain
	}
	words := nameWords(name)
	if len(words) == 0 || slices.Contains(words, "existing") || words[0] == "checksum" {
		return plain // checksum/secret is how charts restart pods on a change
	}
	last, before := words[len(words)-1], ""
	if len(words) > 1 {
		before = words[len(words)-2]
	}
	switch last {
	case "passwords", "passphrases":
		return passwords
	case "password", "passwd", "passphrase", "passcode", "pwd", "pass", "pw", "psk",
		"requirepass", "masterauth", "storepass", "keypass":
		return password
	case "token", "tokens":
		if before == "max" || before == "min" || before == "num" || last == "tokens" && slices.Contains(words, "max") {
			return plain
		}
		return credential
	case "secret", "secrets":
		return secretTier(words, before)
	case "credential", "credentials", "creds", "cred":
		return eitherOr
	case "key", "keys":
		t := keyTier(words, before)
		if t == keyName && name == strings.ToUpper(name) {
			return credential // SECRET_KEY is an environment variable, which holds the key itself
		}
		return t
	case "id":
		if before == "secret" {
			return eitherOr
		}
	case "auth":
		if before == "basic" {
			return userPassword
		}
	case "env", "envs", "vars", "data":
		if before == "secret" || before == "secrets" || before == "env" && slices.Contains(words, "secret") {
			return objectName
		}
	case "cookie":
		if before == "erlang" {
			return credential
		}
	}
	return plain
}

// secretTier judges "... secret" by the words before it. Two secrets in one name are the object that holds one, as in
// tokenReviewerJwtSecret.
func secretTier(words []string, before string) tier {
	switch before {
	case "client", "cookie", "app", "application", "consumer", "oauth", "oauth2", "oidc", "jwt", "session", "shared",
		"signing", "encryption", "hmac", "core", "jobservice", "api", "admin", "root", "user", "master", "access", "state",
		"bot", "xsrf", "csrf", "turn", "http", "rpc", "authenticator", "hash":
		if slices.Contains(words[:len(words)-1], "token") {
			return objectName
		}
		return secretOrPath
	case "pull", "tls", "cert", "certs", "certificate", "certificates", "ca", "mounted", "scripts", "config", "env", "from",
		"image", "storage", "ssh", "key", "keys", "users", "password", "token", "credentials", "creds", "auth", "vars",
		"volume", "external", "ingress", "account", "custom", "extra", "ref", "source", "target", "kubeconfig", "license",
		"backup", "sealed", "name", "k8s", "kube", "kubernetes":
		return objectName
	default:
		return eitherOr
	}
}

// keyTier judges "... key" by the words before it; most keys, such as topologyKey and publicKey, are none.
func keyTier(words []string, before string) tier {
	switch before {
	case "access":
		if slices.Contains(words, "secret") {
			return credential // AWS_SECRET_ACCESS_KEY
		}
		return accessID
	case "api", "private", "signing", "encryption", "encrypt", "decryption", "license", "master", "account", "hmac", "unseal",
		"recovery", "ingest", "deploy":
		return credential
	case "secret", "auth", "session", "shared", "storage", "service", "xsrf", "csrf", "jwt", "webhook", "aes", "cookie",
		"crypto", "crypt", "admin", "root", "password", "token":
		return keyName
	}
	return plain
}

// digits reports whether a number can be the secret.
func (t tier) digits() bool { return t == password || t == passwords }

// judge gives the verdict on a value under a name of the tier; siblings is the map that both stand in, or nil.
func (t tier) judge(value string, siblings map[string]any) verdict {
	if inner, ok := templateLiteral(value); ok {
		value = inner
	}
	switch t {
	case plain:
		return clean
	case userPassword:
		return judgeUser(value)
	case password, passwords, credential, secretOrPath:
		if v := judgeTemplate(value); v != clean {
			return v
		}
	}
	if v := classify(value, t.digits()).verdict(); v != literal {
		return v
	}
	if !t.digits() && digestForm.MatchString(value) {
		return clean
	}
	named := false
	switch t {
	case accessID:
		named = wordy(value) || hasAny(siblings, "secretKey", "secret_key", "secretAccessKey", "secret_access_key", "secretkey", "secret")
	case secretOrPath:
		named = isObjectName(value) && strings.Contains(value, "/")
	case eitherOr:
		named = isObjectName(value) && strings.ContainsAny(value, "-./")
	case objectName:
		named = isObjectName(value)
	case keyName:
		named = isKeyName(value) && !hasAny(siblings, "accessKey", "access_key", "accesskey") ||
			hasAny(siblings, "remoteRef", "remoteKey")
	}
	if named {
		return clean
	}
	return literal
}

// isObjectName reports whether s reads like the name of a Kubernetes object, with or without its namespace.
func isObjectName(s string) bool {
	if len(s) > 253 || strings.Count(s, "/") > 1 || !isAlnum(s[0]) {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c != '-' && c != '.' && c != '/' && !isDigit(c) && (c < 'a' || c > 'z') {
			return false
		}
	}
	// s3 and k8s are words, if no long ones.
	return wordy(shortWords.ReplaceAllString(s, "${1}word${3}"))
}

// isKeyName reports whether s reads like the name of a key in a Secret's data.
func isKeyName(s string) bool {
	if len(s) > 253 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c != '-' && c != '.' && c != '_' && !isAlnum(c) {
			return false
		}
	}
	return wordy(s)
}

// hasAny reports whether m has one of the keys with something under it.
func hasAny(m map[string]any, keys ...string) bool {
	for _, k := range keys {
		if v := m[k]; v != nil && v != "" {
			return true
		}
	}
	return false
}
