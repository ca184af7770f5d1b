package argocd

// Declared returns the declared form of the Application (DESIGN 2): what people or the platform declared, as it is, less what
// the server assigns and what records how the object got here. Unlike Build it adds nothing, protection least of all, and
// keeps what the spec holds to the letter: every digit, and nulls, which say something in valuesObject. The tree shares
// nothing with the Application.
func (a *Application) Declared() map[string]any {
	return map[string]any{
		"apiVersion": apiVersion,
		"kind":       kind,
		"metadata":   a.declaredMeta(),
		"spec":       Copy(a.spec()),
	}
}

// declaredMeta is the metadata of Declared. What the API server assigns is left out by naming what is kept.
func (a *Application) declaredMeta() map[string]any {
	metadata := map[string]any{}
	for _, key := range []string{"name", "namespace", "labels", "finalizers"} {
		if value, ok := a.metadata()[key]; ok && value != nil {
			metadata[key] = clone(value)
		}
	}
	annotations := cloneMap(child(a.metadata(), "annotations"))
	for _, key := range movedHere() {
		delete(annotations, key)
	}
	if len(annotations) > 0 {
		metadata["annotations"] = annotations
	}
	return metadata
}

// BackupAnnotation is where a backup of an Application keeps what the Application itself does not tell. Whoever applies a
// backup by kubectl brings it into the cluster.
const BackupAnnotation = "apl.io/backup"

// Copy returns a tree that shares no map and no list with the one given, and holds the same to the letter.
func Copy(tree map[string]any) map[string]any {
	out := make(map[string]any, len(tree))
	for key, value := range tree {
		out[key] = copyValue(value)
	}
	return out
}

func copyValue(v any) any {
	switch x := v.(type) {
	case map[string]any:
		return Copy(x)
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = copyValue(x[i])
		}
		return out
	}
	return v
}
