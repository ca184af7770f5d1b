package chart

import "helm.sh/helm/v3/pkg/chart"

// Unjudged tells that no schema would look at values, and that Helm refuses none of them: Judged of them returns no error, and nothing that
// anybody could find fault with.
func (c *Chart) Unjudged(user map[string]any) bool {
	s := c.spare()
	return !s.schemas && !s.whole && s.mapsAt(user) && s.onlyMaps(s.chart, []map[string]any{user})
}

// mapsAt tells that at no key of subcharts, whosever, there is anything but a map: to see which subcharts of a subchart are on, Helm lays
// the values of the chart above over those of the subchart.
func (s *spared) mapsAt(tree map[string]any) bool {
	for key := range s.places {
		v, there := tree[key]
		if _, isMap := v.(map[string]any); there && !isMap {
			return false
		}
	}
	return true
}

// onlyMaps tells that nothing but maps is where values of subcharts are.
func (s *spared) onlyMaps(c *chart.Chart, over []map[string]any) bool {
	if !s.mapsAt(c.Values) {
		return false
	}
	over = append(over[:len(over):len(over)], c.Values)
	for _, sub := range c.Dependencies() {
		var below []map[string]any
		for _, key := range placesOf(c, sub) {
			for _, tree := range over {
				v, there := tree[key]
				m, isMap := v.(map[string]any)
				if there && !isMap {
					return false
				}
				below = append(below, m)
			}
		}
		if !s.onlyMaps(sub, below) {
			return false
		}
	}
	return true
}
