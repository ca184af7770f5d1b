package argocd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/layout"
)

// ObjectRef names an object of a cluster, of any kind.
type ObjectRef = layout.ObjectID

// Method is how an Argo CD keeps which Application an object belongs to: application.resourceTrackingMethod of argocd-cm.
type Method string

// The methods. Under ByBoth the annotation decides, and the label is there for people.
const (
	ByAnnotation Method = "annotation"
	ByLabel      Method = "label"
	ByBoth       Method = "annotation+label"
)

// DefaultInstanceLabel is the key of the label where argocd-cm names none.
const DefaultInstanceLabel = "app.kubernetes.io/instance"

// ParseMethod reads a method as argocd-cm has it. An unknown one is an error: whose an object is would be a guess.
func ParseMethod(text string) (Method, error) {
	m := Method(text)
	if !slices.Contains([]Method{ByAnnotation, ByLabel, ByBoth}, m) {
		return "", fmt.Errorf("%q is no tracking method; Argo CD knows %s, %s and %s", text, ByAnnotation, ByLabel, ByBoth)
	}
	return m, nil
}

// DefaultMethod returns the method of a version of Argo CD that is told none: the label before 3.0, the annotation since (its
// upgrade notes). known is false for a version that cannot be read.
func DefaultMethod(version string) (m Method, known bool) {
	later, known := AtLeast(version, 3, 0)
	if later {
		return ByAnnotation, known
	}
	return ByLabel, known
}

// Tracking is how an Argo CD tells whose an object is.
type Tracking struct {
	Method Method `json:"method"`
	// LabelKey is the key of the instance label.
	LabelKey string `json:"labelKey"`
	// InstallationID tells several Argo CDs of one cluster apart; "" for none.
	InstallationID string `json:"installationID,omitempty"`
}

// Owner returns the name of the Application that an object belongs to, by its labels and annotations, "" for none (Argo CD's
// GetAppName). An object of another installation belongs to none of this one.
func (t Tracking) Owner(labels, annotations map[string]string) string {
	if t.Method == ByLabel {
		return labels[t.LabelKey]
	}
	if t.InstallationID != "" && annotations[installationID] != t.InstallationID {
		return ""
	}
	name, rest, ok := strings.Cut(annotations[trackingID], ":")
	if !ok || !strings.Contains(rest, ":") {
		return "" // not of the form application:group/kind:namespace/name, which Argo CD does not read either
	}
	return name
}

// Owns tells whether an object belongs to an Application.
func (t Tracking) Owns(application string, labels, annotations map[string]string) bool {
	owner := t.Owner(labels, annotations)
	if t.Method == ByLabel {
		return LabelNames(owner, application)
	}
	return owner == application
}

// String says what is looked at.
func (t Tracking) String() string {
	if t.Method == ByLabel {
		return "label " + t.LabelKey
	}
	return "annotation " + trackingID
}

// ProtectObject returns the value of SyncOptionsAnnotation that keeps an object when its Application is pruned or deleted:
// the options that are there, with those about pruning and deleting replaced. done tells that it is there already. Unlike on
// an Application, all other options stay.
func ProtectObject(value string) (protected string, done bool) {
	var kept []string
	have := map[string]bool{}
	for option := range strings.SplitSeq(value, ",") {
		option = strings.TrimSpace(option)
		have[option] = true
		if key, _, _ := strings.Cut(option, "="); option != "" && key != "Prune" && key != "Delete" {
			kept = append(kept, option)
		}
	}
	return strings.Join(append(kept, protectPrune, protectDelete), ","), have[protectPrune] && have[protectDelete]
}
