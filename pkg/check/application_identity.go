package check

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Binds reports whether the rules hold for an Application: one of a platform app (DESIGN 3), and one that reads an app's value files
// but lacks what would make it one, be it by mistake. Those of teams, gitops Applications and all others are left alone.
func Binds(a *argocd.Application) bool {
	files := reads(a)
	ours := func(id app.ID) bool { return id.Name() == a.Name() && !app.IsTeam(id.Namespace) }
	class, _ := a.Class()
	switch {
	case class == argocd.Platform, slices.ContainsFunc(files, ours):
		return true
	case class != argocd.Other, app.IsTeam(a.DestinationNamespace()):
		return false
	}
	// Not in the namespace argocd, or without the label: one of both is wrong where the other one tells.
	return a.Label(argocd.OwnerLabel) == argocd.LabelManaged || len(files) > 0 || readsCustom(a)
}

// reads returns the apps whose value files an Application names, each once, by the paths alone: the ref can be wrong.
func reads(a *argocd.Application) []app.ID {
	var out []app.ID
	for _, entry := range entriesOf(a) {
		_, file, _ := strings.Cut(entry, "/")
		place, _ := layout.Parse(path.Clean(file))
		if v, ok := place.(layout.Values); ok && !slices.Contains(out, v.ID) && len(out) < maxFaults {
			out = append(out, v.ID)
		}
	}
	return out
}

// readsCustom reports whether an Application reads values that are called as custom ones are, wherever they are (issue 6).
func readsCustom(a *argocd.Application) bool {
	name := path.Base(layout.CustomFile(app.ID{}))
	return slices.ContainsFunc(entriesOf(a), func(entry string) bool { return path.Base(entry) == name })
}

func entriesOf(a *argocd.Application) []string {
	var out []string
	for _, helm := range helms(a) {
		list, _ := helm["valueFiles"].([]any)
		for _, v := range list {
			if entry, ok := v.(string); ok {
				out = append(out, entry)
			}
		}
	}
	return out
}

// helms returns the Helm options of all sources, also of such that Argo CD does not read, or cannot.
func helms(a *argocd.Application) []map[string]any {
	spec, _ := a.Object()["spec"].(map[string]any)
	list, _ := spec["sources"].([]any)
	var out []map[string]any
	for _, v := range append(slices.Clone(list), spec["source"]) {
		source, _ := v.(map[string]any)
		if helm, ok := source["helm"].(map[string]any); ok {
			out = append(out, helm)
		}
	}
	return out
}

// meant returns the app that an Application is for. Name, destination namespace and release name, and value files say it; where one of
// them is at odds with the others, it is the one that is wrong. What Argo CD deploys says the Application's ID.
func meant(a *argocd.Application) (id app.ID, known bool) {
	own, err := a.ID()
	if err == nil && own.Name() == a.Name() {
		return own, true
	}
	files := reads(a)
	if i := slices.IndexFunc(files, func(id app.ID) bool { return id.Name() == a.Name() }); i >= 0 {
		return files[i], true
	}
	if named := releaseName(a) != ""; (err != nil || !named) && len(files) == 1 {
		return files[0], true
	} else if !named { // Argo CD takes the Application's name
		release, ok := strings.CutPrefix(a.Name(), a.DestinationNamespace()+"-")
		if id := (app.ID{Namespace: a.DestinationNamespace(), Release: release}); ok && id.Validate() == nil {
			return id, true
		}
	}
	return own, err == nil
}

// releaseName returns what the Application says as that, "" where it says nothing.
func releaseName(a *argocd.Application) string {
	for _, helm := range helms(a) {
		if name, _ := helm["releaseName"].(string); name != "" {
			return name
		}
	}
	return ""
}

// namespace: Argo CD looks for the platform's Applications in one namespace.
func (s *subject) namespace() []placed {
	if s.Namespace() == argocd.Namespace {
		return nil
	}
	return shape(keys("metadata", "namespace"), fmt.Sprintf("the Application is not in namespace %s, where the platform's are", argocd.Namespace),
		"write namespace: "+argocd.Namespace)
}

// identity: the name is that of what is deployed, and nothing deploys as another app than the rest says.
func (s *subject) identity() []placed {
	atNamespace := keys("spec", "destination", "namespace")
	own, err := s.ID()
	switch {
	case !s.known && app.ID{Namespace: s.DestinationNamespace(), Release: "x"}.Validate() != nil:
		return shape(atNamespace, "the destination is no namespace, so that nothing tells which app this is", "name the app's namespace")
	case !s.known:
		return shape(s.releaseAt(), "the release name is none that Helm takes", "name the app's release")
	case s.DestinationNamespace() != s.id.Namespace:
		return shape(atNamespace, fmt.Sprintf("the Application deploys to namespace %q, and is otherwise that of %s", s.DestinationNamespace(), s.id),
			"write namespace: "+s.id.Namespace)
	case s.chart < 0 || s.sources[s.chart].Helm() == nil: // which is told as that
	case releaseName(s.Application) == "":
		return shape(s.releaseAt(), fmt.Sprintf("there is no release name, so that Argo CD deploys release %s, after the Application, in place of %s", s.Name(), s.id.Release),
			"write releaseName: "+s.id.Release)
	case err != nil || own.Release != s.id.Release:
		return shape(s.releaseAt(), fmt.Sprintf("the Application deploys release %q, and is otherwise that of %s", s.Release(), s.id),
			"write releaseName: "+s.id.Release)
	case s.Name() != s.id.Name():
		return shape(keys("metadata", "name"), fmt.Sprintf("the Application of %s is called %s here", s.id, s.id.Name()),
			"write name: "+s.id.Name()+"; if it is live by the name that stands here, Argo CD makes a new one: see to the old one first")
	}
	return nil
}

// releaseAt is where the release name stands, or should.
func (s *subject) releaseAt() values.Path { return s.at(s.chart).Key("helm").Key("releaseName") }

// at is the path of a source, that of all sources for -1.
func (s *subject) at(i int) values.Path {
	switch {
	case s.inline:
		return inlineSource()
	case i < 0:
		return keys("spec", "sources")
	}
	return keys("spec", "sources").Index(i)
}

func inlineSource() values.Path { return keys("spec", "source") }
