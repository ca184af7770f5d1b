package finding_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// rules of junit-10.xsd, for the elements that we write: attributes, those that are required first, and children. All of them are
// strings; children come in any order and number. A failure holds text.
type xsdElement struct {
	required, optional, children []string
	text                         bool
}

func xsd() map[string]xsdElement {
	words := strings.Fields
	return map[string]xsdElement{
		"testsuites": {optional: words("name time tests failures errors"), children: words("testsuite")},
		"testsuite": {
			required: words("name tests failures errors"), optional: words("group time skipped timestamp hostname id package file log url"),
			children: words("testsuite properties testcase system-out system-err"),
		},
		"testcase": {
			required: words("name"), optional: words("time classname group"),
			children: words("skipped error failure rerunFailure rerunError flakyFailure flakyError system-out system-err"),
		},
		"failure":    {optional: words("type message"), text: true},
		"system-out": {text: true},
	}
}

// conforms holds an element, and what is in it, to the schema.
func conforms(e element) error {
	name := e.XMLName.Local
	rule, ok := xsd()[name]
	if !ok || e.XMLName.Space != "" {
		return fmt.Errorf("there is no element %q", name)
	}
	for _, a := range e.Attrs {
		if !slices.Contains(rule.required, a.Name.Local) && !slices.Contains(rule.optional, a.Name.Local) || a.Name.Space != "" {
			return fmt.Errorf("%s has no attribute %q", name, a.Name.Local)
		}
	}
	for _, required := range rule.required {
		if !slices.ContainsFunc(e.Attrs, func(a xml.Attr) bool { return a.Name.Local == required }) {
			return fmt.Errorf("%s lacks %s", name, required)
		}
	}
	if !rule.text && strings.TrimSpace(e.Text) != "" {
		return fmt.Errorf("%s holds text: %q", name, e.Text)
	}
	for _, child := range e.Children {
		if !slices.Contains(rule.children, child.XMLName.Local) {
			return fmt.Errorf("%s holds %s", name, child.XMLName.Local)
		}
		if err := conforms(child); err != nil {
			return err
		}
	}
	return nil
}

func checkJUnit(t testing.TB, r *finding.Report, text string) {
	t.Helper()
	var all element
	d := xml.NewDecoder(strings.NewReader(text))
	if err := d.Decode(&all); err != nil {
		t.Fatalf("what was written is no XML: %v\n%s", err, text)
	}
	if rest, err := d.Token(); !errors.Is(err, io.EOF) && strings.TrimSpace(fmt.Sprintf("%s", rest)) != "" {
		t.Fatalf("something follows the document: %v\n%s", err, text)
	}
	if all.XMLName.Local != "testsuites" {
		t.Errorf("the root is %s", all.XMLName.Local)
	}
	if err := conforms(all); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	tests, failures := 0, 0
	var said strings.Builder
	for _, suite := range all.Children {
		failed := 0
		for _, test := range suite.Children {
			for _, part := range test.Children {
				said.WriteString(part.Text)
				if part.XMLName.Local == "failure" {
					failed++
				}
			}
		}
		counted(t, suite, len(suite.Children), failed)
		tests, failures = tests+len(suite.Children), failures+failed
	}
	counted(t, all, tests, failures)
	if r.Fails(r.Run.FailOn) != (failures > 0) {
		t.Errorf("there are failures when the run fails, and only then; got %d\n%s", failures, text)
	}
	for _, f := range r.Findings {
		if !strings.Contains(said.String(), finding.Visible(f.Message)) {
			t.Errorf("the message %q is not there\n%s", f.Message, text)
		}
	}
}

func counted(t testing.TB, e element, tests, failures int) {
	t.Helper()
	if e.attr("tests") != strconv.Itoa(tests) || e.attr("failures") != strconv.Itoa(failures) || e.attr("errors") != "0" {
		t.Errorf("%s %q counts %s tests, %s failures, %s errors; there are %d and %d", e.XMLName.Local, e.attr("name"),
			e.attr("tests"), e.attr("failures"), e.attr("errors"), tests, failures)
	}
}

func TestJUnit(t *testing.T) {
	golden(t, written(t, finding.JUnit, sample()),
		`<?xml version="1.0" encoding="UTF-8"?>`,
		`<testsuites name="kubectl-apl validate" tests="6" failures="2" errors="0">`,
		`  <testsuite name="files of no app" tests="3" failures="1" errors="0">`,
		`    <testcase name="the repo" classname="files of no app">`,
		`      <failure type="left-out" message="what is not known is an error">error: what is not known is an error&#xA;Rule: left-out</failure>`,
		`    </testcase>`,
		`    <testcase name="env/settings/apps.yaml" classname="files of no app"></testcase>`,
		`    <testcase name="env/values/a b/ü%/x.yaml" classname="files of no app">`,
		`      <system-out>env/values/a b/ü%/x.yaml: warning: nobody reads this&#xA;Rule: orphan-values</system-out>`,
		`    </testcase>`,
		`  </testsuite>`,
		`  <testsuite name="gitea/gitea" tests="2" failures="1" errors="0">`,
		`    <testcase name="gitea/gitea" classname="gitea/gitea">`,
		`      <system-out>info: the chart has no schema&#xA;Rule: schema-missing</system-out>`,
		`    </testcase>`,
		`    <testcase name="`+file+`" classname="gitea/gitea">`,
		`      <failure type="values-schema" message="this is a text; the schema wants a number (and 1 more)">`+
			file+`:3:7: error: replicas[0]: this is a text; the schema wants a number&#xA;Next: write a number&#xA;Rule: values-schema&#xA;&#xA;`+
			file+`:4: error: replicas[0]: 50% is too much&#xA;Rule: values-schema</failure>`,
		`    </testcase>`,
		`  </testsuite>`,
		`  <testsuite name="loki/loki" tests="1" failures="0" errors="0">`,
		`    <testcase name="env/values/loki/loki/values.custom.yaml" classname="loki/loki"></testcase>`,
		`  </testsuite>`,
		`</testsuites>`,
	)
}

// TestJUnitFailOn holds that a case fails when the run does.
func TestJUnitFailOn(t *testing.T) {
	for on, want := range map[finding.FailOn]int{finding.FailOnError: 2, finding.FailOnWarning: 3, finding.FailOnNever: 0} {
		r := sample()
		r.Run.FailOn = on
		text := written(t, finding.JUnit, r)
		checkJUnit(t, r, text)
		if got := strings.Count(text, "<failure"); got != want {
			t.Errorf("%s: got %d failures, want %d\n%s", on, got, want, text)
		}
	}
}

// TestJUnitUnits holds that a finding without an app goes to the app that its file belongs to.
func TestJUnitUnits(t *testing.T) {
	run := finding.Run{Checked: []finding.Unit{{App: "a/a", File: "one"}, {App: "a/a", File: "both"}, {App: "b/b", File: "both"}}}
	r := finding.NewReport(run, []finding.Finding{{Rule: "r", File: "one", Message: "m"}, {Rule: "r", File: "both", Message: "m"}})
	text := written(t, finding.JUnit, r)
	checkJUnit(t, r, text)
	for _, want := range []string{
		"<testcase name=\"one\" classname=\"a/a\">\n      <failure",
		"<testcase name=\"both\" classname=\"files of no app\">\n      <failure",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// TestJUnitEmpty holds that a run that had nothing to check is one test that passed: Jenkins fails on a report without tests.
func TestJUnitEmpty(t *testing.T) {
	golden(t, written(t, finding.JUnit, finding.NewReport(finding.Run{}, nil)),
		`<?xml version="1.0" encoding="UTF-8"?>`,
		`<testsuites name="kubectl-apl validate" tests="1" failures="0" errors="0">`,
		`  <testsuite name="files of no app" tests="1" failures="0" errors="0">`,
		`    <testcase name="the repo" classname="files of no app"></testcase>`,
		`  </testsuite>`,
		`</testsuites>`,
	)
}

func TestConforms(t *testing.T) {
	for reason, text := range map[string]string{
		"an element that is not there": `<testsuites><test/></testsuites>`,
		"in a place that is not its":   `<testsuites><testcase name="a"/></testsuites>`,
		"an attribute that is not":     `<testsuites version="1"/>`,
		"one that lacks":               `<testsuites><testsuite name="a" tests="1" failures="0"/></testsuites>`,
		"text where there is none":     `<testsuites>a</testsuites>`,
	} {
		var e element
		if err := xml.Unmarshal([]byte(text), &e); err != nil {
			t.Fatal(err)
		}
		if err := conforms(e); err == nil {
			t.Errorf("%s: %s conforms", reason, text)
		}
	}
}
