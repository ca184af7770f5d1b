package rollback

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/backup"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// paths are the files of an app, the Application file first: without it nobody reads the others.
func (a *App) paths() []string {
	return []string{layout.ApplicationFile(a.id), layout.ManagedFile(a.id), layout.CustomFile(a.id)}
}

// filesChanged refuses an app whose value files say something else by now than what the migration wrote: that is what runs,
// and the inline values of the backup do not have it. One that is restored has files to lose as well.
func (p *Plan) filesChanged(a *App) error {
	if p.in.Repo == nil || a.Action == Refused {
		return nil
	}
	var changed, unknown []string
	for _, path := range a.paths()[1:] {
		data, found, err := p.in.Repo.HeadFile(path)
		if err != nil {
			return fmt.Errorf("read %s in HEAD: %w", path, err)
		}
		var was string
		if a.entry.Record != nil {
			was = a.entry.Record.Files[path]
		}
		switch {
		case !found:
		case was == "":
			unknown = append(unknown, path)
		case was != backup.Digest(path, data):
			changed = append(changed, path)
		}
	}
	p.lost(a, changed, RuleFiles, "what was set in git since the migration is not in the backup: ", "take what is wanted into the inline values of the backup, or lose it, with --force")
	p.lost(a, unknown, RuleFiles, "the backup does not tell whether these were changed since the migration: ", "see git log of them, then go on with --force")
	return nil
}

// files plans the removal of the files of all apps that are put back.
func (p *Plan) files() error {
	if p.in.Repo == nil {
		return nil
	}
	for i := range p.Apps {
		a := &p.Apps[i]
		if a.Action == Refused {
			continue
		}
		for _, path := range a.paths() {
			there, err := p.isThere(path)
			if err != nil {
				return err
			}
			if there {
				p.Files = append(p.Files, path)
				p.changes = append(p.changes, gitrepo.Change{Path: path, Delete: true})
			}
		}
	}
	return nil
}

func (p *Plan) isThere(path string) (bool, error) {
	_, found, err := p.in.Repo.ReadFile(path)
	if err != nil {
		return false, fmt.Errorf("read %s: %w", path, err)
	}
	if found || p.options.WorkTree {
		return found, nil
	}
	if _, found, err = p.in.Repo.HeadFile(path); err != nil {
		return false, fmt.Errorf("read %s in HEAD: %w", path, err)
	}
	return found, nil
}

// Check returns why the files could not be removed, or nil. It is asked before the first write to the cluster, so that a way
// back does not end in the middle for a reason that was there before.
func (p *Plan) Check(ctx context.Context) error {
	if len(p.changes) == 0 {
		return nil
	}
	return p.in.Repo.Check(ctx, p.changes, p.options.WorkTree)
}

// removeFiles makes the one commit that removes the files of all apps.
func (p *Plan) removeFiles(ctx context.Context) error {
	if len(p.changes) == 0 {
		return nil
	}
	hash, err := p.in.Repo.Land(ctx, p.changes, p.message(), p.options.WorkTree)
	if errors.Is(err, gitrepo.ErrNothingToCommit) {
		return nil // another run has committed the same meanwhile
	}
	p.Commit = hash
	return err
}

// message is that of the commit.
func (p *Plan) message() string {
	var b strings.Builder
	var apps []string
	for i := range p.Apps {
		if slices.ContainsFunc(p.Apps[i].paths(), func(path string) bool { return slices.Contains(p.Files, path) }) {
			apps = append(apps, p.Apps[i].App)
		}
	}
	fmt.Fprintf(&b, "Take %s back to inline values\n\n", finding.Count(len(apps), "app"))
	b.WriteString("Written by kubectl apl rollback. The live Applications have their inline values again, and no longer read\nthese files.\n\n")
	for _, name := range apps {
		b.WriteString("* " + name + "\n")
	}
	return b.String()
}
