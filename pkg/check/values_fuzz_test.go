package check_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-apl/kubectl-apl/pkg/check"
	"github.com/kubectl-apl/kubectl-apl/pkg/secret"
)

// wideSchema has something of all that is told by other words.
const wideSchema = draft7 + `"properties":{"a":{"type":"integer"},"m":{"additionalProperties":false,"required":["k"],"properties":{"k":{"type":"string"}}},` +
	`"l":{"items":{"oneOf":[{"type":"string"},{"properties":{"name":{"type":"string"}},"required":["name"]}]}},"self":{"$ref":"#"}},"dependencies":{"x":["y"]}}`

// FuzzValues holds that no text of two value files, however odd, makes a run panic, hang, or tell of a line that is not there. Seeds: what
// people write, and what is made to hurt.
func FuzzValues(f *testing.F) {
	for _, seed := range [][2]string{
		{"a: 1\nm: {k: v}\n", "a: x\nm: {kk: 1}\n"}, {"l: [x]\n", "l:\n- name: 1\n- 2\n"}, {"", "x: 1\nself: {self: {a: x}}\n"}, {"db: {size: 1}\n", "db: 5\n"},
		{"m: {k: v}\n", "m: null\nglobal: {zone: 1}\n"}, {"a: &a {k: 1}\n", "b: &b {<<: *b}\n"}, {"a: 1\n---\nb: 2\n", "a: 1\na: 2\n"},
		{"x: {<<: [{a: 1}, {a: 2}]}\n", "? [a]\n: b\n"}, {"password: warm-kettle-19\n", "# password: warm-kettle-19\n"}, {"a: \xff\n", "\ufeffa:\r\n\tb: 1\n"},
		{"9: a\n\"9\": b\n", "a: .inf\n"}, {"- a\n", "null\n"}, {strings.Repeat("[", 50), strings.Repeat("{a: ", 50)},
	} {
		f.Add(seed[0], seed[1])
	}
	charts := web("", "", "a: 0\nl: []\n", wideSchema).subchart("db", "size: 1\n", closedSchema, "db.on").input(f).Charts
	detector := secret.New()
	f.Fuzz(func(t *testing.T, managed, custom string) {
		r := repo{files: map[string]string{managedFile: managedOf(managed), customFile: custom, appFile: application}}
		in := r.input(t)
		in.Charts, in.Detector = charts, detector
		result, err := check.Run(t.Context(), in, check.Options{StrictKeys: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range result.Findings {
			// Lone carriage returns and others are line ends to YAML too.
			lines := 1 + strings.Count(strings.NewReplacer("\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n").Replace(r.files[found.File]), "\n")
			if found.Line > lines || found.Line < 0 || found.Column < 0 || found.Message == "" {
				t.Fatalf("%s has %d lines: %+v", found.File, lines, found)
			}
		}
	})
}

const closedSchema = draft7 + `"additionalProperties":false,"properties":{"size":{"type":"integer"},"on":{"type":"boolean"},"global":{}}}`

// TestHostileValues holds that values made to hurt are checked in bounded time, whatever is said of them.
func TestHostileValues(t *testing.T) {
	var wide, shadowing, aliased, longKeys strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&wide, "k%d: x\n", i)
	}
	for i := range 20_000 {
		fmt.Fprintf(&shadowing, "  k%d: %d\n", i, i)
	}
	aliased.WriteString("a0: &a0 [" + strings.Repeat("x,", 10) + "]\n")
	for i := range 9 {
		fmt.Fprintf(&aliased, "a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i), 10), ","))
	}
	for i := range 20 {
		fmt.Fprintf(&longKeys, "? k%d%s\n: 1\n", i, strings.Repeat("x", 1<<18))
	}
	deep := strings.Repeat("{self: ", 3000) + "{a: x}" + strings.Repeat("}", 3000) + "\n"
	for name, tc := range map[string]struct{ managed, custom string }{
		"Wide":      {wide.String(), wide.String()},
		"Merged":    {"m:\n  k: v\n", "base: &b\n" + shadowing.String() + "m:\n  <<: *b\n"},
		"Shadowing": {"m:\n" + shadowing.String(), "m:\n" + strings.ReplaceAll(shadowing.String(), ": ", ": 1")},
		"Deep":      {deep, deep},
		"DeepSelf":  {"", strings.Repeat("{self: ", 300) + "{a: x}" + strings.Repeat("}", 300) + "\n"},
		"DeepLists": {"", "l: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "\n"},
		"Aliases":   {"", aliased.String()},
		"LongLine":  {"", "a: '" + strings.Repeat("x", 8<<20) + "'\n"},
		"LongKey":   {"", strings.Repeat("x", 1<<20) + ": 1\n"},
		"LongKeys":  {longKeys.String(), longKeys.String()},
		"Items":     {"", "l: [" + strings.Repeat("1,", 50_000) + "1]\n"},
		"Choices":   {"", "l: [" + strings.Repeat("{name: 1, x: {}},", 20_000) + "{}]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			list := web(tc.managed, tc.custom, "a: 0\nl: []\nm: {k: v}\n", wideSchema).run(t, check.Options{StrictKeys: true})
			took := time.Since(began)
			size := 0
			for _, f := range list {
				size += len(f.Message) + len(f.Next) + len(f.Path)
			}
			t.Logf("%d findings with %d bytes in %v", len(list), size, took)
			if took > 5*time.Minute || size > 4<<20 {
				t.Errorf("it took %v, and says %d bytes", took, size)
			}
		})
	}
}
