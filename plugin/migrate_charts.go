package plugin

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
)

// cacheFolder is our folder within the user's cache folder.
const cacheFolder = "kubectl-apl"

// chartFlags say where charts come from.
type chartFlags struct {
	dir     string
	cache   string
	offline bool
}

func (c *chartFlags) add(cmd *cobra.Command) {
	c.addPlaces(cmd, "charts come from the Applications' own sources, when they are needed")
	cmd.Flags().BoolVar(&c.offline, "offline", false, "fetch no chart over the network; take those of --charts and of the cache")
}

// addPlaces adds the flags that name folders; otherwise says what happens without --charts.
func (c *chartFlags) addPlaces(cmd *cobra.Command, otherwise string) {
	f := cmd.Flags()
	f.StringVar(&c.dir, "charts", "", "folder that the Applications' source.path is relative to: a checkout of apl-core (default: "+otherwise+")")
	f.StringVar(&c.cache, "charts-cache", "", "folder that keeps charts which were fetched (default: kubectl-apl in the user's cache folder)")
	_ = cmd.MarkFlagDirname("charts")       // fails for an unknown flag only
	_ = cmd.MarkFlagDirname("charts-cache") // as above
}

// store returns where charts come from. It reads nothing but whether the folder is there.
func (c *chartFlags) store() (*chart.Store, error) {
	options := []chart.Option{chart.WithGit(gitrepo.NewRemotes())}
	if c.dir != "" {
		if err := isFolder("charts", c.dir); err != nil {
			return nil, err
		}
		options = append(options, chart.WithFolder(c.dir))
	}
	cache := c.cache
	if cache == "" {
		// Without a home there is no cache, and it is only missed when something is to be fetched.
		if dir, err := os.UserCacheDir(); err == nil {
			cache = filepath.Join(dir, cacheFolder, "charts")
		}
	}
	if cache != "" {
		options = append(options, chart.WithCache(cache))
	}
	if c.offline {
		options = append(options, chart.WithOffline())
	}
	return chart.NewStore(options...), nil
}

func isFolder(flag, dir string) error {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return fmt.Errorf("--%s %s: %w", flag, dir, plainPathError(err))
	case !info.IsDir():
		return fmt.Errorf("--%s %s: %w", flag, dir, errors.New("not a folder"))
	}
	return nil
}
