package printer

import (
	"io"
	"strconv"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/settings"
)

// Settings prints a plan to gather the settings of the apps: a table of them, what lives on elsewhere, the findings, and what
// becomes of the files.
func Settings(out io.Writer, format Format, style Style, plan *settings.Plan) error {
	if format != Table && format != Wide {
		return Data(out, format, plan)
	}
	p := &page{out: out, style: style, wide: format == Wide}
	p.settingsPart(plan)
	return p.err
}

// settingsPart prints all of a plan of settings, alone or as a part of another plan.
func (p *page) settingsPart(plan *settings.Plan) {
	if len(plan.Apps) > 0 {
		rows := [][]cell{{{text: "APP"}, {text: "ENABLED"}, {text: "SETTINGS"}, {text: "RAW"}, {text: "RELEASES"}}}
		for i := range plan.Apps {
			a := &plan.Apps[i]
			enabled, color := enabled(a)
			rows = append(rows, []cell{{text: a.Name}, {enabled, color}, {text: strconv.Itoa(a.Settings)}, {text: strconv.Itoa(len(a.Raw))},
				{text: p.releases(a.Releases)}})
		}
		p.table(rows)
	}
	p.raw(plan)
	p.dropped(plan)
	if len(plan.Findings) > 0 {
		p.heading("Findings")
		p.findings(plan.Findings)
	}
	p.heading("%s: %s; %s.", plan.File, string(plan.Effect), plan.Reason)
	if n := len(plan.Removed); n > 0 {
		p.printf("Files of env/apps to remove: %d.\n", n)
	}
}

func enabled(a *settings.App) (text, color string) {
	for _, f := range a.Flags {
		switch {
		case f.Path != "enabled":
		case f.Value:
			return "true", green
		default:
			return "false", faint
		}
	}
	return "-", ""
}

func (p *page) releases(list []string) string {
	if len(list) == 0 {
		return "-"
	}
	if p.wide {
		return bounded(list, len(list))
	}
	return bounded(list, min(len(list), maxNamed))
}

// raw prints what apps.yaml has no place for. All of it is printed, however long: it is there so that nothing is lost.
func (p *page) raw(plan *settings.Plan) {
	told := false
	for i := range plan.Apps {
		for _, r := range plan.Apps[i].Raw {
			if !told {
				told = true
				p.heading("Raw values, and where they live on")
			}
			p.printf("  %s: %s: %s: %s\n", plan.Apps[i].Name, r.Path, r.Value, rawHome(r))
		}
	}
}

func rawHome(r settings.Raw) string {
	switch r.State {
	case settings.RawNoEffect:
		return "it never had an effect"
	case settings.RawUnknown:
		return "it is not known whether it has an effect"
	}
	there := strings.TrimSpace(r.There + " in " + r.File)
	switch r.State {
	case settings.RawPending:
		return "goes to " + there + " when " + r.App + " is moved"
	case settings.RawDiffers:
		return "set otherwise, or taken out, at " + there
	}
	return "lives on at " + there
}

// dropped prints what is left out where flags alone are kept.
func (p *page) dropped(plan *settings.Plan) {
	told := false
	for i := range plan.Apps {
		a := &plan.Apps[i]
		if len(a.Dropped) == 0 {
			continue
		}
		if !told {
			told = true
			p.heading("Left out, as only flags are kept (-o wide lists all)")
		}
		var paths []string
		for _, d := range a.Dropped {
			paths = append(paths, d.Path)
		}
		most := len(paths)
		if !p.wide {
			most = min(most, maxNamed)
		}
		p.printf("  %s: %s\n", a.Name, bounded(paths, most))
	}
}
