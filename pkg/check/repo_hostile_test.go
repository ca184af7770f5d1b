package check_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestHostileRepo holds that no file makes a run last: it takes a time that goes with the size of what it reads, and tells a bounded part of
// what is wrong with one file.
func TestHostileRepo(t *testing.T) {
	const many = 10_000
	lines := func(format string) string {
		var b strings.Builder
		for i := range many {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	paths := memoryRepo{}
	for i := range many {
		paths[fmt.Sprintf("env/values/web/r%d/Values.yaml", i)] = ""
		paths[fmt.Sprintf("env/values/web/r%d/values.yaml", i)] = ""
	}
	for name, tc := range map[string]struct {
		reason string
		repo   memoryRepo
		most   int // how many findings there are at most
	}{
		"Documents": {"many documents that are one object", memoryRepo{webMap: strings.Repeat(aMap+"---\n", many/4)}, many / 4},
		"NoObjects": {"many that are none", memoryRepo{webMap: aMap + lines("---\nkind: A%d\n")}, 101},
		"Broken":    {"many that cannot be read", memoryRepo{webMap: aMap + lines("---\n[%d\n")}, 101},
		"Items":     {"a list of many, with comments", memoryRepo{webMap: "apiVersion: v1\nkind: List\nitems:\n" + lines("- apiVersion: v1 # c\n  kind: ConfigMap\n  metadata: {name: a%d}\n")}, 1},
		"BadItems":  {"of many that are no objects", memoryRepo{webMap: "apiVersion: v1\nkind: List\nitems:\n" + lines("- {kind: A%d}\n")}, 101},
		"Twice":     {"keys that stand twice", memoryRepo{webMap: aMap + strings.Repeat("k: v\n", many)}, 101},
		"Keys":      {"many keys", memoryRepo{webMap: aMap + lines("k%d: v\n")}, 0},
		"Deep":      {"deep nesting", memoryRepo{webMap: aMap + "d: " + strings.Repeat("[", many) + strings.Repeat("]", many) + "\n"}, 1},
		"DeepJson":  {"of JSON too", memoryRepo{"env/manifests/namespaces/web/a.json": strings.Repeat(`{"a":`, many) + "1" + strings.Repeat("}", many)}, 1},
		"Aliases": {"aliases of aliases", memoryRepo{webMap: aMap + "l0: &l0 [a]\n" + func() (out string) {
			for i := range 30 {
				out += fmt.Sprintf("l%d: &l%d [*l%d, *l%d, *l%d, *l%d]\n", i+1, i+1, i, i, i, i)
			}
			return out
		}()}, 1},
		"Line":    {"one long line", memoryRepo{webMap: aMap + "k: " + strings.Repeat("a b ", many*5) + "\n"}, 0},
		"Ends":    {"many ends of documents", memoryRepo{webMap: strings.Repeat("...\n", many) + aMap}, 1},
		"Apps":    {"many apps", memoryRepo{appsPath: "apps:\n" + lines("  app-%d: {enabled: true}\n")}, 100},
		"AppKeys": {"many keys of an app", memoryRepo{appsPath: "apps:\n  gitea:\n" + lines("    k%d: true\n")}, 0},
		"Left":    {"many apps in env/apps beside", memoryRepo{appsPath: "apps:\n" + lines("  app-%d: {enabled: true}\n"), "env/apps/loki.yaml": "kind: AplApp\nmetadata: {name: loki}\nspec: {enabled: true}\n"}, 101},
		"Paths":   {"many files whose names meet", paths, 3 * many},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			got := tc.repo.check(t, ours)
			if len(got) > tc.most {
				t.Errorf("%s: %d findings, and not more than %d: %+v", tc.reason, len(got), tc.most, got[:min(len(got), 3)])
			}
			took := time.Since(start)
			t.Logf("%d findings in %v", len(got), took)
			if limit := 5 * time.Minute; took > limit {
				t.Errorf("%s: it takes %v", tc.reason, took)
			}
		})
	}
}
