package argocd

// The platform's operator: the Application that deploys it, and the commands that pause its Deployment and have it run again.
const (
	// OperatorApp is the name of the Application that deploys the operator.
	OperatorApp = "apl-operator-apl-operator"
	// ResumeOperator has the operator run again.
	ResumeOperator = "kubectl scale deployment apl-operator -n apl-operator --replicas=1"

	scaleDown = "kubectl scale deployment apl-operator -n apl-operator --replicas=0"
)

// PauseOperator returns the commands by which a person pauses the operator. own is the Application that deploys it, nil where
// there is none: one that heals itself would scale the Deployment up again within seconds, so that has to end first (ADR
// 0014). The operator puts it back when it runs again.
func PauseOperator(own *Application) string {
	if own == nil || !own.Automated() || !own.Heals() {
		return scaleDown
	}
	return EndAutomation(own.Namespace(), own.Name()) + " (or Argo CD scales it up again), then " + scaleDown
}
