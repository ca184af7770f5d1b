package bootstrap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/preflight"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// twoOwners looks at objects of a folder that other Applications sync by themselves, from wherever: as soon as the Application of the
// folder does too, both delete them and make them anew (DESIGN 10).
func (p *Plan) twoOwners(f *folderApp, files []string) {
	for _, other := range p.in.Applications {
		if other.Name() == f.Name && other.Namespace() == f.Namespace || !other.Automated() {
			continue
		}
		var both []string
		for _, r := range other.Resources() {
			for _, place := range r.Files() {
				if file := place.Path(); strings.HasPrefix(file, f.Path+"/") && slices.Contains(files, file) && p.ofGroup(file, r.Group) {
					both = append(both, file)
				}
			}
		}
		if len(both) == 0 {
			continue
		}
		slices.Sort(both)
		p.add(finding.Finding{Rule: preflight.RuleOverlap, Severity: finding.Error, App: f.Name, File: both[0],
			Message: fmt.Sprintf("Application %s of namespace %s syncs %d of the objects by itself that %s is to sync: two owners take them from each other, and delete them",
				other.Name(), other.Namespace(), len(both), f.Name),
			Next: "hand them over first, which is for -artifacts Applications: kubectl apl migrate --artifacts; or take the files out; or choose --sync=manual to look at it"})
	}
}

// ofGroup tells whether a file of HEAD holds an object of a group: kinds of two groups can have one name. A file that cannot be read
// may hold any.
func (p *Plan) ofGroup(file, group string) bool {
	data, found, err := p.in.Repo.HeadFile(file)
	if err != nil || !found {
		return true
	}
	tree, err := values.DecodeObject(file, data)
	if err != nil {
		return true
	}
	version, _ := tree["apiVersion"].(string)
	of, _, grouped := strings.Cut(version, "/")
	return grouped && of == group || !grouped && group == ""
}
