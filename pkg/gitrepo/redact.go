package gitrepo

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gitconfig"
)

const hidden = "***"

var (
	// userInfo is what stands before the host of a URL. A password can hold an "@" that is not escaped: git takes the last one.
	// It can hold a "/" too, at which git takes the host to end: behind a ":" rather too much is hidden than too little.
	userInfo = regexp.MustCompile(`([A-Za-z][A-Za-z0-9+.-]*://)(?:[^\s/'"<>]*:[^\s'"<>]*|[^\s/'"<>]*)@`)
	// query can hold tokens too.
	query = regexp.MustCompile(`([A-Za-z][A-Za-z0-9+.-]*://[^\s'"<>?]*)\?[^\s'"<>]*`)
	// authorization is a header as curl and servers quote it.
	authorization = regexp.MustCompile(`(?i)((?:proxy-)?authorization:\s*(?:[a-z]+\s+)?)\S+`)
)

// RedactURL returns text with the credentials of the URLs in it replaced.
func RedactURL(text string) string {
	text = userInfo.ReplaceAllString(text, "${1}"+hidden+"@")
	text = query.ReplaceAllString(text, "${1}?"+hidden)
	return authorization.ReplaceAllString(text, "${1}"+hidden)
}

// redact removes the credentials that the configuration holds from what git, a hook or a server says, in whatever form.
func (r *Repo) redact(text string) string {
	text = RedactURL(text)
	for _, secret := range credentials(r.config) {
		text = strings.ReplaceAll(text, secret, hidden)
	}
	return text
}

// minCredential is the length below which replacing every occurrence would only garble the text.
const minCredential = 4

// credentials returns the passwords and tokens that stand in URLs and headers of the configuration, longest first.
func credentials(config *gitconfig.Config) []string {
	if config == nil {
		return nil
	}
	var list []string
	add := func(texts ...string) {
		for _, text := range texts {
			if len(text) >= minCredential && !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
	}
	for _, e := range config.All() {
		section, name, key := gitconfig.Split(e.Key)
		switch {
		case section == "http" && key == "extraheader":
			_, value, _ := strings.Cut(e.Value, ":")
			words := strings.Fields(value)
			if len(words) == 0 {
				continue
			}
			token := words[len(words)-1]
			add(token)
			if plain, err := base64.StdEncoding.DecodeString(token); err == nil {
				_, password, _ := strings.Cut(string(plain), ":")
				add(password)
			}
		case section == "remote" && strings.HasSuffix(key, "url") && !strings.Contains(e.Value, "://"):
			add(inAuthority(e.Value)...) // its scheme was forgotten
		default:
			add(inURL(e.Value)...)
			add(inURL(name)...) // url.<base>.insteadOf
		}
	}
	slices.SortFunc(list, func(a, b string) int { return len(b) - len(a) })
	return list
}

// inURL returns the credentials of a URL as they stand in it and as they are meant. A user's name alone is taken for a token
// when it is as long as one.
func inURL(text string) []string {
	_, rest, ok := strings.Cut(text, "://")
	if !ok {
		return nil
	}
	host, _, _ := strings.Cut(rest, "/")
	list := inAuthority(host)
	if strings.Contains(host, ":") {
		list = append(list, inAuthority(rest)...) // of a password with a "/", see userInfo; parts of it are taken for a port
		for _, password := range slices.Clone(list) {
			list = append(list, strings.Split(password, "/")...)
		}
	}
	return list
}

func inAuthority(text string) []string {
	const tokenLength = 16
	at := strings.LastIndexByte(text, '@')
	if at < 0 {
		return nil
	}
	user, password, both := strings.Cut(text[:at], ":")
	if !both {
		password = ""
	}
	var list []string
	if password != "" {
		list = append(list, password)
	}
	if len(user) >= tokenLength {
		list = append(list, user)
	}
	for _, raw := range slices.Clone(list) {
		if plain, err := url.PathUnescape(raw); err == nil && plain != raw {
			list = append(list, plain)
		}
	}
	if name, err := url.PathUnescape(text[:at]); err == nil {
		list = append(list, base64.StdEncoding.EncodeToString([]byte(name))) // as the header has it
	}
	return list
}
