package argocd

import "strings"

// expand replaces $NAME and ${NAME} in text by what value returns for NAME, exactly as os.Expand does, which Argo CD uses (this
// package does not touch os; a test holds the two equal). broken tells that there was a "${" without a name or an end, of which
// nothing is left.
func expand(text string, value func(name string) string) (expanded string, broken bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '$' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		name, width := variable(text[i+1:])
		switch {
		case name != "":
			b.WriteString(value(name))
		case width > 0:
			broken = true
		default: // no name follows: the $ stays
			b.WriteByte('$')
		}
		i += width
	}
	return b.String(), broken
}

// variable returns the name that rest, which is not empty, begins with, and how many bytes it takes.
func variable(rest string) (name string, width int) {
	if rest[0] == '{' {
		end := strings.IndexByte(rest, '}')
		if end < 0 {
			return "", 1
		}
		return rest[1:end], end + 1
	}
	if strings.IndexByte("*#$@!?-0123456789", rest[0]) >= 0 { // the shell's own variables have one letter
		return rest[:1], 1
	}
	for width < len(rest) && isNameByte(rest[width]) {
		width++
	}
	return rest[:width], width
}

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// The build environment that Argo CD substitutes (its newEnv). What starts with revisionVariable changes with every commit.
const revisionVariable = "ARGOCD_APP_REVISION"

func (a *Application) environment(s Source) map[string]string {
	return map[string]string{
		"ARGOCD_APP_NAME":                   a.Name(),
		"ARGOCD_APP_NAMESPACE":              a.DestinationNamespace(),
		"ARGOCD_APP_PROJECT_NAME":           a.Project(),
		"ARGOCD_APP_SOURCE_REPO_URL":        s.RepoURL,
		"ARGOCD_APP_SOURCE_PATH":            s.Path,
		"ARGOCD_APP_SOURCE_TARGET_REVISION": s.TargetRevision,
	}
}

// substituted is a text in which Argo CD has replaced variables.
type substituted struct {
	text  string
	fixed []string // the variables that the Application says
	// unknown: something was replaced by nothing; changing: by the revision.
	unknown, changing bool
}

// substitute replaces $NAME and ${NAME} as Argo CD does: as the shell does, with $$ for a dollar sign, and by nothing for a name
// that it does not know.
func substitute(text string, environment map[string]string) substituted {
	var out substituted
	if !strings.Contains(text, "$") {
		out.text = text
		return out
	}
	var broken bool
	out.text, broken = expand(text, func(name string) string {
		if name == "$" {
			return "$"
		}
		known, ok := environment[name]
		switch {
		case ok:
			out.fixed = append(out.fixed, name)
		case strings.HasPrefix(name, revisionVariable):
			out.changing = true
		default:
			out.unknown = true
		}
		return known
	})
	out.unknown = out.unknown || broken
	return out
}
