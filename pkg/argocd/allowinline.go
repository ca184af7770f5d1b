package argocd

import "strings"

// AllowInlineAnnotation lets an Application go from value files back to inline values at admission; its value is the reason.
const AllowInlineAnnotation = "apl.io/allow-inline"

// AllowsInline reports whether the Application gives a reason for its inline values. A blank one is none.
func (a *Application) AllowsInline() bool {
	return strings.TrimSpace(a.Annotation(AllowInlineAnnotation)) != ""
}

// HasSources reports whether Argo CD renders spec.sources, and not spec.source (its GetSources).
func (a *Application) HasSources() bool {
	list, _ := a.spec()["sources"].([]any)
	return len(list) > 0
}
