package gitrepo

import (
	"fmt"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/object"
)

// Person is who did something, and when.
type Person struct {
	Name, Email string
	When        time.Time
}

// Identity is who a commit is by.
type Identity struct{ Author, Committer Person }

func (p Person) signature() object.Signature {
	return object.Signature{Name: p.Name, Email: p.Email, When: p.When}
}

// header returns the person as commits and reflogs hold it.
func (p Person) header() string {
	return fmt.Sprintf("%s <%s> %d %s", p.Name, p.Email, p.When.Unix(), p.When.Format("-0700"))
}

// Identity returns the author and committer of a commit made now, in git's own order (git-commit(1), "Commit information"):
// the environment (GIT_AUTHOR_NAME, GIT_COMMITTER_NAME and so on), then author.* and committer.* of the configuration, then
// user.*, and for the address at last the variable EMAIL. Unlike git it takes no name from the system's accounts:
// ErrNoIdentity is returned where nothing else is set.
func (r *Repo) Identity() (Identity, error) {
	now := r.now()
	author, err := r.person("author", now)
	if err != nil {
		return Identity{}, err
	}
	committer, err := r.person("committer", now)
	if err != nil {
		return Identity{}, err
	}
	return Identity{Author: author, Committer: committer}, nil
}

func (r *Repo) person(role string, now time.Time) (Person, error) {
	prefix := "GIT_" + strings.ToUpper(role)
	name, okName := r.identityPart(prefix+"_NAME", role+".name", "user.name")
	email, okEmail := r.identityPart(prefix+"_EMAIL", role+".email", "user.email")
	if !okEmail {
		email, okEmail = r.env("EMAIL")
		okEmail = okEmail && email != ""
	}
	if name = withoutCrud(name); name == "" {
		okName = false // git refuses a name that is set to nothing, but not such an address
	}
	if !okName || !okEmail {
		missing := "name"
		if okName {
			missing = "email"
		}
		return Person{}, fmt.Errorf("%w: git knows no %s for the %s; run git config user.%s, or set %s_%s",
			ErrNoIdentity, missing, role, missing, prefix, strings.ToUpper(missing))
	}
	when := now
	if text, ok := r.env(prefix + "_DATE"); ok && text != "" {
		var err error
		if when, err = parseDate(text, now.Location()); err != nil {
			return Person{}, fmt.Errorf("read %s_DATE: %w", prefix, err)
		}
	}
	return Person{Name: name, Email: withoutCrud(email), When: when}, nil
}

// identityPart returns the first of a variable, a role's setting and the user's setting that is set. Git passes over a
// role's setting that is empty, but not over the others.
func (r *Repo) identityPart(variable, role, fallback string) (string, bool) {
	if text, ok := r.env(variable); ok {
		return text, true
	}
	if text := r.config.String(role); text != "" {
		return text, true
	}
	e, ok := r.config.Get(fallback)
	return e.Value, ok
}

// withoutCrud drops what git drops from names and addresses: at the ends whatever is no part of a name, and in between what
// would end it (ident.c, strbuf_addstr_without_crud).
func withoutCrud(text string) string {
	text = strings.TrimFunc(text, func(c rune) bool {
		return c <= ' ' || strings.ContainsRune(`.,:;<>"\'`, c)
	})
	return strings.NewReplacer("\n", "", "<", "", ">", "", "\x00", "").Replace(text)
}
