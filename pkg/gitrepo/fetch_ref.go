package gitrepo

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/Masterminds/semver/v3"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// remoteRef is a reference of a remote, and the commit that it stands for.
type remoteRef struct{ name, commit string }

const peeledSuffix = "^{}"

// abbreviated is what Argo CD takes for the beginning of a commit id.
var abbreviated = regexp.MustCompile(`^[0-9a-f]{7,39}$`)

// find looks a revision up at a remote.
func (f *Remotes) find(ctx context.Context, url, revision string) (remoteRef, error) {
	refs, err := f.list(ctx, url)
	if err != nil {
		return remoteRef{}, err
	}
	commits, symbolic := map[string]string{}, map[string]string{}
	for _, ref := range refs {
		if ref.Type() == plumbing.SymbolicReference {
			symbolic[ref.Name().String()] = ref.Target().String()
			continue
		}
		commits[ref.Name().String()] = ref.Hash().String()
	}
	// A tag that is an object of its own stands for the commit that it names.
	for name, id := range commits {
		if plain, ok := strings.CutSuffix(name, peeledSuffix); ok {
			commits[plain] = id
		}
	}
	return pick(orHead(revision), commits, symbolic)
}

// pick chooses among a remote's references as Argo CD does (its resolveRevision), but for a name that is a branch and a tag:
// there Argo CD takes whichever comes first, and that is refused here unless both stand for the same.
func pick(revision string, commits, symbolic map[string]string) (remoteRef, error) {
	if tag, ok := highestTag(revision, commits); ok {
		revision = tag
	}
	var found []remoteRef
	for _, name := range []string{revision, "refs/heads/" + revision, "refs/tags/" + revision, "refs/" + revision} {
		if to, ok := symbolic[name]; ok {
			name = to
		}
		if commit, ok := commits[name]; ok && !strings.HasSuffix(name, peeledSuffix) {
			found = append(found, remoteRef{name, commit})
		}
	}
	switch {
	case len(found) > 0:
		for _, other := range found[1:] {
			if other.commit != found[0].commit {
				return remoteRef{}, fmt.Errorf("%q is ambiguous: %s and %s are there; write it out", revision, found[0].name, other.name)
			}
		}
		return found[0], nil
	case abbreviated.MatchString(revision):
		return remoteRef{}, fmt.Errorf("%w; it looks like an abbreviated commit id, which cannot be fetched: use all 40 digits", ErrNoRevision)
	}
	return remoteRef{}, ErrNoRevision
}

// highestTag returns the highest tag in a range of versions; false when the revision is no range, or one that no tag is in.
// A version is no range: it is that tag.
func highestTag(revision string, commits map[string]string) (string, bool) {
	if _, err := semver.NewVersion(revision); err == nil {
		return "", false
	}
	wanted, err := semver.NewConstraint(revision)
	if err != nil {
		return "", false
	}
	var best *semver.Version
	for name := range commits {
		tag, ok := strings.CutPrefix(name, "refs/tags/")
		if !ok || strings.HasSuffix(tag, peeledSuffix) {
			continue
		}
		v, err := semver.NewVersion(tag)
		// Two tags of one version (v1.0.0, 1.0.0) come in no order: the first by name wins.
		if err == nil && wanted.Check(v) && (best == nil || v.GreaterThan(best) || v.Equal(best) && tag < best.Original()) {
			best = v
		}
	}
	if best == nil {
		return "", false
	}
	return best.Original(), true
}

// peel returns the commit that a reference of a store stands for.
func peel(store *filesystem.Storage, name plumbing.ReferenceName) (string, error) {
	ref, err := store.Reference(name)
	if err != nil {
		return "", err
	}
	id := ref.Hash()
	for range 10 { // tags of tags
		tag, err := object.GetTag(store, id)
		if err != nil {
			break
		}
		id = tag.Target
	}
	if _, err := object.GetCommit(store, id); err != nil {
		return "", fmt.Errorf("%w: it names no commit", ErrNoRevision)
	}
	return id.String(), nil
}
