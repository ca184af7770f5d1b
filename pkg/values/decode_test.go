package values

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// byLibrary is what decodeMap is held to.
func byLibrary(text []byte) (tree map[string]any, err error) {
	err = yaml.Unmarshal(text, &tree, func(d *json.Decoder) *json.Decoder { d.UseNumber(); return d })
	return tree, err
}

// compareDecoded reports where decodeMap reads a text otherwise than sigs.k8s.io/yaml, or reads what that refuses.
func compareDecoded(t *testing.T, name string, text []byte) (quick bool) {
	t.Helper()
	got, quick := decodeMap(text)
	if !quick {
		return false // the library reads it
	}
	want, err := byLibrary(text)
	if err != nil {
		t.Fatalf("%s: the library refuses it: %v", name, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s: (-library +quick)\n%s", name, diff)
	}
	return true
}

func TestDecodeMap(t *testing.T) {
	for name, tc := range map[string]struct {
		text  string
		quick bool
	}{
		"Scalars":    {"a: 1\nb: -9223372036854775808\nc: 18446744073709551615\nd: 18446744073709551616\ne: 1.0\nf: 1e6\ng: 1e21\nh: 1e-7\ni: 0777\nj: 0x1F\nk: 0b11\nl: 1_000\nm: yes\nq: ~\no: off\np: 0o7\n", true},
		"Text":       {"a: \"\\u0000\\u2028<&>\\U0001F600\"\nb: |\n  x\n  y\nc: >-\n  x\n  y\n'd e': 'it''s'\n", true},
		"Dates":      {"a: 2001-12-14\nb: 2001-12-14t21:59:43.10-05:00\nc: !!timestamp 2001-12-14\n", true},
		"Merge":      {"a: &a {x: 1, z: 2}\nb: {<<: *a, z: 3}\nc: *a\n", true},
		"Twice":      {"a: 1\na: 2\nb: {c: 1, c: 2}\n", true},
		"Empty":      {"a:\nb: {}\nc: []\n", true},
		"Lists":      {"- a\n", false},
		"JSON":       {`{"a": [1, 2.50, "x", null, true], "b": {"c": 1e400}}`, true},
		"Infinite":   {"a: .inf\nb: .nan\n", false},
		"Keys":       {"1: a\ntrue: b\n1.5: c\n", false},
		"Binary":     {"a: !!binary /w==\n", false},
		"Documents":  {"a: 1\n---\nb: 2\n", true},
		"Nothing":    {"# c\n", false},
		"Null":       {"null\n", false},
		"Unreadable": {"a: [\n", false},
		"Tagged":     {"a: !!str 5\nb: !!float 5\nc: !!int \"5\"\nd: !custom x\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			if quick := compareDecoded(t, name, []byte(tc.text)); quick != tc.quick {
				t.Errorf("it is read without the library: %t", quick)
			}
		})
	}
}

// TestDecodeMapOfCorpus compares on every file of the recorded platforms.
func TestDecodeMapOfCorpus(t *testing.T) {
	quick, all := 0, 0
	for _, dir := range []string{filepath.Join("..", "..", "testdata"), filepath.Join("..", "..", "..", "shared", "corpus")} {
		if _, err := os.Stat(dir); err != nil {
			t.Log("not here: ", dir)
			continue
		}
		err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" {
				return err
			}
			text, err := os.ReadFile(path)
			if all++; err == nil && compareDecoded(t, path, text) {
				quick++
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if quick < all/2 {
		t.Errorf("of %d files, %d are read without the library", all, quick)
	}
}

func FuzzDecode(f *testing.F) {
	for _, text := range []string{"a: 1\n", "a: {b: [1.5, ~, yes, 'x']}\n", "a: &x {<<: {b: 1}}\nc: *x\n", "? [a]\n: b\n", "a: !!binary aGk=\n", "\"\\xff\": 1\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) { compareDecoded(t, "text", text) })
}
