package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/go-git/go-billy/v5/osfs"
	git "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/transport"
	"github.com/go-git/go-git/v5/plumbing/transport/http"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/memory"
)

const (
	// fetchTime bounds what one call asks of a remote.
	fetchTime = 5 * time.Minute
	// maxFetch bounds what a fetch downloads, in bytes, maxCheckout what it unpacks to, and maxCheckoutFiles in how many files.
	maxFetch         = 1 << 30
	maxCheckout      = 1 << 30
	maxCheckoutFiles = 200_000
)

// ErrNoRevision means that the remote has no such branch, tag or commit. It is an fs.ErrNotExist too.
var ErrNoRevision error = &remoteError{text: "the repo has no such branch, tag or commit", err: fs.ErrNotExist}

// Remotes reads repos of others into plain folders. It speaks https, http, ssh and git itself; for file:// the git binary
// answers. Credentials are those of the URL, of ssh-agent, or, when the server asks for some, what git's credential helpers
// have. Nobody is asked for any.
type Remotes struct {
	env     func(string) (string, bool)
	environ func() []string
	limit   int64
}

// RemotesOption changes how remotes are read.
type RemotesOption func(*Remotes)

// WithRemotesEnviron gives the git binary, which knows credentials, this environment; os.Environ is the default.
func WithRemotesEnviron(environ []string) RemotesOption {
	return func(f *Remotes) {
		r := &Repo{}
		WithEnviron(environ)(r)
		f.env, f.environ = r.env, r.environ
	}
}

// WithFetchLimit bounds what a fetch downloads, in bytes; 1 GiB is the default.
func WithFetchLimit(limit int64) RemotesOption { return func(f *Remotes) { f.limit = limit } }

// NewRemotes returns a reader of remotes.
func NewRemotes(options ...RemotesOption) *Remotes {
	f := &Remotes{env: os.LookupEnv, environ: os.Environ, limit: maxFetch}
	for _, option := range options {
		option(f)
	}
	return f
}

// remoteURL are the forms of a URL that are fetched from: no helper of git's runs ("ext::"), and no path that looks like a flag.
var remoteURL = regexp.MustCompile(`^(?:(?:https?|ssh|git)://[^/-]|file:///|[A-Za-z0-9._][A-Za-z0-9._-]*@[A-Za-z0-9.]+[A-Za-z0-9.-]*:[^-])`)

// Resolve returns the commit that a revision names at a remote, as Argo CD takes a targetRevision: HEAD (also ""), a branch, a
// tag, a range of versions (its highest tag), or a full commit id, for which nobody is asked. It returns ErrNoRevision, also
// for an abbreviated commit id: no server completes one.
func (f *Remotes) Resolve(ctx context.Context, url, revision string) (commit string, err error) {
	if isID(revision) {
		return revision, nil
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	found, err := f.find(ctx, url, revision)
	if err != nil {
		return "", f.failed(url, err)
	}
	return found.commit, nil
}

// Fetch writes the tree of a revision into dir, which must be an empty folder, and returns its commit. Only that commit is
// fetched, without history, unless the server gives no single commits. Submodules are left out, files of Git LFS are what
// git stores. A tree that git would not check out (a path that leaves it, a symbolic link that does) is refused, as Argo CD
// refuses it. After an error dir is to be thrown away.
func (f *Remotes) Fetch(ctx context.Context, url, revision, dir string) (commit string, err error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	commit, err = f.fetch(ctx, url, revision, dir)
	if err != nil {
		return "", f.failed(url, err)
	}
	return commit, nil
}

func (f *Remotes) fetch(ctx context.Context, url, revision, dir string) (commit string, err error) {
	bare, err := os.MkdirTemp(filepath.Dir(filepath.Clean(dir)), ".fetch-")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(bare)) }()
	pulling, stop := context.WithCancel(ctx)
	defer stop()
	disk := &quota{Filesystem: osfs.New(bare), stop: stop}
	disk.left.Store(f.limit)
	store := filesystem.NewStorage(disk, cache.NewObjectLRUDefault())
	defer store.Close() //nolint:errcheck // it is thrown away

	if isID(revision) {
		err = f.fetchCommit(pulling, url, revision, store)
		commit = revision
	} else {
		commit, err = f.fetchRevision(pulling, url, revision, store)
	}
	if disk.over() {
		return "", fmt.Errorf("it is larger than %d MiB", f.limit>>20)
	}
	if err != nil {
		return "", err
	}
	return commit, checkout(ctx, store, plumbing.NewHash(commit), dir)
}

// fetched is the name by which the store knows what was fetched.
const fetched = "refs/heads/fetched"

func (f *Remotes) fetchRevision(ctx context.Context, url, revision string, store *filesystem.Storage) (string, error) {
	found, err := f.find(ctx, url, revision)
	if err != nil {
		return "", err
	}
	if err := f.pull(ctx, url, store, 1, config.RefSpec("+"+found.name+":"+fetched)); err != nil {
		return "", err
	}
	// It can have moved since it was looked up.
	return peel(store, fetched)
}

// fetchCommit fetches one commit: by its id, or where the server does not give single ones, with all branches and tags.
func (f *Remotes) fetchCommit(ctx context.Context, url, commit string, store *filesystem.Storage) error {
	err := f.pull(ctx, url, store, 1, config.RefSpec(commit+":"+fetched))
	if errors.Is(err, git.ErrExactSHA1NotSupported) {
		err = f.pull(ctx, url, store, 0, "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
	}
	if err != nil {
		return err
	}
	if store.HasEncodedObject(plumbing.NewHash(commit)) != nil {
		return ErrNoRevision
	}
	return nil
}

// pull fetches, and once more with what the credential helpers know where the server asks for credentials.
func (f *Remotes) pull(ctx context.Context, url string, store *filesystem.Storage, depth int, specs ...config.RefSpec) error {
	return f.authorized(ctx, url, func(auth transport.AuthMethod) error {
		remote := git.NewRemote(store, &config.RemoteConfig{Name: "origin", URLs: []string{url}})
		err := remote.FetchContext(ctx, &git.FetchOptions{RemoteName: "origin", RefSpecs: specs, Depth: depth, Auth: auth, Tags: git.NoTags})
		if errors.Is(err, git.NoErrAlreadyUpToDate) {
			return nil
		}
		return err
	})
}

// list returns what a remote has.
func (f *Remotes) list(ctx context.Context, url string) (refs []*plumbing.Reference, err error) {
	err = f.authorized(ctx, url, func(auth transport.AuthMethod) error {
		remote := git.NewRemote(memory.NewStorage(), &config.RemoteConfig{Name: "origin", URLs: []string{url}})
		refs, err = remote.ListContext(ctx, &git.ListOptions{Auth: auth, PeelingOption: git.AppendPeeled})
		return err
	})
	return refs, err
}

// authorized asks without credentials of ours first: go-git takes those of the URL and of ssh-agent by itself.
func (f *Remotes) authorized(ctx context.Context, address string, ask func(transport.AuthMethod) error) error {
	if !remoteURL.MatchString(address) {
		return errors.New("it is no URL that is fetched from (https, http, ssh, git, file, or user@host:path)")
	}
	err := ask(nil)
	if !errors.Is(err, transport.ErrAuthenticationRequired) && !errors.Is(err, transport.ErrAuthorizationFailed) {
		return err
	}
	u, parsed := url.Parse(address)
	if parsed != nil || u.User != nil || u.Scheme != "https" && u.Scheme != "http" {
		return err
	}
	auth := f.helpers(ctx, u)
	if auth == nil {
		return fmt.Errorf("%w; give git's credential helper a login for %s", err, u.Host)
	}
	return ask(auth)
}

// helpers asks git's credential helpers; nil is for no answer.
func (f *Remotes) helpers(ctx context.Context, u *url.URL) transport.AuthMethod {
	runner := &Repo{root: os.TempDir(), env: f.env, environ: f.environ}
	if strings.ContainsAny(u.Host+u.Path, "\n\x00") {
		return nil
	}
	ask := fmt.Sprintf("protocol=%s\nhost=%s\npath=%s\n\n", u.Scheme, u.Host, strings.TrimPrefix(u.Path, "/"))
	out, err := runner.git(ctx, call{args: []string{"credential", "fill"}, input: []byte(ask)})
	if err != nil {
		return nil
	}
	answer := &http.BasicAuth{}
	for line := range strings.Lines(string(out)) {
		key, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "=")
		switch key {
		case "username":
			answer.Username = value
		case "password":
			answer.Password = value
		}
	}
	if answer.Password == "" {
		return nil
	}
	return answer
}

// failed words an error of a remote, without credentials. Which revision of which repo it is about, the caller knows.
func (f *Remotes) failed(url string, err error) error {
	text := RedactURL(err.Error())
	for _, secret := range inURL(url) {
		text = strings.ReplaceAll(text, secret, hidden)
	}
	return &remoteError{text: text, err: err}
}

func orHead(revision string) string {
	if revision == "" {
		return "HEAD"
	}
	return revision
}

// remoteError has words without credentials for an error that can hold some.
type remoteError struct {
	text string
	err  error
}

func (e *remoteError) Error() string { return e.text }

// Is lets errors.Is find what callers branch on; the error itself, and what it says, stays in here.
func (e *remoteError) Is(target error) bool { return errors.Is(e.err, target) }
