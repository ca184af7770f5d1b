package migrate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/migrate"
)

// TestTwice holds that the same input gives the same bytes: two runs, each in a repo of its own, end in the same commit,
// whose id covers every file that was written and the message.
func TestTwice(t *testing.T) {
	for name, of := range map[string]func(testing.TB) recording{
		"Platform": func(testing.TB) recording { return platform },
		"Corpus":   corpus,
	} {
		t.Run(name, func(t *testing.T) {
			r := of(t)
			before := hashes(t, r.path())
			var plans, commits []string
			for range 2 {
				dir := r.repo(t)
				repo := openRepo(t, dir)
				plan := newPlan(t, r.input(t, repo, r.path()), migrate.Options{KeepGoing: true, AcceptAll: true})
				if err := plan.Carry(t.Context(), repo, false); err != nil {
					t.Fatal(err)
				}
				plans, commits = append(plans, encode(t, plan)), append(commits, git(t, dir, "cat-file", "commit", "HEAD"))
			}
			if plans[0] != plans[1] || commits[0] != commits[1] {
				t.Errorf("two runs differ (-first +second)\n%s\n%s", cmp.Diff(plans[0], plans[1]), cmp.Diff(commits[0], commits[1]))
			}
			if diff := cmp.Diff(before, hashes(t, r.path())); diff != "" {
				t.Errorf("the recording itself was written to (-before +after)\n%s", diff)
			}
		})
	}
}
