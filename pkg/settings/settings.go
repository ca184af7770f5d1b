// Package settings owns env/settings/apps.yaml, which says what of the platform is on: it reads the file, makes it from
// the envelopes of env/apps, and knows by which flags a release comes and goes. It refuses to know where files are, what
// a secret looks like, and what runs in a cluster.
package settings

import (
	"fmt"
	"sync"

	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Settings is what decides whether a release is there: the apps, and the settings files that some gates read besides.
type Settings struct {
	Apps  *Apps
	files map[string]*values.Document
	gates func() []Gate // the table, made once
}

// New returns the settings that consist of the apps alone. Gates that read other files are unknown until Add brings them.
// nil is no apps.
func New(apps *Apps) *Settings {
	if apps == nil {
		apps = &Apps{}
	}
	return &Settings{Apps: apps, files: map[string]*values.Document{}, gates: sync.OnceValue(Gates)}
}

// Add reads a settings file, an envelope as the platform writes them: kind, metadata, and the settings below spec. It
// returns an error with the place for text that is no YAML.
func (s *Settings) Add(path string, data []byte) error {
	doc, err := values.Parse(path, data)
	if err != nil {
		return fmt.Errorf("read settings: %w", err)
	}
	s.files[path] = doc
	return nil
}

// Read reads env/settings/apps.yaml and the settings files that gates need, by a function such as gitrepo's ReadFile. A
// file that is missing says nothing: what it would decide is unknown.
func Read(read func(path string) (data []byte, found bool, err error)) (*Settings, error) {
	s := New(&Apps{})
	for _, path := range []string{layout.AppsFile, layout.SettingsFile, layout.AlertsFile, layout.DNSFile} {
		data, found, err := read(path)
		switch {
		case err != nil:
			return nil, fmt.Errorf("read %s: %w", path, err)
		case !found:
			continue
		case path == layout.AppsFile:
			s.Apps, err = Parse(path, data)
		default:
			err = s.Add(path, data)
		}
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}
