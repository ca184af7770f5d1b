package settings

import (
	"fmt"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// maxNamed bounds how many values of an app the commit's message lists; the plan has all.
const maxNamed = 10

// Message returns the commit's message: what is done, and what of each app lives on elsewhere or nowhere, without values of
// secrets.
func (p *Plan) Message() string {
	var b strings.Builder
	b.WriteString(p.Subject() + "\n\nWritten by kubectl apl settings migrate from " + layout.AppsDir + ".\n" + p.Body())
	return b.String()
}

// Body returns the lines of the message that say what of each app lives on elsewhere or nowhere.
func (p *Plan) Body() string {
	var b strings.Builder
	if len(p.Removed) > 0 {
		fmt.Fprintf(&b, "%s is removed, since the platform reads %s.\n", layout.AppsDir, p.File)
	}
	for _, a := range p.Apps {
		if len(a.Raw) == 0 {
			continue
		}
		b.WriteString("\n* " + a.Name + ": " + rawKey + " " + a.home() + "\n")
		for i, r := range a.Raw {
			if i == maxNamed {
				fmt.Fprintf(&b, "  and %d more\n", len(a.Raw)-i)
				break
			}
			b.WriteString("  " + oneLine(r.Path) + ": " + oneLine(r.Value))
			if r.State == RawDiffers {
				b.WriteString(" (set otherwise there, or taken out)")
			}
			b.WriteString("\n")
		}
	}
	if len(p.accepted) > 0 {
		b.WriteString("\nSecrets accepted by " + layout.ConfigFile + ": " + oneLine(strings.Join(p.accepted, ", ")) + "\n")
	}
	return b.String()
}

// Subject returns the first line of the message.
func (p *Plan) Subject() string {
	apps := fmt.Sprintf("%d apps", len(p.Apps))
	if len(p.Apps) == 1 {
		apps = "1 app"
	}
	switch {
	case p.Effect == Create:
		return "Gather the settings of " + apps + " in " + p.File
	case p.Effect == Update:
		return "Update the settings of " + apps + " in " + p.File
	}
	return "Remove the settings of " + apps + " from " + layout.AppsDir
}

// home says in words where the _rawValues of an app live on.
func (a App) home() string {
	r := a.Raw[0]
	switch {
	case r.State == RawNoEffect:
		return "never had an effect"
	case r.State == RawUnknown:
		return "go nowhere that is known"
	case r.State == RawPending:
		return "go to " + r.File + " when " + r.App + " is moved"
	}
	return "live on in " + r.File
}
