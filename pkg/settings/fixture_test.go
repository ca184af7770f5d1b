package settings_test

import (
	"maps"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/settings"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// passwords stands in for pkg/secret: a secret is what a key called password holds, and a word that begins with "s3cret".
type passwords struct{}

func (p *passwords) Knows(rule string) bool { return rule == "password" }

func (p *passwords) hit(path values.Path, line int) settings.Hit {
	f := finding.Finding{Rule: "password", Severity: finding.Error, Line: line, Message: "a password", Next: "accept the place under secrets: in .apl.yaml"}
	if line == 0 {
		f.Path = path.String()
	}
	return settings.Hit{Path: path, Finding: f}
}

func (p *passwords) Tree(tree any) []settings.Hit { return p.walk(tree, nil) }

func (p *passwords) walk(v any, path values.Path) (hits []settings.Hit) {
	switch x := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(x)) {
			shown := key
			if strings.HasPrefix(key, "s3cret") {
				shown = "***"
			}
			_, text := x[key].(string)
			if text && key == "password" || shown != key {
				hits = append(hits, p.hit(path.Key(shown), 0))
				continue
			}
			hits = append(hits, p.walk(x[key], path.Key(shown))...)
		}
	case []any:
		for i := range x {
			hits = append(hits, p.walk(x[i], path.Index(i))...)
		}
	case string:
		if strings.HasPrefix(x, "s3cret") {
			hits = append(hits, p.hit(path, 0))
		}
	}
	return hits
}

func (p *passwords) Text(text string) (hits []settings.Hit) {
	line := 0
	for part := range strings.SplitSeq(text, "\n") {
		line++
		if strings.Contains(part, "s3cret") {
			hits = append(hits, p.hit(nil, line))
		}
	}
	return hits
}
