package values

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// TestRecordedPlatform splits the values of every Application of a recorded platform, which is not part of the project,
// against what the platform manages.
func TestRecordedPlatform(t *testing.T) {
	corpus := filepath.Join("..", "..", "..", "shared", "corpus")
	list, err := os.ReadFile(filepath.Join(corpus, "live", "applications.yaml"))
	if err != nil {
		t.Skipf("no recorded platform beside the checkout: %v", err)
	}
	var applications struct {
		Items []struct {
			Metadata struct{ Name string }
			Spec     struct {
				Source struct{ Helm struct{ Values string } }
			}
		}
	}
	if err := yaml.Unmarshal(list, &applications); err != nil {
		t.Fatal(err)
	}
	split := 0
	for _, app := range applications.Items {
		name := app.Metadata.Name
		text, err := os.ReadFile(filepath.Join(corpus, "managed", name+".yaml"))
		if err != nil {
			continue // a release whose values the platform does not manage
		}
		split++
		t.Run(name, func(t *testing.T) {
			live, managed := mustParse(t, app.Spec.Source.Helm.Values), mustParse(t, string(text))
			checkSplit(t, live, managed)
			against, err := Split(live, mustParse(t, "")).Text()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.TrimSpace(live.text), strings.TrimSpace(string(against.Bytes))); diff != "" {
				t.Errorf("against nothing all of the text stays (-live +custom):\n%s", diff)
			}
			if against.Rewritten {
				t.Error("the look of the values was not kept")
			}
		})
	}
	if split < 40 {
		t.Errorf("only %d Applications were split", split)
	}
}
