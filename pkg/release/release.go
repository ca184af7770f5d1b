package release

import (
	"encoding/json"
	"errors"
	"path"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
)

// Release is one entry of the registry.
type Release struct {
	ID app.ID
	// Chart is the chart as the helmfile names it, relative to the helmfile: "../charts/gitea".
	Chart string
	// Version is the chart version that the helmfile asks for; empty for a chart in a folder.
	Version string
	// Installed and Enabled are helmfile's two flags; see Present.
	Installed, Enabled bool
	Labels             map[string]string
}

// artifactsChart renders whatever objects its values hold.
const (
	artifactsChart  = "raw"
	artifactsSuffix = "-artifacts"
)

// Present reports whether the platform has the release at all: helmfile removes what is not installed, and leaves out
// what its condition disables.
func (r Release) Present() bool { return r.Installed && r.Enabled }

// Artifacts reports whether the release only carries extra objects (DESIGN 2): its name ends in "-artifacts" and its chart is
// "raw". One of both alone is an app like others: team-secrets-* use the raw chart too.
func (r Release) Artifacts() bool {
	return strings.HasSuffix(r.ID.Release, artifactsSuffix) && r.ChartName() == artifactsChart
}

// ChartName returns the last part of Chart: "gitea" of "../charts/gitea".
func (r Release) ChartName() string { return path.Base(r.Chart) }

// Entry returns a text that says all of the release: two releases are equal if it is.
func (r Release) Entry() []byte {
	text, _ := json.Marshal(r) // names, texts and flags, which always encode
	return text
}

// entry is a release as helmfile writes it.
type entry struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
	Enabled   *bool  `json:"enabled"`
	Installed *bool  `json:"installed"`
	Labels    string `json:"labels"`
	Chart     string `json:"chart"`
	Version   string `json:"version"`
}

func (e entry) release() (Release, error) {
	switch {
	case e.Name == "":
		return Release{}, errors.New("a release has no name")
	case e.Namespace == "":
		return Release{}, errors.New("release " + e.Name + " has no namespace")
	case e.Installed == nil || e.Enabled == nil:
		// A guess either way would silently take a release in or leave it out.
		return Release{}, errors.New("release " + e.Name + " does not say whether it is installed and enabled")
	}
	id := app.ID{Namespace: e.Namespace, Release: e.Name}
	if err := id.Validate(); err != nil {
		return Release{}, err
	}
	return Release{
		ID:        id,
		Chart:     e.Chart,
		Version:   e.Version,
		Installed: *e.Installed,
		Enabled:   *e.Enabled,
		Labels:    labels(e.Labels),
	}, nil
}

// labels reads "k:v,k:v". A label without a colon keeps an empty value.
func labels(text string) map[string]string {
	out := map[string]string{}
	for pair := range strings.SplitSeq(text, ",") {
		if key, value, _ := strings.Cut(strings.TrimSpace(pair), ":"); key != "" {
			out[key] = value
		}
	}
	return out
}
