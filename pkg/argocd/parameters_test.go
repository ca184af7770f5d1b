package argocd_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

func number(digits string) json.Number { return json.Number(digits) }

// withParameters returns an Application with Helm parameters, each {name, value, forceString}.
func withParameters(t interface{ Fatal(...any) }, parameters ...any) *argocd.Application {
	a, err := argocd.New(map[string]any{
		"apiVersion": "argoproj.io/v1alpha1",
		"kind":       "Application",
		"metadata":   map[string]any{"name": "web", "namespace": "argocd"},
		"spec": map[string]any{
			"destination": map[string]any{"namespace": "shop"},
			"source": map[string]any{
				"repoURL": "https://charts.example.test", "chart": "web", "targetRevision": "1.2.3",
				"helm": map[string]any{"parameters": parameters},
			},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func set(name, value string) map[string]any { return map[string]any{"name": name, "value": value} }

func setString(name, value string) map[string]any {
	return map[string]any{"name": name, "value": value, "forceString": true}
}

func TestParameters(t *testing.T) {
	assign := func(name, value string) values.Assignment { return values.Assignment{Name: name, Value: value} }
	assignString := func(name, value string) values.Assignment {
		return values.Assignment{Name: name, Value: value, String: true}
	}
	blocked := func(i int) []string {
		return []string{fmt.Sprintf("%s spec.source.helm.parameters[%d]", argocd.RuleParameter, i)}
	}
	substitution := func(i int) []string {
		return []string{fmt.Sprintf("%s spec.source.helm.parameters[%d]", argocd.RuleSubstitution, i)}
	}
	cases := map[string]struct {
		reason             string
		parameters         []any
		want               []values.Assignment
		warnings, blocking []string
	}{
		"KindsApart": {
			reason:     "case B5: the last of a name counts within its kind, and --set-string comes after --set",
			parameters: []any{set("tag", "v1"), setString("tag", "v2"), set("tag", "v3"), set("port", "80")},
			want:       []values.Assignment{assign("tag", "v3"), assign("port", "80"), assignString("tag", "v2")},
		},
		"Overlap": {
			reason:     "case B5: which of both Helm gets last is random",
			parameters: []any{set("hosts", "{a,b}"), set("hosts[0]", "z"), set("tag", "v1")},
			want:       []values.Assignment{assign("hosts", "{a,b}"), assign("tag", "v1")},
			blocking:   blocked(1),
		},
		"OverlapWithin": {
			reason:     "the order in which they stand does not matter",
			parameters: []any{set("a.b.c", "1"), set("a.b", "null")},
			want:       []values.Assignment{assign("a.b.c", "1")}, blocking: blocked(1),
		},
		"OverlapSpelling": {
			reason:     "two spellings of one path are two names to Argo CD",
			parameters: []any{set("a[0]", "1"), set("a[00]", "2")},
			want:       []values.Assignment{assign("a[0]", "1")}, blocking: blocked(1),
		},
		"OverlapShape": {
			reason:     "a thing cannot be a map and a list",
			parameters: []any{set("a.b", "1"), set("a[0]", "2")},
			want:       []values.Assignment{assign("a.b", "1")}, blocking: blocked(1),
		},
		"OverlapOfKinds": {
			reason:     "between the kinds the order is fixed",
			parameters: []any{set("hosts", "{a,b}"), setString("hosts[0]", "z")},
			want:       []values.Assignment{assign("hosts", "{a,b}"), assignString("hosts[0]", "z")},
		},
		"Siblings": {
			reason:     "what stands side by side does not overlap",
			parameters: []any{set("a.b", "1"), set("a.bc", "2"), set(`a\.b`, "3"), set("l[1].x", "4"), set("l[0].x", "5"), set("l[0].y", "6")},
			want: []values.Assignment{
				assign("a.b", "1"), assign("a.bc", "2"), assign(`a\.b`, "3"), assign("l[1].x", "4"), assign("l[0].x", "5"), assign("l[0].y", "6"),
			},
		},
		"Dollar": {
			reason:     "case B3: a $ is replaced in parameters, a known name by what Argo CD knows",
			parameters: []any{set("pw", "pa$sword"), set("host", "$ARGOCD_APP_NAME.example.test"), set("lit", "p$$w"), set("end", "a$")},
			want:       []values.Assignment{assign("pw", "pa"), assign("host", "web.example.test"), assign("lit", "p$w"), assign("end", "a$")},
			warnings:   append(substitution(0), substitution(1)...),
		},
		"Environment": {
			reason: "these are what Argo CD's repo server knows of an Application",
			parameters: []any{set("all", "${ARGOCD_APP_NAMESPACE} ${ARGOCD_APP_PROJECT_NAME} $ARGOCD_APP_SOURCE_REPO_URL "+
				"[$ARGOCD_APP_SOURCE_PATH] $ARGOCD_APP_SOURCE_TARGET_REVISION")},
			want:     []values.Assignment{assign("all", "shop default https://charts.example.test [] 1.2.3")},
			warnings: substitution(0),
		},
		"EatenBrace": {
			reason:     "a brace that does not end is eaten too",
			parameters: []any{setString("pw", "a${b")}, want: []values.Assignment{assignString("pw", "ab")}, warnings: substitution(0),
		},
		"Revision": {
			reason:     "case B3: a revision in a file would never be that of the file",
			parameters: []any{set("rev", "x-$ARGOCD_APP_REVISION"), set("short", "${ARGOCD_APP_REVISION_SHORT_8}")},
			blocking:   append(substitution(0), substitution(1)...),
		},
		"NameKept":   {reason: "names are not substituted", parameters: []any{set("$ARGOCD_APP_NAME", "1")}, want: []values.Assignment{assign("$ARGOCD_APP_NAME", "1")}},
		"Commas":     {reason: "Argo CD escapes a comma, unless it is escaped", parameters: []any{set("a", `x,y\,z`)}, want: []values.Assignment{assign("a", `x\,y\,z`)}},
		"List":       {reason: "a value in braces is a list", parameters: []any{set("a", "{x,y}")}, want: []values.Assignment{assign("a", "{x,y}")}},
		"EmptyValue": {reason: "an empty value is text", parameters: []any{map[string]any{"name": "a"}}, want: []values.Assignment{assign("a", "")}},
		"EmptyInItem": {
			reason:     "Helm drops an empty value within a list item that is not there yet",
			parameters: []any{set("l[0].a", "1"), set("l[0].b", "")},
			want:       []values.Assignment{assign("l[0].a", "1")}, blocking: blocked(1),
		},
		"EmptyElsewhere": {
			reason:     "an empty value is as good as any where no other parameter makes the item, or it is the item",
			parameters: []any{set("l[0].b", ""), set("m[0]", ""), set("m[1]", ""), set("a.b", ""), set("a.c", "")},
			want:       []values.Assignment{assign("l[0].b", ""), assign("m[0]", ""), assign("m[1]", ""), assign("a.b", ""), assign("a.c", "")},
		},
		"TwoLists": {
			reason:     "Argo CD does not escape what looks like one list, so that this sets b as well",
			parameters: []any{set("a", "{x},b={y}")}, blocking: blocked(0),
		},
		"EscapedBackslash": {reason: "the same by a backslash that escapes itself", parameters: []any{set("a", `x\\,b=y`)}, blocking: blocked(0)},
		"OpenList":         {reason: "Helm refuses a list without an end", parameters: []any{set("a", "{x")}, blocking: blocked(0)},
		"NameEquals":       {reason: "a name that holds a value sets more than it says", parameters: []any{set("a=1,b", "2")}, blocking: blocked(0)},
		"NameIndex":        {reason: "an index is a number", parameters: []any{set("a[x]", "2")}, blocking: blocked(0)},
		"NameNegative":     {reason: "from zero", parameters: []any{set("a[-1]", "2")}, blocking: blocked(0)},
		"NameOpen":         {reason: "that ends", parameters: []any{set("a[1", "2")}, blocking: blocked(0)},
		"NameAfterIndex":   {reason: "before a dot", parameters: []any{set("a[1]b", "2")}, blocking: blocked(0)},
		"NameEmptyPart":    {reason: "Helm drops a part without a name", parameters: []any{set("a..b", "2")}, blocking: blocked(0)},
		"NameEnds":         {reason: "and one at the end", parameters: []any{set("a.", "2")}, blocking: blocked(0)},
		"NameBackslash":    {reason: "the = after it would be escaped", parameters: []any{set(`a\`, "2")}, blocking: blocked(0)},
		"NoName":           {reason: "there is nothing to set", parameters: []any{set("", "2")}, blocking: blocked(0)},
		"NoMap":            {reason: "a parameter is an object", parameters: []any{"a=b"}, blocking: blocked(0)},
		"NoText":           {reason: "its value is text", parameters: []any{map[string]any{"name": "a", "value": number("3")}}, blocking: blocked(0)},
		"NoBool":           {reason: "a flag is true or false", parameters: []any{map[string]any{"name": "a", "value": "3", "forceString": "yes"}}, blocking: blocked(0)},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := tell(withParameters(t, tc.parameters...).LiveValues())
			want := told{Parameters: tc.want, NoInline: len(tc.want) == 0, Warnings: tc.warnings, Blocking: tc.blocking}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}

// TestParameterFindingsHideValues holds that no finding shows a value, nor the part of a password that looks like a
// variable's name.
func TestParameterFindingsHideValues(t *testing.T) {
	live := withParameters(t, set("a", "hun$ter2"), set("b", "{hunter2"), set("c", `ter2\\,ter2=x`), set("d", "ter2$ARGOCD_APP_REVISION"),
		map[string]any{"name": "e", "value": number("2")}).LiveValues()
	for _, f := range append(live.Warnings, live.Blocking...) {
		if text := fmt.Sprintf("%+v", f); strings.Contains(text, "ter2") {
			t.Errorf("a finding shows a value: %s", text)
		}
	}
}

// TestParametersFoldInAnyOrder holds what the overlap rule is for: parameters of one kind that are not blocked come to the
// same values in whatever order Argo CD's maps give them to Helm.
func TestParametersFoldInAnyOrder(t *testing.T) {
	names := rapid.StringMatching(`[ab]((\.|\\\.)[ab]|\[[01]\]){0,3}`)
	value := rapid.SampledFrom([]string{"1", "x", "", "{p,q}", "null", "true", "a,b"})
	rapid.Check(t, func(t *rapid.T) {
		var parameters []any
		for range rapid.IntRange(1, 5).Draw(t, "n") {
			parameters = append(parameters, set(names.Draw(t, "name"), value.Draw(t, "value")))
		}
		live := withParameters(t, parameters...).LiveValues()
		if live.Blocked() {
			return
		}
		turned := rapid.Permutation(live.Parameters).Draw(t, "turned")
		a, errA := fold(live.Parameters)
		b, errB := fold(turned)
		if (errA == nil) != (errB == nil) {
			t.Fatalf("%v and %v: %v, %v", live.Parameters, turned, errA, errB)
		}
		if diff := cmp.Diff(a, b); diff != "" {
			t.Fatalf("%v and %v: (-first +second)\n%s", live.Parameters, turned, diff)
		}
	})
}

// TestParameterSetsItsNameOnly holds that a parameter which is not blocked is one assignment to Helm.
func TestParameterSetsItsNameOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.StringMatching(`[{},\\a=$]{0,6}`).Draw(t, "value")
		live := withParameters(t, setString("k", value)).LiveValues()
		if live.Blocked() {
			return
		}
		got, err := fold(live.Parameters)
		if err != nil {
			t.Fatalf("%q: %v", value, err)
		}
		if _, ok := got["k"]; !ok || len(got) != 1 {
			t.Fatalf("%q sets %v", value, got)
		}
	})
}

func fold(assignments []values.Assignment) (map[string]any, error) {
	doc, err := values.Parse("none", nil)
	if err != nil {
		return nil, err
	}
	folded, err := doc.Set(assignments)
	if err != nil {
		return nil, err
	}
	return folded.Values, nil
}
