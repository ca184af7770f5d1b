package argocd

import "slices"

// What an Application is by its apiVersion and kind.
const (
	APIVersion = apiVersion
	Kind       = kind
)

// OwnerLabel is the label by which the platform tells its Applications, and LabelManaged its value on those of its apps.
const (
	OwnerLabel   = ownerLabel
	LabelManaged = labelManaged
)

// InCluster is the address of the cluster that Argo CD runs in, and InClusterName its name.
const (
	InCluster     = inClusterAddress
	InClusterName = "in-cluster"
)

// Sources returns the sources that Argo CD renders: spec.sources when it holds any, or else spec.source. dead tells that
// spec.source stands beside spec.sources and is ignored. It returns an error for a field of the wrong type.
func (a *Application) Sources() (list []Source, dead bool, err error) { return a.sources() }

// Renders reports whether Argo CD makes objects of the source. One that is only referred to makes none; one with a ref and a path
// makes what lies there.
func (s Source) Renders() bool { return s.renders() }

// OtherTool returns the field that makes the source another tool's than Helm's, or "".
func (s Source) OtherTool() string { return s.otherTool() }

// OCI reports whether the source is an OCI artifact.
func (s Source) OCI() bool { return s.oci() }

// Helm returns the source's options of Helm, nil where it has none. The map is not to be changed.
func (s Source) Helm() map[string]any { return s.helm }

// SameRepo reports whether both sources are of one git repo, as Argo CD compares URLs.
func (s Source) SameRepo(other Source) bool {
	git := func(s Source) bool { return s.Chart == "" && !s.oci() }
	return git(s) && git(other) && sameRepo(s.RepoURL, other.RepoURL)
}

// SameRevision reports whether both sources name one revision; none is HEAD.
func (s Source) SameRevision(other Source) bool {
	return revision(s.TargetRevision) == revision(other.TargetRevision)
}

// Inline returns which fields of the source's options of Helm put values, or files of values, over or beside its value files,
// sorted. An empty valuesObject is one: it hides helm.values.
func (s Source) Inline() []string {
	var out []string
	for _, key := range inlineFields() {
		if key == "valuesObject" && s.helm[key] != nil || !zero(s.helm[key]) {
			out = append(out, key)
		}
	}
	slices.Sort(out)
	return out
}

// ResolveValueFile returns the file that an entry of a source's helm.valueFiles names, as Argo CD resolves it. refused says why it
// refuses the entry, or why the file depends on its version; "" where it does not.
func (a *Application) ResolveValueFile(s Source, entry string) (file ValueFile, refused string) {
	r := resolver{live: &live{app: a}, chart: s, environment: a.environment(s), seen: map[string]string{}}
	if s.At != "spec.source" {
		r.many = true
		r.sources, _, _ = a.sources() // whoever has a source has read them
	}
	return r.resolve(s.At+".helm.valueFiles", entry)
}

// Same reports whether both are one repo at one revision, as Argo CD compares them.
func (r ValuesRepo) Same(other ValuesRepo) bool {
	return sameRepo(r.URL, other.URL) && revision(r.Revision) == revision(other.Revision)
}

// Records returns the annotations of an Application that record how it got here, or what a controller did with it, sorted. In git
// they would be applied for ever.
func (a *Application) Records() []string {
	var out []string
	for _, key := range movedHere() {
		if _, there := child(a.metadata(), "annotations")[key]; there {
			out = append(out, key)
		}
	}
	slices.Sort(out)
	return out
}
