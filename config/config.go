// Package config owns the manifests that install apl-webhook: kustomize bases and overlays, as files of this folder, and the same as one
// stream. It knows nothing of what the webhook does, and no cluster.
package config
