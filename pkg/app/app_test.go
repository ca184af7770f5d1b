package app_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
)

func TestParse(t *testing.T) {
	cases := map[string]struct {
		reason string
		text   string
		want   app.ID
		err    error
	}{
		"Plain":       {reason: "namespace and release name, with a slash between", text: "gitea/gitea-valkey", want: app.ID{Namespace: "gitea", Release: "gitea-valkey"}},
		"Dots":        {reason: "Helm takes dots in a release name", text: "web/v1.2-x.y", want: app.ID{Namespace: "web", Release: "v1.2-x.y"}},
		"Digits":      {reason: "both may begin with a digit", text: "0/1", want: app.ID{Namespace: "0", Release: "1"}},
		"Longest":     {reason: "a namespace has 63 letters at most, a release 53", text: strings.Repeat("n", 63) + "/" + strings.Repeat("r", 53), want: app.ID{Namespace: strings.Repeat("n", 63), Release: strings.Repeat("r", 53)}},
		"AppName":     {reason: "an app name is no identity: it is never split", text: "gitea-gitea", err: app.ErrInvalid},
		"Empty":       {reason: "nothing names no app", text: "", err: app.ErrInvalid},
		"NoNamespace": {reason: "both halves are needed", text: "/gitea", err: app.ErrInvalid},
		"NoRelease":   {reason: "both halves are needed", text: "gitea/", err: app.ErrInvalid},
		"TooMany":     {reason: "a second slash would make a folder", text: "a/b/c", err: app.ErrInvalid},
		"Upwards":     {reason: "an identity becomes a path", text: "../x", err: app.ErrInvalid},
		"UpperCase":   {reason: "Kubernetes has no upper case, and some file systems have no case", text: "Gitea/gitea", err: app.ErrInvalid},
		"UpperRelease": {
			reason: "the same for the release name", text: "gitea/Gitea", err: app.ErrInvalid,
		},
		"DottedNamespace": {reason: "a namespace is one label", text: "a.b/c", err: app.ErrInvalid},
		"Hyphens":         {reason: "a name ends in a letter or digit", text: "a-/b", err: app.ErrInvalid},
		"Newline":         {reason: "a name is one line", text: "a/b\n", err: app.ErrInvalid},
		"LongNamespace":   {reason: "Kubernetes would refuse it", text: strings.Repeat("n", 64) + "/r", err: app.ErrInvalid},
		"LongRelease":     {reason: "Helm would refuse it", text: "n/" + strings.Repeat("r", 54), err: app.ErrInvalid},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := app.Parse(tc.text)
			if !errors.Is(err, tc.err) {
				t.Fatalf("%s: Parse(%q): %v", tc.reason, tc.text, err)
			}
			if tc.err != nil {
				return
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s: Parse(%q) (-want +got)\n%s", tc.reason, tc.text, diff)
			}
		})
	}
}

func TestNames(t *testing.T) {
	id := app.ID{Namespace: "otomi", Release: "otomi-api"}
	if id.String() != "otomi/otomi-api" || id.Name() != "otomi-otomi-api" {
		t.Errorf("an identity is written %s and its Application is called %s", id, id.Name())
	}
}

func TestCompare(t *testing.T) {
	want := []app.ID{
		{Namespace: "a", Release: "b"}, {Namespace: "a", Release: "c"}, {Namespace: "a-b", Release: "a"}, {Namespace: "b", Release: "a"},
	}
	got := []app.ID{want[3], want[1], want[2], want[0]}
	slices.SortFunc(got, app.Compare)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("identities sort by namespace, then by release: (-want +got)\n%s", diff)
	}
}

// TestIdentitiesReadBack holds that an identity which is valid is written in a form that Parse reads back, and that nothing
// else is: what parses is spelled as it would be written.
func TestIdentitiesReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := app.ID{
			Namespace: rapid.StringMatching(`[a-z0-9]([-a-z0-9]{0,8}[a-z0-9])?`).Draw(t, "namespace"),
			Release:   rapid.StringMatching(`[a-z0-9]([-a-z0-9]{0,4}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,4}[a-z0-9])?)?`).Draw(t, "release"),
		}
		if got, err := app.Parse(id.String()); err != nil || got != id {
			t.Fatalf("%s is read as %v, %v", id, got, err)
		}
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[-a.A]{0,3}/?[-a./]{0,3}`)).Draw(t, "text")
		if got, err := app.Parse(text); err == nil && got.String() != text {
			t.Fatalf("%q is read as %s", text, got)
		}
	})
}
