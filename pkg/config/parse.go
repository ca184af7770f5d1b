package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

// The keys of the file and of its entries, in the order in which messages list them.
const (
	keysOfFile      = "exclude, secrets, rules"
	keysOfExclude   = "app, reason"
	keysOfException = "app, file, path, rule, reason"
	keysOfRule      = "rule, severity, reason"
)

// Parse reads the text of .apl.yaml; name is what errors call the file. An empty file gives the zero Config. Anything
// that the file may not hold (an unknown or repeated key, an entry without a reason, a second document) is an *Error with
// all problems: a typo in this file must not silently exclude nothing.
func Parse(name string, text []byte) (*Config, error) {
	if len(text) > MaxSize {
		return nil, newError(name, []Problem{{
			Message: fmt.Sprintf("%d bytes are too many, at most %d are read", len(text), MaxSize),
			Next:    "check that this is the file you mean",
		}})
	}
	if !utf8.Valid(text) {
		return nil, newError(name, []Problem{{Message: "the text is not UTF-8", Next: "save the file as UTF-8"}})
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document yaml.Node
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return &Config{}, nil
	} else if err != nil {
		return nil, newError(name, []Problem{syntaxProblem(text, err)})
	}
	r := &reader{config: &Config{}}
	r.file(&document)
	var second yaml.Node
	switch err := decoder.Decode(&second); {
	case errors.Is(err, io.EOF):
	case err != nil:
		r.problems = append(r.problems, syntaxProblem(text, err))
	default:
		r.problem(&second, "a second YAML document begins here", "keep one document: remove the line ---, or what follows it")
	}
	if len(r.problems) > 0 {
		return nil, newError(name, r.problems)
	}
	return r.config, nil
}

var (
	syntaxLine    = regexp.MustCompile(`^line ([0-9]+): `)
	unknownAnchor = regexp.MustCompile(`(?s)^unknown anchor '(.*)' referenced$`)
)

// syntaxProblem takes the place out of the text of a YAML error, which is the only place where it stands. It can be off
// by one line, depending on which stage of the parser stopped; an error about the first line, or about a byte, has none.
func syntaxProblem(text []byte, err error) Problem {
	p := Problem{Next: "correct the YAML at this line or next to it"}
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	if found := syntaxLine.FindStringSubmatch(message); found != nil {
		if n, err := strconv.Atoi(found[1]); err == nil {
			p.Line, message = n, message[len(found[0]):]
		}
	}
	if found := unknownAnchor.FindStringSubmatch(message); found != nil {
		// What follows "*" need not have been meant as an alias, so it is not repeated.
		if at := bytes.Index(text, []byte("*"+found[1])); at >= 0 {
			p.Line = 1 + bytes.Count(text[:at], []byte("\n"))
			p.Column = at - bytes.LastIndexByte(text[:at], '\n')
		}
		message, p.Next = "an alias without its anchor", "write the value out, or put it in quotes when it begins with *"
	}
	p.Message = "not YAML: " + message
	return p
}

// reader builds a Config and collects every problem on the way.
type reader struct {
	config   *Config
	problems []Problem
}

func (r *reader) problem(n *yaml.Node, message, next string) {
	r.problems = append(r.problems, Problem{Line: max(n.Line, 1), Column: max(n.Column, 1), Message: message, Next: next})
}

func (r *reader) file(document *yaml.Node) {
	if len(document.Content) != 1 || isNull(document.Content[0]) {
		return
	}
	entries := r.mapping(document.Content[0], "the file", keysOfFile)
	for _, n := range r.list(entries["exclude"], "exclude") {
		r.exclusion(n)
	}
	for _, n := range r.list(entries["secrets"], "secrets") {
		r.exception(n)
	}
	for _, n := range r.list(entries["rules"], "rules") {
		r.rule(n)
	}
	r.repeats()
}

func (r *reader) exclusion(n *yaml.Node) {
	fields := r.mapping(n, "an entry of exclude", keysOfExclude)
	if fields == nil {
		return
	}
	e := Exclusion{Line: n.Line, Column: n.Column}
	e.App = r.app(n, fields)
	e.Reason = r.text(n, fields, "reason", "say why the app is left out")
	r.config.Exclude = append(r.config.Exclude, e)
}

func (r *reader) exception(n *yaml.Node) {
	fields := r.mapping(n, "an entry of secrets", keysOfException)
	if fields == nil {
		return
	}
	e := Exception{Line: n.Line, Column: n.Column}
	if e.File = r.settingsFile(n, fields); e.File == "" {
		e.App = r.app(n, fields)
	}
	e.Path = r.text(n, fields, "path", "name the place as the finding does, such as auth.password")
	e.Rule = r.text(n, fields, "rule", "name the rule as the finding does, such as secret-named-key")
	e.Reason = r.text(n, fields, "reason", "say why the value may stand in git")
	r.config.Secrets = append(r.config.Secrets, e)
}

func (r *reader) rule(n *yaml.Node) {
	fields := r.mapping(n, "an entry of rules", keysOfRule)
	if fields == nil {
		return
	}
	const next = "it is one of error, warning, info, off"
	e := Rule{Line: n.Line, Column: n.Column}
	e.Rule = r.text(n, fields, "rule", "name the rule as the finding does, such as stray-file")
	e.Severity = finding.Severity(r.text(n, fields, "severity", next))
	switch e.Severity {
	case finding.Error, finding.Warning, finding.Info, Off, "": // the last is reported
	default:
		r.problem(fields["severity"], "there is no such severity", next)
	}
	e.Reason = r.text(n, fields, "reason", "say why the rule counts for more or less here")
	r.config.Rules = append(r.config.Rules, e)
}

// settingsFile reads the file that an exception is about. It returns "" where it is about an app.
func (r *reader) settingsFile(n *yaml.Node, fields map[string]*yaml.Node) string {
	if fields["file"] == nil {
		return ""
	}
	const next = "name a settings file from the root of the repo, such as env/settings/apps.yaml"
	if fields["app"] != nil {
		r.problem(fields["file"], "the entry has a file and an app", "keep app for values of an app, file for a settings file")
	}
	file := r.text(n, fields, "file", next)
	if file != "" && !strings.HasPrefix(file, "env/settings/") {
		r.problem(fields["file"], "file is no settings file", next)
	}
	if file == "" {
		return "env/settings/" // reported; an app is not asked for as well
	}
	return file
}

// repeats reports entries that say again what an earlier one says: one of the two reasons would go unread.
func (r *reader) repeats() {
	const next = "keep one of the two"
	excluded := map[app.ID]int{}
	for _, e := range r.config.Exclude {
		if line, ok := excluded[e.App]; ok && e.App != (app.ID{}) {
			r.problem(&yaml.Node{Line: e.Line, Column: e.Column}, fmt.Sprintf("%q is excluded already, in line %d", e.App, line), next)
			continue
		}
		excluded[e.App] = e.Line
	}
	type place struct {
		id               app.ID
		file, path, rule string
	}
	accepted := map[place]int{}
	for _, e := range r.config.Secrets {
		p := place{e.App, e.File, e.Path, e.Rule}
		if e.App == (app.ID{}) && e.File == "" || e.Path == "" || e.Rule == "" {
			continue // reported as incomplete
		}
		if line, ok := accepted[p]; ok {
			r.problem(&yaml.Node{Line: e.Line, Column: e.Column}, fmt.Sprintf("this place and rule are accepted already, in line %d", line), next)
			continue
		}
		accepted[p] = e.Line
	}
	set := map[string]int{}
	for _, e := range r.config.Rules {
		if line, ok := set[e.Rule]; ok && e.Rule != "" {
			r.problem(&yaml.Node{Line: e.Line, Column: e.Column}, fmt.Sprintf("the rule has a severity already, in line %d", line), next)
			continue
		}
		set[e.Rule] = e.Line
	}
}
