package chart

import (
	"strings"

	"helm.sh/helm/v3/pkg/chart"
)

// enable makes a clone of a chart keep all its subcharts, and returns the paths in its values of what switches them: conditions, which
// are relative to the chart that has the subchart, and tags, which are the top chart's.
func enable(c *chart.Chart, at []string) (switches [][]string) {
	for _, d := range c.Metadata.Dependencies {
		if d == nil {
			continue
		}
		for condition := range strings.SplitSeq(strings.TrimSpace(d.Condition), ",") {
			if condition != "" {
				switches = append(switches, append(at[:len(at):len(at)], strings.Split(condition, ".")...))
			}
		}
		for _, tag := range d.Tags {
			switches = append(switches, []string{"tags", tag})
		}
		d.Condition, d.Tags = "", nil
	}
	for _, sub := range c.Dependencies() {
		found := enable(sub, nil)
		for _, key := range keysOf(c, sub) {
			for _, path := range found {
				if path[0] != "tags" {
					path = append(append(at[:len(at):len(at)], key), path...)
				}
				switches = append(switches, path)
			}
		}
	}
	return switches
}

// plant puts a switch into values that lack it.
func plant(tree map[string]any, path []string) {
	for _, key := range path[:len(path)-1] {
		next, ok := tree[key].(map[string]any)
		if !ok {
			if tree[key] != nil {
				return // no map can be there
			}
			next = map[string]any{}
			tree[key] = next
		}
		tree = next
	}
	if _, ok := tree[path[len(path)-1]]; !ok {
		tree[path[len(path)-1]] = false
	}
}
