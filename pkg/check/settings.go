package check

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/settings"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// checkSettings checks the platform's settings: that they can be read and hold no secrets, and that apps.yaml is as the platform reads it. Of a
// repo that nothing has been moved to yet, the settings are the platform's own: whether they hold secrets is not asked.
func (r *run) checkSettings(ctx context.Context) error {
	var files []string
	for _, file := range r.paths {
		other := strings.HasPrefix(file, layout.ManifestsDir+"/") || strings.HasPrefix(file, layout.ValuesDir+"/")
		_, known := slices.BinarySearch(r.settings, file)
		if file != layout.AppsFile && (known || !other && settings.SecretFile(file)) && r.selected.touches(file) {
			files = append(files, file)
			r.checked = append(r.checked, finding.Unit{File: file})
		}
	}
	if err := r.each(ctx, len(files), func(_ context.Context, i int) []finding.Finding { return r.settingsFile(files[i]) }); err != nil {
		return err
	}
	if slices.Contains(r.settings, layout.AppsFile) {
		r.found = append(r.found, r.checkAppsFile()...)
		files = append(files, layout.AppsFile)
	}
	if r.moved() {
		r.found = append(r.found, r.idleExceptions(slices.DeleteFunc(files, func(file string) bool { return !r.selected.touches(file) }))...)
	}
	return nil
}

// moved tells whether anything of the repo is in the layout.
func (r *run) moved() bool {
	return len(r.units)+len(r.applications)+len(r.manifests) > 0 || slices.Contains(r.settings, layout.AppsFile)
}

// settingsFile checks a file of the settings, or one of those that the new settings take the place of.
func (r *run) settingsFile(file string) []finding.Finding {
	secrets := settings.SecretFile(file)
	if ext := path.Ext(file); ext != ".yaml" && ext != ".yml" && !secrets {
		return r.unreadSettings(file) // the platform reads YAML
	}
	doc, list := r.settingsDocument(file)
	switch {
	case secrets && r.moved() && (doc == nil || len(doc.Values) > 0 && !encrypted(doc)):
		f := finding.Finding{Rule: RuleSettingsSecret, Severity: finding.Error, File: file, Line: 1, Column: 1, Message: "a file of secrets, by its name, that is not encrypted",
			Next: "remove it from git, and change the secrets: git keeps its history"}
		if doc != nil {
			f.Line, f.Column = doc.Position(nil)
		}
		return []finding.Finding{f}
	case doc == nil || secrets || !r.moved() || !strings.HasPrefix(file, "env/settings/"):
		return list
	}
	return append(list, r.settingsSecrets(file, doc)...)
}

// unreadSettings looks for secrets in a file that the platform does not read, such as a copy that somebody left. One that can be read as YAML,
// as JSON can, has places that exceptions name.
func (r *run) unreadSettings(file string) []finding.Finding {
	if !r.moved() || !strings.HasPrefix(file, "env/settings/") {
		return nil
	}
	f := finding.Finding{Rule: RuleSettingsSecret, Severity: finding.Error, File: file}
	if kept(path.Base(file)) {
		if r.searchKept(&f) {
			return []finding.Finding{f}
		}
		return nil
	}
	if text, err := r.in.Read(file); err == nil {
		if doc, err := values.Parse(file, text); err == nil {
			return r.settingsSecrets(file, doc)
		}
	}
	switch rule, searched := r.secretIn(file, anyRule); {
	case rule != "":
		f.Message, f.Next = rule+": the platform does not read this file, and it holds a secret", "remove it from git, and change what it holds: git keeps its history"
	case !searched:
		f.Message, f.Next = "the file cannot be searched for secrets: it cannot be read, or is too large", "move it out of env"
	default:
		return nil
	}
	return []finding.Finding{f}
}

// settingsDocument reads a file; nil where it cannot be read.
func (r *run) settingsDocument(file string) (*values.Document, []finding.Finding) {
	broken := func(severity finding.Severity, line, column int, message, next string) finding.Finding {
		return finding.Finding{Rule: RuleSettings, Severity: severity, File: file, Line: line, Column: column, Message: message, Next: next}
	}
	text, err := r.in.Read(file)
	if err != nil {
		return nil, []finding.Finding{broken(finding.Error, 0, 0, "it cannot be read: "+err.Error(), "see that it is a regular file of UTF-8 text")}
	}
	doc, err := values.Parse(file, text)
	var at *values.Error
	if errors.As(err, &at) {
		return nil, []finding.Finding{broken(finding.Error, at.Line, at.Column, ofPlatform(at.Message), "correct the YAML at this place")}
	}
	var out []finding.Finding
	for _, w := range doc.Warnings {
		if w.Line > 0 {
			out = append(out, broken(finding.Warning, w.Line, w.Column, ofPlatform(w.Message), "keep one of them: the other is lost, or keeps the file from being read"))
		}
	}
	return doc, out
}

// ofPlatform returns what pkg/values says of a text that the platform reads.
func ofPlatform(message string) string { return strings.ReplaceAll(message, "Helm", "the platform") }

// settingsSecrets looks for secrets in a document of the settings; what SOPS has encrypted is none, nor what it writes about that.
func (r *run) settingsSecrets(file string, doc *values.Document) []finding.Finding {
	tree := doc.Values
	if encrypted(doc) {
		tree = map[string]any{}
		for key, value := range doc.Values {
			if key != sopsKey {
				tree[key] = value
			}
		}
	}
	return told(RuleSettingsSecret, file, "file: "+file, 0, r.scanner.File(file, doc, tree))
}

// sopsKey is where SOPS keeps what it needs to decrypt a file.
const sopsKey = "sops"

// encrypted tells whether SOPS has encrypted a file.
func encrypted(doc *values.Document) bool {
	sops, _ := doc.Values[sopsKey].(map[string]any)
	mac, _ := sops["mac"].(string)
	return strings.HasPrefix(mac, "ENC[")
}
