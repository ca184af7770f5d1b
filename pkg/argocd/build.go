package argocd

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// Form says what an Application in the new form refers to.
type Form struct {
	// ID is the app whose two value files are read.
	ID app.ID
	// ValuesRepoURL and ValuesRevision are the values repo as Argo CD is to fetch it.
	ValuesRepoURL, ValuesRevision string
}

// Build returns the Application as it is kept in git: its declared form (DESIGN 2) with the chart source reading the app's two
// value files, managed then custom, from the source that is referred to as "values" (DESIGN 3). The rest of the spec is kept
// as it is; spec.source becomes spec.sources, and in spec.sources the chart source keeps its place. The tree shares nothing
// with the Application, which stays as it is, and is the same for the same input.
//
// Warnings tell of sync options that are not carried over: see protect. It is an error when form is incomplete or names
// another app, since a release name that changes would recreate every object, and when the Application has no single
// chart source. Whether LiveValues blocks the Application is for the caller to ask.
func (a *Application) Build(form Form) (object map[string]any, warnings []finding.Finding, err error) {
	if err := a.checkForm(form); err != nil {
		return nil, nil, fmt.Errorf("build Application %s: %w", a.Name(), err)
	}
	chart, err := a.ChartSource()
	if err != nil {
		return nil, nil, fmt.Errorf("build Application %s: %w", a.Name(), err)
	}
	metadata, warnings := a.declaredMetadata()

	spec := map[string]any{}
	for key, value := range a.spec() {
		if key != "source" && key != "sources" {
			spec[key] = clone(value)
		}
	}
	spec["sources"] = a.buildSources(chart, form)

	return map[string]any{
		"apiVersion": apiVersion,
		"kind":       kind,
		"metadata":   metadata,
		"spec":       spec,
	}, warnings, nil
}

func (a *Application) checkForm(form Form) error {
	id, err := a.ID()
	switch {
	case err != nil:
		return err
	case id != form.ID:
		return fmt.Errorf("it is app %s, not %s", id, form.ID)
	case form.ValuesRepoURL == "" || form.ValuesRevision == "":
		return errors.New("the values repo has no URL or no revision")
	}
	return nil
}

// buildSources returns the sources of the new form. A source that the chart's value files referred to goes with them: they
// are folded in. Others that are only referred to stay, since nothing is known of what they are for; one that is called
// "values" is replaced, since that name is taken now.
func (a *Application) buildSources(chart Source, form Form) []any {
	sources, _, _ := a.sources() // ChartSource has read them
	files, _, _ := field[[]any](chart.helm, "valueFiles")
	folded := func(s Source) bool {
		return slices.ContainsFunc(files, func(file any) bool {
			name, _ := file.(string)
			return strings.HasPrefix(name, "$"+s.Ref+"/")
		})
	}
	var out []any
	for _, s := range sources {
		switch {
		case s.At == chart.At:
			out = append(out, buildChartSource(chart, form.ID))
		case s.Ref != layout.ValuesRef && !folded(s):
			out = append(out, cloneMap(s.tree))
		}
	}
	return append(out, map[string]any{
		"repoURL":        form.ValuesRepoURL,
		"targetRevision": form.ValuesRevision,
		"ref":            layout.ValuesRef,
	})
}

// buildChartSource keeps everything but where values come from. The release name is written out: without it the
// Application's name would count.
func buildChartSource(chart Source, id app.ID) map[string]any {
	out := cloneMap(chart.tree)
	if chart.Ref == "" || chart.Ref == layout.ValuesRef {
		delete(out, "ref") // in spec.source it meant nothing, in spec.sources it would
	}
	helm := cloneMap(chart.helm)
	for _, key := range inlineFields() {
		delete(helm, key)
	}
	helm["releaseName"] = id.Release
	helm["valueFiles"] = toList(layout.ValueFiles(id))
	out["helm"] = helm
	return out
}

// The annotations that say what happens to the Application itself when its own Application (the root app) is synced.
const (
	syncOptions = "argocd.argoproj.io/sync-options"
	// protection keeps an Application, and so its workloads, when its file or the root app vanishes (DESIGN 10).
	protectPrune, protectDelete = "Prune=false", "Delete=false"
)

// movedHere returns the annotations that record how an object got here, or what a controller once did with it. In git they would be
// applied for ever: a refresh with every sync, an approval of a deletion that nobody approved.
func movedHere() []string {
	return []string{
		"kubectl.kubernetes.io/last-applied-configuration",
		"argocd.argoproj.io/tracking-id",
		"argocd.argoproj.io/installation-id",
		"argocd.argoproj.io/refresh",
		"argocd.argoproj.io/refresh-timestamp",
		"argocd.argoproj.io/hydrate",
		"argocd.argoproj.io/hydrate-timestamp",
		"argocd.argoproj.io/deletion-approved",
		"notified.notifications.argoproj.io",
		BackupAnnotation, AllowInlineAnnotation,
	}
}

// declaredMetadata returns the metadata that people or the platform declared, and the protection.
func (a *Application) declaredMetadata() (map[string]any, []finding.Finding) {
	metadata := a.declaredMeta()
	annotations := cloneMap(child(metadata, "annotations"))
	options, warnings := a.protect()
	annotations[syncOptions] = options
	metadata["annotations"] = annotations
	return metadata, warnings
}

// protect joins the protection to the sync options that are there. Options about pruning and deleting are replaced: Argo CD
// reads the first of several. Replace and Force are dropped, with a warning: on an Application the one wipes its status and
// both together delete and recreate every workload (DESIGN 10).
func (a *Application) protect() (options string, warnings []finding.Finding) {
	var kept []string
	for option := range strings.SplitSeq(a.Annotation(syncOptions), ",") {
		option = strings.TrimSpace(option)
		key, value, _ := strings.Cut(option, "=")
		switch {
		case option == "", slices.Contains(kept, option):
		case (key == "Prune" || key == "Delete") && value != "false":
			warnings = append(warnings, a.droppedOption(option, "the Application must outlive its file"))
		case key == "Prune", key == "Delete":
		case (key == "Replace" || key == "Force") && value == "true":
			warnings = append(warnings, a.droppedOption(option, "it would wipe the Application's status, or recreate its workloads"))
		default:
			kept = append(kept, option)
		}
	}
	return strings.Join(append(kept, protectPrune, protectDelete), ","), warnings
}

func (a *Application) droppedOption(option, why string) finding.Finding {
	return a.finding(finding.Warning, RuleSyncOption, "metadata.annotations["+syncOptions+"]",
		fmt.Sprintf("sync option %s is not carried over: %s", option, why), "")
}
