package release_test

import (
	"bytes"
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/release"
)

func TestManagedRead(t *testing.T) {
	files := fstest.MapFS{
		"gitea-gitea.yaml":       {Data: []byte("replicas: 1\n")},
		"a-empty.yaml":           {Data: nil},
		"a-full.yaml":            {Data: bytes.Repeat([]byte("#"), release.MaxSize)},
		"a-large.yaml":           {Data: bytes.Repeat([]byte("#"), release.MaxSize+1)},
		"a-folder.yaml/x":        {Data: []byte("x: 1\n")},
		"../outside-secret.yaml": {Data: []byte("x: 1\n")},
	}
	cases := map[string]struct {
		reason  string
		id      app.ID
		file    string
		size    int
		missing bool
		refused bool
	}{
		"Read":      {reason: "the file is called as the app is", id: id("gitea", "gitea"), file: "gitea-gitea.yaml", size: 12},
		"Empty":     {reason: "an empty file means that the platform computes nothing", id: id("a", "empty"), file: "a-empty.yaml"},
		"Full":      {reason: "the limit itself is within", id: id("a", "full"), file: "a-full.yaml", size: release.MaxSize},
		"Missing":   {reason: "the caller tells a missing file from one that cannot be read", id: id("a", "none"), file: "a-none.yaml", missing: true},
		"TooLarge":  {reason: "a file that is no values file does not fill the memory", id: id("a", "large"), file: "a-large.yaml", refused: true},
		"Folder":    {reason: "a folder has no values", id: id("a", "folder"), file: "a-folder.yaml", refused: true},
		"Elsewhere": {reason: "an identity that nobody validated cannot leave the folder", id: id("../outside", "secret"), file: "../outside-secret.yaml", refused: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			data, file, err := release.NewManaged(files).Read(tc.id)
			if (err != nil) != (tc.missing || tc.refused) || errors.Is(err, fs.ErrNotExist) != tc.missing {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if file != tc.file || len(data) != tc.size {
				t.Errorf("%s: read %q with %d bytes", tc.reason, file, len(data))
			}
		})
	}
}
