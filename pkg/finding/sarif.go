package finding

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// What SARIF says of the tool. GitHub shows the name beside each alert.
const (
	toolName = "kubectl-apl"
	toolURL  = "https://github.com/kubectl-apl/kubectl-apl"
)

// sarifSchema is the address of the schema of what SARIF writes: the version of the standard with its errata.
const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// root is what the addresses of files are relative to: the root of the values repo. The name is GitHub's.
const root = "%SRCROOT%"

// nowhere stands for the file of a finding that is about none. GitHub refuses a whole report for one result without a place.
const nowhere = "env"

// fingerprint names the method of the fingerprints, with its version, as the standard asks for.
const fingerprint = "ruleAppFilePath/v1"

// SARIF writes a report in the Static Analysis Results Interchange Format 2.1.0, which GitHub's code scanning, among others,
// reads. It returns what out returns.
func SARIF(out io.Writer, r *Report) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(newSARIF(r)); err != nil {
		return fmt.Errorf("write SARIF: %w", err)
	}
	return nil
}

func newSARIF(r *Report) sarifLog {
	rules, index := sarifRules(r)
	results := make([]sarifResult, 0, len(r.Findings))
	seen := map[string]int{}
	for _, f := range r.Findings {
		result := sarifResult{
			RuleID: Visible(f.Rule), RuleIndex: index[f.Rule], Level: sarifLevel(f.level()),
			Message:   sarifText{Text: noLinks(f.text())},
			Locations: []sarifLocation{sarifPlace(f)},
		}
		hash := f.fingerprint()
		seen[hash]++
		result.PartialFingerprints = map[string]string{fingerprint: fmt.Sprintf("%s:%d", hash, seen[hash])}
		results = append(results, result)
	}
	return sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{{
		Tool:               sarifTool{Driver: sarifDriver{Name: toolName, Version: Visible(r.Run.Version), InformationURI: toolURL, Rules: rules}},
		OriginalURIBaseIDs: map[string]sarifBase{root: {Description: sarifText{Text: "The root of the values repo."}}},
		ColumnKind:         "unicodeCodePoints",
		Results:            results,
	}}}
}

// sarifRules returns the rules of the run and those that findings name besides, and where in the list each stands.
func sarifRules(r *Report) (list []sarifRule, index map[string]int) {
	list, index = []sarifRule{}, map[string]int{}
	add := func(rule Rule) {
		if _, ok := index[rule.ID]; ok {
			return
		}
		index[rule.ID] = len(list)
		summary := sarifText{Text: Visible(cmp.Or(rule.Summary, rule.ID, "a rule without a name"))}
		list = append(list, sarifRule{
			ID: Visible(rule.ID), ShortDescription: summary, FullDescription: summary, HelpURI: rule.URL(),
			Help: sarifText{
				Text:     "What it means and what to do: " + rule.URL(),
				Markdown: "[What it means and what to do](" + rule.URL() + ")",
			},
			DefaultConfiguration: sarifConfiguration{Level: sarifLevel(rule.Severity)},
		})
	}
	for _, rule := range r.Run.Rules {
		add(rule)
	}
	for _, f := range r.Findings {
		add(Rule{ID: f.Rule, Severity: f.Severity})
	}
	return list, index
}

// sarifLevel is a severity by SARIF's name.
func sarifLevel(s Severity) string {
	switch s {
	case Info:
		return "note"
	case Warning:
		return "warning"
	}
	return "error"
}

func sarifPlace(f Finding) sarifLocation {
	file := sarifArtifact{URI: escapeURI(cmp.Or(f.File, nowhere)), URIBaseID: root}
	if strings.HasPrefix(f.File, "/") {
		file.URIBaseID = "" // an input from elsewhere
	}
	place := sarifLocation{PhysicalLocation: sarifPhysical{ArtifactLocation: file}}
	if f.File != "" && f.Line > 0 {
		place.PhysicalLocation.Region = &sarifRegion{StartLine: f.Line, StartColumn: max(f.Column, 0)}
	}
	switch {
	case f.Path != "":
		name := Visible(f.Path)
		place.LogicalLocations = []sarifLogical{{Name: name, FullyQualifiedName: strings.TrimSpace(Visible(f.App) + " " + name), Kind: "property"}}
	case f.App != "":
		name := Visible(f.App)
		place.LogicalLocations = []sarifLogical{{Name: name, FullyQualifiedName: name, Kind: "module"}}
	}
	return place
}

// noLinks keeps brackets in a message from being a link, which a viewer makes of [text](address).
func noLinks(text string) string { return strings.ReplaceAll(text, "](", `\](`) }

// fingerprint is the same for a finding that moved to another line, or whose message says it with other values.
func (f Finding) fingerprint() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", []string{f.Rule, f.App, f.File, f.Path})) // quoted, so that no two of them meet
	return hex.EncodeToString(sum[:16])
}
