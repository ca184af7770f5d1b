package chart

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// cache is a folder of trees, each named by what it holds (a commit, a digest), and of notes on what a reference last stood
// for. A tree is filled aside and moved to its place whole: who finds it there finds all of it. Two processes that fill the
// same one do the same work twice, and the second finds the place taken. So nothing is ever locked.
//
//	trees/git-<commit>      a checkout
//	trees/sha256-<digest>   an unpacked package
//	refs/<digest>.json      what a reference stood for
//	tmp/                    what is being filled
type cache struct{ dir string }

// resolved is what a reference stands for.
type resolved struct {
	Tree   string `json:"tree"`
	Origin string `json:"origin"` // as it is shown: no credentials
	// Fixed tells that the reference can never stand for anything else.
	Fixed bool `json:"fixed,omitempty"`
}

// treeName is how trees are called. A note that says anything else was not written by us.
var treeName = regexp.MustCompile(`^(?:git|sha256|files)-[0-9a-f]{40,64}$`)

const (
	// maxNote bounds a note, in bytes.
	maxNote = 64 << 10
	// abandoned is how old something in tmp is that a killed process has left.
	abandoned = 24 * time.Hour
)

func (c cache) place(tree string) string { return filepath.Join(c.dir, "trees", tree) }

// has tells whether a tree is there.
func (c cache) has(tree string) bool {
	info, err := os.Stat(c.place(tree))
	return treeName.MatchString(tree) && err == nil && info.IsDir()
}

// aside makes a folder that nobody else uses. What it holds is dropped by whoever asked for it.
func (c cache) aside() (string, error) {
	for _, name := range []string{"tmp", "trees", "refs"} {
		if err := os.MkdirAll(filepath.Join(c.dir, name), 0o700); err != nil {
			return "", fmt.Errorf("make the chart cache: %w", err)
		}
	}
	dir, err := os.MkdirTemp(filepath.Join(c.dir, "tmp"), "")
	if err != nil {
		return "", fmt.Errorf("make a folder in the chart cache: %w", err)
	}
	c.sweep(dir)
	return dir, nil
}

// sweep drops what killed processes left long before fresh was made.
func (c cache) sweep(fresh string) {
	now, err := os.Stat(fresh)
	if err != nil {
		return // it is tidying only
	}
	entries, err := os.ReadDir(filepath.Join(c.dir, "tmp"))
	if err != nil {
		return // as above
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && now.ModTime().Sub(info.ModTime()) > abandoned {
			_ = os.RemoveAll(filepath.Join(c.dir, "tmp", entry.Name())) // as above
		}
	}
}

// keep moves a filled folder to its place, unless another process has put the same there.
func (c cache) keep(dir, tree string) error {
	err := os.Rename(dir, c.place(tree))
	if err != nil && c.has(tree) {
		return nil // dir is in tmp, and goes with it
	}
	if err != nil {
		return fmt.Errorf("put %s into the chart cache: %w", tree, err)
	}
	return nil
}

// remember notes what a reference stands for.
func (c cache) remember(key string, r resolved) error {
	data, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("note what a chart's reference stands for: %w", err)
	}
	dir, err := c.aside()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // sweep does it later
	file := filepath.Join(dir, "ref")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		return fmt.Errorf("note what a chart's reference stands for: %w", err)
	}
	if err := os.Rename(file, c.note(key)); err != nil {
		return fmt.Errorf("note what a chart's reference stands for: %w", err)
	}
	return nil
}

// recall returns what a reference last stood for. A note that cannot be read is none.
func (c cache) recall(key string) (r resolved, ok bool, err error) {
	info, err := os.Stat(c.note(key))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return resolved{}, false, nil
	case err != nil:
		return resolved{}, false, fmt.Errorf("read the chart cache: %w", err)
	case info.Size() > maxNote:
		return resolved{}, false, nil
	}
	data, err := os.ReadFile(c.note(key))
	if err != nil {
		return resolved{}, false, fmt.Errorf("read the chart cache: %w", err)
	}
	ok = json.Unmarshal(data, &r) == nil && treeName.MatchString(r.Tree)
	return r, ok, nil
}

func (c cache) note(key string) string { return filepath.Join(c.dir, "refs", key+".json") }

// digestOf returns the SHA-256 of text in hex.
func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
