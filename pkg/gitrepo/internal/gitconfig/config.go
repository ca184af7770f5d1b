// Package gitconfig owns git's configuration: it finds the files that git reads, in git's order, follows their includes and
// answers what is set. It changes nothing, and knows nothing of what a setting means, of repositories or of go-git.
//
// No error of this package holds a value: a configuration file may hold credentials.
package gitconfig

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// ErrSyntax is returned, wrapped with file and line, for a file that git would refuse to read.
var ErrSyntax = errors.New("bad git config")

// Entry is one setting. Key is its whole name, "section.key" or "section.subsection.key", all but the subsection in lower
// case. Implicit marks a key without "=", which is a boolean true.
type Entry struct {
	Key      string
	Value    string
	Implicit bool
	File     string // or "the environment"
	Line     int
}

// Where returns "file:line", or what else set the entry.
func (e Entry) Where() string {
	if e.Line == 0 {
		return e.File
	}
	return fmt.Sprintf("%s:%d", e.File, e.Line)
}

// Bool reads the entry as git reads a boolean; anything else is ErrSyntax.
func (e Entry) Bool() (bool, error) {
	if e.Implicit {
		return true, nil
	}
	switch strings.ToLower(e.Value) {
	case "true", "yes", "on":
		return true, nil
	case "false", "no", "off", "":
		return false, nil
	}
	if n, ok := integer(e.Value); ok {
		return n != 0, nil
	}
	return false, fmt.Errorf("%w: %s: %s is no boolean", ErrSyntax, e.Where(), e.Key)
}

// integer reads a number as config.c's git_parse_int does: decimal, hexadecimal or octal, with a unit k, m or g.
func integer(text string) (int64, bool) {
	unit := int64(1)
	if text != "" {
		if i := strings.IndexByte("kmg", text[len(text)-1]|0x20); i >= 0 {
			unit, text = int64(1)<<(10*(i+1)), text[:len(text)-1]
		}
	}
	n, err := strconv.ParseInt(strings.TrimLeft(text, " \t\n\v\f\r"), 0, 32)
	if err != nil || strings.Contains(text, "_") || n*unit > math.MaxInt32 || n*unit < math.MinInt32 {
		return 0, false
	}
	return n * unit, true
}

// Config holds settings in the order in which git reads them: a later one stands above an earlier one.
type Config struct{ entries []Entry }

// Get returns the setting of a key that stands, written as in Entry.Key.
func (c *Config) Get(key string) (Entry, bool) {
	for _, e := range slices.Backward(c.entries) {
		if e.Key == key {
			return e, true
		}
	}
	return Entry{}, false
}

// String returns the value of a key, or "" when it is not set.
func (c *Config) String(key string) string {
	e, _ := c.Get(key)
	return e.Value
}

// Bool returns a boolean setting, and fallback when the key is not set.
func (c *Config) Bool(key string, fallback bool) (bool, error) {
	e, ok := c.Get(key)
	if !ok {
		return fallback, nil
	}
	return e.Bool()
}

// All returns every entry, for keys whose values add up. The slice is the Config's own: it is not to be changed.
func (c *Config) All() []Entry { return c.entries }

// Split cuts a key into its section, its subsection ("" for none) and its name.
func Split(key string) (section, subsection, name string) {
	section, rest, _ := strings.Cut(key, ".")
	if i := strings.LastIndexByte(rest, '.'); i >= 0 {
		return section, rest[:i], rest[i+1:]
	}
	return section, "", rest
}
