package chart

import (
	"context"
	"fmt"
	"path"
)

// Repo makes a git repo available on disk, whether it holds a chart or not: value files can be in one of their own. Path and
// Chart of the source say nothing here. Errors are those of Locate.
func (s *Store) Repo(ctx context.Context, source Source) (*Located, error) {
	ctx, cancel := context.WithTimeout(ctx, networkTime)
	defer cancel()
	source = Source{RepoURL: source.RepoURL, Revision: source.Revision, Path: "."}
	t, err := s.tree(ctx, source)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	return &Located{root: t.dir, dir: ".", origin: t.origin, note: t.note}, nil
}

// StandsIn reports whether a package was taken in place of the source's folder in a git repo (--charts with packages). It need
// not hold all that lies in the folder, and nothing of the rest of the repo.
func (l *Located) StandsIn(source Source) bool {
	return source.kind() == kindGit && l.dir == "." && path.Clean(source.Path) != "."
}
