package gitrepo

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gittest"
)

func TestChangedSince(t *testing.T) {
	for name, test := range map[string]struct {
		reason  string
		args    []string
		options []Option
		setup   func(*testing.T, gittest.Repo)
		want    []string
	}{
		"Nothing": {
			reason: "HEAD is the revision",
			setup:  func(*testing.T, gittest.Repo) {},
		},
		"Branch": {
			reason: "what the branch added, changed and deleted counts, and nothing outside of the paths",
			setup: func(t *testing.T, r gittest.Repo) {
				r.Git(t, "rm", "-q", "env/deep/b")
				r.Commit(t, map[string]string{"env/a": "2\n", "env/new": "1\n", "other": "1\n", ".apl.yaml": "{}\n"})
			},
			want: []string{".apl.yaml", "env/a", "env/deep/b", "env/new"},
		},
		"Parting": {
			reason: "what came to the revision since the branch parted from it is none of the branch's",
			setup: func(t *testing.T, r gittest.Repo) {
				r.Git(t, "checkout", "-q", "main")
				r.Commit(t, map[string]string{"env/a": "3\n"})
				r.Git(t, "checkout", "-q", "topic")
				r.Commit(t, map[string]string{"env/new": "1\n"})
			},
			want: []string{"env/new"},
		},
		"WorkTree": {
			reason: "what is not committed yet counts too",
			setup: func(t *testing.T, r gittest.Repo) {
				r.Write(t, "env/a", "2\n")
				r.Write(t, "env/untracked", "1\n")
				if err := os.Remove(filepath.Join(r.Dir, "env", "deep", "b")); err != nil {
					t.Fatal(err)
				}
			},
			want: []string{"env/a", "env/deep/b", "env/untracked"},
		},
		"LineEnds": {
			reason: "git may change line ends at checkout",
			setup:  func(t *testing.T, r gittest.Repo) { r.Write(t, "env/a", "1\r\n") },
		},
		"Links": {
			reason: "a link is what it points to, and another thing than a file",
			setup: func(t *testing.T, r gittest.Repo) {
				for link, to := range map[string]string{"env/link": "elsewhere", "env/a": "deep/b"} {
					path := filepath.Join(r.Dir, filepath.FromSlash(link))
					if err := errors.Join(ignore(os.Remove(path), os.ErrNotExist), os.Symlink(to, path)); err != nil {
						t.Fatal(err)
					}
				}
			},
			want: []string{"env/a", "env/link"},
		},
		"WithoutGit": {
			reason:  "a machine need not have git",
			options: []Option{WithoutGit()},
			setup: func(t *testing.T, r gittest.Repo) {
				r.Git(t, "checkout", "-q", "main")
				r.Commit(t, map[string]string{"env/a": "3\n"})
				r.Git(t, "checkout", "-q", "topic")
				r.Commit(t, map[string]string{"env/new": "1\n"})
			},
			want: []string{"env/new"},
		},
		"SHA256": {
			reason: "a repository whose ids are longer",
			args:   []string{"--object-format=sha256"},
			setup: func(t *testing.T, r gittest.Repo) {
				r.Commit(t, map[string]string{"env/new": "1\n"})
				r.Write(t, "env/a", "2\n")
			},
			want: []string{"env/a", "env/new"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := gittest.New(t, test.args...)
			r.Commit(t, map[string]string{"env/a": "1\n", "env/deep/b": "1\n", "envelope": "1\n"})
			if name == "Links" {
				if err := os.Symlink("a", filepath.Join(r.Dir, "env", "link")); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink("a", filepath.Join(r.Dir, "env", "same")); err != nil {
					t.Fatal(err)
				}
				r.Git(t, "add", "-A")
				r.Git(t, "commit", "-qm", "A link")
			}
			r.Git(t, "checkout", "-q", "-b", "topic")
			test.setup(t, r)
			got, err := openTest(t, r, test.options...).ChangedSince(t.Context(), "main", "env", ".apl.yaml")
			if err != nil {
				t.Fatal(err)
			}
			diff(t, test.reason, test.want, got)
		})
	}
}

func ignore(err, target error) error {
	if errors.Is(err, target) {
		return nil
	}
	return err
}

func TestChangedSinceNoRevision(t *testing.T) {
	r := gittest.New(t)
	r.Commit(t, map[string]string{"env/a": "1\n"})
	r.Git(t, "checkout", "-q", "--orphan", "alone")
	r.Git(t, "commit", "-qm", "No history in common")
	for _, revision := range []string{"", "nowhere", "--help", "main"} {
		for _, options := range [][]Option{nil, {WithoutGit()}} {
			if _, err := openTest(t, r, options...).ChangedSince(t.Context(), revision, "env"); !errors.Is(err, ErrRevision) {
				t.Errorf("%q is nothing to compare with: %v", revision, err)
			}
		}
	}
	if _, err := openTest(t, r).ChangedSince(t.Context(), "alone", "../env"); !errors.Is(err, ErrUnsafePath) {
		t.Errorf("got %v", err)
	}
}
