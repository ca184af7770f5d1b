package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// State says whether a release, or one flag of its gate, is on.
type State string

// The states. Unknown is what no settings state: the platform's default counts, which the values repo does not hold.
const (
	On      State = "on"
	Off     State = "off"
	Unknown State = "unknown"
)

// Reading is what the settings say of one flag.
type Reading struct {
	Flag   string `json:"flag"`
	State  State  `json:"state"`
	File   string `json:"file,omitempty"` // where it stands, or should
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	Text   string `json:"text"` // "apps.gitea.enabled is false at env/settings/apps.yaml:12"
}

// Verdict says whether a release is there, and by which flags.
type Verdict struct {
	State    State     `json:"state"`
	Gate     string    `json:"gate"`
	Readings []Reading `json:"readings,omitempty"`
}

// Why names the flags that decide, in words.
func (v Verdict) Why() string {
	var texts []string
	for _, r := range v.Readings {
		if r.State == v.State {
			texts = append(texts, r.Text)
		}
	}
	if len(texts) == 0 {
		return "it is always installed"
	}
	return strings.Join(texts, ", ")
}

// Evaluate says whether the settings have a release: on when any flag of its gate is on or it has none, off when all are
// off, else unknown. It returns false for a release that the platform does not have, such as one of a team.
func (s *Settings) Evaluate(id app.ID) (Verdict, bool) {
	gate, ok := gateIn(s.gates(), id)
	if !ok {
		return Verdict{}, false
	}
	return s.verdict(gate), true
}

// Gate is Evaluate in the form that a reconcile asks by: on, whether that is known, and the flags in words. What is unknown,
// and a release that the platform does not have, is not known.
func (s *Settings) Gate(id app.ID) (on, known bool, why string) {
	v, ok := s.Evaluate(id)
	if !ok {
		return false, false, ""
	}
	return v.State == On, v.State != Unknown, v.Why()
}

func (s *Settings) verdict(gate Gate) Verdict {
	v := Verdict{State: On, Gate: gate.String()}
	if gate.Always() {
		return v
	}
	for _, f := range gate.Flags {
		v.Readings = append(v.Readings, s.read(f))
	}
	has := func(state State) bool {
		return slices.ContainsFunc(v.Readings, func(r Reading) bool { return r.State == state })
	}
	switch {
	case has(On):
	case has(Unknown):
		v.State = Unknown
	default:
		v.State = Off
	}
	return v
}

// read reads one flag.
func (s *Settings) read(f Flag) Reading {
	r := Reading{Flag: f.String(), State: Unknown, File: f.file()}
	value, stated := s.lookup(f)
	if !stated || value == nil {
		r.Text = fmt.Sprintf("%s is not set in %s, so that the platform's default counts", r.Flag, r.File)
		return r
	}
	r.File, r.Line, r.Column = s.position(f)
	r.State, r.Text = f.judge(value)
	r.Text += fmt.Sprintf(" at %s:%d", r.File, r.Line)
	return r
}

// judge reads the value of a flag.
func (f Flag) judge(value any) (State, string) {
	name := f.String()
	if f.Item == "" {
		switch on, boolean := value.(bool); {
		case !boolean:
			return Unknown, name + " is neither true nor false"
		case on:
			return On, name + " is true"
		default:
			return Off, name + " is false"
		}
	}
	var held bool
	switch x := value.(type) {
	case []any:
		held = slices.Contains(x, any(f.Item)) // items that are no text are another type, which is never equal
	case map[string]any:
		_, held = x[f.Item]
	default:
		return Unknown, append(values.Path{}.Key(f.Root), f.Path...).String() + " is neither a list nor a map"
	}
	if held {
		return On, name + " is there"
	}
	return Off, name + " is not there"
}

func (s *Settings) lookup(f Flag) (any, bool) {
	if f.Root == appsKey {
		return s.Apps.Lookup(f.Path[0].Key, f.Path[1:])
	}
	doc, ok := s.files[f.file()]
	if !ok {
		return nil, false
	}
	return values.Lookup(doc.Values, f.inFile())
}

func (s *Settings) position(f Flag) (file string, line, column int) {
	if f.Root == appsKey {
		return s.Apps.Position(f.Path[0].Key, f.Path[1:])
	}
	line, column = s.files[f.file()].Position(f.inFile())
	return f.file(), line, column
}

// inFile is the flag's path in a settings file, where all stands below spec.
func (f Flag) inFile() values.Path { return append(values.Path{}.Key("spec"), f.Path...) }
