package handover

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// checkAdopters looks at the Applications that are to own the objects: each has to be there, to sync the files, and to know
// them. One that is not there or does not know them yet stands against waiting for it only.
func (p *Plan) checkAdopters(ctx context.Context, a *App) error {
	var adopters []string
	for _, o := range append(a.with(Waiting), a.with(Adopted)...) {
		if !slices.Contains(adopters, o.Adopter) {
			adopters = append(adopters, o.Adopter)
		}
	}
	slices.Sort(adopters)
	for _, name := range adopters {
		live, err := p.in.Cluster.Application(ctx, p.in.Namespace, name)
		if errors.Is(err, cluster.ErrNotFound) {
			a.early = append(a.early, a.finding(finding.Error, RuleMissing, "make it once the files are pushed: kubectl apl bootstrap",
				fmt.Sprintf("there is no Application %s, which is to sync %s", name, named(a.filesOf(name)))))
			continue
		}
		if err != nil {
			return err
		}
		p.checkAdopter(a, live)
	}
	return nil
}

// filesOf returns the files that an Application is to sync, sorted.
func (a *App) filesOf(adopter string) (files []string) {
	for _, o := range a.Objects {
		if o.Adopter == adopter && !slices.Contains(files, o.File) {
			files = append(files, o.File)
		}
	}
	slices.Sort(files)
	return files
}

func (p *Plan) checkAdopter(a *App, live *argocd.Application) {
	name := live.Name()
	see := fmt.Sprintf("see its conditions: kubectl get applications.argoproj.io %s -n %s -o yaml", name, p.in.Namespace)
	if live.Deleting() {
		a.refuse(RuleAdopter, fmt.Sprintf("Application %s, which is to take the objects over, is being deleted", name), "see who deletes it, and make it anew: kubectl apl bootstrap")
		return
	}
	if problem := p.files.broken[name]; problem != "" {
		a.refuse(RuleUnreadable, "Argo CD syncs nothing of a folder with a file that it cannot read: "+problem, "correct the file, and push that")
	}
	if left := p.notSynced(live, a.filesOf(name)); len(left) > 0 {
		a.refuse(RuleAdopter, fmt.Sprintf("Application %s does not sync %s of branch %s", name, named(left), p.files.upstream.Branch),
			"see its source: the path, the branch, recurse, include and exclude; kubectl apl bootstrap makes one that does")
	}
	listed := map[argocd.ObjectRef]argocd.Resource{}
	for _, r := range live.Resources() {
		listed[r.ObjectRef] = r
		r.Namespace = "" // a status can name a namespace for what is in none
		if _, ok := listed[r.ObjectRef]; !ok {
			listed[r.ObjectRef] = r
		}
	}
	var unknown, dropped []string
	for _, o := range append(a.with(Waiting), a.with(Adopted)...) {
		if o.Adopter != name {
			continue
		}
		switch r, ok := listed[o.ref]; {
		case ok && r.Gone:
			dropped = append(dropped, o.String())
		case !ok && o.State == Waiting:
			unknown = append(unknown, o.String())
			o.Why += ", and " + name + " does not know its file yet"
		}
	}
	slices.Sort(dropped)
	if len(dropped) > 0 {
		a.refuse(RuleAdopter, fmt.Sprintf("Application %s no longer finds these in git, and deletes them when it prunes: %s", name, named(dropped)), "push their files, and have it compare again: "+refresh(p.in.Namespace, name))
	}
	switch {
	case len(unknown) == 0:
	case !live.Compared():
		a.early = append(a.early, a.finding(finding.Error, RuleAdopter, see, fmt.Sprintf("Application %s has not compared the cluster with git, or cannot", name)))
	default:
		a.early = append(a.early, a.finding(finding.Error, RuleAdopter, "wait until it has fetched what was pushed, or have it do so now: "+refresh(p.in.Namespace, name),
			fmt.Sprintf("Application %s does not know the files of these yet: %s", name, named(unknown))))
	}
}

// notSynced returns those of some files that no folder of an Application takes, at the branch that they were pushed to.
func (p *Plan) notSynced(live *argocd.Application, files []string) (left []string) {
	for _, f := range files {
		takes := func(d argocd.Directory) bool {
			return d.Takes(f) && (d.Revision == "HEAD" || d.Revision == p.files.upstream.Branch || d.Revision == "refs/heads/"+p.files.upstream.Branch)
		}
		if !slices.ContainsFunc(live.Directories(), takes) {
			left = append(left, f)
		}
	}
	return left
}

// refresh is the command that has Argo CD compare an Application with git.
func refresh(namespace, name string) string {
	return fmt.Sprintf("kubectl annotate applications.argoproj.io %s -n %s argocd.argoproj.io/refresh=normal --overwrite", name, namespace)
}
