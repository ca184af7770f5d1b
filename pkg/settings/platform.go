package settings

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// releasesOf returns those of the releases that read an app's settings.
func releasesOf(name string, releases []app.ID) []app.ID {
	var out []app.ID
	add := func(id app.ID) {
		if slices.Contains(releases, id) && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	if to, known := homeOf(name, releases); known && !to.nowhere {
		add(to.id)
	}
	for _, id := range releases {
		if id.Release == name {
			add(id)
		}
	}
	for _, g := range Gates() {
		for _, f := range g.Flags {
			if f.Root == appsKey && f.Path[0].Key == name {
				add(g.ID)
			}
		}
	}
	switch name { // read by releases of another name, which no flag of theirs gates
	case "istio":
		add(app.ID{Namespace: "istio-system", Release: "istiod"})
	case "cnpg":
		add(app.ID{Namespace: "cnpg-system", Release: "cloudnative-pg"})
	case "oauth2-proxy-redis":
		add(app.ID{Namespace: "istio-system", Release: "oauth2-proxy"})
	}
	slices.SortFunc(out, app.Compare)
	return out
}

// readPlatform reads what the values repo says of the platform's version. Settings that cannot be read say nothing here.
func (p *planner) readPlatform() error {
	for _, from := range []struct {
		file, key string
		to        *string
	}{
		{layout.SettingsFile, "version", &p.plan.Platform.Version},
		{layout.VersionsFile, "specVersion", &p.plan.Platform.SpecVersion},
	} {
		data, found, err := p.in.Read(from.file)
		if err != nil {
			return fmt.Errorf("read %s: %w", from.file, err)
		}
		doc, err := values.Parse(from.file, data)
		if err != nil || !found {
			continue
		}
		switch v, _ := values.Lookup(doc.Values, values.Path{}.Key("spec").Key(from.key)); v := v.(type) {
		case string:
			*from.to = oneLine(v)
		case json.Number:
			*from.to = string(v)
		}
	}
	return nil
}
