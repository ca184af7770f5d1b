package gitmatch_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gitmatch"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gittest"
)

// drawPattern makes patterns of the parts that git treats specially, well-formed or not.
func drawPattern(t *rapid.T) string {
	parts := rapid.SliceOfN(rapid.SampledFrom([]string{
		"a", "b", "B", "c", "*", "**", "?", "/", "/", "**/", "/**", "[ab]", "[!a]", "[^b]", "[a-c]", "[]a]", "[[:alpha:]]", "[[:upper:]]",
		"[[:nope:]]", "[", "]", "-", "!", `\`, `\*`, `\a`, " ", `\ `, "#", "ab", ".", "[b-", "[a-b-c]", `[\]a]`, "[[:digit:]b]", "[:a:]", "[[:", "1",
	}), 1, 6).Draw(t, "pattern")
	return strings.Join(parts, "")
}

// drawPath makes paths of files; those of the folders that hold rules are made into others.
func drawPath(t *rapid.T) string {
	parts := rapid.SliceOfN(rapid.StringMatching(`[abBc1.*\-\[\] #!]{1,3}`), 1, 4).Draw(t, "path")
	for i, part := range parts {
		if part == "." || part == ".." {
			parts[i] = "a"
		}
	}
	path := strings.Join(parts, "/")
	if path == "a" || path == "b" || path == "a/b" {
		path += "c"
	}
	return path
}

func drawLines(t *rapid.T, line func(*rapid.T) string, label string) string {
	return strings.Join(rapid.SliceOfN(rapid.Custom(line), 1, 5).Draw(t, label), "\n") + rapid.SampledFrom([]string{"", "\n", "\r\n"}).Draw(t, "end")
}

// place writes the rule files of one check, and clears what the check before has left.
func place(t *rapid.T, repo gittest.Repo, name string, files map[string]string) {
	for _, path := range []string{name, "a", "b"} {
		if err := os.RemoveAll(filepath.Join(repo.Dir, path)); err != nil {
			t.Fatalf("clear: %v", err)
		}
	}
	for dir, text := range files {
		repo.Write(t, filepath.Join(dir, name), text)
	}
}

func loader(name string, files map[string]string) func(string) (gitmatch.File, error) {
	return func(dir string) (gitmatch.File, error) {
		text, ok := files[dir]
		if !ok {
			return gitmatch.File{}, nil
		}
		return gitmatch.File{Name: strings.TrimPrefix(dir+"/"+name, "/"), Data: []byte(text)}, nil
	}
}

// drawFiles makes rule files for the root and, half of the time, for folders.
func drawFiles(t *rapid.T, line func(*rapid.T) string) map[string]string {
	files := map[string]string{"": drawLines(t, line, "root")}
	for _, dir := range []string{"a", "b", "a/b"} {
		if rapid.Bool().Draw(t, "has "+dir) {
			files[dir] = drawLines(t, line, dir)
		}
	}
	return files
}

func mode(t *rapid.T, repo gittest.Repo) gitmatch.Mode {
	fold := rapid.Bool().Draw(t, "fold")
	if fold {
		repo.Env["GIT_CONFIG_VALUE_0"] = "true"
		return gitmatch.Fold
	}
	repo.Env["GIT_CONFIG_VALUE_0"] = "false"
	return 0
}

func newOracle(t *testing.T) gittest.Repo {
	repo := gittest.New(t)
	repo.Env["GIT_CONFIG_COUNT"], repo.Env["GIT_CONFIG_KEY_0"] = "1", "core.ignorecase"
	return repo
}

func TestIgnoresLikeGit(t *testing.T) {
	repo := newOracle(t)
	rapid.Check(t, func(t *rapid.T) {
		files := drawFiles(t, drawPattern)
		info := drawLines(t, drawPattern, "info")
		mode := mode(t, repo)
		paths := rapid.SliceOfNDistinct(rapid.Custom(drawPath), 5, 30, rapid.ID[string]).Draw(t, "paths")
		place(t, repo, ".gitignore", files)
		repo.Write(t, ".git/info/exclude", info)

		out, _ := repo.Try([]byte(strings.Join(paths, "\x00")+"\x00"), "check-ignore", "--no-index", "--stdin", "-z", "-v", "-n")
		want := map[string]string{}
		fields := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
		for i := 0; i+3 < len(fields); i += 4 {
			if pattern := fields[i+2]; pattern != "" && pattern[0] != '!' {
				want[fields[i+3]] = fields[i] + ":" + fields[i+1]
			}
		}
		if len(fields) != 4*len(paths) {
			t.Fatalf("git answered %d fields for %d paths: %q", len(fields), len(paths), out)
		}
		g := gitmatch.NewIgnores(loader(".gitignore", files), mode, gitmatch.File{}, gitmatch.File{Name: ".git/info/exclude", Data: []byte(info)})
		got := map[string]string{}
		for _, path := range paths {
			source, ok, err := g.Ignored(path)
			if err != nil {
				t.Fatalf("Ignored(%q): %v", path, err)
			}
			if ok {
				got[path] = source.String()
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("ignored paths (-git +ours):\n%s", diff)
		}
	})
}

func drawAttributes(t *rapid.T) string {
	name := drawPattern(t)
	switch rapid.IntRange(0, 9).Draw(t, "kind") {
	case 0:
		name = "[attr]" + rapid.SampledFrom([]string{"m1", "m2", "text", "-x", "binary"}).Draw(t, "macro")
	case 1:
		name = `"` + rapid.SampledFrom([]string{"a b", `\141`, `a\"b`, `a`, `*\x`, ``}).Draw(t, "quoted") + `"`
	}
	words := rapid.SliceOfN(rapid.SampledFrom([]string{
		"text", "-text", "!text", "text=auto", "eol=crlf", "eol=lf", "filter=enc", "-filter", "!filter", "binary", "-binary", "m1", "-m1", "m2", "!m2",
		"ident", "a=b=c", "bad/name", "-eol=lf", "x.y-z",
	}), 0, 4).Draw(t, "words")
	return name + " " + strings.Join(words, rapid.SampledFrom([]string{" ", "\t", "  "}).Draw(t, "blank"))
}

func TestAttributesLikeGit(t *testing.T) {
	repo := newOracle(t)
	rapid.Check(t, func(t *rapid.T) {
		files := drawFiles(t, drawAttributes)
		info := drawLines(t, drawAttributes, "info")
		mode := mode(t, repo)
		paths := rapid.SliceOfNDistinct(rapid.Custom(drawPath), 5, 30, rapid.ID[string]).Draw(t, "paths")
		place(t, repo, ".gitattributes", files)
		repo.Write(t, ".git/info/attributes", info)

		out, err := repo.Try([]byte(strings.Join(paths, "\x00")+"\x00"), "check-attr", "--stdin", "-z", "-a")
		if err != nil {
			t.Fatalf("check-attr: %v", err)
		}
		want := map[string]map[string]string{}
		fields := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
		for i := 0; i+2 < len(fields); i += 3 {
			if want[fields[i]] == nil {
				want[fields[i]] = map[string]string{}
			}
			want[fields[i]][fields[i+1]] = fields[i+2]
		}
		a := gitmatch.NewAttributes(loader(".gitattributes", files), mode, gitmatch.File{Name: "info", Data: []byte(info)})
		got := map[string]map[string]string{}
		for _, path := range paths {
			found, err := a.Lookup(path)
			if err != nil {
				t.Fatalf("Lookup(%q): %v", path, err)
			}
			for name, attribute := range found {
				if attribute.State == gitmatch.Unspecified {
					continue
				}
				if got[path] == nil {
					got[path] = map[string]string{}
				}
				got[path][name] = map[gitmatch.State]string{gitmatch.Set: "set", gitmatch.Unset: "unset", gitmatch.Value: attribute.Value}[attribute.State]
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("attributes (-git +ours):\n%s", diff)
		}
	})
}
