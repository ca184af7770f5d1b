package artifact

import (
	"fmt"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// maxObject is what etcd takes for one object, in bytes (its --max-request-bytes).
const maxObject = 3 << 19

// foldKind names an object whatever the case of its kind.
func foldKind(id layout.ObjectID) string {
	return strings.Join([]string{id.Group, strings.ToLower(id.Kind), id.Namespace, id.Name}, "/")
}

// place decides about one object.
func (p *placer) place(i *Item) {
	metadata, err := i.Object.metadata()
	if err != nil {
		i.note(finding.Error, ruleWrite, "its text does not read back: "+err.Error(), "write it more simply where it is rendered")
		return
	}
	if i.Owner = owner(metadata); i.Release.Release == "" && (app.ID{Namespace: i.Release.Namespace, Release: i.Owner}).Validate() == nil {
		i.Release.Release = i.Owner
	}
	if i.Object.Kind() == (GroupKind{"argoproj.io", "Application"}) {
		i.note(finding.Error, ruleApplication, "an Application is none of a release's artifacts: those of the platform have a folder of their own, which migrate writes",
			"take it out of the release, or move it with kubectl apl migrate")
		return
	}
	changes, ok := p.home(i)
	if !ok {
		return
	}
	if app.IsTeam(i.Object.ID.Namespace) {
		i.Left = "a team's namespace: with a folder for it in git the platform's operator would start an Application that prunes there"
		return
	}
	p.once(i)
	if i.Object.Kind() == (GroupKind{"", "Secret"}) {
		if data, err := hasData(i.Object); err != nil || data {
			i.note(finding.Error, RuleSecret, "a Secret with data, which git must not hold",
				"make it a SealedSecret or an ExternalSecret, or leave it out of git by an entry under secrets: in .apl.yaml, with a reason")
			i.Object.Text = nil
			return
		}
	}
	p.scan(i)
	annotations := texts(metadata["annotations"])
	i.remark(annotations)
	i.Protected = protected(annotations[syncOptions])
	if !i.Protected && p.wanted(i.Object.Kind()) {
		changes = append(changes, i.protect(annotations[syncOptions]))
		i.Protected = true
	}
	p.write(i, changes)
}

// wanted tells whether objects of a kind are to be protected.
func (p *placer) wanted(kind GroupKind) bool {
	_, holds := p.data[kind]
	return p.Protect == ProtectAll || p.Protect != ProtectNone && holds
}

// home decides in which namespace the object lives, and how its text has to change for that.
func (p *placer) home(i *Item) (changes []change, ok bool) {
	kind := i.Object.Kind()
	namespaced, known := p.Scopes.Namespaced(kind)
	id := &i.Object.ID
	switch {
	case !known:
		i.note(finding.Error, ruleUnknownKind, fmt.Sprintf("nobody knows whether objects of kind %s live in namespaces", kind),
			"give its CustomResourceDefinition by --crds FILE, or name a cluster that serves it")
		return nil, false
	case !namespaced && id.Namespace != "":
		// kubectl and Argo CD drop it too, and so does the API server.
		stray := id.Namespace
		id.Namespace = ""
		i.note(finding.Warning, ruleNamespace, fmt.Sprintf("its metadata.namespace, %s, is left out: kind %s lives in no namespace", stray, kind), "")
		return []change{{path: []string{"metadata", "namespace"}, remove: true}}, true
	case namespaced && id.Namespace == "" && i.Release.Namespace == "":
		i.note(finding.Error, ruleNoRelease, "it names no namespace, and nobody says its release's", "name the release's namespace with -n")
		return nil, false
	case namespaced && id.Namespace == "":
		id.Namespace = i.Release.Namespace
		return []change{{path: []string{"metadata", "namespace"}, value: id.Namespace}}, true
	}
	return nil, true
}

// write makes the changes in the object's text. Its namespace comes last, so that it stands right behind the name.
func (p *placer) write(i *Item, changes []change) {
	if len(changes) == 2 {
		changes[0], changes[1] = changes[1], changes[0]
	}
	if len(changes) > 0 {
		out, err := i.Object.edit(changes...)
		if err != nil {
			i.note(finding.Error, ruleWrite, "it cannot be written as it is to be: "+err.Error(), "write it more simply where it is rendered")
			return
		}
		i.Object = out
	}
}

// hasData reports whether a Secret has any.
func hasData(o Object) (bool, error) {
	tree, err := values.DecodeObject("", o.Text)
	return len(SecretData(tree)) > 0, err
}

// scan has the object's text looked at as it was given, where lines are those of the stream.
func (p *placer) scan(i *Item) {
	if p.Scanner == nil {
		return
	}
	for _, f := range p.Scanner.Scan(i.Release, i.Object.Place(), i.Object.Text) {
		if f.App = appOf(i.Release); f.File == "" {
			switch f.File = i.Source; {
			case i.Object.rewritten:
				f.Column = 0
			case f.Column > 0:
				f.Column += i.Object.indent
			}
			f.Line = i.Object.lineOf(f.Line)
		}
		i.Findings = append(i.Findings, f)
	}
}

// remark notes what a person should know of the object.
func (i *Item) remark(annotations map[string]string) {
	for _, key := range []string{"helm.sh/hook", "argocd.argoproj.io/hook"} {
		if annotations[key] != "" {
			i.note(finding.Warning, ruleHook, fmt.Sprintf("it is a hook (annotation %s), and stays one: Argo CD makes it anew with each sync of the folder, not only with this release's", key),
				"take the annotation off where the object is rendered, if it is to be there for good")
		}
	}
	if words := i.Object.words; len(words) > 0 {
		i.note(finding.Warning, ruleWord, strings.Join(words, " and ")+" is a word that YAML reads as true or false, as kubectl and Argo CD do: it is written in quotes",
			"quote it where the object is rendered")
	}
	if i.Object.Generated {
		i.note(finding.Warning, ruleGenerated, "it has metadata.generateName and no name: its file is named by a hash of it, and Argo CD makes another object with each sync",
			"give it a name where it is rendered")
	}
	if size := len(i.Object.Text); size > maxObject {
		i.note(finding.Warning, ruleSize, fmt.Sprintf("it has %.1f MiB, and etcd takes 1.5 MiB: an API server will refuse it", float64(size)/(1<<20)), "make it smaller where it is rendered")
	}
}
