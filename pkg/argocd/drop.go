package argocd

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// objectName is what the API server takes as an Application's name, and as that of a namespace. A shell takes it as one word.
var objectName = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$`)

// operation is one operation of a JSON patch (RFC 6902).
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// dropSource returns how to drop a spec.source that stands beside spec.sources: a JSON patch, as a command to be pasted. It
// tests that spec.sources still holds what it was read with, and spec.source too, so that a source that somebody has brought
// back since stays. What the tests compare says which chart it is and holds no values, and no URL, which could hold a password.
// What kubectl apply noted of such a source goes along: it holds the old values too. (spec.source: null instead would make the
// next server-side apply fail: DESIGN 10.)
func (a *Application) dropSource() string {
	namespace := a.Namespace()
	if namespace == "" {
		namespace = Namespace
	}
	var patch []operation
	tests := func(at string, tree map[string]any) {
		for _, key := range []string{"chart", "path", "ref", "targetRevision"} {
			if value := text(tree, key); value != "" {
				patch = append(patch, operation{"test", at + "/" + key, value})
			}
		}
	}
	sources, _, err := a.sources()
	for i, s := range sources {
		tests(fmt.Sprintf("/spec/sources/%d", i), s.tree)
	}
	tests("/spec/source", child(a.spec(), "source"))
	patch = append(patch, operation{Op: "remove", Path: "/spec/source"})
	if a.appliedSource() {
		patch = append(patch, operation{Op: "remove", Path: "/metadata/annotations/" + strings.ReplaceAll(lastApplied, "/", "~1")})
	}
	encoded, encodeErr := json.Marshal(patch)
	if err != nil || encodeErr != nil || !objectName.MatchString(a.Name()) || !objectName.MatchString(namespace) {
		return "by a JSON patch that removes /spec/source"
	}
	quoted := strings.ReplaceAll(string(encoded), "'", `\u0027`) // ends no quotes of the shell, and means the same
	return patchCommand(namespace, a.Name(), quoted)
}

// EndAutomation returns the command by which a person ends the automated sync of an Application.
func EndAutomation(namespace, name string) string {
	return patchCommand(namespace, name, `[{"op":"remove","path":"/spec/syncPolicy/automated"}]`)
}

// patchCommand writes a JSON patch of an Application as a command. The kind is named in full: kubectl takes a bare
// "application" for that of another group where there is one.
func patchCommand(namespace, name, patch string) string {
	return fmt.Sprintf("kubectl patch applications.argoproj.io %s -n %s --type json -p '%s'", name, namespace, patch)
}

// appliedSource reports whether what kubectl apply noted has a spec.source.
func (a *Application) appliedSource() bool {
	var applied map[string]any
	err := json.Unmarshal([]byte(a.Annotation(lastApplied)), &applied)
	return err == nil && child(applied, "spec")["source"] != nil
}
