package valuefile

import (
	"fmt"
	"path"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// Files reads the work tree of the values repo.
type Files interface {
	List(folder string) ([]string, error)
	ReadFile(path string) (data []byte, found bool, err error)
}

// Settings returns the digest of the settings that people keep in the values repo and the platform computes managed values from,
// "" where there are none. Files of secrets are left out: the digest of one that is short tells what it says. So is apps.yaml beside
// env/apps, which it is made from: making it is no change of what the platform computes from.
func Settings(files Files) (string, error) {
	var texts [][]byte
	apps, err := files.List(layout.AppsDir)
	if err != nil {
		return "", fmt.Errorf("read settings: %w", err)
	}
	for _, folder := range []string{path.Dir(layout.SettingsFile), layout.AppsDir} {
		paths, err := files.List(folder)
		if err != nil {
			return "", fmt.Errorf("read settings: %w", err)
		}
		for _, file := range paths {
			if name := path.Base(file); strings.HasPrefix(name, "secrets.") || !strings.HasSuffix(name, ".yaml") || file == layout.AppsFile && len(apps) > 0 {
				continue
			}
			data, found, err := files.ReadFile(file)
			if err != nil {
				return "", fmt.Errorf("read settings: %w", err)
			}
			if found {
				texts = append(texts, []byte(file), withoutCR(data)) // a checkout can bring CRs
			}
		}
	}
	return Digest(texts...), nil
}
