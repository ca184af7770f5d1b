package gitrepo

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gittest"
)

// A process that is killed cannot remove its temporary files. The next one does, and takes care what else has such names.
func TestSweep(t *testing.T) {
	const name = ".kubectl-apl-ABCDEFGHIJKLMNOPQRSTUVWXY2.tmp"
	for how, write := range map[string]func(*Repo, []Change) error{
		"Write": func(r *Repo, list []Change) error { return r.Write(context.Background(), list) },
		"Save": func(r *Repo, list []Change) error {
			_, err := r.Save(context.Background(), list, "m")
			return err
		},
	} {
		t.Run(how, func(t *testing.T) {
			repo := gittest.New(t)
			repo.Commit(t, map[string]string{"tracked": "1"})
			stays := []string{
				"other/" + name,                               // a folder that is not written to
				".kubectl-apl-ABC.tmp",                        // too short
				".kubectl-apl-abcdefghijklmnopqrstuvwxy2.tmp", // other letters
				name + ".bak", "x" + name,
				"a/.kubectl-apl-ABCDEFGHIJKLMNOPQRSTUVWXY3.tmp/file", // a folder
			}
			for _, path := range append(stays, name, "a/"+name) {
				repo.Write(t, path, "1")
			}
			link := filepath.Join("a", ".kubectl-apl-ABCDEFGHIJKLMNOPQRSTUVWXY4.tmp")
			if err := os.Symlink("../tracked", filepath.Join(repo.Dir, link)); err != nil {
				t.Fatal(err)
			}
			if err := write(openTest(t, repo), changes(map[string]string{"a/b": "2", "c": "2", "new/d": "2"})); err != nil {
				t.Fatal(err)
			}
			for _, path := range stays {
				diff(t, path+" is not ours", "1", repo.Read(t, path))
			}
			if _, err := os.Lstat(filepath.Join(repo.Dir, link)); err != nil {
				t.Errorf("a symbolic link is not ours: %v", err)
			}
			diff(t, "a file that was left at the root", "<none>", repo.Read(t, name))
			diff(t, "and in a folder", "<none>", repo.Read(t, "a/"+name))
			diff(t, "what a link leads to is not touched", "1", repo.Read(t, "tracked"))
		})
	}
}

// The names that are looked for must be those that are made.
func TestSweepKnowsTempNames(t *testing.T) {
	repo := gittest.New(t)
	r := openTest(t, repo)
	w, err := r.openWorktree()
	if err != nil {
		t.Fatal(err)
	}
	defer w.close()
	name, err := (&writing{worktree: w}).writeTemp("", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !isTemp(name) {
		t.Errorf("%q must be known as a temporary file", name)
	}
}
