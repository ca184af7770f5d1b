package publish

import (
	"bytes"
	"context"
	"fmt"

	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

const (
	ruleOtherObject  = "artifact-file-taken"
	ruleForeignOwner = "artifact-file-foreign"
)

// held is what the repo has at a path.
type held struct {
	// same tells that it is what is wanted there, to the byte; the rest is not set then. crlf tells that only its line ends are others, as
	// git writes them to the work tree where it is set up to.
	same, crlf bool
	// object is the one object of the file; nil where it holds none, or more.
	object *artifact.Object
	owner  string
}

// hold reads a file, which is wanted to have a text; nil where there is none.
func (p *planner) hold(at layout.Object, want []byte) (*held, error) {
	data, found, err := p.in.Repo.ReadFile(at.Path())
	if err != nil {
		return nil, errRead(at.Path(), err)
	}
	if !found && want == nil && !p.options.WorkTree { // it is to be removed: HEAD may have it
		if data, found, err = p.in.Repo.HeadFile(at.Path()); err != nil {
			return nil, errRead(at.Path()+" in HEAD", err)
		}
	}
	if !found {
		return nil, nil //nolint:nilnil // no file is no error
	}
	h := &held{same: want != nil && bytes.Equal(data, want)}
	if !h.same && want != nil && bytes.Equal(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), want) {
		h.same, h.crlf = true, true
	}
	if h.same {
		return h, nil
	}
	stream, err := artifact.Read(bytes.NewReader(data))
	if err != nil || len(stream.Objects) != 1 || len(stream.Problems) > 0 {
		return h, nil //nolint:nilerr // a file of bytes does not fail; what it says is no object
	}
	h.object = &stream.Objects[0]
	if h.object.ID.Namespace == "" {
		h.object.ID.Namespace = at.Namespace // where Argo CD puts it
	}
	if h.owner, err = h.object.Owner(); err != nil {
		h.object = nil
	}
	return h, nil
}

// is reports whether the file holds the object, in whatever version.
func (h *held) is(id layout.ObjectID) bool {
	return h != nil && (h.same || h.object != nil && h.object.ID == id)
}

// place gives each item that goes to git its file, and compares it with the repo.
func (p *planner) place(ctx context.Context, items []artifact.Item) error {
	var ids []layout.ObjectID
	var written []*artifact.Item
	p.unwritten, p.written = map[layout.ObjectID]bool{}, map[layout.ObjectID]placed{}
	for at := range items {
		i := &items[at]
		r := p.releases[i.From]
		r.Findings = append(r.Findings, i.Findings...)
		switch {
		case i.Failed():
			r.add(i, Refused, "", firstError(i.Findings))
			p.renders(i)
		case i.Left != "":
			r.add(i, Left, "", i.Left)
			p.renders(i)
			if err := p.tellFile(i); err != nil {
				return err
			}
		default:
			ids, written = append(ids, i.Object.ID), append(written, i)
		}
	}
	p.taken, p.gone, p.moves = map[string]bool{}, map[string]bool{}, map[string]*artifact.Item{}
	places := layout.ObjectFiles(ids)
	for n, at := range places {
		if plain := ids[n].Files()[0]; plain != at {
			p.moves[plain.Path()] = written[n]
		}
	}
	for n, at := range places {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.compare(written[n], at); err != nil {
			return err
		}
	}
	return nil
}

// compare decides about the file of one object.
func (p *planner) compare(i *artifact.Item, at layout.Object) error {
	there, err := p.hold(at, i.Object.Text)
	if err != nil {
		return err
	}
	at, there, from, err := p.settle(i, at, there)
	if err != nil {
		return err
	}
	id, r, path := i.Object.ID, p.releases[i.From], at.Path()
	p.taken[path], p.written[id] = true, placed{i, path}
	if i.Owner != p.owners[i.From] {
		p.unlabelled[i.From]++
	}
	refuse := func(rule, message, next string) error {
		r.blame(finding.Error, rule, path, i.Object.Place(), message, next)
		r.add(i, Refused, path, message)
		return nil
	}
	same, inHead, err := p.committed(there, path, i.Object.Text)
	if err != nil {
		return err
	}
	switch {
	case there == nil && from != "":
		r.add(i, Add, path, "moves from "+from+", where another object will stand")
	case there == nil:
		r.add(i, Add, path, "")
	case same:
		r.add(i, Unchanged, path, "")
		return nil
	case !inHead:
		r.add(i, Add, path, "it stands in the work tree")
	case there.same:
		r.add(i, Change, path, "")
	case there.object == nil:
		return refuse(ruleOtherObject, "the file does not hold one object alone, so that nobody knows what would be lost with it", "move or remove it, and commit that")
	case there.is(id) && there.owner != i.Owner:
		by := "no release"
		if there.owner != "" {
			by = "release " + there.owner
		}
		return refuse(ruleForeignOwner, "the file was not rendered by this release: its labels name "+by,
			"keep one of the two: remove the file, and commit that, or take the object out of the release")
	case there.is(id):
		r.add(i, Change, path, "")
	case there.moves(p.moves[path]):
		r.add(i, Change, path, there.object.Place()+" stood there, and moves")
	default:
		next := "move or remove it, and commit that"
		if there.other(at) && there.owner != "" {
			next = fmt.Sprintf("write release %s in the same run, so that its object can move", there.owner)
		}
		return refuse(ruleOtherObject, "the file holds another object, "+there.object.Place(), next)
	}
	p.plan.changes = append(p.plan.changes, gitrepo.Change{Path: path, Data: i.Object.Text})
	return nil
}

// committed tells whether a file is what it is to be, in the work tree and, where there is to be a commit, in HEAD, and whether HEAD has
// one at all.
func (p *planner) committed(there *held, path string, text []byte) (same, inHead bool, err error) {
	if there == nil || !there.same {
		return false, true, nil
	}
	if p.options.WorkTree && !there.crlf {
		return true, true, nil
	}
	data, found, err := p.in.Repo.HeadFile(path)
	if err != nil {
		return false, false, errRead(path+" in HEAD", err)
	}
	return found && bytes.Equal(data, text), found, nil
}

// add lists an object.
func (r *Release) add(i *artifact.Item, action Action, path, reason string) {
	r.Objects = append(r.Objects, Object{Object: i.Object.Place(), Action: action, File: path, Reason: reason,
		Protected: i.Protected && action != Left && action != Refused, Line: i.Object.Line})
}

func firstError(list []finding.Finding) string {
	for _, f := range list {
		if f.Severity == finding.Error {
			return f.Message
		}
	}
	return ""
}
