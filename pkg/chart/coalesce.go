package chart

import (
	"fmt"
	"regexp"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Effective returns what the chart's templates see as .Values when the user supplies the values given: numbers are
// float64, as templates have them. It returns a *RefusedError, wrapped, where Helm would not render.
func (c *Chart) Effective(user map[string]any) (map[string]any, error) {
	return c.coalesce(clone(c.chart), values.Plain(user))
}

// coalesce is what Helm does first. It changes own, a clone of the chart, and neither the chart nor what is supplied.
func (c *Chart) coalesce(own *chart.Chart, supplied map[string]any) (map[string]any, error) {
	if err := chartutil.ProcessDependenciesWithMerge(own, supplied); err != nil {
		return nil, fmt.Errorf("process dependencies of chart %s: %w", own.Name(), refusal(c.chart, err, supplied))
	}
	effective, err := chartutil.CoalesceValues(own, supplied)
	if err != nil {
		return nil, fmt.Errorf("coalesce values of chart %s: %w", own.Name(), refusal(c.chart, err, supplied))
	}
	return effective, nil
}

// RefusedError says that Helm renders nothing with values, since those of a subchart are no map. It quotes none of them.
type RefusedError struct {
	Path values.Path // of the subchart's values; empty where the reason is another
}

// Error says what is wrong.
func (e *RefusedError) Error() string {
	if len(e.Path) == 0 {
		return "values that Helm refuses"
	}
	return e.Path.String() + " is a subchart, and its values are no map"
}

// typeMismatch is how Helm begins the one error that coalescing has; the value follows, which can be a secret.
var typeMismatch = regexp.MustCompile(`^type mismatch on ([^:]*): `)

// refusal is Helm's error less what it quotes. Helm names the subchart without its parents.
func refusal(c *chart.Chart, err error, user map[string]any) error {
	m := typeMismatch.FindStringSubmatch(err.Error())
	if m == nil {
		return &RefusedError{}
	}
	if path := noMap(c, m[1], user, nil); path != nil {
		return &RefusedError{Path: path}
	}
	return &RefusedError{Path: values.Path{}.Key(m[1])} // by a chart's own defaults
}

// noMap finds values for a subchart that are no map.
func noMap(c *chart.Chart, name string, user map[string]any, at values.Path) values.Path {
	for _, sub := range c.Dependencies() {
		for _, key := range keysOf(c, sub) {
			v, ok := user[key]
			m, isMap := v.(map[string]any)
			switch {
			case ok && !isMap && key == name:
				return at.Key(key)
			case !isMap:
				continue
			}
			if path := noMap(sub, name, m, at.Key(key)); path != nil {
				return path
			}
		}
	}
	return nil
}

// keysOf returns the keys of a subchart's values: the names that the chart gives it, or else its own.
func keysOf(c, sub *chart.Chart) (keys []string) {
	for _, d := range c.Metadata.Dependencies {
		switch {
		case d == nil || d.Name != sub.Name():
		case d.Alias != "":
			keys = append(keys, d.Alias)
		default:
			keys = append(keys, d.Name)
		}
	}
	if len(keys) == 0 {
		return []string{sub.Name()}
	}
	return keys
}
