package catalog

import (
	"cmp"
	"net/url"
	"path"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
)

// place is what a chart is called, whatever its repo and revision: a path in a git repo, or a name in a Helm repository.
type place struct{ path, chart string }

// key tells bundles apart. The repo is in it since two repos can have charts of one name; without one it is any repo's.
type key struct {
	place
	repo, revision string
}

// head is what Argo CD makes of no revision.
const head = "HEAD"

func keyOf(s chart.Source) key {
	k := key{repo: s.RepoURL, revision: s.Revision}
	switch {
	case s.Chart != "":
		k.chart = strings.Trim(s.Chart, "/")
	default:
		k.path = strings.TrimPrefix(path.Clean("/"+s.Path), "/") // "./charts/x/" is "charts/x"
	}
	if k.revision == "" {
		k.revision = head
	}
	if k.repo != "" {
		k.repo = bare(k.repo)
	}
	return k
}

// bare returns a repo's address as it is compared and written down: without credentials.
func bare(text string) string {
	normal := argocd.NormalURL(text)
	u, err := url.Parse(normal)
	if err != nil || u.Host == "" {
		return argocd.RedactURL(normal)
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// String writes a key such that no two have one text.
func (k key) String() string {
	v := url.Values{"revision": {k.revision}}
	for name, text := range map[string]string{"path": k.path, "chart": k.chart, "repo": k.repo} {
		if text != "" {
			v.Set(name, text)
		}
	}
	return v.Encode() // sorted
}

// titleOf is the last part of what the chart is called whose key is written here.
func titleOf(text string) string {
	v, err := url.ParseQuery(text)
	if err != nil || text == managedKey {
		return managedKey
	}
	return path.Base("/" + cmp.Or(v.Get("chart"), v.Get("path")))
}

func (k key) sameRepo(other key) bool {
	return k.repo == "" || other.repo == "" || k.repo == other.repo
}

// takes tells that a chart which was published as other is the one that is wanted.
func (k key) takes(other key) bool {
	return k.place == other.place && k.sameRepo(other) && k.revision == other.revision
}

// nearer tells whether a is nearer than b to the key that is wanted, all three of one path or chart. First come those of its repo; then
// its own revision; then, of a version, the one whose major version is least far, then minor, then patch, and of two as far the higher; of
// a range of versions those that it takes, the highest first; of anything else (a branch, a commit, HEAD) the highest version. Revisions that are no version come last, in
// the order of their text. So the order is total, and the same on all replicas.
func (k key) nearer(a, b key) bool {
	x, y := k.rank(a), k.rank(b)
	for i := range x {
		if x[i] != y[i] {
			return x[i] < y[i]
		}
	}
	va, vb := version(a.revision), version(b.revision)
	if va != nil && vb != nil {
		if c := va.Compare(vb); c != 0 {
			return c > 0
		}
	}
	return cmp.Or(cmp.Compare(a.revision, b.revision), cmp.Compare(a.repo, b.repo)) < 0
}

// rank is how far another key is; less is nearer.
func (k key) rank(other key) [7]uint64 {
	var r [7]uint64
	if !k.sameRepo(other) {
		r[0] = 1
	}
	if k.revision != other.revision {
		r[1] = 1
	}
	has := version(other.revision)
	if has == nil {
		r[2] = 1
		return r
	}
	if wanted := version(k.revision); wanted != nil {
		r[3], r[4], r[5] = distance(wanted.Major(), has.Major()), distance(wanted.Minor(), has.Minor()), distance(wanted.Patch(), has.Patch())
		return r
	}
	if taken, err := semver.NewConstraint(k.revision); err == nil && !taken.Check(has) {
		r[6] = 1
	}
	return r
}

func distance(a, b uint64) uint64 { return max(a, b) - min(a, b) }

// version reads a whole version, with or without the v of a tag; nil for anything else: 1.2 is a range to Helm and to Argo CD.
func version(text string) *semver.Version {
	v, err := semver.StrictNewVersion(strings.TrimPrefix(text, "v"))
	if err != nil {
		return nil
	}
	return v
}
