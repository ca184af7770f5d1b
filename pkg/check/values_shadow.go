package check

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// maxTold bounds how many findings of one rule are told of one app.
const maxTold = 100

// shadows tells of each key of custom what it does to what the platform sets there.
func (c *valueCheck) shadows(managed, custom *values.Document) {
	s := shadow{check: c, managed: managed, custom: custom}
	s.maps(managed.Values, custom.Values, nil)
	if s.more > 0 {
		c.add(RuleShadowed, finding.Info, finding.Finding{File: custom.Name, Message: fmt.Sprintf("%d more keys override what the platform sets, or repeat it", s.more)})
	}
}

// shadow is one comparison.
type shadow struct {
	check           *valueCheck
	managed, custom *values.Document
	told, more      int
}

func (s *shadow) maps(managed, custom map[string]any, at values.Path) {
	for _, key := range slices.Sorted(maps.Keys(custom)) {
		under, both := managed[key]
		if !both {
			continue
		}
		over := custom[key]
		underMap, underIsMap := under.(map[string]any)
		overMap, overIsMap := over.(map[string]any)
		switch {
		case underIsMap && overIsMap && len(overMap) > 0:
			s.maps(underMap, overMap, at.Key(key))
		case values.Equal(under, over):
			s.tell(at, key, "repeats what the platform sets (%s)", "remove it: it does nothing until the platform sets something else")
		case underIsMap && overIsMap:
			s.tell(at, key, "an empty map takes away nothing of what the platform sets (%s)", "remove it, or set the keys to null that are to go")
		case over == nil:
			s.tell(at, key, "takes away what the platform sets (%s)", "")
		default:
			s.tell(at, key, "overrides what the platform sets (%s)", "")
		}
	}
}

func (s *shadow) tell(at values.Path, key, message, next string) {
	if s.told++; s.told > maxTold {
		s.more++
		return
	}
	place := at.Key(key)
	f := finding.Finding{File: s.custom.Name, Path: s.check.run.shown(place), Next: next}
	f.Line, f.Column = s.custom.Position(place)
	where := path.Base(s.managed.Name)
	if line, _ := s.managed.Position(place); line > 0 {
		where = fmt.Sprintf("%s:%d", where, line)
	}
	f.Message = fmt.Sprintf(message, where)
	s.check.add(RuleShadowed, finding.Info, f)
}

// maxPath bounds a path that is shown, in bytes.
const maxPath = 1_000

// shown writes a path without keys that hold a secret themselves.
func (r *run) shown(place values.Path) string {
	text := r.in.Detector.MaskPath(place).String()
	if len(text) > maxPath {
		text = strings.ToValidUTF8(text[:maxPath], "") + "…"
	}
	return text
}
