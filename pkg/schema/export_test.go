package schema

// CompareStrictly is Compare without its exception for keys that came.
func CompareStrictly(before, after *Schema) Comparison { return compare(before, after, nil, true) }
