package preflight

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// owners says who has written spec.source, and so may write it again, summarised over all apps: one line for each field
// manager. Where managedFields were not recorded, the annotation that kubectl apply leaves tells of it alone.
func (c *checker) owners() {
	apps := map[argocd.Manager][]*argocd.Application{}
	for _, a := range c.Moving {
		for _, m := range a.SourceOwners() {
			apps[m] = append(apps[m], a)
		}
	}
	managers := slices.SortedFunc(maps.Keys(apps), func(a, b argocd.Manager) int {
		return cmp.Or(cmp.Compare(len(apps[b]), len(apps[a])), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Operation, b.Operation))
	})
	for i, m := range managers {
		if i == maxManagers {
			c.add(finding.Warning, RuleSourceOwner, "kubectl get applications.argoproj.io -n argocd -o yaml --show-managed-fields shows them",
				"%s own spec.source of some apps", finding.Count(len(managers)-i, "more field manager"))
			return
		}
		c.owner(m, apps[m])
	}
}

// maxManagers bounds how many field managers have a line: a name can hold a version, or anything at all.
const maxManagers = 10

func (c *checker) owner(m argocd.Manager, apps []*argocd.Application) {
	var names []string
	for _, a := range apps {
		names = append(names, label(a))
	}
	k := kindOf(m)
	severity, next := k.severity, k.next
	if m.Name == argoManager {
		if parents := c.parents(apps); parents != "" {
			next = "their owner is " + parents + ": " + next
		}
	}
	operation := ""
	if m.Operation != "" {
		operation = " (" + m.Operation + ")"
	}
	c.add(severity, RuleSourceOwner, next, "spec.source of %s is owned by %s%s, %s: %s", finding.Count(len(names), "app"), m.Name, operation, named(names), k.means)
}

// parents names the Applications that sync the given ones, from their tracking ids. The root app is none: it is to.
func (c *checker) parents(apps []*argocd.Application) string {
	var names []string
	for _, a := range apps {
		name, _, _ := strings.Cut(a.Annotation("argocd.argoproj.io/tracking-id"), ":")
		if name != "" && name != c.RootApp {
			names = append(names, name)
		}
	}
	return named(names)
}

// unowned counts the moving Applications of which nobody can tell who owns spec.source.
func (c *checker) unowned() (n int) {
	for _, a := range c.Moving {
		if !a.HasManagedFields() {
			n++
		}
	}
	return n
}

// kind is what a field manager stands for.
type kind struct {
	severity    finding.Severity
	means, next string
}

// argoManager is the name under which Argo CD applies what an Application syncs (ArgoCDSSAManager).
const argoManager = "argocd-controller"

// kindOf tells what a manager will do, by the names that programs give themselves. A program that writes again puts
// spec.source back; that is harmless as long as it leaves spec.sources alone, which an update of the whole object does not.
func kindOf(m argocd.Manager) kind {
	const (
		once = "it was changed once, and nothing writes it again"
		keep = "; what runs stays as it is while spec.sources is there"
	)
	for _, known := range []struct {
		names []string
		kind  kind
	}{
		{[]string{"apl-operator"}, kind{finding.Info, "the platform's operator, which puts it back in each of its rounds" + keep, ""}},
		{[]string{"kubectl-client-side-apply", "kubectl-last-applied"}, kind{finding.Warning,
			"somebody applies it from a file with kubectl apply; the next time puts it back, and removes what that file has removed",
			"replace that file by the Application file of the values repo, or delete it"}},
		{[]string{"kubectl"}, kind{finding.Warning, "somebody applies it from a file with kubectl apply --server-side; the next time puts it back" + keep,
			"replace that file by the Application file of the values repo, or delete it"}},
		{[]string{"kubectl-edit", "kubectl-patch", "kubectl-replace", "kubectl-create", "argocd-server", "argocd-application-controller", "kubectl-apl"},
			kind{finding.Info, once, ""}},
		{[]string{argoManager}, kind{finding.Warning, "another Application syncs it from git; its next sync puts it back" + keep,
			"remove it from what that Application syncs, or name that one by --root-app"}},
		{[]string{"argocd-applicationset-controller"}, kind{finding.Warning, "an ApplicationSet makes it, and writes its own form again", "change its template"}},
		{[]string{"argocd-image-updater"}, kind{finding.Warning, "Argo CD Image Updater sets images in it" + keep + ", and so does the image",
			"let it write to git (write-back-method: git) to values.custom.yaml, or take its annotations off"}},
		{[]string{"helm", "Helm"}, kind{finding.Warning, "a Helm release holds it; its next upgrade puts it back" + keep, "take it out of that release, keeping the object (helm.sh/resource-policy: keep)"}},
		{[]string{"kustomize-controller", "helm-controller", "flux-client-side-apply"}, kind{finding.Warning, "Flux applies it again at each interval" + keep, "take it out of what Flux applies, keeping the object"}},
		{[]string{"Terraform", "terraform", "HashiCorp"}, kind{finding.Warning, "Terraform holds it; its next apply puts it back" + keep, "take it out of the state (terraform state rm)"}},
	} {
		if slices.Contains(known.names, m.Name) {
			return known.kind
		}
	}
	return kind{finding.Warning, "a name that is not known here; a program that writes again puts it back" + keep, "see what writes under that name, and whether it will again"}
}
