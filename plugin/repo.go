package plugin

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/kubectl-apl/kubectl-apl/pkg/config"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// repoFlags say which values repo a command writes to, and what becomes of what it writes.
type repoFlags struct {
	dir           string
	noCommit      bool
	allowDetached bool
}

func (r *repoFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&r.dir, "repo", "", "values repo to write to (default: the folder that holds env/, from here upwards)")
	f.BoolVar(&r.noCommit, "no-commit", false, "write the files and leave them in the work tree")
	f.BoolVar(&r.allowDetached, "allow-detached", false, "commit although HEAD is detached, on no branch")
	_ = cmd.MarkFlagDirname("repo") // fails for an unknown flag only
}

// open opens the repo.
func (r *repoFlags) open(streams Streams, env Env) (*gitrepo.Repo, error) {
	return openRepo(streams, env, r.dir, (&pushFlags{allowDetached: r.allowDetached}).options()...)
}

// openRepo opens the values repo in a folder, or in the nearest one upwards that holds env/ where dir is "".
func openRepo(streams Streams, env Env, dir string, options ...gitrepo.Option) (*gitrepo.Repo, error) {
	dir, err := findRepo(dir)
	if err != nil {
		return nil, err
	}
	repo, err := gitrepo.Open(dir, env.Now, append(options, gitrepo.WithEnv(env.Lookup))...)
	switch {
	case errors.Is(err, gitrepo.ErrNotRepository):
		return nil, fmt.Errorf("%s: %w; clone the values repo, and name the clone with --repo", dir, gitrepo.ErrNotRepository)
	case err != nil:
		return nil, err
	case repo.Prefix() != "":
		// Argo CD reads $values/env/... from the root of the repo.
		return nil, fmt.Errorf("--repo %s is the folder %s of a git repository; env/ has to stand at the root of the values repo, %s", dir, repo.Prefix(), repo.Root())
	}
	if info, err := os.Stat(filepath.Join(repo.Root(), "env")); err != nil || !info.IsDir() {
		fmt.Fprintf(streams.ErrOut, "warning: %s holds no env/ yet; is it the values repo?\n", dir) // it can be a new one
	}
	return repo, nil
}

// readConfig reads the repo's .apl.yaml; one that is missing says nothing.
func readConfig(repo *gitrepo.Repo) (*config.Config, error) {
	data, _, err := repo.ReadFile(layout.ConfigFile)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", layout.ConfigFile, err)
	}
	return config.Parse(layout.ConfigFile, data)
}
