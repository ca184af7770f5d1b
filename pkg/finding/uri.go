package finding

import "strings"

// escapeURI writes a path for a URI (RFC 3986): slashes stay, and every byte that could mean something else is percent-encoded,
// a colon too: what stands before one in a relative reference is a scheme.
func escapeURI(path string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(path) {
		c := path[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("/-._~", c) >= 0:
			b.WriteByte(c)
		default:
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}
