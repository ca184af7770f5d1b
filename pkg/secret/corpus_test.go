package secret

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// shared is the folder of recorded data beside the checkout; see DESIGN for what it holds.
const shared = "../../../shared"

// readShared returns a file of the shared folder, and skips the test where there is no such folder.
func readShared(t *testing.T, name string) []byte {
	t.Helper()
	if _, err := os.Stat(shared); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no recorded data: ../shared is absent beside the checkout")
	}
	text, err := os.ReadFile(filepath.Join(shared, name))
	if err != nil {
		t.Fatalf("read recorded data: %v", err)
	}
	return text
}

// TestCases runs the public failures of area E; expected.md in each folder says what is right.
func TestCases(t *testing.T) {
	tests := map[string]struct {
		reason string
		file   string
		want   map[string][]string
	}{
		"E1": {
			reason: "Names of secrets are no secrets.",
			file:   "E1/values.yaml", want: map[string][]string{},
		},
		"E3a": {
			reason: "The kind may come after the data.",
			file:   "E3/a.yaml", want: map[string][]string{"data.a": object, "data.b": object, "data.c": object},
		},
		"E3b": {
			reason: "A Secret in a List, in JSON, with a value of one character.",
			file:   "E3/b.json", want: map[string][]string{"items[0].stringData.p": object},
		},
		"E3c": {
			reason: "A Secret as YAML inside a string.",
			file:   "E3/c.yaml", want: map[string][]string{"extraObjects[0]#stringData.p": object},
		},
		"E5": {
			reason: "Private keys plain, in base64 and on one line; certificates and public keys are none.",
			file:   "E5/values.yaml", want: map[string][]string{"key": privateKey, "b64": privateKey, "one": privateKey},
		},
		"E7": {
			reason: "Secrets in arguments and in env lists, whatever their value looks like.",
			file:   "E7/values.yaml",
			want: map[string][]string{
				"args[1]": argument, "args[3]": argument, "extraEnv[0].value": namedEnv, "extraEnvVars.API_KEY": namedKey,
				"command[2]": {"error secret-argument", "error secret-authorization"},
				"javaOpts":   {"warning secret-java-property"},
			},
		},
		"E9": {
			reason: "Paths, templates and placeholders are no secrets, a weak password is one.",
			file:   "E9/values.yaml", want: map[string][]string{"pw2": namedKey, "secret": stub, "token": stub},
		},
		"E11": {
			reason: "What is found is named by its place.",
			file:   "E11/values.yaml", want: map[string][]string{"db.password": namedKey},
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got := byPlace(New().Scan(parse(t, readShared(t, "cases/"+tc.file))))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\nScan(%s): -want, +got:\n%s", tc.reason, tc.file, diff)
			}
		})
	}
}

// corpusErrors is what the recorded platform holds, and all of it: recall and precision in one.
func corpusErrors() map[string][]string {
	return map[string][]string{
		"apl-operator/apl-operator": {"kms.sops.azure.clientSecret"},
		"gitea/gitea": {
			"gitea.additionalConfigFromEnvs[6].value", "gitea.additionalConfigFromEnvs[7].value",
			"gitea.additionalConfigFromEnvs[10].value",
		},
		"gitea/gitea-valkey": {"auth.password"},
	}
}

type application struct {
	Metadata struct {
		Labels map[string]string `json:"labels"`
	} `json:"metadata"`
	Spec struct {
		Destination struct {
			Namespace string `json:"namespace"`
		} `json:"destination"`
		Source struct {
			Helm struct {
				ReleaseName string `json:"releaseName"`
				Values      string `json:"values"`
			} `json:"helm"`
		} `json:"source"`
	} `json:"spec"`
}

// platformCharts returns the inline values of the platform's chart releases by app.
func platformCharts(t *testing.T) map[string]string {
	t.Helper()
	text, err := yaml.YAMLToJSON(readShared(t, "corpus/live/applications.yaml"))
	if err != nil {
		t.Fatalf("read recorded Applications: %v", err)
	}
	var list struct {
		Items []application `json:"items"`
	}
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatalf("read recorded Applications: %v", err)
	}
	apps := map[string]string{}
	for _, a := range list.Items {
		namespace, release := a.Spec.Destination.Namespace, a.Spec.Source.Helm.ReleaseName
		if a.Metadata.Labels["otomi.io/app"] == "managed" && !strings.HasPrefix(namespace, "team-") && !strings.HasSuffix(release, "-artifacts") {
			apps[namespace+"/"+release] = a.Spec.Source.Helm.Values
		}
	}
	return apps
}

func TestCorpus(t *testing.T) {
	apps := platformCharts(t)
	if len(apps) != 46 {
		t.Fatalf("the recorded platform has %d chart releases, want 46", len(apps))
	}
	live, managed := map[string][]string{}, map[string][]string{}
	for id, text := range apps {
		addErrors(live, id, New().Scan(parse(t, []byte(text))))
		file := "corpus/managed/" + strings.ReplaceAll(id, "/", "-") + ".yaml"
		addErrors(managed, id, New().Scan(parse(t, readShared(t, file))))
	}
	if diff := cmp.Diff(corpusErrors(), live); diff != "" {
		t.Errorf("Exactly the secrets of the live values are found: -want, +got:\n%s", diff)
	}
	if diff := cmp.Diff(corpusErrors(), managed); diff != "" {
		t.Errorf("Exactly the secrets of the managed values are found: -want, +got:\n%s", diff)
	}
}

func addErrors(to map[string][]string, id string, hits []Hit) {
	for _, h := range hits {
		if h.Severity == finding.Error {
			to[id] = append(to[id], h.Place())
		}
	}
}
