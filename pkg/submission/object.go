package submission

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
)

// Submission is what one ConfigMap hands in.
type Submission struct {
	Name string // of the ConfigMap
	App  app.ID
	Text string // the custom values, as they were written
	By   string // who submits; "" where it does not say
	// Base is the SHA-256, in hexadecimal, of the custom file that the submitter has seen; "" for none.
	Base string
	// Collected is the commit that holds Text; "" where it is not collected.
	Collected string
}

// prefix begins the name of every ConfigMap that this package makes.
const prefix = "values."

// NameFor returns the name of an app's ConfigMap. No two apps share one: a namespace holds no dot, so that the first dot after the prefix
// ends it. With a namespace of 63 bytes and a release name of 53 it has 124, and 253 are allowed.
func NameFor(id app.ID) string { return prefix + id.Namespace + "." + id.Release }

// ConfigMap returns the object that hands the submission in, ready for server-side apply: its type is filled in, and nothing stands in it that
// the server assigns. It has the name of the app, whatever s.Name is, so that an app has one. Annotations that would be empty are left out.
func (s *Submission) ConfigMap() *corev1.ConfigMap {
	annotations := map[string]string{AppAnnotation: s.App.String()}
	for key, value := range map[string]string{ByAnnotation: s.By, BaseAnnotation: s.Base, CollectedAnnotation: s.Collected} {
		if value != "" {
			annotations[key] = value
		}
	}
	return &corev1.ConfigMap{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: metav1.ObjectMeta{
			Namespace: Namespace, Name: NameFor(s.App),
			Labels: map[string]string{Label: LabelCustom}, Annotations: annotations,
		},
		Data: map[string]string{Key: s.Text},
	}
}

// Is reports whether a ConfigMap says that it is a submission, by its label alone.
func Is(object *corev1.ConfigMap) bool { return object != nil && object.Labels[Label] == LabelCustom }
