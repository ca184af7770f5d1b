// Package schema owns the vendor's values.schema.json: it compiles it, and says which values Helm would refuse by it and
// why. It reads no files, fetches nothing, and knows no charts: it takes bytes and trees.
//
// Verdicts are those of Helm 3.21 (chartutil.ValidateAgainstSchema), which validates with another version of the library
// that is used here (ADR 0003). Where the two versions part, this package follows Helm's; what is left is in ADR 0029.
// What cannot be judged is an *Error, and never counted as valid (DESIGN 7).
package schema
