package schema

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

var (
	hostnameForm = regexp.MustCompile(`\A[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*\z`)
	durationForm = regexp.MustCompile(`\AP(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(\d+H)?(\d+M)?(\d+S)?)?)\z`)
	localForm    = regexp.MustCompile("\\A([A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*)?\\z")
	semverForm   = regexp.MustCompile(`\A(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)` +
		`(-(0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(\.(0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*)?` +
		`(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?\z`)
)

// formats returns the formats that Helm's library reads otherwise than ours, each by Helm's reading; nil for those that
// it does not know. Formats are about text: other values pass.
func formats() map[string]func(any) bool {
	return map[string]func(any) bool{
		"duration":     text(isDuration),
		"email":        text(isEmail),
		"hostname":     text(isHostname),
		"ipv4":         text(isIPv4),
		"period":       text(isPeriod),
		"semver":       text(semverForm.MatchString),
		"uri-template": text(isURITemplate),
		"ip-address":   nil,
		"uriref":       nil,
	}
}

func text(is func(string) bool) func(any) bool {
	return func(v any) bool {
		s, ok := v.(string)
		return !ok || is(s)
	}
}

// library asks one of the library's own formats, which Helm's reads alike.
func library(format, s string) bool { return jsonschema.Formats[format](s) }

func isDuration(s string) bool {
	return durationForm.MatchString(s) && s != "P" && !strings.HasSuffix(s, "T")
}

func isPeriod(s string) bool {
	start, end, ok := strings.Cut(s, "/")
	switch {
	case !ok:
		return false
	case strings.HasPrefix(start, "P"):
		return isDuration(start) && library("date-time", end)
	case strings.HasPrefix(end, "P"):
		return library("date-time", start) && isDuration(end)
	}
	return library("date-time", start) && library("date-time", end)
}

func isHostname(s string) bool {
	s = strings.TrimSuffix(s, ".")
	return len(s) <= 253 && hostnameForm.MatchString(s)
}

func isIPv4(s string) bool {
	groups := strings.Split(s, ".")
	for _, g := range groups {
		n, err := strconv.Atoi(g)
		if err != nil || n < 0 || n > 255 || len(g) > 1 && g[0] == '0' {
			return false
		}
	}
	return len(groups) == 4
}

func isEmail(s string) bool {
	at := strings.LastIndexByte(s, '@')
	if at < 0 || at > 64 || len(s) > 254 {
		return false
	}
	local, domain := s[:at], s[at+1:]
	if len(local) > 1 && local[0] == '"' {
		// Helm's library looks for the quote that opens only.
		if strings.ContainsAny(local[1:len(local)-1], `\"`) {
			return false
		}
	} else if !localForm.MatchString(local) {
		return false
	}
	if !strings.HasPrefix(domain, "[") || !strings.HasSuffix(domain, "]") {
		return isHostname(domain)
	}
	address := domain[1 : len(domain)-1]
	if six, ok := strings.CutPrefix(address, "IPv6:"); ok {
		return library("ipv6", six)
	}
	return isIPv4(address)
}

func isURITemplate(s string) bool {
	if !library("uri-template", s) {
		return false
	}
	u, err := url.Parse(s)
	if err != nil {
		return false
	}
	for item := range strings.SplitSeq(u.RawPath, "/") {
		item, err := url.PathUnescape(item)
		if err != nil {
			return false
		}
		open := false
		for _, ch := range item {
			if ch == '{' && open || ch == '}' && !open {
				return false
			}
			open = open != (ch == '{' || ch == '}')
		}
		if open {
			return false
		}
	}
	return true
}
