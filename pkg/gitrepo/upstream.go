package gitrepo

import (
	"fmt"
	"strings"
)

// Upstream is the remote branch that the branch of HEAD belongs to.
type Upstream struct {
	Remote string // its name, or its URL without credentials
	Branch string // short name
	URL    string // where a push goes, without credentials
	remote string // as the configuration has it
}

// String returns the branch and the remote for a person.
func (u Upstream) String() string {
	if u.URL == "" || u.URL == u.Remote {
		return u.Remote + "/" + u.Branch
	}
	return fmt.Sprintf("%s/%s (%s)", u.Remote, u.Branch, u.URL)
}

// Upstream returns where Push pushes to: branch.<name>.remote and .merge, as git push does with push.default=upstream. It
// asks no network. It returns ErrNoUpstream where there is none or git push would go elsewhere, and ErrDetachedHead.
func (r *Repo) Upstream() (Upstream, error) {
	head, err := r.readHead()
	if err != nil {
		return Upstream{}, err
	}
	branch := head.Branch
	if branch == "" {
		return Upstream{}, fmt.Errorf("%w: there is no branch to push; check one out", ErrDetachedHead)
	}
	remote, merge := r.config.String("branch."+branch+".remote"), r.config.String("branch."+branch+".merge")
	short, isBranch := strings.CutPrefix(merge, branchPrefix)
	next := fmt.Sprintf("run git branch --set-upstream-to=REMOTE/BRANCH, or once git push -u REMOTE %s", branch)
	switch {
	case remote == "" || merge == "":
		return Upstream{}, fmt.Errorf("%w: branch %q belongs to no remote branch; %s", ErrNoUpstream, branch, next)
	case remote == ".":
		return Upstream{}, fmt.Errorf("%w: branch %q belongs to a branch of this repository; %s", ErrNoUpstream, branch, next)
	case !isBranch || short == "":
		return Upstream{}, fmt.Errorf("%w: branch.%s.merge names no branch; %s", ErrNoUpstream, branch, next)
	}
	for _, key := range []string{"branch." + branch + ".pushremote", "remote.pushdefault"} {
		e, ok := r.config.Get(key)
		if !ok {
			continue
		}
		if e.Value != remote {
			return Upstream{}, fmt.Errorf("%w: %s (%s) sends pushes to another remote than the branch comes from; run without --push, and push with git",
				ErrNoUpstream, key, e.Where())
		}
		break
	}
	u := Upstream{Remote: r.redact(remote), Branch: short, remote: remote}
	urls := r.pushURLs(remote)
	if len(urls) == 0 {
		return Upstream{}, fmt.Errorf("%w: remote %q has no URL; run git remote add", ErrNoUpstream, u.Remote)
	}
	u.URL = r.redact(strings.Join(urls, ", "))
	return u, nil
}

// pushURLs returns where git push to a remote goes (git-config(1), remote.<name>.pushurl, url.<base>.pushInsteadOf).
func (r *Repo) pushURLs(remote string) []string {
	all := func(key string) []string {
		var list []string
		for _, e := range r.config.All() {
			if e.Key == key {
				if list = append(list, e.Value); e.Value == "" {
					list = nil // an empty one clears those before
				}
			}
		}
		return list
	}
	if urls := all("remote." + remote + ".pushurl"); len(urls) > 0 {
		return r.rewritten(urls, "insteadof")
	}
	urls := all("remote." + remote + ".url")
	if len(urls) == 0 && strings.ContainsAny(remote, "/:") {
		urls = []string{remote}
	}
	var list []string
	for _, url := range urls {
		if push := r.rewritten([]string{url}, "pushinsteadof"); push[0] != url {
			list = append(list, push[0])
			continue
		}
		list = append(list, r.rewritten([]string{url}, "insteadof")...)
	}
	return list
}

// rewritten replaces the longest beginning that url.<base>.insteadOf names by its base.
func (r *Repo) rewritten(urls []string, setting string) []string {
	list := make([]string, 0, len(urls))
	for _, url := range urls {
		longest, result := "", url
		for _, e := range r.config.All() {
			rest, ok := strings.CutPrefix(e.Key, "url.")
			base, isSetting := strings.CutSuffix(rest, "."+setting)
			if ok && isSetting && len(e.Value) > len(longest) && strings.HasPrefix(url, e.Value) {
				longest, result = e.Value, base+url[len(e.Value):]
			}
		}
		list = append(list, result)
	}
	return list
}
