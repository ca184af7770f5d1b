package settings

import (
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Leftover is what env/apps says beside an apps.yaml that was made from it.
type Leftover struct {
	// Differences are the paths at which the two say different things, from the root of apps.yaml; none where they say the same, or where
	// apps.yaml holds the flags alone and these are the same.
	Differences []values.Path
	// Edited tells that apps.yaml is not what was made from env/apps, Changed that env/apps is not what apps.yaml was made from
	// (docs/adr/0017). Both are set where nothing tells.
	Edited, Changed bool
	envelopes       []*envelope
}

// CompareLeftover compares apps.yaml, whose text is given too, with the files of env/apps. ok is false where one of these cannot be used,
// so that what they say is not known. At most limit differences are listed.
func CompareLeftover(apps *Apps, text []byte, files []File, limit int) (l *Leftover, ok bool) {
	list, findings := readEnvelopes(files)
	if finding.HasError(findings) {
		return nil, false
	}
	body, head := unstamped(text)
	l = &Leftover{envelopes: list, Edited: head.of != digest(body) || head.own, Changed: true}
	for _, flagsOnly := range []bool{false, true} {
		c, err := compose(list, flagsOnly)
		if err != nil {
			return nil, false
		}
		paths := values.Differences(apps.Tree(), map[string]any{appsKey: c.tree}, limit)
		if !flagsOnly || len(paths) < len(l.Differences) {
			l.Differences = paths
		}
		l.Changed = l.Changed && head.of != digest(c.body)
	}
	return l, true
}

// Position returns the place in env/apps at which a difference stands, or should; "" where the app has no file there.
func (l *Leftover) Position(at values.Path) (file string, line, column int) {
	for _, e := range l.envelopes {
		if len(at) > 1 && at[1].Key == e.name {
			line, column = e.doc.Position(append(values.Path{}.Key("spec"), at[2:]...))
			return e.file, line, column
		}
	}
	return "", 0, 0
}

// Empty tells that env/apps holds no app.
func (l *Leftover) Empty() bool { return len(l.envelopes) == 0 }
