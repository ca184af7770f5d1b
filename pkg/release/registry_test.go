package release_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
)

func id(namespace, name string) app.ID { return app.ID{Namespace: namespace, Release: name} }

func TestParseRegistry(t *testing.T) {
	cases := map[string]struct {
		reason string
		text   string
		want   []release.Release
	}{
		"Empty": {reason: "a platform without releases is no error", text: `[]`},
		"Null":  {reason: "Go writes an empty list of helmfile's as null", text: "null\n"},
		"Sorted": {
			reason: "releases come in the order of their identities, whatever the helmfile's order",
			text: `[
  {"name":"gitea-valkey","namespace":"gitea","enabled":true,"installed":true,"labels":"app:core,chart:valkey","chart":"../charts/valkey","version":""},
  {"name":"cert-manager","namespace":"cert-manager","enabled":true,"installed":true,"labels":"","chart":"../charts/cert-manager","version":"v1.20.0"}
]`,
			want: []release.Release{
				{ID: id("cert-manager", "cert-manager"), Chart: "../charts/cert-manager", Version: "v1.20.0", Installed: true, Enabled: true, Labels: map[string]string{}},
				{ID: id("gitea", "gitea-valkey"), Chart: "../charts/valkey", Installed: true, Enabled: true, Labels: map[string]string{"app": "core", "chart": "valkey"}},
			},
		},
		"UnknownFields": {
			reason: "a newer helmfile may say more",
			text:   `[{"name":"a","namespace":"b","enabled":true,"installed":false,"hooks":[{"x":1}]}]`,
			want:   []release.Release{{ID: id("b", "a"), Enabled: true, Labels: map[string]string{}}},
		},
		"OddLabels": {
			reason: "labels are helmfile's own, and never decide whether the registry can be read",
			text:   `[{"name":"a","namespace":"b","enabled":false,"installed":true,"labels":"url:http://x, bare,,:v"}]`,
			want:   []release.Release{{ID: id("b", "a"), Installed: true, Labels: map[string]string{"url": "http://x", "bare": ""}}},
		},
		"ByteOrderMark": {
			reason: "a Windows shell that redirects the output puts one in front",
			text:   "\ufeff[]",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r, err := release.ParseRegistry("releases.json", []byte(tc.text))
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.want, slices.Collect(r.All())); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
			if r.Len() != len(tc.want) {
				t.Errorf("%s: Len() = %d", tc.reason, r.Len())
			}
			for _, want := range tc.want {
				got, ok := r.Get(want.ID)
				if diff := cmp.Diff(want, got); !ok || diff != "" {
					t.Errorf("%s: Get(%s) %v (-want +got)\n%s", tc.reason, want.ID, ok, diff)
				}
			}
			if _, ok := r.Get(id("no", "such")); ok {
				t.Errorf("%s: a release that nobody named was found", tc.reason)
			}
		})
	}
}

func TestParseRegistryRefuses(t *testing.T) {
	cases := map[string]struct {
		reason string
		text   string
		place  string
		also   error
	}{
		"Nothing":      {reason: "an empty file is no list", text: "", place: ":1:1:"},
		"Object":       {reason: "a values file of helmfile's is no registry", text: "\n {\"name\":\"a\"}", place: ":2:2:"},
		"Syntax":       {reason: "text of another kind is named where it goes wrong", text: "[\n{\"name\": oops}]", place: ":2:10:"},
		"Cut":          {reason: "a write that broke off is seen", text: "[\n{\"name\":\"a\"", place: ":2:12:"},
		"NotClosed":    {reason: "a write that broke off is seen", text: `[{"name":"a","namespace":"b","enabled":true,"installed":true}`, place: ":1:62:"},
		"Trailing":     {reason: "two outputs in one file would hide the second", text: "[]\n[]", place: ":2:1:"},
		"TrailingWord": {reason: "a log line after the list is no part of it", text: "null done", place: ":1:6:"},
		"NoObject":     {reason: "an entry is an object", text: `["gitea"]`, place: ":1:2:"},
		"NullEntry":    {reason: "an entry is an object", text: `[null]`, place: ":1:2:"},
		"WrongType": {
			reason: "a flag that is text would read as anything",
			text:   "[\n  {\"name\":\"a\",\"namespace\":\"b\",\"enabled\":\"yes\"}\n]", place: ":2:3:",
		},
		"NoName":      {reason: "a release needs a name", text: `[{"namespace":"b","enabled":true,"installed":true}]`, place: ":1:2:"},
		"NoNamespace": {reason: "identity is namespace and name", text: `[{"name":"a","enabled":true,"installed":true}]`, place: ":1:2:"},
		"NoFlag":      {reason: "whether it is installed is not guessed", text: `[{"name":"a","namespace":"b","enabled":true}]`, place: ":1:2:"},
		"BadName": {
			reason: "a name that leaves its folder is refused before it becomes a path", also: app.ErrInvalid,
			text: `[{"name":"../a","namespace":"b","enabled":true,"installed":true}]`, place: ":1:2:",
		},
		"Twice": {
			reason: "one identity twice leaves open which of both is meant",
			text:   "[{\"name\":\"a\",\"namespace\":\"b\",\"enabled\":true,\"installed\":true},\n {\"name\":\"a\",\"namespace\":\"b\",\"enabled\":true,\"installed\":false}]", place: ":2:2:",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r, err := release.ParseRegistry("releases.json", []byte(tc.text))
			if r != nil || !errors.Is(err, release.ErrRegistry) {
				t.Fatalf("%s: got %v, %v", tc.reason, r, err)
			}
			if tc.also != nil && !errors.Is(err, tc.also) {
				t.Errorf("%s: %v does not wrap %v", tc.reason, err, tc.also)
			}
			if !strings.HasPrefix(err.Error(), "releases.json"+tc.place) {
				t.Errorf("%s: %q does not start with the place %s", tc.reason, err, tc.place)
			}
		})
	}
}

func TestParseRegistryNeverPanics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[\[\]{},:"a \n]{0,20}`)).Draw(t, "text")
		if r, err := release.ParseRegistry("r", []byte(text)); (r == nil) == (err == nil) {
			t.Fatalf("%q gives %v and %v", text, r, err)
		}
	})
}

func TestArtifacts(t *testing.T) {
	cases := map[string]struct {
		reason  string
		release release.Release
		want    bool
	}{
		"Artifacts": {reason: "name and chart both say so", release: release.Release{ID: id("gitea", "gitea-artifacts"), Chart: "../charts/raw"}, want: true},
		"OtherName": {reason: "team-secrets-* use the raw chart and are no artifacts", release: release.Release{ID: id("team-demo", "team-secrets-demo"), Chart: "../charts/raw"}},
		"OtherChart": {
			reason:  "a chart of its own renders more than the objects in its values",
			release: release.Release{ID: id("knative-serving", "serving-artifacts"), Chart: "../charts/raw-cr"},
		},
		"NoChart": {reason: "an entry without a chart is none", release: release.Release{ID: id("a", "b-artifacts")}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := tc.release.Artifacts(); got != tc.want {
				t.Errorf("%s: got %v", tc.reason, got)
			}
		})
	}
}

// TestRecordedRegistry reads the registry of a real platform.
func TestRecordedRegistry(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "corpus", "releases.json"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("../shared is not here: the recorded platform cannot be read")
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := release.ParseRegistry("releases.json", data)
	if err != nil {
		t.Fatal(err)
	}
	type counts struct{ All, Present, Team, Artifacts, Charts int }
	var got counts
	for rel := range r.All() {
		got.All++
		if !rel.Present() {
			continue
		}
		got.Present++
		switch {
		case strings.HasPrefix(rel.ID.Namespace, "team-"):
			got.Team++
		case rel.Artifacts():
			got.Artifacts++
		default:
			got.Charts++
		}
	}
	if diff := cmp.Diff(counts{All: 90, Present: 84, Team: 13, Artifacts: 25, Charts: 46}, got); diff != "" {
		t.Errorf("the corpus README says what it holds: (-want +got)\n%s", diff)
	}
}
