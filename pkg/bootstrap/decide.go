package bootstrap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// decide says what is to be done with an Application.
func (p *Plan) decide(f *folderApp) Object {
	o := Object{Kind: "Application", Namespace: f.Namespace, Name: f.Name, From: f.Path, app: f}
	switch {
	case f.left != "":
		o.Action, o.Reason = Left, f.left
		return o
	case f.live == nil:
		o.Sync = SyncAuto
		if p.options.Sync == SyncManual {
			o.Sync = SyncManual
		}
		f.Automated = o.Sync == SyncAuto
		o.want, o.Action, o.Reason = f.Object(), Create, "it is not there"
		return o
	case f.live.Deleting():
		o.Action, o.Reason = Left, "it is being deleted"
		p.add(finding.Finding{Rule: RuleDeleting, Severity: finding.Error, App: f.Name,
			Message: fmt.Sprintf("Application %s is being deleted: what is applied to it would go with it", f.Name), Next: "wait until it is gone, and run again"})
		return o
	case !p.samePlace(&o, f):
		return o
	}
	o.want = p.adapt(&o, f)
	o.Changes = differences(o.want, f.live.Object())
	if p.turnsOff(f, o.want) {
		o.Changes = append(o.Changes, "spec.syncPolicy.automated")
	}
	if o.Action = Change; len(o.Changes) == 0 {
		o.Action, o.Reason = Unchanged, "it says all it is to say"
		return o
	}
	o.Reason = "differs: " + strings.Join(o.Changes, ", ")
	return o
}

// samePlace tells whether a live Application applies the very folder that it is to apply. One that applies another is never
// pointed here: what it applies now would be pruned. A root app of a person's own may be any that applies the Application
// files.
func (p *Plan) samePlace(o *Object, f *folderApp) bool {
	directories, want := f.live.Directories(), f.Directory()
	if len(directories) == 1 && len(f.live.RepoURLs()) == 1 {
		d := directories[0]
		if argocd.SameRepo(d.RepoURL, want.RepoURL) && d.Revision == want.Revision && d.Path == want.Path && d.Recurse && !d.Filtered() {
			return true
		}
	}
	o.Action = Left
	own := f.root && f.Name != argocd.RootApp
	applies := slices.ContainsFunc(directories, func(d argocd.Directory) bool {
		return argocd.SameRepo(d.RepoURL, want.RepoURL) && d.Revision == want.Revision
	})
	if own && applies && f.live.Syncs(layout.ApplicationsDir) {
		o.Reason = "it applies " + layout.ApplicationsDir + " in a form of its own"
		return false
	}
	o.Reason = "it applies another place"
	var places []string
	for _, d := range directories {
		places = append(places, fmt.Sprintf("%s of %s at %s", orRoot(d.Path), argocd.RedactURL(d.RepoURL), d.Revision))
	}
	if len(places) == 0 {
		places = []string{"no folder of manifests"}
	}
	p.add(finding.Finding{
		Rule: RulePlace, Severity: finding.Error, App: f.Name,
		Message: fmt.Sprintf("Application %s is there and applies %s, not %s of %s at %s; pointed there, it would prune what it applies now",
			f.Name, strings.Join(places, ", "), f.Path, argocd.RedactURL(f.RepoURL), f.Revision),
		Next: "see which of both is right: --values-repo-url, --values-revision and --root-app say what is wanted; or change the Application yourself",
	})
	return false
}

func orRoot(folder string) string {
	if folder == "" {
		return "the root"
	}
	return folder
}

// adapt returns what a live Application is to declare: the operator's form, with what people have chosen kept. Sources and
// their spelling stay, further sync options do, and so does the way to sync unless the user says otherwise.
func (p *Plan) adapt(o *Object, f *folderApp) map[string]any {
	want := f.Object()
	spec := want["spec"].(map[string]any)
	delete(spec, "sources")
	for _, key := range []string{"source", "sources"} {
		if value, ok := specOf(f.live)[key]; ok && value != nil {
			spec[key] = argocd.Copy(map[string]any{key: value})[key]
		}
	}
	policy := spec["syncPolicy"].(map[string]any)
	policy["syncOptions"] = options(policy["syncOptions"].([]any), f.live.PolicyOptions(), f.root && p.stalls())
	automation, others := f.live.Automation(), p.othersAutomate(f.live)
	switch {
	case f.live.Automated() && (p.options.Sync != SyncManual || len(others) > 0):
		o.Sync, policy["automated"] = SyncAuto, automation
		if p.options.Sync == SyncManual {
			p.add(finding.Finding{Rule: RuleManual, Severity: finding.Info, App: f.Name,
				Message: fmt.Sprintf("Application %s syncs by itself already, as %s has it: --sync=manual leaves it so", f.Name, strings.Join(others, ", ")),
				Next:    "to end that: " + argocd.EndAutomation(f.Namespace, f.Name)})
		}
	case p.options.Sync == SyncAuto:
		o.Sync, policy["automated"] = SyncAuto, f.Automation()
		if _, said := automation["enabled"]; said {
			policy["automated"].(map[string]any)["enabled"] = true
		}
	default:
		if o.Sync = SyncManual; automation != nil && !f.live.Automated() {
			policy["automated"] = automation // there, and turned off
		}
		if p.options.Sync == SyncKeep {
			p.add(finding.Finding{Rule: RuleManual, Severity: finding.Info, App: f.Name,
				Message: fmt.Sprintf("Application %s is synced by hand, and stays so", f.Name),
				Next:    "look at what a sync would do, then have it sync by itself with --sync=auto"})
		}
	}
	return want
}

// othersAutomate returns the managers beside this tool that have an Application sync by itself.
func (p *Plan) othersAutomate(live *argocd.Application) (names []string) {
	for _, m := range live.FieldManagers("spec", "syncPolicy", "automated") {
		if m.Name != Manager && !slices.Contains(names, m.Name) {
			names = append(names, m.Name)
		}
	}
	return names
}

// turnsOff tells that applying want ends the automation of a live Application.
func (p *Plan) turnsOff(f *folderApp, want map[string]any) bool {
	policy := want["spec"].(map[string]any)["syncPolicy"].(map[string]any)
	return policy["automated"] == nil && f.live.Automation() != nil && len(p.othersAutomate(f.live)) == 0
}

// options joins the sync options that are wanted to those that are there. The one that can stop a root app is taken off where
// it can; elsewhere it does no harm.
func options(wanted []any, live []string, stalls bool) []any {
	out := []any{}
	for _, option := range live {
		if !stalls || option != argocd.StallOption {
			out = append(out, option)
		}
	}
	for _, option := range wanted {
		if !slices.Contains(out, option) {
			out = append(out, option)
		}
	}
	return out
}

func specOf(a *argocd.Application) map[string]any {
	spec, _ := a.Object()["spec"].(map[string]any)
	return spec
}
