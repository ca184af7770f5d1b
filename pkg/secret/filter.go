package secret

// Exception accepts one place: hits of Rule at Path (as Hit.Place writes it) of App ("namespace/releaseName"). All three
// have to match, so that an exception for a placeholder does not hide a private key that someone puts there later. Why
// it is accepted stands in Reason.
type Exception struct {
	App    string
	Path   string
	Rule   string
	Reason string
}

// Filter returns the hits of an app that no exception accepts, and for each exception whether it accepted any; one that
// is not used in any app is stale, which only the caller can know. hits is left as it is.
func Filter(app string, hits []Hit, exceptions []Exception) (open []Hit, used []bool) {
	type place struct{ path, rule string }
	accepted := map[place][]int{}
	for i, e := range exceptions {
		if e.App == app {
			p := place{e.Path, e.Rule}
			accepted[p] = append(accepted[p], i)
		}
	}
	used = make([]bool, len(exceptions))
	for _, h := range hits {
		by := accepted[place{h.Place(), h.Rule}]
		if len(by) == 0 {
			open = append(open, h)
		}
		for _, i := range by {
			used[i] = true
		}
	}
	return open, used
}
