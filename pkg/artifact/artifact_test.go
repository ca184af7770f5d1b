package artifact_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/artifact"
)

func read(t *testing.T, stream string) *artifact.Stream {
	t.Helper()
	s, err := artifact.Read(strings.NewReader(stream))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// summary writes objects and problems a line each.
func summary(s *artifact.Stream) []string {
	out := []string{}
	for _, o := range s.Objects {
		out = append(out, fmt.Sprintf("%d: %s/%s %s %s/%s", o.Line, o.ID.Group, o.Version, o.ID.Kind, o.ID.Namespace, o.ID.Name))
	}
	for _, p := range s.Problems {
		out = append(out, fmt.Sprintf("%d! %s", p.Line, p.Message))
	}
	return out
}

const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"

func TestRead(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, stream string
		want           []string
		empty          int
	}{
		"One":         {"an object", configMap, []string{"1: /v1 ConfigMap /a"}, 0},
		"Namespace":   {"with a group and a namespace", "# Source: x\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a, namespace: b}\n", []string{"2: apps/v1 Deployment b/a"}, 0},
		"Empty":       {"C3: comments, space and null are nothing", "# header\n---\n\n---\n~\n---\n# off\n---\n" + configMap + "---\n", []string{"9: /v1 ConfigMap /a"}, 5},
		"JSON":        {"an object in JSON", `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}`, []string{"1: /v1 ConfigMap /a"}, 0},
		"List":        {"lists are taken apart, in lists too", "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n- apiVersion: v1\n  kind: List\n  items: [{apiVersion: v1, kind: Secret, metadata: {name: b}}]\n", []string{"4: /v1 ConfigMap /a", "5: /v1 Secret /b"}, 0},
		"TypedList":   {"a list of one kind need not repeat it", "apiVersion: v1\nkind: ConfigMapList\nitems: [{metadata: {name: a}}, {metadata: {name: b}}]\n", []string{"1: /v1 ConfigMap /a", "1: /v1 ConfigMap /b"}, 0},
		"NoItems":     {"a list of nothing", "apiVersion: v1\nkind: List\nitems: null\n", nil, 1},
		"NamedList":   {"an object whose kind only ends in List", "apiVersion: acme.test/v1\nkind: AllowList\nmetadata: {name: a}\nitems: [x]\n", []string{"1: acme.test/v1 AllowList /a"}, 0},
		"BadItem":     {"what is no object is named, and hides nothing", "apiVersion: v1\nkind: List\nitems: [x, {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}]\n", []string{"1: /v1 ConfigMap /a", "1! items[0] of List is no object"}, 0},
		"NoKind":      {"its line is that of the first content", configMap + "---\n# c\na: hunter2\n---\napiVersion: v1\n", []string{"1: /v1 ConfigMap /a", "6! the object that begins here has no apiVersion", "8! the object that begins here has no kind"}, 0},
		"NoName":      {"an object without a name", "apiVersion: v1\nkind: ConfigMap\nmetadata: {}\n---\napiVersion: v1\nkind: ConfigMap\n", []string{"1! the ConfigMap that begins here has no metadata.name", "5! the ConfigMap that begins here has no metadata"}, 0},
		"NumberName":  {"a name that YAML reads as a number", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: 12}\n", []string{"1! metadata.name of the ConfigMap that begins here is no text; quote it"}, 0},
		"BadVersion":  {"an apiVersion that is none", "apiVersion: a/b/c\nkind: ConfigMap\nmetadata: {name: a}\n---\napiVersion: /v1\nkind: ConfigMap\nmetadata: {name: a}\n", []string{"1! the apiVersion of the ConfigMap that begins here is not of the form group/version", "5! the apiVersion of the ConfigMap that begins here is not of the form group/version"}, 0},
		"NoBlank":     {"C1: kubectl takes a comment right behind the marker, which YAML makes a key of", "---# Source: a\n" + configMap + "---# Source: b\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n", []string{"2: /v1 ConfigMap /a", "6: /v1 ConfigMap /b"}, 0},
		"Glued":       {"two objects without a marker between them read as the last alone", "# c\n" + configMap + "\n" + configMap, []string{"7! kind stands here again, so that of the objects above nothing would be left; put a line --- between objects"}, 0},
		"BadMarker":   {"what is no marker becomes a key, and of two objects one", configMap + "---x: y\n" + configMap, []string{"4! a key begins with ---; documents are parted by a line --- alone, or with a comment behind it"}, 0},
		"KindInside":  {"a line within a quoted text is no key", "kind: ConfigMap\n" + "data: {k: \"\nkind: x\"}\napiVersion: v1\nmetadata: {name: a}\n", []string{"1: /v1 ConfigMap /a"}, 0},
		"Digits":      {"JSON with a number that would lose digits", `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "n": 12345678901234567890123}`, []string{"1! the object that begins here cannot be written as YAML: a number has more digits than are kept; make it text, or give the object as YAML in a document of its own"}, 0},
		"NoMap":       {"a text is no object", "hunter2\n", []string{"1! the text is no map of keys"}, 0},
		"Directive":   {"a document that cannot be taken out of the stream", "%TAG ! tag:x,2000:\n---\n" + configMap, []string{"3: /v1 ConfigMap /a", "1! directive %TAG is not supported; write the document without it"}, 0},
		"Generated":   {"a generated name is the same for the same object, and another for another one", "apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: j-}\n---\napiVersion: batch/v1\nkind: Job\nmetadata: {generateName: j-}\nspec: {}\n", []string{"1: batch/v1 Job /j-98bb9785", "5: batch/v1 Job /j-21e91f23"}, 0},
		"WindowsLine": {"C5: a BOM, CR LF and the end marker", "\ufeff---\r\napiVersion: v1\r\nkind: ConfigMap\r\nmetadata: {name: a}\r\n...\r\n", []string{"2: /v1 ConfigMap /a"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := read(t, tc.stream)
			if diff := cmp.Diff(append([]string{}, tc.want...), summary(s)); diff != "" || s.Empty != tc.empty {
				t.Errorf("%s: %d are empty (-want +got)\n%s", tc.reason, s.Empty, diff)
			}
			if strings.Contains(fmt.Sprint(s.Problems), "hunter") {
				t.Errorf("a value is quoted: %v", s.Problems)
			}
		})
	}
}

// TestReadAnchors is case C13: an anchor of one document is unknown to the next, which says so at its line.
func TestReadAnchors(t *testing.T) {
	s := read(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: &d {k: v}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndata: *d\n")
	if len(s.Objects) != 1 || len(s.Problems) != 1 || s.Problems[0].Line < 6 || !strings.Contains(s.Problems[0].Message, "unknown anchor") {
		t.Errorf("%v, %v", summary(s), s.Problems)
	}
}

// TestReadKeepsText holds that an object keeps its text, and C1: what looks like a marker inside of it.
func TestReadKeepsText(t *testing.T) {
	text := "# of a\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a} # name\ndata:\n  crt: |\n    -----BEGIN CERTIFICATE-----\n    AAAA\n  nested: |\n    ---\n    k: v\n"
	s := read(t, text+"---\n"+configMap)
	if len(s.Objects) != 2 {
		t.Fatalf("%v", summary(s))
	}
	if diff := cmp.Diff(text, string(s.Objects[0].Text)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestReadMany is case C15: a line of 6 MB and two thousand small objects.
func TestReadMany(t *testing.T) {
	var stream strings.Builder
	stream.WriteString("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: big}\ndata: {k: \"" + strings.Repeat("x", 6_000_000) + "\"}\n")
	for i := range 2000 {
		fmt.Fprintf(&stream, "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c%d}\n", i)
	}
	if s := read(t, stream.String()); len(s.Objects) != 2001 || len(s.Problems) != 0 || len(s.Objects[0].Text) < 6_000_000 {
		t.Errorf("%d objects, %v", len(s.Objects), s.Problems)
	}
}

// TestReadFails holds that a stream which breaks is an error, not the end.
func TestReadFails(t *testing.T) {
	broken := errors.New("broken")
	if _, err := artifact.Read(iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader(configMap)))); !errors.Is(err, iotest.ErrTimeout) {
		t.Errorf("the error is %v", err)
	}
	if _, err := artifact.Read(iotest.ErrReader(broken)); !errors.Is(err, broken) || err.Error() != "read objects: broken" {
		t.Errorf("the error is %v", err)
	}
}

// FuzzRead holds that no stream makes it panic, and that each object has what names it.
func FuzzRead(f *testing.F) {
	f.Add(configMap + "---\n" + configMap)
	f.Add("\ufeff%YAML 1.1\r\n--- # c\r\n{a: [}\r\n...\r\n")
	f.Add("apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: A, metadata: {generateName: a}}]\n")
	f.Fuzz(func(t *testing.T, stream string) {
		s, err := artifact.Read(strings.NewReader(stream))
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range s.Objects {
			if o.ID.Kind == "" || o.ID.Name == "" || o.Version == "" || len(o.Text) == 0 {
				t.Fatalf("an object without a name: %+v", o.ID)
			}
		}
	})
}

// TestReadWords is case C7 as it stands: a namespace y is what is meant by one, although YAML reads it as true.
func TestReadWords(t *testing.T) {
	for name, tc := range map[string]struct{ reason, text, want, object string }{
		"Flow":      {"in braces", "apiVersion: v1\nkind: Service\nmetadata: {name: main, namespace: y}\n", "apiVersion: v1\nkind: Service\nmetadata: {name: main, namespace: \"y\"}\n", "1: /v1 Service y/main"},
		"Block":     {"in a block, with its comment", "apiVersion: v1\nkind: Service\nmetadata:\n  namespace: on # it\n  name: No\n", "apiVersion: v1\nkind: Service\nmetadata:\n  namespace: \"on\" # it\n  name: \"No\"\n", "1: /v1 Service on/No"},
		"Elsewhere": {"the same word elsewhere is left", "apiVersion: v1\nkind: A\nspec: {name: y}\nmetadata: {name: y, labels: {namespace: y}}\n", "apiVersion: v1\nkind: A\nspec: {name: y}\nmetadata: {name: \"y\", labels: {namespace: y}}\n", "1: /v1 A /y"},
	} {
		t.Run(name, func(t *testing.T) {
			s := read(t, tc.text)
			if diff := cmp.Diff([]string{tc.object}, summary(s)); diff != "" {
				t.Fatalf("%s (-want +got)\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.want, string(s.Objects[0].Text)); diff != "" {
				t.Errorf("%s (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
	for _, text := range []string{
		"apiVersion: v1\nkind: A\nx: &b y\nmetadata: {name: *b}\n", "apiVersion: v1\nkind: A\nmetadata: {name: 12}\n", "{\"apiVersion\": \"v1\", \"kind\": \"A\", \"metadata\": {\"name\": true}}",
	} {
		if s := read(t, text); len(s.Objects) != 0 || len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Message, "quote it") {
			t.Errorf("%s: %v", text, summary(s))
		}
	}
}
