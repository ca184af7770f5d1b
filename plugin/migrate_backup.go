package plugin

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/kubectl-apl/kubectl-apl/pkg/backup"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo"
	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

const (
	backupAuto = "auto"
	backupNone = "none"
)

// backupFlags say where the Applications that a plan supersedes are kept.
type backupFlags struct {
	file string

	folder string // of a new file, once found
	repo   string
}

func (b *backupFlags) add(f *pflag.FlagSet) {
	f.StringVar(&b.file, "backup", backupAuto, `file to keep the Applications in as they are, with their live values, for kubectl apl rollback: a path outside of the values repo, "auto" for a new file below the user's state folder, "none" for none`)
}

// complete takes an empty name for none.
func (b *backupFlags) complete() error {
	switch b.file {
	case "":
		b.file = backupNone
	case "-":
		return errors.New("--backup: it holds live values, and is not written to standard output; name a file")
	}
	return nil
}

// find demands a place for the backup that git cannot commit, before anything is read. Whether a file is there already matters
// only to a run that has something to keep: the same command again has not.
func (b *backupFlags) find(repo *gitrepo.Repo, env Env) (warning string, err error) {
	b.repo = repo.Root()
	at := b.file
	switch b.file {
	case backupNone:
		return "--backup=none: nothing keeps the Applications as they are; kubectl apl rollback needs them", nil
	case backupAuto:
		if b.folder, err = backup.Folder(env.Lookup); err != nil {
			return "", fmt.Errorf("--backup: %w", err)
		}
		at = filepath.Join(b.folder, "any")
	}
	if err := backup.Outside(at, b.repo); err != nil {
		return "", fmt.Errorf("--backup: %w; name a file elsewhere by --backup=FILE", err)
	}
	tree, err := backup.WorkTree(at)
	if err != nil {
		return "", fmt.Errorf("--backup: %w", err)
	}
	if tree != "" {
		return fmt.Sprintf("the backup would lie in the git work tree %s: it holds live values, and must never be committed", tree), nil
	}
	return "", nil
}

// free demands that no file has the name of the backup, if there is something to keep.
func (b *backupFlags) free(plan *migrate.Plan) error {
	if b.folder != "" || b.file == backupNone || len(plan.Superseded()) == 0 {
		return nil
	}
	if _, err := os.Lstat(b.file); err == nil {
		return fmt.Errorf("--backup %s: %w; a backup is never overwritten, name another file", b.file, fs.ErrExist)
	}
	return nil
}

// write keeps what the plan supersedes, before anything else is written. The plan then names the file.
func (b *backupFlags) write(plan *migrate.Plan, env Env) error {
	entries := plan.Superseded()
	if b.file == backupNone || len(entries) == 0 {
		return nil
	}
	if err := b.free(plan); err != nil {
		return err
	}
	now := env.Now()
	data, err := backup.Encode(entries, now, env.Version)
	if err != nil {
		return fmt.Errorf("%w; --backup=none goes on without a backup", err)
	}
	path := b.file
	if b.folder != "" {
		path = filepath.Join(b.folder, backup.Name(b.repo, now, data))
	}
	if path, err = b.create(path, data); err != nil {
		return fmt.Errorf("%w; name another file by --backup=FILE", err)
	}
	plan.Backup = path
	return nil
}

// create writes the file. A new one that another run of this second has taken the name of gets a number.
func (b *backupFlags) create(path string, data []byte) (string, error) {
	const most = 100
	stem, extension := strings.TrimSuffix(path, filepath.Ext(path)), filepath.Ext(path)
	for n := 2; ; n++ {
		err := backup.Create(path, data)
		if b.folder == "" || n > most || !errors.Is(err, fs.ErrExist) {
			return path, err
		}
		path = fmt.Sprintf("%s-%d%s", stem, n, extension)
	}
}

// drop removes the backup of a plan that came to nothing: it would keep secrets, and nothing that there is not.
func (b *backupFlags) drop(plan *migrate.Plan) error {
	if plan.Backup == "" {
		return nil
	}
	err := os.Remove(plan.Backup)
	plan.Backup = ""
	if err != nil {
		return fmt.Errorf("remove the backup: %w", err)
	}
	return nil
}

// outcome says where the backup of a dry run would be.
func (b *backupFlags) outcome(plan *migrate.Plan, dryRun bool) string {
	switch n := len(plan.Superseded()); {
	case !dryRun || n == 0 || plan.Held() || b.file == backupNone:
		return ""
	case b.folder != "":
		return fmt.Sprintf("Backup: %s would be kept, live values and all, in a new file in %s.", finding.Count(n, "Application"), b.folder)
	default:
		return fmt.Sprintf("Backup: %s would be kept, live values and all, in %s.", finding.Count(n, "Application"), b.file)
	}
}
