package valuefile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/valuefile"
)

// TestManagedReadsBack is the property that a file says what it was made from, and that any edit of its body is seen.
func TestManagedReadsBack(t *testing.T) {
	digests := rapid.SampledFrom([]string{"", valuefile.Digest([]byte("a")), valuefile.Digest([]byte("b"), nil)})
	rapid.Check(t, func(t *rapid.T) {
		in := valuefile.Inputs{Version: rapid.SampledFrom([]string{"", "v4.5.0", "main", "feature/x"}).Draw(t, "version"),
			Settings: digests.Draw(t, "settings"), Release: digests.Draw(t, "release")}
		want := rapid.String().Draw(t, "body")
		file, above := valuefile.Managed([]byte(want), in)
		body, got, intact := valuefile.ReadManaged(file)
		if !intact || string(body) != want || got != in {
			t.Fatalf("%v %q %+v", intact, body, got)
		}
		if lines := strings.SplitAfterN(string(file), "\n", above+1); lines[above] != want {
			t.Fatalf("%d lines stand above the body of\n%s", above, file)
		}
		if _, _, intact := valuefile.ReadManaged(append(file, 'x')); intact {
			t.Fatal("an edit was not seen")
		}
	})
}

func TestReadManaged(t *testing.T) {
	file, _ := valuefile.Managed([]byte("a: 1\n"), valuefile.Inputs{Version: "v1"})
	for name, tc := range map[string]struct {
		reason, text, body string
		intact             bool
	}{
		"Written":  {"what was written", string(file), "a: 1\n", true},
		"Edited":   {"a value was changed", strings.Replace(string(file), "a: 1", "a: 2", 1), "a: 2\n", false},
		"CRLF":     {"a checkout on Windows", strings.ReplaceAll(string(file), "\n", "\r\n"), "a: 1\n", true},
		"CREdited": {"an edit there", strings.ReplaceAll(string(file), "\n", "\r\n") + "b: 2\r\n", "a: 1\r\nb: 2\r\n", false},
		"NoHeader": {"somebody else's file", "a: 1\n", "a: 1\n", false},
		"Header":   {"the digest is gone", "# Managed values, written by kubectl apl.\na: 1\n", "# Managed values, written by kubectl apl.\na: 1\n", false},
		"Nothing":  {"an empty file", "", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			body, _, intact := valuefile.ReadManaged([]byte(tc.text))
			if string(body) != tc.body || intact != tc.intact {
				t.Errorf("%s: %v %q", tc.reason, intact, body)
			}
		})
	}
}

type files map[string]string

func (f files) List(folder string) ([]string, error) {
	var paths []string
	for path := range f {
		if strings.HasPrefix(path, folder+"/") {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths, nil
}

func (f files) ReadFile(path string) ([]byte, bool, error) {
	data, ok := f[path]
	return []byte(data), ok, nil
}

func TestSettings(t *testing.T) {
	digest := func(f files) string {
		sum, err := valuefile.Settings(f)
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	base := files{"env/settings/otomi.yaml": "a", "env/apps/x.yaml": "b"}
	for reason, f := range map[string]files{
		"secrets are left out":            {"env/settings/otomi.yaml": "a", "env/apps/x.yaml": "b", "env/settings/secrets.dns.yaml": "c", "env/apps/y.yaml.dec": "d"},
		"apps.yaml is made from env/apps": {"env/settings/otomi.yaml": "a", "env/apps/x.yaml": "b", "env/settings/apps.yaml": "c"},
		"values are no input":             {"env/settings/otomi.yaml": "a", "env/apps/x.yaml": "b", "env/values/a/b/values.custom.yaml": "c"},
	} {
		if diff := cmp.Diff(digest(base), digest(f)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", reason, diff)
		}
	}
	if lines := (files{"env/settings/otomi.yaml": "a\nb\n"}); digest(lines) != digest(files{"env/settings/otomi.yaml": "a\r\nb\r\n"}) {
		t.Error("the line ends of a checkout change the digest")
	}
	for reason, f := range map[string]files{
		"a file is another":      {"env/settings/otomi.yaml": "a2", "env/apps/x.yaml": "b"},
		"apps.yaml in its place": {"env/settings/otomi.yaml": "a", "env/settings/apps.yaml": "b"},
		"a file is gone":         {"env/settings/otomi.yaml": "a"},
		"text moved to the next": {"env/settings/otomi.yaml": "ab", "env/apps/x.yaml": ""},
	} {
		if digest(base) == digest(f) {
			t.Errorf("%s: the digest is the same", reason)
		}
	}
	if digest(files{}) != "" {
		t.Error("there is a digest of nothing")
	}
}
