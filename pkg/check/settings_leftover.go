package check

import (
	"fmt"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/settings"
)

// maxLeftover bounds how many differences are counted.
const maxLeftover = 100

// leftover tells that env/apps is there beside apps.yaml: a platform reads one of the two, and nobody who looks at the repo sees which. They may
// say the same, or apps.yaml is the later word (docs/adr/0017); else it is a warning. What cannot be read has findings of its own.
func (r *run) leftover(apps *settings.Apps, text []byte, files []string) []finding.Finding {
	var left []settings.File
	for _, file := range files {
		if data, err := r.in.Read(file); err == nil {
			left = append(left, settings.File{Path: file, Data: data})
		}
	}
	compared, ok := settings.CompareLeftover(apps, text, left, maxLeftover)
	if len(left) == 0 || !ok || compared.Empty() {
		return nil
	}
	f := finding.Finding{Rule: RuleLeftover, Severity: finding.Info, File: left[0].Path, Message: layout.AppsDir + " is still there, and says the same as " + layout.AppsFile,
		Next: "once the platform's version reads " + layout.AppsFile + ", remove it: kubectl apl settings migrate --remove-env-apps --platform-reads-apps-yaml"}
	if len(compared.Differences) == 0 {
		return []finding.Finding{f}
	}
	first := compared.Differences[0]
	if len(first) > 1 {
		f.App = first[1].Key
		_, f.Line, f.Column = apps.Position(f.App, first[2:])
	}
	f.File, f.Path = layout.AppsFile, r.in.Detector.MaskPath(first).String()
	where := layout.AppsDir
	switch file, line, column := compared.Position(first); {
	case file != "" && f.Line == 0: // apps.yaml has nothing of the app
		f.File, f.Line, f.Column, where = file, line, column, layout.AppsFile
	case file != "":
		where = fmt.Sprintf("%s:%d", file, line)
	}
	f.Message = where + " says otherwise"
	if n := len(compared.Differences); n >= maxLeftover {
		f.Message += fmt.Sprintf(", one of %d places and more", n)
	} else if n > 1 {
		f.Message += fmt.Sprintf(", one of %d places", n)
	}
	if !compared.Changed {
		f.Message += "; apps.yaml was edited since it was made of " + layout.AppsDir + ", and is the later word: a platform that reads " + layout.AppsDir + " does not see that"
		return []finding.Finding{f}
	}
	f.Severity = finding.Warning
	f.Next = "make them say the same, or say which counts: kubectl apl settings migrate"
	if compared.Edited {
		f.Message += "; nothing tells which of the two is the later word"
	} else {
		f.Message += "; " + layout.AppsDir + " was edited since apps.yaml was made of it: a platform that reads apps.yaml does not see that"
	}
	return []finding.Finding{f}
}
