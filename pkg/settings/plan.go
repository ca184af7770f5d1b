package settings

import (
	"errors"
	"slices"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// ErrNoApps is returned for a values repo that has neither env/apps nor env/settings/apps.yaml.
var ErrNoApps = errors.New("the values repo has neither files in " + layout.AppsDir + " nor " + layout.AppsFile)

// Input is what a plan is made from.
type Input struct {
	// Files are all files below env/apps. The content counts of .yaml and .yml files that stand in the folder itself, and
	// hold no secrets by their name.
	Files []File
	// Read reads a file of the values repo.
	Read func(path string) (data []byte, found bool, err error)
	// Head reads a file of the commit that HEAD names; nil where no commit is wanted.
	Head func(path string) (data []byte, found bool, err error)
	// Releases are those of the platform's registry, teams' apart; nil for the ones that this package knows.
	Releases []app.ID
	Secrets  Secrets
	// Exceptions accept secrets in env/settings/apps.yaml.
	Exceptions []Exception
}

// Exception is an entry of .apl.yaml that accepts the findings of a rule at a path of apps.yaml. Line and Column say where
// the entry stands.
type Exception struct {
	Path, Rule, Reason string
	Line, Column       int
}

// Side says which of the two counts where both apps.yaml and env/apps were edited since the one was made from the other.
type Side string

// The sides. Neither refuses to decide.
const (
	Neither  Side = "none"
	EnvApps  Side = "env-apps"
	AppsYAML Side = "apps-yaml"
)

// Sides lists the sides, the default first.
func Sides() []string { return []string{string(Neither), string(EnvApps), string(AppsYAML)} }

// Options say how to migrate.
type Options struct {
	FlagsOnly     bool // keep flags alone
	RemoveEnvApps bool
	// PlatformReads is a person's word that the platform's version reads apps.yaml. No version is known to this package to do
	// so, whatever env/settings says of the platform's version: until one is, nothing else can be that knowledge.
	PlatformReads bool
	Prefer        Side
}

// Effect says what becomes of a file.
type Effect string

// The effects.
const (
	Create Effect = "create"
	Update Effect = "update"
	Same   Effect = "same"
	// Refused is that of a plan which an error stands against: nothing is written.
	Refused Effect = "refused"
)

// FlagValue is a flag of an app and its path below the app.
type FlagValue struct {
	Path  string `json:"path"`
	Value bool   `json:"value"`
}

// App is what the plan says of an app of env/apps.
type App struct {
	Name     string      `json:"name"`
	File     string      `json:"file"`
	Flags    []FlagValue `json:"flags"`
	Settings int         `json:"settings"`          // how many values go to apps.yaml, flags too
	Raw      []Raw       `json:"raw,omitempty"`     // what does not, and where it lives on
	Dropped  []Dropped   `json:"dropped,omitempty"` // what flags-only leaves out
	Releases []string    `json:"releases"`          // those that read its settings
}

// Dropped is a setting that does not go to apps.yaml.
type Dropped struct {
	Path  string `json:"path"`
	Value string `json:"value"`
}

// Platform is what the values repo says of the platform's version.
type Platform struct {
	Version     string `json:"version,omitempty"`
	SpecVersion string `json:"specVersion,omitempty"`
}

// APIVersion and Kind name the shape of a Plan in JSON and YAML.
const (
	APIVersion = "kubectl-apl/v1"
	Kind       = "SettingsPlan"
)

// Plan is what a migration of the settings would do, or has done.
type Plan struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`

	File     string            `json:"file"`
	Effect   Effect            `json:"effect"`
	Reason   string            `json:"reason"`
	Platform Platform          `json:"platform"`
	Apps     []App             `json:"apps"`
	Removed  []string          `json:"removed"` // files of env/apps that go
	Findings []finding.Finding `json:"findings"`
	// Commit is the id of the commit that was made. The caller sets it.
	Commit string `json:"commit,omitempty"`

	changes  []Change
	accepted []string
}

// Change is a file to write, or to delete.
type Change struct {
	Path   string
	Data   []byte
	Delete bool
}

// Changes returns what is to be written, all of it together; nothing for a plan that is refused.
func (p *Plan) Changes() []Change { return slices.Clone(p.changes) }

// Refused reports whether an error stands against the plan, so that nothing is written.
func (p *Plan) Refused() bool {
	return finding.HasError(p.Findings)
}
