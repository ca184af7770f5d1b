package finding_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// sarif is what these tests read of a document.
type sarif struct {
	Version string
	Runs    []struct {
		Tool struct {
			Driver struct {
				Name, Version, InformationURI string
				Rules                         []struct {
					ID, HelpURI          string
					ShortDescription     struct{ Text string }
					DefaultConfiguration struct{ Level string }
				}
			}
		}
		ColumnKind string
		Results    []sarifResult
	}
}

type sarifResult struct {
	RuleID              string
	RuleIndex           int
	Level               string
	Message             struct{ Text string }
	PartialFingerprints map[string]string
	Locations           []struct {
		PhysicalLocation struct {
			ArtifactLocation struct{ URI, URIBaseID string }
			Region           *struct{ StartLine, StartColumn int }
		}
		LogicalLocations []struct{ Name, FullyQualifiedName, Kind string }
	}
}

func checkSARIF(t testing.TB, r *finding.Report, text string) {
	t.Helper()
	var log sarif
	decode(t, text, &log)
	if log.Version != "2.1.0" || len(log.Runs) != 1 || len(log.Runs[0].Results) != len(r.Findings) {
		t.Fatalf("there is one run of version 2.1.0 with %d results:\n%s", len(r.Findings), text)
	}
	run := log.Runs[0]
	prints := map[string]bool{}
	for i, got := range run.Results {
		f := r.Findings[i]
		if rule := run.Tool.Driver.Rules[got.RuleIndex]; rule.ID != got.RuleID || got.RuleID != finding.Visible(f.Rule) {
			t.Errorf("result %d is of rule %q, and refers to %q", i, got.RuleID, rule.ID)
		}
		if !strings.Contains(strings.ReplaceAll(got.Message.Text, `\](`, "]("), finding.Visible(f.Message)) || strings.Contains(strings.ReplaceAll(got.Message.Text, `\](`, ""), "](") {
			t.Errorf("result %d says %q of %q, and has no link", i, got.Message.Text, f.Message)
		}
		place := got.Locations[0].PhysicalLocation
		file, err := url.PathUnescape(place.ArtifactLocation.URI)
		if err != nil || file != f.File && f.File != "" {
			t.Errorf("result %d is in %q, want %q: %v", i, place.ArtifactLocation.URI, f.File, err)
		}
		if u, err := url.Parse(place.ArtifactLocation.URI); err != nil || u.Scheme != "" || u.RawQuery != "" || u.Fragment != "" {
			t.Errorf("result %d: %q is no address of a path alone: %v", i, place.ArtifactLocation.URI, err)
		}
		if region := place.Region; region != nil && (region.StartLine < 1 || region.StartColumn < 0) || region == nil && f.File != "" && f.Line > 0 {
			t.Errorf("result %d: line %d comes out as %+v", i, f.Line, region)
		}
		for _, hash := range got.PartialFingerprints {
			if prints[hash] {
				t.Errorf("two results have the fingerprint %s", hash)
			}
			prints[hash] = true
		}
	}
}

func TestSARIF(t *testing.T) {
	if diff := cmp.Diff(sarifExample, sarifOf(t, sample().Findings[3])); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// sarifOf writes a report of one finding, by a tool with one rule.
func sarifOf(t *testing.T, f finding.Finding) string {
	t.Helper()
	run := sample().Run
	run.Rules = run.Rules[:1]
	return written(t, finding.SARIF, finding.NewReport(run, []finding.Finding{f}))
}

func TestSARIFParts(t *testing.T) {
	var log sarif
	text := written(t, finding.SARIF, sample())
	decode(t, text, &log)
	checkSARIF(t, sample(), text)
	var got []string
	for _, r := range log.Runs[0].Results {
		place := r.Locations[0].PhysicalLocation
		logical := ""
		for _, l := range r.Locations[0].LogicalLocations {
			logical = l.Kind + " " + l.FullyQualifiedName
		}
		got = append(got, strings.Join([]string{r.Level, r.RuleID, place.ArtifactLocation.URI, logical, r.Message.Text}, " | "))
	}
	want := []string{
		"error | left-out | env |  | what is not known is an error",
		"warning | orphan-values | env/values/a%20b/%C3%BC%25/x.yaml |  | nobody reads this",
		"note | schema-missing | env | module gitea/gitea | the chart has no schema",
		"error | values-schema | " + file + " | property gitea/gitea replicas[0] | replicas[0]: this is a text; the schema wants a number\nNext: write a number",
		"error | values-schema | " + file + " | property gitea/gitea replicas[0] | replicas[0]: 50% is too much",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSARIFFingerprint holds that GitHub knows a finding again after an edit elsewhere in the file.
func TestSARIFFingerprint(t *testing.T) {
	base := sample().Findings[3]
	hash := func(change func(*finding.Finding)) string {
		f := base
		change(&f)
		var log sarif
		decode(t, sarifOf(t, f), &log)
		for _, hash := range log.Runs[0].Results[0].PartialFingerprints {
			return hash
		}
		return ""
	}
	want := hash(func(*finding.Finding) {})
	same := map[string]func(*finding.Finding){
		"line":     func(f *finding.Finding) { f.Line, f.Column = 99, 1 },
		"message":  func(f *finding.Finding) { f.Message, f.Next = "other", "other" },
		"severity": func(f *finding.Finding) { f.Severity = finding.Warning },
	}
	for name, change := range same {
		if got := hash(change); got != want {
			t.Errorf("%s: the finding is the same one, got %s, want %s", name, got, want)
		}
	}
	other := map[string]func(*finding.Finding){
		"rule":   func(f *finding.Finding) { f.Rule = "other" },
		"app":    func(f *finding.Finding) { f.App = "other" },
		"file":   func(f *finding.Finding) { f.File = "other" },
		"path":   func(f *finding.Finding) { f.Path = "other" },
		"shifts": func(f *finding.Finding) { f.App, f.File = f.App+"\x00"+f.File, "" },
	}
	for name, change := range other {
		if got := hash(change); got == want {
			t.Errorf("%s: the finding is another one", name)
		}
	}
}

// sarifExample is a whole document.
const sarifExample = `{
  "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
  "version": "2.1.0",
  "runs": [
    {
      "tool": {
        "driver": {
          "name": "kubectl-apl",
          "version": "v1.2.3",
          "informationUri": "https://github.com/kubectl-apl/kubectl-apl",
          "rules": [
            {
              "id": "values-schema",
              "shortDescription": {
                "text": "the chart's schema refuses the values"
              },
              "fullDescription": {
                "text": "the chart's schema refuses the values"
              },
              "helpUri": "https://github.com/kubectl-apl/kubectl-apl/blob/main/docs/rules/values-schema.md",
              "help": {
                "text": "What it means and what to do: https://github.com/kubectl-apl/kubectl-apl/blob/main/docs/rules/values-schema.md",
                "markdown": "[What it means and what to do](https://github.com/kubectl-apl/kubectl-apl/blob/main/docs/rules/values-schema.md)"
              },
              "defaultConfiguration": {
                "level": "error"
              }
            }
          ]
        }
      },
      "originalUriBaseIds": {
        "%SRCROOT%": {
          "description": {
            "text": "The root of the values repo."
          }
        }
      },
      "columnKind": "unicodeCodePoints",
      "results": [
        {
          "ruleId": "values-schema",
          "ruleIndex": 0,
          "level": "error",
          "message": {
            "text": "replicas[0]: this is a text; the schema wants a number\nNext: write a number"
          },
          "locations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "env/values/gitea/gitea/values.custom.yaml",
                  "uriBaseId": "%SRCROOT%"
                },
                "region": {
                  "startLine": 3,
                  "startColumn": 7
                }
              },
              "logicalLocations": [
                {
                  "name": "replicas[0]",
                  "fullyQualifiedName": "gitea/gitea replicas[0]",
                  "kind": "property"
                }
              ]
            }
          ],
          "partialFingerprints": {
            "ruleAppFilePath/v1": "31ab5a7c557feea7c07a94f42bfb5834:1"
          }
        }
      ]
    }
  ]
}
`
