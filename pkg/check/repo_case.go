package check

import (
	"fmt"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// cases reports paths that are one path on the file systems of macOS and Windows: they ignore case, and macOS's how a letter and its accent
// are put together. git keeps both, and a checkout there has one of the two. Folders are named as such, and not with every file in them.
func (r *run) cases() []finding.Finding {
	type spelled struct{ prefix, file string }
	var out []finding.Finding
	first, seen := map[string]spelled{}, map[string]bool{}
	for _, file := range r.paths {
		if f, ok := unportable(file); ok && r.selected.touches(file) {
			out = append(out, f)
		}
		for prefix := range prefixes(file) {
			if seen[prefix] {
				continue
			}
			seen[prefix] = true
			folder, name := prefix[:strings.LastIndexByte(prefix, '/')+1], prefix[strings.LastIndexByte(prefix, '/')+1:]
			key := folder + fold(name) // what is in a folder of another spelling does not count again
			other, met := first[key]
			if !met {
				first[key] = spelled{prefix, file}
				continue
			}
			if r.selected.touches(file, other.file) {
				out = append(out, finding.Finding{Rule: RuleCase, Severity: finding.Error, File: file,
					Message: fmt.Sprintf("%s and %s are one path where case does not count, as on macOS and Windows: a checkout there loses one of them", other.prefix, prefix),
					Next:    "rename one of the two"})
			}
		}
	}
	return out
}

// prefixes returns the folders that a path leads through, and the path.
func prefixes(path string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range len(path) {
			if path[i] == '/' && !yield(path[:i]) {
				return
			}
		}
		yield(path)
	}
}

// fold returns what names that meet on such a file system have in common: a letter stands for all that differ from it in case alone.
func fold(name string) string {
	ascii := true
	for i := range len(name) {
		ascii = ascii && name[i] < utf8.RuneSelf
	}
	if ascii {
		return strings.ToLower(name)
	}
	return norm.NFC.String(strings.Map(func(c rune) rune {
		least := c
		for other := unicode.SimpleFold(c); other != c; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return unicode.ToLower(least)
	}, norm.NFD.String(name)))
}

// unportable tells of a path that Windows does not take.
func unportable(file string) (finding.Finding, bool) {
	why := ""
	for name := range strings.SplitSeq(file, "/") {
		switch last := name[max(len(name)-1, 0):]; {
		case !utf8.ValidString(name):
			why = "is not UTF-8"
		case strings.ContainsAny(name, `<>:"\|?*`) || strings.ContainsFunc(name, unicode.IsControl):
			why = `has a character that Windows takes in no name, one of <>:"\|?* or a control character`
		case last == "." || last == " ":
			why = "has a name that ends in a point or a blank, which Windows drops"
		}
	}
	return finding.Finding{Rule: RuleCase, Severity: finding.Warning, File: file, Message: "the path " + why + ": a checkout there fails", Next: "rename it"}, why != ""
}
