// Package app owns what an app is called: its identity and the names made from it.
// It knows nothing of Argo CD, files or values.
package app

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// ID identifies an app: the namespace its release is deployed to and the release's name
// (DESIGN 2). An app name is made from an ID and never split back into one, because
// both halves may hold hyphens.
type ID struct {
	Namespace string
	Release   string
}

// ErrInvalid is returned, wrapped with the reason, for text that is no identity.
var ErrInvalid = errors.New("not an app identity")

// Namespaces are RFC 1123 labels (Kubernetes), release names what Helm's chartutil.ValidateReleaseName takes.
var (
	namespacePattern = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
	releasePattern   = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)
)

const (
	maxNamespace = 63 // Kubernetes: RFC 1123 label
	maxRelease   = 53 // Helm: maxReleaseNameLen
)

// Parse reads an identity in the form that String writes, "namespace/releaseName".
// It returns ErrInvalid for anything else.
func Parse(text string) (ID, error) {
	namespace, release, ok := strings.Cut(text, "/")
	if !ok {
		return ID{}, fmt.Errorf("%w: %q is not of the form namespace/releaseName", ErrInvalid, text)
	}
	id := ID{Namespace: namespace, Release: release}
	return id, id.Validate()
}

// Validate returns ErrInvalid, with the reason, unless both halves are names that Kubernetes and Helm accept.
func (id ID) Validate() error {
	switch {
	case len(id.Namespace) > maxNamespace || !namespacePattern.MatchString(id.Namespace):
		return fmt.Errorf("%w: %q is no namespace name", ErrInvalid, id.Namespace)
	case len(id.Release) > maxRelease || !releasePattern.MatchString(id.Release):
		return fmt.Errorf("%w: %q is no Helm release name", ErrInvalid, id.Release)
	}
	return nil
}

// String returns "namespace/releaseName".
func (id ID) String() string { return id.Namespace + "/" + id.Release }

// Name returns the app name, "namespace-releaseName", which is what the app's Application is called.
func (id ID) Name() string { return id.Namespace + "-" + id.Release }

// Compare orders identities by namespace, then by release name.
func Compare(a, b ID) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Release, b.Release))
}

// IsTeam reports whether a namespace is that of a team, whose apps are none of this tool's business (DESIGN 3).
func IsTeam(namespace string) bool { return strings.HasPrefix(namespace, "team-") }
