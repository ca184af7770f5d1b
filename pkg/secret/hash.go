package secret

import (
	"regexp"
	"strings"
)

// hashForm are hashes of passwords as htpasswd, /etc/shadow, LDAP and Argon2 write them.
var hashForm = regexp.MustCompile(`\$2[abxy]\$[0-9]{2}\$[./A-Za-z0-9]{53}` +
	`|\$apr1\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}` +
	`|\$5\$(rounds=[0-9]+\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43}` +
	`|\$6\$(rounds=[0-9]+\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{86}` +
	`|\$argon2(id|i|d)\$v=[0-9]+\$m=[0-9]+,t=[0-9]+,p=[0-9]+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]{16,}` +
	`|\{S?SHA\}[A-Za-z0-9+/]{27,}`)

// findHashes finds hashes of passwords, which stand under any name: those of a basic auth under the user's.
func findHashes(text string, report reporter) {
	if !strings.Contains(text, "$") && !strings.Contains(text, "SHA}") {
		return
	}
	for _, place := range hashForm.FindAllStringIndex(text, -1) {
		report(RulePasswordHash, place[0], literal)
	}
}
