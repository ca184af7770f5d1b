package argocd_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// small is the shortest Application there is.
func small(name string) string {
	return fmt.Sprintf("apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: %s}\nspec: {}\n", name)
}

// smallJSON is the same, as JSON.
func smallJSON(name string) string {
	return fmt.Sprintf(`{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"name":%q},"spec":{}}`, name)
}

// indented puts a YAML object into a list.
func indented(object string) string {
	return "- " + strings.ReplaceAll(strings.TrimSuffix(object, "\n"), "\n", "\n  ") + "\n"
}

// readAll returns "name@line" of each Application.
func readAll(r io.Reader) (names []string, summary argocd.Summary, err error) {
	summary, err = argocd.Read("in.yaml", r, func(a *argocd.Application) error {
		names = append(names, fmt.Sprintf("%s@%d", a.Name(), a.Line))
		return nil
	})
	return names, summary, err
}

func TestRead(t *testing.T) {
	configMap := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"
	cases := map[string]struct {
		reason  string
		text    string
		want    []string
		summary argocd.Summary
	}{
		"Nothing": {reason: "an empty stream holds no Application, and is no error"},
		"One":     {reason: "one object alone is a stream", text: small("a"), want: []string{"a@1"}, summary: argocd.Summary{Documents: 1, Applications: 1}},
		"Documents": {
			reason: "documents follow each other, and the last may lack its line end",
			text:   "---\n" + small("a") + "---\n" + small("b") + "--- # the third\n" + strings.TrimSuffix(small("c"), "\n"),
			want:   []string{"a@2", "b@7", "c@12"}, summary: argocd.Summary{Documents: 3, Applications: 3},
		},
		"List": {
			reason: "what kubectl writes is a list, and each item stands where its dash is",
			text:   "apiVersion: v1\nitems:\n" + indented(small("a")) + indented(small("b")) + "kind: List\nmetadata:\n  resourceVersion: \"\"\n",
			want:   []string{"a@3", "b@7"}, summary: argocd.Summary{Documents: 1, Applications: 2},
		},
		"ListInFlow": {
			reason: "an item of a list that is written otherwise stands at its list",
			text:   "\nkind: List\napiVersion: v1\nitems: [{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: a}, spec: {}}]\n",
			want:   []string{"a@2"}, summary: argocd.Summary{Documents: 1, Applications: 1},
		},
		"TypedList": {
			reason:  "the API server writes kind and version once for all items",
			text:    `{"apiVersion":"argoproj.io/v1alpha1","kind":"ApplicationList","items":[{"metadata":{"name":"a"},"spec":{}}]}`,
			want:    []string{"a@1"},
			summary: argocd.Summary{Documents: 1, Applications: 1},
		},
		"ListInList": {
			reason: "a list that holds a list is gone through",
			text:   `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"List","items":[` + smallJSON("a") + `]}]}`,
			want:   []string{"a@1"}, summary: argocd.Summary{Documents: 1, Applications: 1},
		},
		"EmptyList": {
			reason: "a cluster without Applications gives a list of nothing", text: "apiVersion: v1\nitems: []\nkind: List\n",
			summary: argocd.Summary{Documents: 1},
		},
		"NullItems": {reason: "Go writes an empty list as null", text: "apiVersion: v1\nitems: null\nkind: List\n", summary: argocd.Summary{Documents: 1}},
		"OtherKinds": {
			reason: "other objects are told of, and in nobody's way",
			text:   configMap + "---\n" + small("a") + "---\n" + configMap + "---\napiVersion: v1\nkind: ConfigMapList\nitems: [{data: {}}]\n---\napiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: {name: p}\n",
			want:   []string{"a@5"},
			summary: argocd.Summary{Documents: 5, Applications: 1, Others: []argocd.OtherKind{
				{APIVersion: "argoproj.io/v1alpha1", Kind: "AppProject", Count: 1, Line: 18},
				{APIVersion: "v1", Kind: "ConfigMap", Count: 3, Line: 1},
			}},
		},
		"OtherApplication": {
			reason:  "the Kubernetes project has a kind of that name too",
			text:    "apiVersion: app.k8s.io/v1beta1\nkind: Application\nmetadata: {name: a}\n",
			summary: argocd.Summary{Documents: 1, Others: []argocd.OtherKind{{APIVersion: "app.k8s.io/v1beta1", Kind: "Application", Count: 1, Line: 1}}},
		},
		"Blanks": {
			reason: "comments, blank documents and nulls are what Helm leaves of a disabled template",
			text:   "# header\n---\n\n---\n~\n---\n# Source: web/templates/off.yaml\n---\n" + small("a") + "---\n",
			want:   []string{"a@9"}, summary: argocd.Summary{Documents: 1, Applications: 1},
		},
		"SeparatorsInData": {
			reason: "what is indented or within a line separates nothing",
			text: strings.Replace(small("a"), "spec: {}", "spec:\n  note: \"x --- y\"\n  nested: |\n    ---\n    k: v\n    ...\n  pem: |\n"+
				"    -----BEGIN CERTIFICATE-----\n    AAAA\n# ---", 1) + "---\n" + small("b"),
			want: []string{"a@1", "b@15"}, summary: argocd.Summary{Documents: 2, Applications: 2},
		},
		"WindowsFile": {
			reason: "a byte-order mark and CR LF change nothing",
			text:   "\ufeff" + strings.ReplaceAll("---\n"+small("a")+"---\n"+small("b")+"...\n", "\n", "\r\n"),
			want:   []string{"a@2", "b@7"}, summary: argocd.Summary{Documents: 2, Applications: 2},
		},
		"PutTogether": {
			reason: "files that were put together bring their byte-order marks along",
			text:   "\ufeff---\n" + small("a") + "\ufeff---\n" + small("b") + "---\n\ufeff" + small("c"),
			want:   []string{"a@2", "b@7", "c@12"}, summary: argocd.Summary{Documents: 3, Applications: 3},
		},
		"DocumentEnd": {
			reason: "after ... a document can start without ---",
			text:   "...\n" + small("a") + "...\n# more\n" + small("b"),
			want:   []string{"a@2", "b@8"}, summary: argocd.Summary{Documents: 2, Applications: 2},
		},
		"Directive": {
			reason: "a directive belongs to the document after it", text: "%YAML 1.1\n---\n" + small("a"),
			want: []string{"a@3"}, summary: argocd.Summary{Documents: 1, Applications: 1},
		},
		"ContentAfterSeparator": {
			reason: "a document can start on the line of its separator",
			text:   "--- {apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: a}, spec: {}}\n--- \t" + smallJSON("b") + "\n",
			want:   []string{"a@1", "b@2"}, summary: argocd.Summary{Documents: 2, Applications: 2},
		},
		"JSONStream": {
			reason: "JSON values can follow each other with anything or nothing between",
			text:   smallJSON("a") + smallJSON("b") + "\n\n" + strings.ReplaceAll(smallJSON("c"), ",", ",\n\t") + "\n---\n" + smallJSON("d") + " # done\n",
			want:   []string{"a@1", "b@1", "c@3", "d@8"}, summary: argocd.Summary{Documents: 4, Applications: 4},
		},
		"JSONEscapes": {
			reason: "JSON is read as JSON: YAML's parser refuses a letter that is escaped as two",
			text:   strings.Replace(smallJSON("a"), `"spec":{}`, `"spec":{"info":"\ud83d\ude00 \/ }{ \" \\"}`, 1),
			want:   []string{"a@1"}, summary: argocd.Summary{Documents: 1, Applications: 1},
		},
		"FlowStyle": {
			reason: "what begins as JSON does and is none is YAML",
			text:   "# flow\n{apiVersion: argoproj.io/v1alpha1, kind: Application, # }\n metadata: {name: a}, spec: {note: 'it''s \"'}}\n---\n" + small("b"),
			want:   []string{"a@2", "b@5"}, summary: argocd.Summary{Documents: 2, Applications: 2},
		},
		"LongLine": {
			reason: "a line has no limit of its own",
			text:   strings.Replace(small("a"), "spec: {}", "spec: {note: \""+strings.Repeat("x", 300<<10)+"\"}", 1) + "---\n" + small("b"),
			want:   []string{"a@1", "b@6"}, summary: argocd.Summary{Documents: 2, Applications: 2},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			names, summary, err := readAll(strings.NewReader(tc.text))
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.want, names); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.summary, summary); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	type place struct{ Line, Column int }
	cases := map[string]struct {
		reason string
		text   string
		want   place
		before int // Applications that were handed on
	}{
		"Tab":       {reason: "a tab is no indentation", text: small("a") + "---\n# b\nkind:\n\tx: 1\n", want: place{8, 1}, before: 1},
		"Syntax":    {reason: "the line is that of the stream, not of the document", text: small("a") + "---\nkind: x\n  b: y: z\n", want: place{7, 3}, before: 1},
		"NotUTF8":   {reason: "a replacement character would be written to git", text: small("a") + "---\nkind: x\nname: \"\xe9\"\n", want: place{7, 8}, before: 1},
		"UTF16":     {reason: "a Windows shell writes its output like this", text: "\xff\xfek\x00i\x00n\x00d\x00", want: place{1, 1}},
		"Zero":      {reason: "a NUL byte is no text", text: "kind: x\nname: a\x00b\n", want: place{2, 8}},
		"Control":   {reason: "YAML has no control characters", text: "kind: \"\x07\"\n", want: place{1, 8}},
		"DEL":       {reason: "YAML has no control characters", text: "kind: \"\x7f\"\n", want: place{1, 8}},
		"JSONUTF8":  {reason: "Go's JSON would replace the byte in silence", text: "\n{\"kind\": \"\xe9\"}\n", want: place{2, 11}},
		"OldMac":    {reason: "Helm's parser would read the first document and drop the second in silence", text: "kind: x\r---\rkind: y\n", want: place{1, 8}},
		"Separator": {reason: "the same for the line breaks that only YAML 1.1 has", text: "kind: x\u2028--- \nkind: y\n", want: place{1, 8}},
		"Scalar":    {reason: "text is no object", text: small("a") + "---\njust text\n", want: place{6, 1}, before: 1},
		"ListAlone": {reason: "a bare list is no object", text: "- a\n- b\n", want: place{1, 1}},
		"NoKind":    {reason: "a values file among the Applications is a mistake to be told of", text: small("a") + "---\nreplicas: 3\n", want: place{6, 1}, before: 1},
		"NoName":    {reason: "an Application without a name cannot be shown in a plan", text: "\n" + strings.Replace(small("a"), "name: a", "", 1), want: place{2, 1}},
		"NoSpec":    {reason: "an Application without a spec is none", text: strings.Replace(small("a"), "spec: {}", "", 1), want: place{1, 1}},
		"Items":     {reason: "the items of a list are a list", text: "apiVersion: v1\nkind: List\nitems: {}\n", want: place{1, 1}},
		"Item":      {reason: "an item is an object", text: "apiVersion: v1\nkind: List\nitems:\n" + indented(small("a")) + "- text\n", want: place{8, 1}, before: 1},
		"NullItem":  {reason: "an item is an object", text: "apiVersion: v1\nkind: List\nitems:\n- null\n", want: place{4, 1}},
		"ItemNoKind": {
			reason: "in a list of anything each item says what it is",
			text:   "apiVersion: v1\nkind: List\nitems:\n" + indented(small("a")) + "- metadata: {name: b}\n", want: place{8, 1}, before: 1,
		},
		"Nested": {
			reason: "nobody writes lists this deep",
			text:   strings.Repeat(`{"apiVersion":"v1","kind":"List","items":[`, 20) + strings.Repeat("]}", 20), want: place{1, 1},
		},
		"Anchor":      {reason: "an anchor does not reach the next document", text: "kind: &k x\napiVersion: v1\n---\nkind: *k\n", want: place{4, 7}},
		"HalfJSON":    {reason: "JSON that breaks off is neither JSON nor YAML", text: smallJSON("a") + "\n{\"kind\":\n", want: place{2, 1}, before: 1},
		"SecretKey":   {reason: "see TestReadErrorsHideValues", text: "kind: x\n? ~\n: hunter2\n", want: place{2, 3}},
		"DeepYAML":    {reason: "brackets without end do not end the program", text: strings.Repeat("[", 20_000), want: place{1, 1}},
		"DeepJSON":    {reason: "nor do braces", text: strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000), want: place{1, 1}},
		"ManyAliases": {reason: "aliases of aliases do not fill the memory", text: bomb(), want: place{1, 1}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			names, _, err := readAll(strings.NewReader(tc.text))
			var placed *values.Error
			if !errors.As(err, &placed) {
				t.Fatalf("%s: got %v", tc.reason, err)
			}
			if placed.Name != "in.yaml" || len(names) != tc.before {
				t.Errorf("%s: %v, after %v", tc.reason, err, names)
			}
			if diff := cmp.Diff(tc.want, place{placed.Line, placed.Column}); diff != "" {
				t.Errorf("%s: %v (-want +got)\n%s", tc.reason, err, diff)
			}
		})
	}
}

// bomb is a document whose aliases stand for a thousand million items.
func bomb() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n")
	for i := 1; i < 9; i++ {
		alias := fmt.Sprintf("*a%d", i-1)
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.Join(slicesRepeat(alias, 10), ","))
	}
	return b.String()
}

func slicesRepeat(s string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = s
	}
	return out
}

func TestReadErrorsHideValues(t *testing.T) {
	cases := map[string]struct {
		reason string
		text   string
	}{
		"NullKey":  {reason: "the parser quotes the value of a key that it cannot take", text: "kind: x\n~: hunter2\n"},
		"MapKey":   {reason: "and the key itself", text: "kind: x\n? {password: hunter2}\n: y\n"},
		"WrongTag": {reason: "and a value that does not fit its tag", text: "kind: x\ny: !!int hunter2\n"},
		"Broken":   {reason: "the line of a syntax error is not shown", text: "kind: x\ny: \"hunter2\n"},
		"Kind":     {reason: "an object without a kind shows nothing of itself", text: "password: hunter2\n"},
		"Item":     {reason: "an item that is no object can be anything", text: "apiVersion: v1\nkind: List\nitems: [hunter2]\n"},
		"Spec":     {reason: "so can a spec", text: strings.Replace(small("a"), "spec: {}", "spec: hunter2", 1)},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, _, err := readAll(strings.NewReader(tc.text))
			if err == nil || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s: %v", tc.reason, err)
			}
		})
	}
}

func TestReadStops(t *testing.T) {
	stop := errors.New("enough")
	calls := 0
	summary, err := argocd.Read("in", strings.NewReader(small("a")+"---\n"+small("b")), func(*argocd.Application) error {
		calls++
		return stop
	})
	if !errors.Is(err, stop) || calls != 1 || summary.Applications != 1 {
		t.Errorf("an error of the callback ends the reading: %v after %d calls, %+v", err, calls, summary)
	}

	broken := io.MultiReader(strings.NewReader(small("a")+"---\nkind"), iotest.ErrReader(io.ErrClosedPipe))
	names, _, err := readAll(broken)
	if !errors.Is(err, io.ErrClosedPipe) || len(names) != 1 {
		t.Errorf("a stream that breaks off is no end of the stream: %v after %v", err, names)
	}
}

// pieces draws streams of whole and broken documents.
func pieces() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
			small("a"), smallJSON("b"), indented(small("c")), "---\n", "---", "--- ", "...\n", "\n", "\r\n", "\r", "\ufeff", "# c\n", "%YAML 1.1\n", "~\n",
			"apiVersion: v1\nkind: List\nitems:\n", "kind: ConfigMap\napiVersion: v1\n", "{", "}", "[", "]", "\"", "'", "\\", "x: |\n", "  y\n", "\t", "\x00", "\xff",
		}), 0, 12).Draw(t, "pieces"), "")
	})
}

// TestReadChunks holds that how a stream arrives changes nothing.
func TestReadChunks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := pieces().Draw(t, "text")
		sameInChunks(t, text)
	})
}

// TestReadJoins holds that the documents of two whole streams are those of one after the other.
func TestReadJoins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := pieces().Draw(t, "a"), pieces().Draw(t, "b")
		namesA, _, errA := readAll(strings.NewReader(a))
		namesB, _, errB := readAll(strings.NewReader(b))
		if errA != nil || errB != nil {
			return
		}
		joined, _, err := readAll(strings.NewReader(a + "\n---\n" + b))
		if err != nil {
			t.Fatalf("%q and %q can be read, but not one after the other: %v", a, b, err)
		}
		if diff := cmp.Diff(withoutLines(append(namesA, namesB...)), withoutLines(joined)); diff != "" {
			t.Fatalf("%q and %q: (-want +got)\n%s", a, b, diff)
		}
	})
}

func withoutLines(names []string) []string {
	out := make([]string, 0, len(names))
	for _, n := range names {
		name, _, _ := strings.Cut(n, "@")
		out = append(out, name)
	}
	return out
}

func sameInChunks(t interface{ Fatalf(string, ...any) }, text string) {
	names, summary, err := readAll(strings.NewReader(text))
	for _, slow := range []io.Reader{iotest.OneByteReader(strings.NewReader(text)), iotest.DataErrReader(strings.NewReader(text))} {
		names2, summary2, err2 := readAll(slow)
		if diff := cmp.Diff(fmt.Sprint(names, summary, err), fmt.Sprint(names2, summary2, err2)); diff != "" {
			t.Fatalf("%q is read otherwise in pieces: (-whole +pieces)\n%s", text, diff)
		}
	}
}

// FuzzRead looks for a stream that ends the program, or is read otherwise in pieces.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		small("a") + "---\n" + small("b"), smallJSON("a") + smallJSON("b"), platform,
		"apiVersion: v1\nitems:\n" + indented(small("a")) + "kind: List\n",
		"\ufeff---\r\n...\r\n%YAML 1.1\n--- {\"a\": \"}\\\"\"}{}\n", "{a: 'it''s \"'}\n--- |\n x\n", "? ~\n: x\n", "x\r---\ry", "\xff\xfe\x00",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { sameInChunks(t, text) })
}
