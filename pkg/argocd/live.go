package argocd

import (
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// The rules whose findings this package makes.
const (
	// RuleDeleting: the Application is being deleted.
	RuleDeleting = "application-deleting"
	// RuleDeadSource: spec.source stands beside spec.sources, which wins.
	RuleDeadSource = "application-dead-source"
	// RuleSource: no single Helm source renders the Application.
	RuleSource = "application-source"
	// RuleDeadValues: helm.values stands beside helm.valuesObject, which wins.
	RuleDeadValues = "application-dead-values"
	// RuleValueFiles: the source reads value files that cannot be folded in, or tolerates missing ones.
	RuleValueFiles = "application-value-files"
	// RuleInline: a field of inline values cannot be read.
	RuleInline = "application-inline-values"
	// RuleParameter: a Helm parameter cannot be folded in.
	RuleParameter = "application-parameter"
	// RuleSubstitution: a parameter holds $, which Argo CD replaces.
	RuleSubstitution = "application-substitution"
	// RuleSyncOption: a sync option on the Application is not carried over.
	RuleSyncOption = "application-sync-option"
)

// Origin says which field of an Application holds its inline values.
type Origin string

// The origins. Parameters can lie over any of them but OriginFiles.
const (
	// OriginNone: neither helm.values nor helm.valuesObject is there.
	OriginNone Origin = ""
	// OriginText: helm.values, which may be empty text.
	OriginText Origin = "values"
	// OriginObject: helm.valuesObject, which may be empty too: it hides helm.values all the same.
	OriginObject Origin = "valuesObject"
	// OriginFiles: the Application reads our two value files and has nothing inline. Its values are in the values repo: they are
	// not to be looked for anywhere else, in a release Secret least of all.
	OriginFiles Origin = "valueFiles"
)

// Live says where the values of an Application come from, in Argo CD's order of precedence: the origin first, then each
// of Parameters in their order. It is to be used only when Blocking is empty.
type Live struct {
	Origin Origin
	// At is the path of the field in the Application: spec.source.helm.values. It is empty for OriginNone.
	At string
	// Text is helm.values as it is, for OriginText.
	Text string
	// Object is helm.valuesObject, for OriginObject. It is not to be changed.
	Object map[string]any
	// Parameters are the assignments that Helm gets, all --set before all --set-string, $ already replaced and commas
	// escaped as Argo CD does.
	Parameters []values.Assignment
	// Warnings tell what a person should know; Blocking what makes it impossible to tell the live values.
	Warnings, Blocking []finding.Finding
}

// NoInline reports whether the Application holds no inline values whatever, so that the caller has to decide where else to
// look. Empty text or an empty valuesObject is not that: they say that there are no values.
func (l Live) NoInline() bool { return l.Origin == OriginNone && len(l.Parameters) == 0 }

// LiveValues reads where the Application's values come from (DESIGN 5; the rules are those of Argo CD's GetSources,
// ValuesYAML and helmTemplate). It folds nothing: package values does, with Helm's own library.
//
// What Argo CD adds from the chart's repo (a file .argocd-source.yaml beside the chart) cannot be seen in an Application.
func (a *Application) LiveValues() Live {
	l := live{app: a}
	if a.Deleting() {
		l.block(RuleDeleting, "metadata.deletionTimestamp", "the Application is being deleted", "wait until it is gone, or restore it")
	}
	if _, dead, _ := a.sources(); dead {
		l.warn(RuleDeadSource, "spec.source", "spec.source is dead: Argo CD reads spec.sources", "remove spec.source from the live Application")
	}
	source, reason := a.chartSource()
	if reason != nil {
		l.Blocking = append(l.Blocking, *reason)
		return l.Live
	}
	l.inline(source)
	l.parameters(source)
	l.files(source)
	return l.Live
}

// live is a Live in the making.
type live struct {
	Live
	app *Application
}

func (l *live) warn(rule, path, message, next string) {
	l.Warnings = append(l.Warnings, l.app.finding(finding.Warning, rule, path, message, next))
}

func (l *live) block(rule, path, message, next string) {
	l.Blocking = append(l.Blocking, l.app.finding(finding.Error, rule, path, message, next))
}

// inline reads helm.values and helm.valuesObject. The object counts whenever it is set: the two are never merged.
func (l *live) inline(s Source) {
	object, hasObject, err := field[map[string]any](s.helm, "valuesObject")
	if err != nil {
		l.block(RuleInline, s.At+".helm.valuesObject", err.Error(), "correct the Application")
	}
	inline, hasText, err := field[string](s.helm, "values")
	if err != nil {
		l.block(RuleInline, s.At+".helm.values", err.Error(), "correct the Application")
	}
	switch {
	case hasObject:
		l.Origin, l.At, l.Object = OriginObject, s.At+".helm.valuesObject", object
		if inline != "" {
			l.warn(RuleDeadValues, s.At+".helm.values", "helm.values is dead text: helm.valuesObject is set and hides it whole",
				"move what is wanted into custom values after the migration")
		}
	case hasText:
		l.Origin, l.At, l.Text = OriginText, s.At+".helm.values", inline
	}
}

// files looks at what Argo CD reads besides the Application. Reading it is not built yet.
func (l *live) files(s Source) {
	at := s.At + ".helm.valueFiles"
	files, _, err := field[[]any](s.helm, "valueFiles")
	switch {
	case err != nil:
		l.block(RuleValueFiles, at, err.Error(), "correct the Application")
	case len(files) == 0:
	case !l.app.readsOurFiles(s):
		l.block(RuleValueFiles, at, "the source reads value files, which cannot be folded in yet", "move their content into helm.values first")
	case s.hasInline():
		l.block(RuleValueFiles, at, "the Application already reads our value files, and something else of helm lies over or beside them",
			"move what it sets into the custom file, and remove "+strings.Join(inlineFields(), ", "))
	default:
		l.Origin, l.At = OriginFiles, at
	}

	at = s.At + ".helm.fileParameters"
	switch parameters, _, err := field[[]any](s.helm, "fileParameters"); {
	case err != nil:
		l.block(RuleValueFiles, at, err.Error(), "correct the Application")
	case len(parameters) > 0:
		l.block(RuleValueFiles, at, "the source reads parameters from files, which cannot be folded in", "move their content into helm.values first")
	}

	if tolerate, _, _ := field[bool](s.helm, "ignoreMissingValueFiles"); tolerate {
		l.warn(RuleValueFiles, s.At+".helm.ignoreMissingValueFiles",
			"ignoreMissingValueFiles is not carried over: with it, a missing file would sync chart defaults", "")
	}
}

// Blocked reports whether the live values cannot be told.
func (l Live) Blocked() bool { return len(l.Blocking) > 0 }

// Moved reports whether the Application is in the form that Build gives it: its one chart source reads exactly the two value
// files of form's identity and holds nothing inline, and $values refers to form's repo and revision. An Application that
// reads our files from another repo, or has something inline beside them, is not moved; LiveValues tells the two apart. A
// dead spec.source beside the new form changes nothing that runs, and is a warning of LiveValues.
func (a *Application) Moved(form Form) bool {
	if id, err := a.ID(); err != nil || id != form.ID {
		return false
	}
	source, reason := a.chartSource()
	if reason != nil || !a.readsOurFiles(source) || source.hasInline() {
		return false
	}
	ref, ok := a.valuesRef()
	return ok && sameRepo(ref.RepoURL, form.ValuesRepoURL) && revision(ref.TargetRevision) == revision(form.ValuesRevision)
}

// inlineFields returns the fields of helm that put values, or files of values, over or beside the two value files.
func inlineFields() []string {
	return []string{"values", "valuesObject", "parameters", "fileParameters", "ignoreMissingValueFiles"}
}

// hasInline reports whether any of them says something. An empty valuesObject does: it hides helm.values.
func (s Source) hasInline() bool {
	return slices.ContainsFunc(inlineFields(), func(key string) bool {
		if key == "valuesObject" {
			return s.helm[key] != nil
		}
		return !zero(s.helm[key])
	})
}
