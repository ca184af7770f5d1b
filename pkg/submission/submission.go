// Package submission owns the ConfigMap by which people hand in custom values of an app: what it is called, where it is, and what it says. It
// knows nothing of values, and of whether they are any good; and no cluster.
package submission

const (
	// Namespace is the only namespace that submissions are taken in.
	Namespace = "apl-submissions"
	// Label with LabelCustom is what makes a ConfigMap a submission, and what brings it before the webhook.
	Label = "apl.io/values"
	// LabelCustom is the value of Label.
	LabelCustom = "custom"
	// AppAnnotation names the app, as namespace/releaseName.
	AppAnnotation = "apl.io/app"
	// Key is the one key of data, which holds the values.
	Key = "values.custom.yaml"
	// ByAnnotation names who submits. It may be left out; where it stands, it is the user of the request that wrote the values.
	ByAnnotation = "apl.io/submitted-by"
	// BaseAnnotation is the SHA-256, in hexadecimal, of the custom file in the values repo that the submitter has seen.
	BaseAnnotation = "apl.io/base"
	// CollectedAnnotation is the commit that holds what was submitted: it is set by kubectl apl collect, and goes with the next submission.
	CollectedAnnotation = "apl.io/collected"
)
