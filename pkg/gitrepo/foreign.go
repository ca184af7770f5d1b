package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// A repository that only git reads is asked of by git's plumbing. What is asked is the same as of other repositories: what
// HEAD, the index and the work tree have at the paths, and what the rules say of them.

// treeEntry is what a commit has at a path.
type treeEntry struct {
	mode filemode.FileMode
	id   string
}

// indexEntry is what the index has at a path.
type indexEntry struct {
	treeEntry
	stage   string
	skipped bool // left out of the work tree
}

// askHead is readHead by git.
func (r *Repo) askHead(ctx context.Context) (Head, error) {
	var head Head
	out, err := r.git(ctx, call{args: []string{"symbolic-ref", "-q", "HEAD"}})
	if err != nil && exitCode(err) != 1 {
		return head, fmt.Errorf("read HEAD: %w", err)
	}
	if name := strings.TrimSpace(string(out)); name != "" {
		branch, ok := strings.CutPrefix(name, branchPrefix)
		if !ok {
			return head, fmt.Errorf("read HEAD: %q is no branch", name)
		}
		head.Branch = branch
	}
	head.Commit, err = oneID(r.git(ctx, call{args: []string{"rev-parse", "-q", "--verify", "HEAD^{commit}"}}))
	if exitCode(err) == 1 && head.Branch != "" {
		return head, nil // no commit yet
	}
	if err != nil {
		return head, fmt.Errorf("read HEAD: %w", err)
	}
	return head, nil
}

// askTree returns everything that a commit holds.
func (r *Repo) askTree(ctx context.Context, commit string) (map[string]treeEntry, error) {
	if commit == "" {
		return map[string]treeEntry{}, nil
	}
	if r.listed != nil && r.listedOf == commit {
		return r.listed, nil
	}
	out, err := r.git(ctx, call{args: []string{"ls-tree", "-r", "-t", "-z", commit}})
	if err != nil {
		return nil, fmt.Errorf("read commit: %w", err)
	}
	entries := map[string]treeEntry{}
	for _, record := range records(out) {
		what, path, ok := strings.Cut(record, "\t")
		words := strings.Fields(what)
		if !ok || len(words) != 3 {
			return nil, errors.New("read commit: git ls-tree prints something else than entries")
		}
		mode, err := filemode.New(words[0])
		if err != nil {
			return nil, fmt.Errorf("read commit: %w", err)
		}
		entries[path] = treeEntry{mode, words[2]}
	}
	r.listed, r.listedOf = entries, commit
	return entries, nil
}

// askIndex returns the entries of the index by path; of a conflict the last stage.
func (r *Repo) askIndex(ctx context.Context) (map[string]indexEntry, error) {
	out, err := r.git(ctx, call{args: []string{"ls-files", "--stage", "-t", "-z"}})
	if err != nil {
		return nil, fmt.Errorf("read index: %w", err)
	}
	entries := map[string]indexEntry{}
	for _, record := range records(out) {
		what, path, ok := strings.Cut(record, "\t")
		words := strings.Fields(what)
		if !ok || len(words) != 4 {
			return nil, errors.New("read index: git ls-files prints something else than entries")
		}
		mode, err := filemode.New(words[1])
		if err != nil {
			return nil, fmt.Errorf("read index: %w", err)
		}
		entries[path] = indexEntry{treeEntry{mode, words[2]}, words[3], words[0] == "S"}
	}
	return entries, nil
}

// records cuts what git prints with -z.
func records(out []byte) []string {
	text := strings.TrimSuffix(string(out), "\x00")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\x00")
}

// listOf is the input of git for paths, with -z.
func listOf(paths []string) []byte {
	var b bytes.Buffer
	for _, path := range paths {
		b.WriteString(path + "\x00")
	}
	return b.Bytes()
}

// literally is listOf for what takes patterns: the paths as they are, from the root of the work tree.
func literally(paths []string) []byte {
	var b bytes.Buffer
	for _, path := range paths {
		b.WriteString(":(top,literal)" + path + "\x00")
	}
	return b.Bytes()
}

// askFile is HeadFile by git.
func (r *Repo) askFile(ctx context.Context, head Head, path string) ([]byte, bool, error) {
	entries, err := r.askTree(ctx, head.Commit)
	if err != nil {
		return nil, false, err
	}
	e, ok := entries[path]
	if !ok || kindOf(e.mode) != "file" {
		return nil, false, nil
	}
	data, err := r.askBlob(ctx, path, e.id)
	return data, err == nil, err
}

// askBlob returns a blob as it is in the work tree at a path.
func (r *Repo) askBlob(ctx context.Context, path, id string) ([]byte, error) {
	converted, err := r.askConversions(ctx, []string{path})
	if err != nil {
		return nil, err
	}
	if converted[path].filter {
		return r.smudged(ctx, path, id)
	}
	data, err := r.git(ctx, call{args: []string{"cat-file", "blob", id}})
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", path, err)
	}
	return data, nil
}

// smudged returns a blob as the filters of a path write it to the work tree.
func (r *Repo) smudged(ctx context.Context, path, id string) ([]byte, error) {
	data, err := r.git(ctx, call{args: []string{"cat-file", "--filters", "--path=" + path, id}})
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", path, err)
	}
	return data, nil
}

// askConversions returns what git would do to the bytes at each path.
func (r *Repo) askConversions(ctx context.Context, paths []string) (map[string]conversion, error) {
	names := []string{"filter", "ident", "working-tree-encoding"}
	args := append([]string{"check-attr", "-z", "--stdin"}, names...)
	out, err := r.git(ctx, call{args: args, input: listOf(paths)})
	if err != nil {
		return nil, fmt.Errorf("read attributes: %w", err)
	}
	list := records(out)
	if len(list) != 3*len(names)*len(paths) {
		return nil, errors.New("read attributes: git check-attr prints something else than attributes")
	}
	found := map[string]conversion{}
	for i := 0; i < len(list); i += 3 {
		path, name, value := list[i], list[i+1], list[i+2]
		switch {
		case value == "unspecified" || value == "unset" || name == "filter" && value == "set":
			continue
		case name == "working-tree-encoding" && isUTF8(value):
			continue
		}
		c := conversion{always: true, filter: true, why: "attribute " + name + "=" + value}
		if name == "filter" {
			c.driver = value
		}
		if found[path].driver == "" {
			found[path] = c
		}
	}
	return found, nil
}
