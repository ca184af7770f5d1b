package plugin_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/kubectl-apl/kubectl-apl/internal/testcluster"
)

// TestCluster runs what wants a living cluster, one after the other, against one API server.
func TestCluster(t *testing.T) {
	c := testcluster.Start(t)
	t.Run("SameRepo", func(t *testing.T) { testSameRepo(t, c) })
	t.Run("Script", func(t *testing.T) { testClusterScripts(t, c) })
}

// testClusterScripts runs the scripts of testdata/cluster, each against a cluster without Applications. They have
// KUBECONFIG for an administrator, READER for a user who may get and list what migrate reads, LISTER for one who may
// list Applications only, MEMBER for one who may do so in namespace argocd only, ROLLER, BOOTSTRAPPER and REMOVER for those who
// may do what rollback, bootstrap and remove do, GIVER for what a hand-over of ConfigMaps and Secrets does, and NOBODY for one
// who may do nothing.
func testClusterScripts(t *testing.T, c *testcluster.Cluster) {
	recorded, err := filepath.Abs(filepath.Join("..", "testdata", "platform"))
	if err != nil {
		t.Fatal(err)
	}
	getList := []string{"get", "list"}
	users := map[string]string{
		"KUBECONFIG": c.Kubeconfig(t),
		"READER": c.UserKubeconfig(t, "reader",
			rbacv1.PolicyRule{APIGroups: []string{"argoproj.io"}, Resources: []string{"applications", "appprojects"}, Verbs: getList},
			rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"secrets", "configmaps"}, Verbs: getList},
			rbacv1.PolicyRule{APIGroups: []string{"apps"}, Resources: []string{"deployments"}, Verbs: getList}),
		"LISTER": c.UserKubeconfig(t, "lister",
			rbacv1.PolicyRule{APIGroups: []string{"argoproj.io"}, Resources: []string{"applications"}, Verbs: []string{"list"}}),
		"MEMBER": c.MemberKubeconfig(t, "argocd", "member",
			rbacv1.PolicyRule{APIGroups: []string{"argoproj.io"}, Resources: []string{"applications"}, Verbs: []string{"list"}}),
		"ROLLER": c.UserKubeconfig(t, "roller",
			rbacv1.PolicyRule{APIGroups: []string{"argoproj.io"}, Resources: []string{"applications"}, Verbs: []string{"get", "patch"}},
			rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"get"}},
			rbacv1.PolicyRule{APIGroups: []string{"apps"}, Resources: []string{"deployments"}, Verbs: []string{"get"}}),
		"GIVER":  c.UserKubeconfig(t, "giver", handoverRules()...),
		"NOBODY": c.UserKubeconfig(t, "nobody"),
	}
	maps.Copy(users, writers(t, c))
	all := maps.Clone(commands)
	maps.Copy(all, actors(t, c))
	maps.Copy(all, trackers(t, c))
	all["argocd"], all["drop"] = argoCD(c), drop(c)
	all["load"] = func(ts *testscript.TestScript, neg bool, args []string) {
		usage(ts, neg, len(args) >= 1, "load FILE...")
		var files []string
		for _, arg := range args {
			files = append(files, ts.MkAbs(arg))
		}
		c.Load(t, "apl-operator", files...)
	}
	all["unload"] = func(ts *testscript.TestScript, neg bool, args []string) {
		usage(ts, neg, len(args) >= 1, "unload FILE...")
		for _, arg := range args {
			c.Unload(t, ts.MkAbs(arg))
		}
	}
	testscript.RunT(serial{t}, testscript.Params{
		Dir: filepath.Join("..", "testdata", "cluster"),
		Setup: func(env *testscript.Env) error {
			c.DeleteAll(t, testcluster.Applications())
			for name, value := range users {
				env.Setenv(name, value)
			}
			return setup(env, recorded)
		},
		Cmds:                all,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
	c.DeleteAll(t, testcluster.Applications())
}

// serial runs scripts one after the other: they share a cluster.
type serial struct{ *testing.T }

// Parallel does nothing.
func (serial) Parallel() {}

// Run runs a script.
func (s serial) Run(name string, run func(testscript.T)) {
	s.T.Run(name, func(t *testing.T) { run(serial{t}) })
}

// Verbose tells whether a script's log is wanted.
func (serial) Verbose() bool { return testing.Verbose() }

// testSameRepo holds that migrate writes the same bytes from a cluster as from files.
func testSameRepo(t *testing.T, c *testcluster.Cluster) {
	for name, recorded := range map[string]struct{ platform, charts string }{
		"Platform": {filepath.Join("..", "testdata", "platform"), filepath.Join("..", "testdata", "platform")},
		"Corpus":   {filepath.Join("..", "..", "shared", "corpus"), filepath.Join("..", "..", "shared", "corpus")},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := os.Stat(recorded.platform); errors.Is(err, fs.ErrNotExist) && name == "Corpus" {
				t.Skip("../shared/corpus is not here: a real platform cannot be loaded")
			}
			live, err := filepath.Glob(filepath.Join(recorded.platform, "live", "*.yaml"))
			if err != nil || len(live) == 0 {
				t.Fatal(live, err)
			}
			c.Load(t, "apl-operator", live...)
			defer c.DeleteAll(t, testcluster.Applications())
			args := []string{
				"migrate", "--keep-going", "--accept-introduced", "--releases", filepath.Join(recorded.platform, "releases.json"),
				"--managed", filepath.Join(recorded.platform, "managed"), "--charts", recorded.charts,
			}
			fromFiles := migrated(t, recorded.platform, append(args, "-f", filepath.Join(recorded.platform, "live"))...)
			fromCluster := migrated(t, recorded.platform, append(args, "--kubeconfig", c.Kubeconfig(t))...)
			if diff := cmp.Diff(fromFiles, fromCluster); diff != "" {
				t.Errorf("(-files +cluster)\n%s", diff)
			}
			if len(fromFiles) < 3 {
				t.Errorf("only %d files were written", len(fromFiles))
			}
		})
	}
}

// migrated migrates into a new values repo and returns its files.
func migrated(t *testing.T, platform string, args ...string) map[string]string {
	t.Helper()
	repo := filepath.Join(t.TempDir(), "values")
	gitRepo(t, platform, repo)
	run(t, program(t), append(args, "--repo", repo)...)
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(repo), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(path, ".git/") {
			return err
		}
		data, err := os.ReadFile(filepath.Join(repo, path))
		files[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// gitRepo makes a platform's values repo a git repository with one commit.
func gitRepo(t *testing.T, platform, repo string) {
	t.Helper()
	if err := os.CopyFS(repo, os.DirFS(filepath.Join(platform, "values-repo"))); err != nil {
		t.Fatal(err)
	}
	run(t, "git", "init", "-q", "-b", "main", "--template=", repo)
	run(t, "git", "-C", repo, "add", "-A")
	run(t, "git", "-C", repo, "commit", "-q", "-m", "before")
}

// run runs a program whose exit code is 0, or, for migrate, 1, with no other git configuration than an author.
func run(t *testing.T, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "HOME="+t.TempDir(),
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.test", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.test")
	if out, err := cmd.CombinedOutput(); err != nil && (name == "git" || cmd.ProcessState.ExitCode() != 1) {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// program is a link to this test binary by the name under which it is kubectl-apl.
func program(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "kubectl-apl")
	if err := os.Symlink(self, path); err != nil {
		t.Fatal(err)
	}
	return path
}
