package gitrepo

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gitconfig"
	"github.com/kubectl-apl/kubectl-apl/pkg/gitrepo/internal/gitmatch"
)

// conversion is what git would do to the bytes of a path on their way into a commit.
type conversion struct {
	always bool   // it may change any bytes, or makes files whose bytes differ from the commit's
	crlf   bool   // it turns CRLF into LF
	filter bool   // it is more than line ends
	driver string // the filter's name
	why    string // the attribute or the setting, and where it stands
}

// conversionRefusal returns why a path cannot be committed here; nil when nothing is done to its bytes. A filter that is not
// set up would let plain text through (case H1): git is no help then either.
func (r *Repo) conversionRefusal(path string, c conversion) *Refusal {
	if c.why == "" {
		return nil
	}
	if c.driver != "" && r.config.String("filter."+c.driver+".clean") == "" && r.config.String("filter."+c.driver+".process") == "" {
		why := "its filter is not set up in this clone, and git would commit plain text: " + c.why
		return &Refusal{ErrFilterMissing, path, why, "set the filter up (such as git-crypt unlock or git lfs install)"}
	}
	return &Refusal{ErrConverted, path, "git would not commit its bytes as they are: " + c.why, useGit}
}

// refuses returns why git would commit other bytes than data at path, or "".
func (s *rules) refuses(path string, data []byte) (string, error) {
	c, err := s.bites(path, data)
	return c.why, err
}

// bites returns the conversion when git would commit other bytes than data at path.
func (s *rules) bites(path string, data []byte) (conversion, error) {
	c, err := s.conversion(path)
	if err != nil || (!c.always && !(c.crlf && bytes.Contains(data, []byte("\r\n")))) {
		return conversion{}, err
	}
	return c, nil
}

func (s *rules) conversion(path string) (conversion, error) {
	found, err := s.attributes.Lookup(path)
	if err != nil {
		return conversion{}, fmt.Errorf("read attributes: %w", err)
	}
	if a := found["filter"]; a.State == gitmatch.Value {
		return conversion{always: true, filter: true, driver: a.Value, why: describe("filter", a)}, nil
	}
	if a := found["ident"]; a.State == gitmatch.Set {
		return conversion{always: true, filter: true, why: describe("ident", a)}, nil
	}
	if a := found["working-tree-encoding"]; a.State == gitmatch.Set || a.State == gitmatch.Value && !isUTF8(a.Value) {
		return conversion{always: true, filter: true, why: describe("working-tree-encoding", a)}, nil
	}
	return s.lineEnds(found), nil
}

// lineEnds follows git's convert_attrs (convert.c): what text, its old name crlf, and eol say, and else the settings.
func (s *rules) lineEnds(found map[string]gitmatch.Attribute) conversion {
	name := "text"
	text := found[name]
	if undecided(text) {
		name = "crlf"
		text = found[name]
	}
	if text.State == gitmatch.Unset {
		return conversion{}
	}
	eol := found["eol"]
	switch {
	case eol.State == gitmatch.Value && eol.Value == "crlf":
		return conversion{always: true, why: describe("eol", eol)}
	case eol.State == gitmatch.Value && eol.Value == "lf":
		return conversion{crlf: true, why: describe("eol", eol)}
	case undecided(text) && (s.autoCRLF.value == "" || isFalse(s.autoCRLF.value)):
		return conversion{}
	case text.State == gitmatch.Value && text.Value == "input":
		return conversion{crlf: true, why: describe(name, text)}
	}
	why := describe(name, text)
	if undecided(text) {
		why = s.autoCRLF.describe("core.autocrlf")
	}
	switch auto := s.autoCRLF.value; {
	case auto == "input":
		return conversion{crlf: true, why: why}
	case auto != "" && !isFalse(auto):
		return conversion{always: true, why: s.autoCRLF.describe("core.autocrlf")}
	case s.eol.value == "crlf":
		return conversion{always: true, why: s.eol.describe("core.eol")}
	case s.eol.value != "lf" && runtime.GOOS == "windows":
		return conversion{always: true, why: why + ", on Windows"}
	}
	return conversion{crlf: true, why: why}
}

// undecided reports whether an attribute says nothing of line ends: git knows "auto" and "input" besides set and unset.
func undecided(a gitmatch.Attribute) bool {
	return a.State == gitmatch.Unspecified || a.State == gitmatch.Value && a.Value != "auto" && a.Value != "input"
}

func isFalse(value string) bool {
	yes, err := gitconfig.Entry{Value: value}.Bool()
	return err == nil && !yes
}

func isUTF8(encoding string) bool {
	return strings.EqualFold(encoding, "UTF-8") || strings.EqualFold(encoding, "UTF8")
}

func (s setting) describe(key string) string { return fmt.Sprintf("%s=%s (%s)", key, s.value, s.where) }

func describe(name string, a gitmatch.Attribute) string {
	if a.State == gitmatch.Value {
		name += "=" + a.Value
	}
	return fmt.Sprintf("attribute %s (%s)", name, a.Source)
}
