// Package catalog owns the charts' interfaces as a cluster keeps them: what of a chart judges values, and each app's managed values, in
// ConfigMaps that kubectl apl schema publish writes and the webhook reads. It touches no cluster: it takes and returns objects.
package catalog

const (
	// Namespace is where the webhook and its catalog are, unless it is installed elsewhere.
	Namespace = "apl-webhook"
	// Label is what all ConfigMaps of a catalog carry; its value says what they hold.
	Label = "apl.io/schemas"
)
