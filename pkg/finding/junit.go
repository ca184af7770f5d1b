package finding

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// noApp is the suite of files that belong to no app.
const noApp = "files of no app"

// JUnit writes a report as JUnit's XML, in the form of the schema junit-10.xsd of Jenkins' xUnit plugin, which other CI systems
// read as well. Each app is a suite, and each unit that was checked a test case, which has failed when a finding of it makes the
// run fail; other findings stand in its output. A case has one failure at most, with all findings in it: Jenkins and GitLab
// show the first one only. It returns what out returns.
func JUnit(out io.Writer, r *Report) error {
	text, err := xml.MarshalIndent(newJUnit(r), "", "  ")
	if err != nil {
		return fmt.Errorf("write JUnit: %w", err)
	}
	if _, err := io.WriteString(out, xml.Header+string(text)+"\n"); err != nil {
		return fmt.Errorf("write JUnit: %w", err)
	}
	return nil
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Failure *junitFailure `xml:"failure"`
	Output  string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

func newJUnit(r *Report) junitSuites {
	all := junitSuites{Name: toolName + " validate"}
	suites := map[string]int{}
	for _, c := range cases(r) {
		name := oneLine(c.unit.App)
		if c.unit.App == "" {
			name = noApp
		}
		at, ok := suites[name]
		if !ok {
			at = len(all.Suites)
			suites[name] = at
			all.Suites = append(all.Suites, junitSuite{Name: name})
		}
		suite := &all.Suites[at]
		test := newJUnitCase(c, name, r.Run.FailOn)
		suite.Cases = append(suite.Cases, test)
		suite.Tests, all.Tests = suite.Tests+1, all.Tests+1
		if test.Failure != nil {
			suite.Failures, all.Failures = suite.Failures+1, all.Failures+1
		}
	}
	return all
}

func newJUnitCase(c unitFindings, class string, on FailOn) junitCase {
	test := junitCase{Name: oneLine(c.unit.name()), Class: class}
	var failed, other []Finding
	for _, f := range c.findings {
		if on.fails(f) {
			failed = append(failed, f)
		} else {
			other = append(other, f)
		}
	}
	if len(failed) > 0 {
		first := oneLine(failed[0].Message)
		if more := len(failed) - 1; more > 0 {
			first += " (and " + strconv.Itoa(more) + " more)"
		}
		test.Failure = &junitFailure{Type: oneLine(failed[0].Rule), Message: first, Text: junitText(failed)}
	}
	test.Output = junitText(other)
	return test
}

func junitText(list []Finding) string {
	var texts []string
	for _, f := range list {
		text := string(f.level()) + ": " + f.text() + "\nRule: " + f.Rule
		if place := f.Place(); place != "" {
			text = place + ": " + text
		}
		texts = append(texts, Visible(text))
	}
	return strings.Join(texts, "\n\n")
}
