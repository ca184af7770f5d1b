package values

// Overlay returns the values of layers, the lowest first, as `helm -f first -f next` has them. Text is kept of the highest
// layer that has some; what the others bring is written anew. No layers are no values. Warnings are those of no layer: the
// caller has read each by itself.
func Overlay(name string, layers ...*Document) *Document {
	out := Document{Name: name, Values: map[string]any{}}
	for _, layer := range layers {
		merged := Merge(out.Values, layer.Values)
		if layer.text != "" && len(layer.Values) > 0 {
			out = *layer
			out.Warnings, out.MoreDocuments = nil, false
		}
		out.Values = merged
	}
	out.Name = name
	return &out
}
