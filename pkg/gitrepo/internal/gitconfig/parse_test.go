package gitconfig

import (
	"errors"
	"testing"
)

func FuzzParse(f *testing.F) {
	f.Add("[core]\n\tbare = false\n[remote \"o\"] url = \"a b\" # c\n")
	f.Add("\xef\xbb\xbf[a \"b\\\"c\"]\r\nk\r\n")
	f.Add("[a]k=\"")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := parse("file", []byte(text)); err != nil && !errors.Is(err, ErrSyntax) {
			t.Errorf("parse: %v, want %v", err, ErrSyntax)
		}
	})
}
