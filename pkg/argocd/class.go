package argocd

import "strings"

// Class says whose an Application is.
type Class string

// The classes. Only platform apps are ever read into a plan, written, moved or deleted (DESIGN 3).
const (
	Platform Class = "platform"
	Team     Class = "team"
	GitOps   Class = "gitops"
	Other    Class = "other"
)

// What the platform's operator writes on the Applications that it makes.
const (
	ownerLabel    = "otomi.io/app"
	labelManaged  = "managed"
	labelGitOps   = "generic-gitops"
	labelTeam     = "team-gitops"
	teamPrefix    = "team-"
	gitopsPrefix  = "gitops-"
	reasonUnknown = "it has no label " + ownerLabel + "=" + labelManaged
)

// Class returns whose the Application is, and why. The label decides before the name: team apps carry the same label as
// the platform's and differ by their destination namespace only, and only Applications in Namespace are the platform's.
func (a *Application) Class() (class Class, reason string) {
	label, destination := a.Label(ownerLabel), a.DestinationNamespace()
	switch {
	case a.Namespace() != Namespace:
		return Other, "it is not in namespace " + Namespace
	case label == labelManaged && strings.HasPrefix(destination, teamPrefix):
		return Team, "a team's app: it deploys to namespace " + destination
	case label == labelManaged:
		return Platform, "it has the label " + ownerLabel + "=" + labelManaged
	case label == labelGitOps:
		return GitOps, "a gitops app: it has the label " + ownerLabel + "=" + labelGitOps
	case strings.HasPrefix(a.Name(), gitopsPrefix):
		return GitOps, "a gitops app: it is called " + gitopsPrefix + "*"
	case label == labelTeam:
		return Team, "a team's app: it has the label " + ownerLabel + "=" + labelTeam
	case strings.HasPrefix(destination, teamPrefix):
		return Team, "a team's app: it deploys to namespace " + destination
	case strings.HasPrefix(a.Project(), teamPrefix):
		return Team, "a team's app: it is in project " + a.Project()
	case strings.HasPrefix(a.Name(), teamPrefix):
		return Team, "a team's app: it is called " + teamPrefix + "*"
	}
	return Other, reasonUnknown
}
