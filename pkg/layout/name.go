package layout

import "strings"

const upperHex = "0123456789ABCDEF"

// EncodeName makes a file name of an object's name: every byte outside [a-z0-9._-] becomes %XX, the percent sign too, so that
// no two names meet on a file system that ignores case, and no name leaves its folder. "." and ".." are encoded whole. The
// result can be three times as long as the name; whether a file system takes it is for the caller to see.
func EncodeName(name string) string {
	if name == "." || name == ".." {
		return strings.Repeat("%2E", len(name))
	}
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		if isPlain(c) {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(upperHex[c>>4])
		b.WriteByte(upperHex[c&0x0f])
	}
	return b.String()
}

// DecodeName gives back the name that EncodeName was given. It returns false for a file name that EncodeName does not make.
func DecodeName(file string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(file); i++ {
		if file[i] != '%' {
			b.WriteByte(file[i])
			continue
		}
		if i+2 >= len(file) {
			return "", false
		}
		high, low := strings.IndexByte(upperHex, file[i+1]), strings.IndexByte(upperHex, file[i+2])
		if high < 0 || low < 0 {
			return "", false
		}
		b.WriteByte(byte(high<<4 | low))
		i += 2
	}
	name := b.String()
	return name, EncodeName(name) == file
}

func isPlain(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-'
}
