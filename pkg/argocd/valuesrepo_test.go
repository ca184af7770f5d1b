package argocd_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
)

func TestValuesRepos(t *testing.T) {
	gitops := func(name, url, path, revision string) string {
		return application(name, "", "{sources: [{repoURL: '"+url+"', path: "+path+", targetRevision: "+revision+"}]}")
	}
	repo := func(url, revision string, names ...string) argocd.ValuesRepo {
		return argocd.ValuesRepo{URL: url, Revision: revision, Applications: names}
	}
	const url = "https://git.example.test/otomi/values.git"
	cases := map[string]struct {
		reason string
		docs   []string
		want   []argocd.ValuesRepo
	}{
		"None": {reason: "without gitops Applications nothing is known", docs: []string{platform}, want: []argocd.ValuesRepo{}},
		"Agreed": {
			reason: "all name one repo",
			docs: []string{
				gitops("gitops-ns-harbor", url, "env/manifests/namespaces/harbor", "main"),
				gitops("gitops-global", url, "./env/manifests/global/", "main"),
				platform,
			},
			want: []argocd.ValuesRepo{repo(url, "main", "gitops-global", "gitops-ns-harbor")},
		},
		"Spellings": {
			reason: "Argo CD takes these as one",
			docs: []string{
				gitops("gitops-a", "https://git.example.test/Otomi/Values", "env/manifests/global", "main"),
				gitops("gitops-b", url, "env/manifests/global", "main"),
			},
			want: []argocd.ValuesRepo{repo("https://git.example.test/Otomi/Values", "main", "gitops-a", "gitops-b")},
		},
		"SSH": {
			reason: "SSH is written in two ways",
			docs: []string{
				gitops("gitops-a", "git@git.example.test:otomi/values.git", "env/manifests/global", "main"),
				gitops("gitops-b", "ssh://git@git.example.test/otomi/values", "env/manifests/global", "main"),
			},
			want: []argocd.ValuesRepo{repo("git@git.example.test:otomi/values.git", "main", "gitops-a", "gitops-b")},
		},
		"Disagreed": {
			reason: "each repo and each revision stands for itself, with those who say so",
			docs: []string{
				gitops("gitops-b", url, "env/manifests/global", "main"),
				gitops("gitops-a", url, "env/manifests/global", "next"),
				gitops("gitops-c", "https://other.example.test/values.git", "env/manifests/global", "main"),
				gitops("gitops-d", url, "env/manifests/global", "main"),
			},
			want: []argocd.ValuesRepo{
				repo(url, "main", "gitops-b", "gitops-d"), repo(url, "next", "gitops-a"), repo("https://other.example.test/values.git", "main", "gitops-c"),
			},
		},
		"NoRevision": {
			reason: "no revision is HEAD",
			docs:   []string{gitops("gitops-a", url, "env/manifests", `""`), gitops("gitops-b", url, "env/manifests", "HEAD")},
			want:   []argocd.ValuesRepo{repo(url, "HEAD", "gitops-a", "gitops-b")},
		},
		"OtherPaths": {
			reason: "other folders, and a folder that leaves the repo, say nothing of where the platform's manifests are",
			docs: []string{
				gitops("gitops-a", url, "env/teams/admin", "main"), gitops("gitops-b", url, "env/manifestsx", "main"),
				gitops("gitops-c", url, "x/../../env", "main"), application("gitops-d", "", "{sources: x}"),
				application("gitops-e", "", "{sources: [{path: env/manifests}]}"),
			},
			want: []argocd.ValuesRepo{},
		},
		"Teams": {
			reason: "a team's Application does not say where the platform's repo is",
			docs:   []string{application("team-x", `, labels: {otomi.io/app: team-gitops}`, "{source: {repoURL: r, path: env/manifests/global}}")},
			want:   []argocd.ValuesRepo{},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := argocd.ValuesRepos(all(t, strings.Join(tc.docs, "---\n")))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}

func TestValuesRepoHidesCredentials(t *testing.T) {
	repo := argocd.ValuesRepo{URL: "https://otomi:hunter2@git.example.test/values.git", Revision: "main"}
	encoded, err := json.Marshal(repo)
	if err != nil {
		t.Fatal(err)
	}
	for _, shown := range []string{repo.String(), string(encoded)} {
		if strings.Contains(shown, "hunter2") {
			t.Errorf("a repo is shown without its credentials: %s", shown)
		}
	}
}

func TestFind(t *testing.T) {
	apps := all(t, application("gitops-ns-argocd", "", "{}")+"---\n"+
		strings.Replace(application("elsewhere", "", "{}"), "namespace: argocd", "namespace: tenant", 1))
	if a, ok := argocd.Find(apps, "gitops-ns-argocd"); !ok || a.Name() != "gitops-ns-argocd" {
		t.Errorf("the root app is there: %v", ok)
	}
	for _, name := range []string{"gitops-ns-harbor", "elsewhere"} {
		if _, ok := argocd.Find(apps, name); ok {
			t.Errorf("%s is no Application in argocd", name)
		}
	}
}

func TestRedactURL(t *testing.T) {
	cases := map[string]struct{ reason, url, want string }{
		"Plain":            {"nothing is hidden in a plain URL", "https://git.example.test/a/values.git", "https://git.example.test/a/values.git"},
		"Port":             {"a port is no password", "http://git.example.test:3000/a/values.git", "http://git.example.test:3000/a/values.git"},
		"Password":         {"user and password go", "https://user:hunter2@git.example.test/a.git", "https://***@git.example.test/a.git"},
		"Token":            {"a token can stand in the user's place", "https://hunter2@git.example.test/a.git", "https://***@git.example.test/a.git"},
		"EncodedPassword":  {"an encoded password goes", "https://user:hunter%402@git.example.test/a.git", "https://***@git.example.test/a.git"},
		"AtInPassword":     {"a password with an @ that nobody encoded", "https://user:hun@ter2@git.example.test/a.git", "https://***@git.example.test/a.git"},
		"SlashInPassword":  {"or a slash", "https://user:hun/ter2@git.example.test/a.git", "https://***@git.example.test/a.git"},
		"BothInPassword":   {"or both", "https://user:hun@t/er2@git.example.test/a.git", "https://***@git.example.test/a.git"},
		"QueryInPassword":  {"or a question mark", "https://user:hun?ter2@git.example.test/a.git", "https://***@git.example.test/a.git"},
		"BadEscape":        {"a URL that does not parse is no exception", "https://user:hun%zzter2@git.example.test/a.git", "https://***@git.example.test/a.git"},
		"Query":            {"a query can hold a token", "https://git.example.test/a.git?token=hunter2", "https://git.example.test/a.git?***"},
		"QueryWithAt":      {"also one with an @", "https://git.example.test/a.git?token=hunter2&mail=a@b", "https://git.example.test/a.git?***"},
		"PasswordAndQuery": {"both go", "https://u:hunter2@git.example.test/a?token=hunter2", "https://***@git.example.test/a?***"},
		"Fragment":         {"so can a fragment", "https://git.example.test/a#hunter2", "https://git.example.test/a#***"},
		"AtInPath":         {"an @ in a path is no user", "https://git.example.test/@scope/a.git", "https://git.example.test/@scope/a.git"},
		"SSH":              {"the user of SSH is no secret", "ssh://git@git.example.test/a.git", "ssh://git@git.example.test/a.git"},
		"SSHPassword":      {"unless a password follows", "ssh://git:hunter2@git.example.test/a.git", "ssh://***@git.example.test/a.git"},
		"SCP":              {"nor in the short form", "git@git.example.test:a/values.git", "git@git.example.test:a/values.git"},
		"SCPPassword":      {"unless a password follows", "git:hunter2@git.example.test:a.git", "***@git.example.test:a.git"},
		"OCI":              {"registries are URLs too", "oci://user:hunter2@registry.example.test/charts", "oci://***@registry.example.test/charts"},
		"Path":             {"a folder is no URL", "../values", "../values"},
		"Empty":            {"nothing stays nothing", "", ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := argocd.RedactURL(tc.url); got != tc.want {
				t.Errorf("%s: got %s, want %s", tc.reason, got, tc.want)
			}
		})
	}
}
