package check

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// The two files that an Application reads, by their place in the list.
const (
	managedFirst = iota
	customLast
	strange // neither of them
)

// valueFile is an entry of helm.valueFiles.
type valueFile struct {
	text string
	slot int
	// why says what is wrong with the entry by itself; "" where it is one of the two, as it is to be written.
	why string
}

// valueFiles: the list is the app's managed and custom file, in this order, each once (DESIGN 10 says what Argo CD makes of others).
func (s *subject) valueFiles() []placed {
	if s.chart < 0 || s.inline || !s.known {
		return nil
	}
	source, helm := s.sources[s.chart], s.at(s.chart).Key("helm")
	if source.Helm() == nil {
		return []placed{found(helm, RuleOrder, "the source has no helm: no value file is read, and the release is called as the Application",
			"write releaseName: "+s.id.Release+", and "+s.wanted())}
	}
	at := helm.Key("valueFiles")
	list, _ := source.Helm()["valueFiles"].([]any)
	if len(list) == 0 {
		return []placed{found(at, RuleOrder, "no value file is read: the chart's defaults would run", s.wanted())}
	}
	files := make([]valueFile, len(list))
	for i, item := range list {
		files[i].text, _ = item.(string)
		files[i].slot, files[i].why = s.judge(files[i].text)
	}
	return s.order(files, at)
}

// wanted is the next step for a list that is wrong.
func (s *subject) wanted() string {
	files := layout.ValueFiles(s.id)
	return fmt.Sprintf("valueFiles has to be exactly %s, then %s", files[0], files[1])
}

// judge tells which of the two files an entry names, and what is wrong with it.
func (s *subject) judge(entry string) (slot int, why string) {
	if slot := slices.Index(layout.ValueFiles(s.id), entry); slot >= 0 {
		return slot, "" // whether the ref is there is for reference to say
	}
	file, refused := s.ResolveValueFile(s.sources[s.chart], entry)
	own := []string{layout.ManagedFile(s.id), layout.CustomFile(s.id)}
	place, _ := layout.Parse(file.Path)
	other, isOther := place.(layout.Values)
	slot = slices.Index(own, file.Path)
	switch inRepo := strings.HasPrefix(entry, "$"+layout.ValuesRef+"/"); {
	case refused != "":
		return strange, refused
	case slot >= 0 && inRepo:
		return slot, "the entry spells the path otherwise than it has to be, so that this tool does not know the Application as its own"
	case slot >= 0:
		return strange, "the entry names a file of another repo than the values repo"
	case isOther:
		return strange, "the entry is a value file of another app, " + other.ID.String()
	case inRepo && strings.HasPrefix(file.Path, layout.ValuesDir+"/"):
		return strange, "the entry is neither of the app's two value files"
	case inRepo:
		return strange, "the entry is a file outside of " + layout.ValuesDir
	}
	return strange, "the entry is a file of the chart's own source, or of another one than the values repo"
}

// order tells what is wrong with the list: each wrong entry once, and what it lacks unless a wrong entry stands in its place.
func (s *subject) order(files []valueFile, at values.Path) []placed {
	var out []placed
	tell := func(i int, message string) {
		out = append(out, found(at.Index(i), RuleOrder, message, s.wanted()))
	}
	managed, custom := keep(files)
	for i, f := range files {
		switch kept := i == managed || i == custom; {
		case f.slot == strange:
			tell(i, f.why+overrides(i, managed, custom))
		case !kept:
			first := managed
			if f.slot == customLast {
				first = custom
			}
			tell(i, fmt.Sprintf("the file stands in valueFiles[%d] too: which of both counts depends on Argo CD's version", first))
		case f.why != "":
			tell(i, f.why)
		case i == custom && managed > custom:
			tell(i, "the custom file stands before the managed one, so that managed values win over what people write")
		}
	}
	missing := s.missing(files, managed, custom)
	for _, slot := range missing {
		out = append(out, found(at, RuleOrder, [...]string{
			"the managed file is not read: what the platform sets is gone, and the chart's defaults run",
			"the custom file is not read: what people write in it has no effect"}[slot], s.wanted()))
	}
	return out
}

// keep chooses which entries stay where a file stands several times: a managed one with a custom one behind it, if there is such a
// pair, so that the fault is the entry that is too much. It returns -1 for a file that is not there.
func keep(files []valueFile) (managed, custom int) {
	is := func(slot int) func(valueFile) bool { return func(f valueFile) bool { return f.slot == slot } }
	managed, custom = slices.IndexFunc(files, is(managedFirst)), slices.IndexFunc(files, is(customLast))
	if managed >= 0 {
		if behind := slices.IndexFunc(files[managed:], is(customLast)); behind >= 0 {
			custom = managed + behind
		}
	}
	return managed, custom
}

// overrides says what an entry that should not be there does to the two that should.
func overrides(i, managed, custom int) string {
	switch {
	case managed < 0 || custom < 0:
		return ""
	case i > max(managed, custom):
		return "; it wins over both value files"
	case i > managed:
		return "; it wins over managed values"
	}
	return ""
}

// missing returns the files that the list lacks and no wrong entry stands for: one that is meant for it, or any other one.
func (s *subject) missing(files []valueFile, managed, custom int) []int {
	spent := make([]bool, len(files))
	var lacking, out []int
	for slot, i := range []int{managed, custom} {
		if i >= 0 {
			continue
		}
		j := slices.IndexFunc(files, func(f valueFile) bool { return f.slot == strange && s.standsFor(f.text, slot) })
		if j < 0 {
			lacking = append(lacking, slot)
			continue
		}
		spent[j] = true
	}
	for _, slot := range lacking {
		j := 0
		for j < len(files) && (spent[j] || files[j].slot != strange) {
			j++
		}
		if j == len(files) {
			out = append(out, slot)
			continue
		}
		spent[j] = true
	}
	return out
}

// standsFor tells whether a wrong entry is meant for one of the two files: by its name, or as a pattern that takes it.
func (s *subject) standsFor(entry string, slot int) bool {
	want := path.Base(layout.ValueFiles(s.id)[slot])
	layer := [...]layout.Layer{layout.Managed, layout.Custom}[slot]
	name := path.Base(entry)
	taken, err := path.Match(name, want)
	return err == nil && taken || strings.Contains(strings.ToLower(name), string(layer))
}

// tolerance: a value file that is missing stops the sync. With ignoreMissingValueFiles the chart's defaults would be synced.
func (s *subject) tolerance() []placed {
	const key = "ignoreMissingValueFiles"
	if s.chart < 0 || s.inline || !slices.Contains(s.sources[s.chart].Inline(), key) {
		return nil
	}
	return []placed{found(s.at(s.chart).Key("helm").Key(key), RuleOrder,
		key+": with it, a value file that is missing syncs without it, the chart's defaults into production", "remove it")}
}
