package schema

import "errors"

// What an Error is about. Each means that nothing is known of the values, good or bad.
var (
	// ErrInvalid: the text is no JSON, or no JSON schema of its draft.
	ErrInvalid = errors.New("the schema does not compile")
	// ErrReference: the schema refers to another document, which is never fetched.
	ErrReference = errors.New("the schema refers to another document")
	// ErrRegexp: a regular expression is of a kind that Go, and so Helm, does not have.
	ErrRegexp = errors.New("a regular expression of the schema does not compile")
	// ErrLoop: the schema refers to itself without end.
	ErrLoop = errors.New("the schema refers to itself without end")
	// ErrLimit: a bound of this package was met, by the schema or by the work that values make with it.
	ErrLimit = errors.New("the schema asks for too much work")
)

// Error says why values cannot be judged by a schema. It is about the vendor's schema, not about the user's values.
type Error struct {
	Name    string // how the caller named the schema
	Place   string // a JSON pointer into the schema; "" for the whole of it
	Message string
	Next    string // what to do about it
	Err     error  // one of the sentinels
}

// Error returns "name#place: message".
func (e *Error) Error() string {
	place := e.Name
	if e.Place != "" {
		place += "#" + e.Place
	}
	return place + ": " + e.Message
}

// Unwrap returns the sentinel that tells what kind of error it is.
func (e *Error) Unwrap() error { return e.Err }

const tellVendor = "the chart's values.schema.json is at fault, not the values: tell its maintainers, or validate without it"
