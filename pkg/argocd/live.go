package argocd

import (
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
	// RuleValueFiles: the source reads value files, or tolerates missing ones.
	RuleValueFiles = "application-value-files"
	// RuleInline: a field of inline values cannot be read.
	RuleInline = "application-inline-values"
	// RuleParameter: a Helm parameter cannot be folded in.
	RuleParameter = "application-parameter"
	// RuleSubstitution: a parameter or the path of a value file holds $, which Argo CD replaces.
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

// Live says where the values of an Application come from, in Argo CD's order of precedence: Files first, then the origin,
// then each of Parameters in their order. It is to be used only when Blocking is empty.
type Live struct {
	// Files are the value files that the source reads, the lowest first. There are none for OriginFiles.
	Files  []ValueFile
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

// NoInline reports whether the Application says nothing of values, inline or by files, so that the caller has to decide
// where else to look. Empty text or an empty valuesObject is not that: they say that there are no values.
func (l Live) NoInline() bool {
	return l.Origin == OriginNone && len(l.Parameters) == 0 && len(l.Files) == 0
}

// LiveValues reads where the Application's values come from (DESIGN 5; the rules are those of Argo CD's GetSources,
// ValuesYAML and helmTemplate). It folds nothing: package values does, with Helm's own library.
//
// What Argo CD adds from the chart's repo cannot be seen in an Application: see OverrideFiles.
func (a *Application) LiveValues() Live {
	l := live{app: a}
	if a.Deleting() {
		l.block(RuleDeleting, "metadata.deletionTimestamp", "the Application is being deleted", "wait until it is gone, or restore it")
	}
	if _, dead, _ := a.sources(); dead {
		l.warn(RuleDeadSource, "spec.source", "spec.source is dead, and to be dropped: Argo CD reads spec.sources", "drop it from the live Application: "+a.dropSource())
	}
	source, reason := a.chartSource()
	if reason != nil {
		l.Blocking = append(l.Blocking, *reason)
		return l.Live
	}
	if v := text(source.helm, "version"); v != "" && v != "v3" && v != "v4" {
		l.block(RuleSource, source.At+".helm.version", "the source asks for a Helm that Argo CD does not have any more", "remove helm.version")
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
