package check

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// inventory is what the repo holds, by what it is for. Team trees are no part of it.
type inventory struct {
	// units are the apps that have any file, sorted.
	units []*unit
	// applications are the files of the folder of Application files, but for those that hold something else.
	applications []*applicationFile
	// manifests are the other files that Argo CD reads as manifests.
	manifests []string
	// strays are the files of the folders of values and manifests that neither the layout nor Argo CD knows, and links, in those of the settings
	// too.
	strays []File
	// settings are the files below env/settings and env/apps.
	settings []string
	// paths are all files but those of teams.
	paths []string
	// second are the files whose Application, or app, another file holds too and is the one to keep.
	second map[string]bool
	// valuesRepo is the values repo that most Applications refer to.
	valuesRepo argocd.ValuesRepo
}

// unit is an app and its files.
type unit struct {
	id              app.ID
	managed, custom bool // whether the value file is there
	// application is nil where no file holds the app's Application.
	application *applicationFile
	selected    bool
	searched    bool // whether both value files have been searched for secrets
}

// files returns the paths of the unit's files, there or not.
func (u *unit) files() []string {
	list := []string{layout.ManagedFile(u.id), layout.CustomFile(u.id), layout.ApplicationFile(u.id)}
	if u.application != nil {
		list = append(list, u.application.path)
	}
	return list
}

// checked returns the files of the unit that are there.
func (u *unit) checked() []finding.Unit {
	var list []finding.Unit
	add := func(there bool, file string) {
		if there {
			list = append(list, finding.Unit{App: u.id.String(), File: file})
		}
	}
	add(u.managed, layout.ManagedFile(u.id))
	add(u.custom, layout.CustomFile(u.id))
	if u.application != nil {
		add(true, u.application.path)
	}
	return list
}

// take sorts the repo's files, and reads the Applications, which say whose they are.
func (r *run) take(ctx context.Context) error {
	units := map[app.ID]*unit{}
	of := func(id app.ID) *unit {
		if units[id] == nil {
			units[id] = &unit{id: id}
		}
		return units[id]
	}
	for _, file := range r.in.Files {
		if isTeams(file.Path) {
			continue
		}
		r.paths = append(r.paths, file.Path)
		place, _ := layout.Parse(file.Path)
		_, object := place.(layout.Object)
		v, value := place.(layout.Values)
		setting := strings.HasPrefix(file.Path, "env/settings/") || strings.HasPrefix(file.Path, layout.AppsDir+"/")
		switch {
		case !setting && !strings.HasPrefix(file.Path, layout.ValuesDir+"/") && !strings.HasPrefix(file.Path, layout.ManifestsDir+"/"):
		case file.Irregular:
			r.strays = append(r.strays, file)
		case setting:
			r.settings = append(r.settings, file.Path)
		case value && v.Layer == layout.Managed:
			of(v.ID).managed = true
		case value:
			of(v.ID).custom = true
		case strings.HasPrefix(file.Path, layout.ApplicationsDir+"/") && isManifest(file.Path):
			r.applications = append(r.applications, &applicationFile{path: file.Path})
		case object, strings.HasPrefix(file.Path, layout.ManifestsDir+"/") && isManifest(file.Path):
			r.manifests = append(r.manifests, file.Path)
		default:
			r.strays = append(r.strays, file)
		}
	}
	if err := r.each(ctx, len(r.applications), func(_ context.Context, i int) []finding.Finding {
		r.applications[i].read(r.in.Read)
		return nil
	}); err != nil {
		return err
	}
	slices.Sort(r.paths)
	r.handOver()
	for _, a := range r.applications {
		if !a.bound || a.id == (app.ID{}) {
			continue
		}
		if u := of(a.id); u.application == nil || a.path == layout.ApplicationFile(a.id) {
			u.application = a // of two files for one app the one that has its name; the other is a finding
		}
	}
	r.claim(units)
	for id, u := range units {
		if _, excluded := r.in.Config.Excluded(id); excluded {
			continue
		}
		u.selected = r.selected.touches(u.files()...)
		r.units = append(r.units, u)
	}
	slices.SortFunc(r.units, func(a, b *unit) int { return app.Compare(a.id, b.id) })
	return nil
}

// isTeams tells whether a path belongs to a team.
func isTeams(file string) bool {
	if strings.HasPrefix(file, "env/teams/") {
		return true
	}
	for _, dir := range []string{layout.ValuesDir, layout.NamespacesDir} {
		if rest, ok := strings.CutPrefix(file, dir+"/"); ok {
			namespace, _, inside := strings.Cut(rest, "/")
			return inside && app.IsTeam(namespace)
		}
	}
	return false
}

// isManifest tells whether Argo CD reads a file of a folder that it recurses into (its manifestFile, in reposerver/repository).
func isManifest(file string) bool {
	switch path.Ext(file) {
	case ".yaml", ".yml", ".json", ".jsonnet":
		return true
	}
	return false
}
