package plugin

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// lay makes files in the working directory of the test; a name that ends in a slash is a folder.
func lay(t *testing.T, files ...string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, name := range files {
		dir := filepath.Dir(name)
		if strings.HasSuffix(name, "/") {
			dir = name
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if dir == name {
			continue
		}
		if err := os.WriteFile(name, []byte("# "+name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestInputs(t *testing.T) {
	cases := map[string]struct {
		reason string
		files  []string
		names  []string
		want   map[string]string // name to content
		order  []string
		err    string
	}{
		"File": {
			reason: "a file counts whatever it is called",
			files:  []string{"live.txt"}, names: []string{"live.txt"},
			order: []string{"live.txt"}, want: map[string]string{"live.txt": "# live.txt"},
		},
		"Folder": {
			reason: "of a folder the manifests count, in the order of their names, and not those of folders below it",
			files:  []string{"live/b.yml", "live/c.YAML", "live/a.json", "live/README.md", "live/deep/d.yaml", "live/x.yaml/e.yaml"},
			names:  []string{"live"},
			order:  []string{"live/a.json", "live/b.yml", "live/c.YAML"},
			want:   map[string]string{"live/a.json": "# live/a.json", "live/b.yml": "# live/b.yml", "live/c.YAML": "# live/c.YAML"},
		},
		"Many": {
			reason: "the order is that of the flags",
			files:  []string{"b.yaml", "a.yaml"}, names: []string{"b.yaml", "-", "a.yaml"},
			order: []string{"b.yaml", "standard input", "a.yaml"},
			want:  map[string]string{"a.yaml": "# a.yaml", "b.yaml": "# b.yaml", "standard input": "typed"},
		},
		"None": {
			reason: "no flag, no input: that it is missing is said elsewhere",
			want:   map[string]string{},
		},
		"StdinTwice": {
			reason: "the second reader would find nothing, and its Applications would look removed",
			names:  []string{"-", "-"},
			err:    "-f -: standard input can be read only once",
		},
		"Missing": {
			reason: "the name stands in the message once",
			names:  []string{"nowhere.yaml"},
			err:    "-f nowhere.yaml: no such file or directory",
		},
		"Empty": {
			reason: "a folder without manifests is a wrong folder",
			files:  []string{"live/README.md"}, names: []string{"live"},
			err: "-f live: the folder has no .yaml, .yml or .json file",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			lay(t, tc.files...)
			list, err := inputs(tc.names, strings.NewReader("typed"))
			if err != nil || tc.err != "" {
				if err == nil || err.Error() != tc.err {
					t.Fatalf("%s: got error %v, want %q", tc.reason, err, tc.err)
				}
				return
			}
			var order []string
			got := map[string]string{}
			for _, in := range list {
				stream, err := in.open()
				if err != nil {
					t.Fatalf("%s: %v", tc.reason, err)
				}
				data, err := io.ReadAll(stream)
				if err != nil || stream.Close() != nil {
					t.Fatalf("%s: read %s: %v", tc.reason, in.name, err)
				}
				order, got[in.name] = append(order, in.name), string(data)
			}
			if diff := cmp.Diff(tc.order, order); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}

func TestFindRepo(t *testing.T) {
	cases := map[string]struct {
		reason string
		files  []string
		cd     string
		dir    string
		want   string // relative to where the files are
		err    string
	}{
		"Here":     {reason: "the folder itself holds env/", files: []string{"values/env/"}, cd: "values", want: "values"},
		"Above":    {reason: "as git finds its repo", files: []string{"values/env/settings/"}, cd: "values/env/settings", want: "values"},
		"Nearest":  {reason: "a values repo in a values repo is one of its own", files: []string{"env/a/env/"}, cd: "env/a", want: "env/a"},
		"File":     {reason: "a file called env is no tree", files: []string{"env/a/env"}, cd: "env/a", want: "."},
		"Given":    {reason: "what is named is taken as it is, also a repo that has no env/ yet", files: []string{"other/"}, cd: ".", dir: "other", want: "other"},
		"Missing":  {reason: "the name stands in the message once", cd: ".", dir: "nowhere", err: "--repo nowhere: no such file or directory"},
		"NoFolder": {reason: "a file is no repo", files: []string{"a"}, cd: ".", dir: "a", err: "--repo a: not a folder"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			lay(t, tc.files...)
			top, err := os.Getwd()
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(tc.cd)
			got, err := findRepo(tc.dir)
			if err != nil || tc.err != "" {
				if err == nil || err.Error() != tc.err {
					t.Fatalf("%s: got error %v, want %q", tc.reason, err, tc.err)
				}
				return
			}
			if got, err = filepath.Abs(got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(filepath.Join(top, tc.want), got); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}
