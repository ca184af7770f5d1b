package argocd

// inline reads helm.values and helm.valuesObject. The object counts whenever it is set: the two are never merged.
func (l *live) inline(s Source) {
	object, hasObject, err := field[map[string]any](s.helm, "valuesObject")
	if err != nil {
		l.block(RuleInline, s.At+".helm.valuesObject", err.Error(), "correct the Application")
	}
	inline, hasText, err := field[string](s.helm, "values")
	if err != nil {
		l.block(RuleInline, s.At+".helm.values", err.Error(), "correct the Application")
	}
	switch {
	case hasObject:
		l.Origin, l.At, l.Object = OriginObject, s.At+".helm.valuesObject", object
		if inline != "" {
			l.warn(RuleDeadValues, s.At+".helm.values", "helm.values is dead text: helm.valuesObject is set and hides it whole",
				"move what is wanted into custom values after the migration")
		}
	case hasText:
		l.Origin, l.At, l.Text = OriginText, s.At+".helm.values", inline
	}
}

// inlineFields returns the fields of helm that put values, or files of values, over or beside the two value files.
func inlineFields() []string {
	return []string{"values", "valuesObject", "parameters", "fileParameters", "ignoreMissingValueFiles"}
}

// hasInline reports whether any of them says something.
func (s Source) hasInline() bool { return len(s.Inline()) > 0 }
