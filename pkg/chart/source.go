package chart

import (
	"errors"
	"net/url"
	"strings"
)

// Outcomes of Locate besides ErrNotFound. None of them may be counted as a chart that is fine.
var (
	// ErrOffline means that the network is forbidden, and the cache does not have the chart.
	ErrOffline = errors.New("offline, and not in the cache")
	// ErrUnreachable means that who has the chart did not answer, or refused.
	ErrUnreachable = errors.New("unreachable")
	// ErrUnfit means that what was found is no chart, or is too large, or would leave its folder.
	ErrUnfit = errors.New("not usable as a chart")
)

// Source is where an Application's chart is, in its own words: a path in a git repo, or a chart in a Helm repository or an OCI
// registry.
type Source struct {
	// RepoURL can hold credentials; it is shown by Redacted only.
	RepoURL string
	// Path is the chart's folder in a git repo (or in an OCI artifact), Chart its name in a Helm repository: one of both is set.
	Path, Chart string
	// Revision is a branch, tag, commit, version or range of versions.
	Revision string
}

// String returns the source as it can be shown.
func (s Source) String() string {
	where := "path " + s.Path
	if s.Chart != "" {
		where = "chart " + s.Chart
	}
	revision := s.Revision
	if revision == "" {
		revision = "HEAD"
	}
	return where + " of " + redacted(s.RepoURL) + " at " + revision
}

// kind is who has the chart.
type kind int

const (
	kindGit      kind = iota
	kindHelm          // a Helm repository: an index over HTTP
	kindOCI           // a chart in an OCI registry
	kindArtifact      // a folder in an OCI artifact, Argo CD's oci:// without a chart
)

const ociScheme = "oci://"

// kind tells who has the chart, as Argo CD does (its IsHelmOciRepo): the address of a registry has no scheme, or is oci://.
func (s Source) kind() kind {
	oci := strings.HasPrefix(s.RepoURL, ociScheme)
	switch {
	case s.Chart != "" && (oci || !strings.Contains(s.RepoURL, "://")):
		return kindOCI
	case s.Chart != "":
		return kindHelm
	case oci:
		return kindArtifact
	}
	return kindGit
}

// redacted returns a URL without what could be a secret: user, password, query and fragment. Of what no parser takes, only
// the scheme is left, except for the form user@host:path of SSH.
func redacted(text string) string {
	u, err := url.Parse(text)
	if err == nil && (u.Host != "" || u.Scheme == "file") {
		user := u.User
		u.User, u.RawQuery, u.Fragment = nil, "", ""
		if _, secret := user.Password(); u.Scheme == "ssh" && user != nil && !secret {
			u.User = user // the login name, and no more
		}
		return u.String()
	}
	scheme, rest, ok := strings.Cut(text, "://")
	if ok {
		return scheme + "://***"
	}
	if before, _, found := strings.Cut(rest, "@"); found && strings.ContainsAny(before, ":/") {
		return "***"
	}
	rest, _, _ = strings.Cut(rest, "?")
	return rest
}

// credentials are a user and a password for one host, never for another.
type credentials struct{ user, password string }

func (c credentials) empty() bool { return c == credentials{} }

// withoutUser takes user and password out of a URL.
func withoutUser(text string) (string, credentials) {
	u, err := url.Parse(text)
	if err != nil || u.User == nil {
		return text, credentials{}
	}
	password, _ := u.User.Password()
	out := credentials{u.User.Username(), password}
	u.User = nil
	return u.String(), out
}
