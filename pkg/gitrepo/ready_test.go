package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gittest"
)

type readyCase struct {
	reason string
	setup  func(*testing.T, gittest.Repo)
	data   string // of the change; "a: 1\n" by default
	path   string // "apps/web/values.custom.yaml" by default
	want   error
	says   string // part of the message
}

// run checks that Ready and Save find what is expected, and that Save then leaves everything as it was.
func (test readyCase) run(t *testing.T) {
	t.Helper()
	repo := gittest.New(t)
	repo.Commit(t, map[string]string{"readme": "1\n"})
	if test.setup != nil {
		test.setup(t, repo)
	}
	if test.path == "" {
		test.path = "apps/web/values.custom.yaml"
	}
	if test.data == "" {
		test.data = "a: 1\n"
	}
	list := []Change{{Path: test.path, Data: []byte(test.data)}}
	r := openTest(t, repo, WithoutGit())
	before, head := tree(t, repo.Dir), repo.Git(t, "rev-parse", "HEAD")
	err := r.Ready(context.Background(), list)
	wantError(t, test.reason, err, test.want)
	if err != nil && !strings.Contains(err.Error(), test.says) {
		t.Errorf("%s\nerror %q must hold %q", test.reason, err, test.says)
	}
	hash, saveErr := r.Save(context.Background(), list, "m")
	wantError(t, test.reason, saveErr, test.want)
	if test.want != nil {
		diff(t, "no file is written", before, tree(t, repo.Dir))
		diff(t, "no commit is made", head, repo.Git(t, "rev-parse", "HEAD"))
		var refused *RefusedError
		if !errors.As(err, &refused) || len(refused.Refusals) == 0 {
			t.Errorf("error %v must list refusals", err)
			return
		}
		for _, refusal := range refused.Refusals {
			if !errors.Is(refusal.Err, ErrNoIdentity) && refusal.Next == "" {
				t.Errorf("refusal %q must name the next step", refusal)
			}
		}
		return
	}
	diff(t, "the commit has the very bytes", test.data, repo.Git(t, "cat-file", "blob", hash+":"+test.path))
	diff(t, "the status is clean", "", repo.Git(t, "status", "--porcelain", "--", test.path))
}

func runReady(t *testing.T, cases map[string]readyCase) {
	for name, test := range cases {
		t.Run(name, test.run)
	}
}

func write(path, data string) func(*testing.T, gittest.Repo) {
	return func(t *testing.T, repo gittest.Repo) { repo.Write(t, path, data) }
}

func setConfig(pairs ...string) func(*testing.T, gittest.Repo) {
	return func(t *testing.T, repo gittest.Repo) {
		for i := 0; i < len(pairs); i += 2 {
			repo.Git(t, "config", pairs[i], pairs[i+1])
		}
	}
}

func all(setups ...func(*testing.T, gittest.Repo)) func(*testing.T, gittest.Repo) {
	return func(t *testing.T, repo gittest.Repo) {
		for _, setup := range setups {
			setup(t, repo)
		}
	}
}

// Case H1: never the bytes that a filter, an encoding or line ends would have changed.
func TestReadyConverted(t *testing.T) {
	crlf := "a: 1\r\n"
	runReady(t, map[string]readyCase{
		"Filter":          {reason: "git-crypt and the like", setup: all(setConfig("filter.enc.clean", "tr a-z n-za-m", "filter.enc.required", "true"), write(".gitattributes", "**/values.custom.yaml filter=enc\n")), data: "password: hunter\n", want: ErrConverted, says: "filter=enc (.gitattributes:1)"},
		"FilterUnset":     {reason: "a filter that this clone does not know yet (git-crypt locked)", setup: write(".gitattributes", "*.yaml filter=git-crypt\n"), want: ErrConverted, says: "filter=git-crypt"},
		"FilterBelow":     {reason: "the nearest .gitattributes stands", setup: all(write(".gitattributes", "*.yaml -filter\n"), write("apps/.gitattributes", "\n*.yaml filter=enc\n")), want: ErrConverted, says: "apps/.gitattributes:2"},
		"FilterTakenBack": {reason: "a later rule takes it back", setup: all(write(".gitattributes", "*.yaml filter=enc\n"), write("apps/.gitattributes", "web/* !filter\n"))},
		"FilterInfo":      {reason: "rules of this clone only", setup: write(".git/info/attributes", "*.yaml filter=enc\n"), want: ErrConverted, says: ".git/info/attributes:1"},
		"FilterUser":      {reason: "rules of the user", setup: all(setConfig("core.attributesFile", "~/attrs"), write("../attrs", "*.yaml filter=enc\n")), want: ErrConverted, says: "attrs:1"},
		"FilterDefault":   {reason: "rules of the user at the default place", setup: write("../.config/git/attributes", "*.yaml filter=enc\n"), want: ErrConverted, says: "filter=enc"},
		"FilterMacro":     {reason: "a macro sets it", setup: write(".gitattributes", "[attr]secret filter=enc -diff\n*.yaml secret\n"), want: ErrConverted, says: ".gitattributes:2"},
		"FilterStaged": {reason: "a .gitattributes that is gone still counts as it is staged", setup: func(t *testing.T, r gittest.Repo) {
			r.Commit(t, map[string]string{".gitattributes": "*.yaml filter=enc\n"})
			if err := os.Remove(filepath.Join(r.Dir, ".gitattributes")); err != nil {
				t.Fatal(err)
			}
		}, want: ErrConverted, says: ".gitattributes (staged):1"},
		"FilterElsewhere": {reason: "a filter on other paths does not matter", setup: write(".gitattributes", "*.bin filter=lfs\n")},
		"Ident":           {reason: "git would shorten $Id$", setup: write(".gitattributes", "* ident\n"), want: ErrConverted, says: "ident"},
		"Encoding":        {reason: "git would recode", setup: write(".gitattributes", "*.yaml working-tree-encoding=UTF-16\n"), want: ErrConverted, says: "working-tree-encoding=UTF-16"},
		"EncodingUTF8":    {reason: "UTF-8 is what is committed", setup: write(".gitattributes", "*.yaml working-tree-encoding=utf-8\n")},
		"TextAuto":        {reason: "without CRLF there is nothing to convert", setup: write(".gitattributes", "* text=auto\n")},
		"TextAutoCRLF":    {reason: "git would commit LF", setup: write(".gitattributes", "* text=auto\n"), data: crlf, want: ErrConverted, says: "text=auto"},
		"TextLF":          {reason: "eol=lf converts on the way in only", setup: write(".gitattributes", "* text eol=lf\n")},
		"TextLFCRLF":      {reason: "eol=lf converts on the way in", setup: write(".gitattributes", "* eol=lf\n"), data: crlf, want: ErrConverted, says: "eol=lf"},
		"EolCRLF":         {reason: "files here have CRLF, and the commit LF", setup: write(".gitattributes", "* text eol=crlf\n"), want: ErrConverted, says: "eol=crlf"},
		"NoText":          {reason: "-text switches it all off", setup: all(setConfig("core.autocrlf", "true"), write(".gitattributes", "* -text\n")), data: crlf},
		"Binary":          {reason: "binary is -text", setup: all(setConfig("core.autocrlf", "true"), write(".gitattributes", "*.yaml binary\n")), data: crlf},
		"AutoCRLF":        {reason: "what Git for Windows sets", setup: setConfig("core.autocrlf", "true"), want: ErrConverted, says: "core.autocrlf=true"},
		"AutoInput":       {reason: "input converts on the way in only", setup: setConfig("core.autocrlf", "input")},
		"AutoInputCRLF":   {reason: "input converts on the way in", setup: setConfig("core.autocrlf", "input"), data: crlf, want: ErrConverted, says: "core.autocrlf=input"},
		"CoreEol":         {reason: "core.eol needs text", setup: all(setConfig("core.eol", "crlf"), write(".gitattributes", "* text\n")), want: ErrConverted, says: "core.eol=crlf"},
		"CoreEolAlone":    {reason: "core.eol alone does nothing", setup: setConfig("core.eol", "crlf"), data: crlf},
		"OldCrlf":         {reason: "crlf is the old name of text", setup: write(".gitattributes", "* crlf=input\n"), data: crlf, want: ErrConverted, says: "crlf=input"},
		"CRLFPlain":       {reason: "without a rule CRLF is committed as it is", data: crlf},
	})
}

// Every mix of what decides on line ends is asked of git itself: CRLF is refused where git would commit other bytes, and LF
// where git would write CRLF into the work tree.
func TestLineEndsLikeGit(t *testing.T) {
	t.Parallel() // it waits for git most of the time
	repo := gittest.New(t)
	var paths []string
	var rules strings.Builder
	for _, text := range []string{"", "text", "-text", "text=auto", "text=other", "crlf", "-crlf", "crlf=input", "crlf=auto", "text=input", "-text crlf", "binary"} {
		for _, eol := range []string{"", "eol=lf", "eol=crlf", "eol=other", "-eol"} {
			path := fmt.Sprintf("f%d", len(paths))
			fmt.Fprintf(&rules, "%s %s %s\n", path, text, eol)
			repo.Write(t, path, "a\r\nb\r\n")
			paths = append(paths, path)
		}
	}
	repo.Write(t, ".gitattributes", rules.String())
	blob := strings.TrimSpace(must(repo.Try([]byte("a\nb\n"), "hash-object", "-w", "--stdin")))
	list := strings.Join(paths, "\n") + "\n"
	raw := strings.Fields(must(repo.Try([]byte(list), "hash-object", "--no-filters", "--stdin-paths")))
	converted := 0
	for _, auto := range []string{"", "true", "false", "input", "1"} {
		for _, eol := range []string{"", "lf", "crlf", "native"} {
			for key, value := range map[string]string{"core.autocrlf": auto, "core.eol": eol} {
				_, _ = repo.Try(nil, "config", "--unset", key) // it may not be set
				if value != "" {
					repo.Git(t, "config", key, value)
				}
			}
			cleaned := strings.Fields(must(repo.Try([]byte(list), "hash-object", "--stdin-paths")))
			r := openTest(t, repo)
			state, err := r.readState()
			if err != nil {
				t.Fatal(err)
			}
			smudged := smudge(repo, blob, paths)
			for i, path := range paths {
				for data, want := range map[string]bool{"a\r\nb\r\n": cleaned[i] != raw[i], "a\nb\n": smudged[i] != "a\nb\n"} {
					if want {
						converted++
					}
					why, err := state.rules.refuses(path, []byte(data))
					if err != nil || (why != "") != want {
						t.Errorf("autocrlf=%q eol=%q, rule %q, data %q: refused %q, %v, but git converts: %t",
							auto, eol, strings.Split(rules.String(), "\n")[i], data, why, err, want)
					}
				}
			}
		}
	}
	if converted < 500 {
		t.Errorf("only %d mixes are converted: the test does not test", converted)
	}
}

// smudge returns what git would write into the work tree for a blob at each path.
func smudge(repo gittest.Repo, blob string, paths []string) []string {
	var list strings.Builder
	for _, path := range paths {
		fmt.Fprintf(&list, "%s %s\n", blob, path)
	}
	out := must(repo.Try([]byte(list.String()), "cat-file", "--batch=next", "--filters"))
	var texts []string
	for _, text := range strings.Split(out, "next\n")[1:] {
		texts = append(texts, strings.TrimSuffix(text, "\n"))
	}
	return texts
}

func must(out string, err error) string {
	if err != nil {
		panic(err)
	}
	return out
}

func TestRuleFilesBehindLinks(t *testing.T) {
	for _, name := range []string{".gitattributes", ".gitignore"} {
		repo := gittest.New(t)
		repo.Write(t, "../outside", "* text\n")
		if err := os.Symlink("../outside", filepath.Join(repo.Dir, name)); err != nil {
			t.Fatal(err)
		}
		err := openTest(t, repo).Ready(context.Background(), []Change{{Path: "a"}})
		wantError(t, "git does not follow "+name+" there, and we do not guess", err, ErrUnsafePath)
	}
}

// Case H3, and what else is half done.
func TestReadyInProgress(t *testing.T) {
	conflict := func(command ...string) func(*testing.T, gittest.Repo) {
		return func(t *testing.T, repo gittest.Repo) {
			repo.Commit(t, map[string]string{"f.yaml": "1"})
			repo.Git(t, "checkout", "-qb", "o")
			repo.Commit(t, map[string]string{"f.yaml": "2"})
			repo.Git(t, "checkout", "-q", "main")
			repo.Commit(t, map[string]string{"f.yaml": "3"})
			if _, err := repo.Try(nil, command...); err == nil {
				t.Fatalf("git %q must end in a conflict", command)
			}
		}
	}
	resolved := func(t *testing.T, repo gittest.Repo) {
		repo.Write(t, "f.yaml", "4")
		repo.Git(t, "add", "f.yaml")
	}
	runReady(t, map[string]readyCase{
		"Merge":         {reason: "a merge with conflicts", setup: conflict("merge", "o"), path: "ours.yaml", want: ErrInProgress, says: "merge"},
		"MergeUnmerged": {reason: "and its conflicts", setup: conflict("merge", "o"), path: "ours.yaml", want: ErrUnmerged, says: "f.yaml"},
		"MergeResolved": {reason: "a merge that only has to be committed", setup: all(conflict("merge", "o"), resolved), path: "ours.yaml", want: ErrInProgress, says: "git merge --abort"},
		"StashConflict": {reason: "conflicts without an operation", setup: func(t *testing.T, repo gittest.Repo) {
			repo.Commit(t, map[string]string{"f.yaml": "1"})
			repo.Write(t, "f.yaml", "2")
			repo.Git(t, "stash", "-q")
			repo.Commit(t, map[string]string{"f.yaml": "3"})
			_, _ = repo.Try(nil, "stash", "pop")
		}, path: "ours.yaml", want: ErrUnmerged, says: "f.yaml"},
		"Rebase":     {reason: "a rebase", setup: conflict("rebase", "o"), path: "ours.yaml", want: ErrInProgress, says: "rebase"},
		"RebaseOld":  {reason: "a rebase by patches", setup: conflict("rebase", "--apply", "o"), path: "ours.yaml", want: ErrInProgress, says: "rebase"},
		"CherryPick": {reason: "a cherry-pick", setup: conflict("cherry-pick", "o"), path: "ours.yaml", want: ErrInProgress, says: "cherry-pick"},
		"Revert": {reason: "a revert", setup: func(t *testing.T, repo gittest.Repo) {
			repo.Commit(t, map[string]string{"f.yaml": "1"})
			repo.Commit(t, map[string]string{"f.yaml": "2"})
			repo.Commit(t, map[string]string{"f.yaml": "3"})
			_, _ = repo.Try(nil, "revert", "--no-edit", "HEAD^")
		}, path: "ours.yaml", want: ErrInProgress, says: "revert"},
		"Bisect": {reason: "a bisection", setup: func(t *testing.T, repo gittest.Repo) { repo.Git(t, "bisect", "start") }, path: "ours.yaml", want: ErrInProgress, says: "git bisect reset"},
	})
}

// Case H5.
func TestReadyIgnored(t *testing.T) {
	runReady(t, map[string]readyCase{
		"Root":        {reason: "a rule in the root", setup: write(".gitignore", "*.custom.yaml\n"), want: ErrIgnored, says: "apps/web/values.custom.yaml: it is ignored by .gitignore:1"},
		"Parent":      {reason: "a rule in a folder above", setup: write("apps/.gitignore", "# all\nweb/\n"), want: ErrIgnored, says: "apps/.gitignore:2"},
		"Folder":      {reason: "nothing below an ignored folder can be taken back in", setup: all(write(".gitignore", "apps\n"), write("apps/.gitignore", "!web\n!*.yaml\n")), want: ErrIgnored, says: ".gitignore:1"},
		"TakenBack":   {reason: "a nearer rule takes the path back in", setup: all(write(".gitignore", "*.yaml\n"), write("apps/web/.gitignore", "!values.custom.yaml\n"))},
		"InfoExclude": {reason: "a rule of this clone only", setup: write(".git/info/exclude", "values.*\n"), want: ErrIgnored, says: ".git/info/exclude:1"},
		"User":        {reason: "core.excludesFile", setup: all(setConfig("core.excludesFile", "~/ignores"), write("../ignores", "*.custom.yaml\n")), want: ErrIgnored, says: "ignores:1"},
		"UserDefault": {reason: "the user's file at the default place", setup: write("../.config/git/ignore", "*.custom.yaml\n"), want: ErrIgnored, says: "ignore:1"},
		"Tracked": {reason: "git goes on with what is tracked", setup: all(write(".gitignore", "*.custom.yaml\n"), func(t *testing.T, r gittest.Repo) {
			r.Write(t, "apps/web/values.custom.yaml", "old")
			r.Git(t, "add", "-f", "apps")
			r.Git(t, "commit", "-qm", "tracked")
		})},
	})
}

// Case H7: a commit on a detached HEAD is lost.
func TestReadyDetached(t *testing.T) {
	runReady(t, map[string]readyCase{
		"Detached": {reason: "no branch moves", setup: func(t *testing.T, r gittest.Repo) { r.Git(t, "checkout", "-q", "--detach") }, want: ErrDetachedHead, says: "check out a branch"},
	})
}

// Case H9: a scanner in a hook and a required signature are never passed over.
func TestReadyHooksAndSigning(t *testing.T) {
	hook := func(path string, mode os.FileMode) func(*testing.T, gittest.Repo) {
		return func(t *testing.T, repo gittest.Repo) {
			repo.Write(t, path, "#!/bin/sh\nexit 1\n")
			if err := os.Chmod(filepath.Join(repo.Dir, path), mode); err != nil {
				t.Fatal(err)
			}
		}
	}
	runReady(t, map[string]readyCase{
		"PreCommit":      {reason: "it could refuse", setup: hook(".git/hooks/pre-commit", 0o755), want: ErrHooks, says: "pre-commit"},
		"CommitMsg":      {reason: "it could refuse", setup: hook(".git/hooks/commit-msg", 0o755), want: ErrHooks, says: "commit-msg"},
		"PostCommit":     {reason: "somebody relies on it", setup: hook(".git/hooks/post-commit", 0o755), want: ErrHooks, says: "post-commit"},
		"Transaction":    {reason: "it could refuse the move of the branch", setup: func(t *testing.T, r gittest.Repo) { hook(".git/hooks/reference-transaction", 0o755)(t, r) }, want: ErrHooks, says: "reference-transaction"},
		"NotExecutable":  {reason: "git passes over it too", setup: hook(".git/hooks/pre-commit", 0o644)},
		"Sample":         {reason: "what git init puts there does not run", setup: hook(".git/hooks/pre-commit.sample", 0o755)},
		"PrePush":        {reason: "it does not run on a commit", setup: hook(".git/hooks/pre-push", 0o755)},
		"HooksPath":      {reason: "core.hooksPath, relative to the root", setup: all(setConfig("core.hooksPath", ".husky"), hook(".husky/pre-commit", 0o755)), want: ErrHooks, says: ".husky/pre-commit"},
		"HooksPathUser":  {reason: "core.hooksPath of the user", setup: all(write("../.gitconfig", "[core]hooksPath = ~/hooks\n"), hook("../hooks/pre-commit", 0o755)), want: ErrHooks, says: "hooks/pre-commit"},
		"HooksPathOff":   {reason: "how people switch hooks off", setup: all(hook(".git/hooks/pre-commit", 0o755), setConfig("core.hooksPath", "/dev/null"))},
		"ConfigHook":     {reason: "hooks in the configuration (Git 2.54)", setup: setConfig("hook.scan.event", "pre-commit", "hook.scan.command", "scan"), want: ErrHooks, says: "pre-commit ("},
		"ConfigHookOff":  {reason: "and switched off", setup: setConfig("hook.scan.event", "pre-commit", "hook.scan.enabled", "false")},
		"Sign":           {reason: "signing in the repository", setup: setConfig("commit.gpgsign", "true"), want: ErrSigning, says: "commit.gpgSign"},
		"SignUser":       {reason: "signing of the user", setup: write("../.gitconfig", "[commit]\n\tgpgSign\n"), want: ErrSigning, says: ".gitconfig:2"},
		"SignXDG":        {reason: "signing of the user, XDG", setup: write("../.config/git/config", "[commit]gpgsign = yes\n"), want: ErrSigning, says: "git/config:1"},
		"SignIncludeIf":  {reason: "signing by a condition", setup: all(write("../.gitconfig", "[includeIf \"gitdir:~/repo/\"]path = work\n"), write("../work", "[commit]gpgsign = 1\n")), want: ErrSigning, says: "work:1"},
		"SignElsewhere":  {reason: "a condition that is not met", setup: all(write("../.gitconfig", "[includeIf \"gitdir:~/other/\"]path = work\n"), write("../work", "[commit]gpgsign = 1\n"))},
		"SignTakenBack":  {reason: "the repository stands above the user", setup: all(write("../.gitconfig", "[commit]gpgsign = true\n"), setConfig("commit.gpgsign", "false"))},
		"Shared":         {reason: "others could not use our objects", setup: setConfig("core.sharedRepository", "group"), want: ErrUnsupported, says: "core.sharedRepository"},
		"SharedUmask":    {reason: "umask is the default", setup: setConfig("core.sharedRepository", "umask")},
		"SkipWorktree":   {reason: "left out of the work tree on purpose", path: "readme", setup: func(t *testing.T, r gittest.Repo) { r.Git(t, "update-index", "--skip-worktree", "readme") }, want: ErrUnsupported, says: "skip-worktree"},
		"SkipElsewhere":  {reason: "other paths do not matter", setup: func(t *testing.T, r gittest.Repo) { r.Git(t, "update-index", "--skip-worktree", "readme") }},
		"NothingMatters": {reason: "a plain repository"},
	})
}

func TestReadyNotAFile(t *testing.T) {
	commit := func(t *testing.T, repo gittest.Repo, path string) {
		repo.Git(t, "add", "-A")
		repo.Git(t, "commit", "-qm", "m")
		if err := os.RemoveAll(filepath.Join(repo.Dir, path)); err != nil {
			t.Fatal(err)
		}
	}
	runReady(t, map[string]readyCase{
		"FolderInHead": {reason: "a folder would go with all its files", path: "apps", setup: func(t *testing.T, r gittest.Repo) {
			r.Write(t, "apps/x", "1")
			commit(t, r, "apps")
		}, want: ErrNotAFile, says: "git has a folder at apps"},
		"FileInHead": {reason: "a file would make way for a folder", setup: func(t *testing.T, r gittest.Repo) {
			r.Write(t, "apps", "1")
			commit(t, r, "apps")
		}, want: ErrNotAFile, says: "git has a file at apps"},
		"LinkInHead": {reason: "a link is not replaced by a file", path: "link", setup: func(t *testing.T, r gittest.Repo) {
			if err := os.Symlink("readme", filepath.Join(r.Dir, "link")); err != nil {
				t.Fatal(err)
			}
			commit(t, r, "link")
		}, want: ErrNotAFile, says: "symbolic link at link"},
		"Submodule": {reason: "a submodule that is not checked out", path: "sub/x", setup: func(t *testing.T, r gittest.Repo) {
			other := gittest.New(t)
			other.Commit(t, map[string]string{"a": "1"})
			r.Git(t, "-c", "protocol.file.allow=always", "submodule", "add", "-q", other.Dir, "sub")
			commit(t, r, "sub")
		}, want: ErrNotAFile, says: "submodule at sub"},
		"StagedFile": {reason: "a file that is only staged", setup: func(t *testing.T, r gittest.Repo) {
			r.Write(t, "apps", "1")
			r.Git(t, "add", "apps")
			if err := os.Remove(filepath.Join(r.Dir, "apps")); err != nil {
				t.Fatal(err)
			}
		}, want: ErrNotAFile, says: "git has a file at apps"},
		"StagedFolder": {reason: "a folder that is only staged", path: "apps", setup: func(t *testing.T, r gittest.Repo) {
			r.Write(t, "apps/x", "1")
			r.Git(t, "add", "apps")
			if err := os.RemoveAll(filepath.Join(r.Dir, "apps")); err != nil {
				t.Fatal(err)
			}
		}, want: ErrNotAFile, says: "git has a folder at apps"},
	})
}

func TestReadyReportsAll(t *testing.T) {
	repo := gittest.New(t)
	repo.Commit(t, map[string]string{".gitignore": "*.custom.yaml\n", ".gitattributes": "*.custom.yaml filter=enc\n"})
	repo.Git(t, "checkout", "-q", "--detach")
	repo.Git(t, "config", "commit.gpgsign", "true")
	delete(repo.Env, "GIT_AUTHOR_NAME")
	err := openTest(t, repo, WithoutGit()).Ready(context.Background(), changes(map[string]string{"b.custom.yaml": "", "a.custom.yaml": ""}))
	var refused *RefusedError
	if !errors.As(err, &refused) {
		t.Fatalf("Ready: %v", err)
	}
	var got []string
	for _, refusal := range refused.Refusals {
		got = append(got, strings.TrimSpace(refusal.Path+" "+refusal.Err.Error()))
	}
	diff(t, "all reasons at once: those of the repository first, then by path", []string{
		"detached HEAD", "commits are to be signed", "no identity",
		"a.custom.yaml ignored path", "a.custom.yaml converted path: its filter is not set up", "b.custom.yaml ignored path", "b.custom.yaml converted path: its filter is not set up",
	}, got)
}
