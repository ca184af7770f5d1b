package gitmatch_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gitmatch"
)

func TestMatch(t *testing.T) {
	for name, test := range map[string]struct {
		reason, pattern, text string
		mode                  gitmatch.Mode
		want                  bool
	}{
		"NoSlashForStar":   {"a star stays within a path component", "a/*", "a/b/c", gitmatch.Pathname, false},
		"StarTakesSlash":   {"without Pathname a star takes anything", "a*c", "a/b/c", 0, true},
		"TwoStarsNone":     {"two stars and a slash may stand for no folder", "a/**/b", "a/b", gitmatch.Pathname, true},
		"TwoStarsMany":     {"two stars go back as often as needed", "**/a/b", "a/c/a/b", gitmatch.Pathname, true},
		"TwoStarsInName":   {"within a name two stars are one", "a**b", "a/b", gitmatch.Pathname, false},
		"NegatedClass":     {"! negates a class, which filepath.Match does not know", "[!a]", "b", 0, true},
		"ClassNoSlash":     {"a negated class does not take a slash", "a[!x]b", "a/b", gitmatch.Pathname, false},
		"PosixClass":       {"POSIX classes count", "v[[:digit:]]", "v1", 0, true},
		"OpenClass":        {"a class that does not end matches nothing", "[a", "a", 0, false},
		"LoneBackslash":    {"a backslash at the end matches nothing", `a\`, `a`, 0, false},
		"Fold":             {"case is ignored on request", "Values.YAML", "values.yaml", gitmatch.Fold, true},
		"FoldClass":        {"so it is in a range", "[A-C]", "b", gitmatch.Fold, true},
		"EmptyPattern":     {"an empty pattern takes the empty text", "", "", 0, true},
		"StarNeedsNothing": {"a star at the end may take nothing", "a*", "a", 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, gitmatch.Match(test.pattern, test.text, test.mode)); diff != "" {
				t.Errorf("%s\nMatch(%q, %q): -want +got:\n%s", test.reason, test.pattern, test.text, diff)
			}
		})
	}
}

// The pattern is from the wild: git's matcher takes minutes for such ones.
func TestMatchTakesBoundedTime(t *testing.T) {
	for _, pattern := range []string{strings.Repeat("*a", 60) + "b", strings.Repeat("**/a", 60) + "b", strings.Repeat("a/**/", 60) + "b"} {
		start := time.Now()
		if gitmatch.Match(pattern, strings.Repeat("a/", 400)+"a", gitmatch.Pathname) || gitmatch.Match(pattern, strings.Repeat("a", 800), 0) {
			t.Errorf("Match(%q) = true", pattern)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("Match(%q) took %s", pattern, took)
		}
	}
}

func TestLoadErrors(t *testing.T) {
	broken := errors.New("cannot read")
	load := func(dir string) (gitmatch.File, error) {
		if dir == "a" {
			return gitmatch.File{}, broken
		}
		return gitmatch.File{}, nil
	}
	if _, _, err := gitmatch.NewIgnores(load, 0).Ignored("a/b/c"); !errors.Is(err, broken) {
		t.Errorf("Ignored: %v, want %v: a rule file that cannot be read must not count as one without rules", err, broken)
	}
	if _, err := gitmatch.NewAttributes(load, 0, gitmatch.File{}).Lookup("a/b/c"); !errors.Is(err, broken) {
		t.Errorf("Lookup: %v, want %v", err, broken)
	}
}

func TestFoldersAreReadOnce(t *testing.T) {
	reads := map[string]int{}
	load := func(dir string) (gitmatch.File, error) {
		reads[dir]++
		return gitmatch.File{}, nil
	}
	g := gitmatch.NewIgnores(load, 0)
	for _, path := range []string{"a/b/c", "a/b/d", "a/e", "f"} {
		if _, _, err := g.Ignored(path); err != nil {
			t.Fatalf("Ignored(%q): %v", path, err)
		}
	}
	if diff := cmp.Diff(map[string]int{"": 1, "a": 1, "a/b": 1}, reads); diff != "" {
		t.Errorf("reads of rule files: -want +got:\n%s", diff)
	}
}
