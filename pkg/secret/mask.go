package secret

import (
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// hidden stands for what Mask takes out.
const hidden = "***"

const pemEnd = "-----END "

// Mask returns a text that another program wrote, such as what it says when it fails, less what can be secret in it: the
// lines in which ScanText finds something, with the rest of a key, a block or a printed Go map that begins there, and every
// word that reads like random letters. It hides too much rather than too little: a digest and a timestamp go too. What
// reads as a word and stands beside no name, such as a password that is one, it cannot know.
func (d *Detector) Mask(text string) string {
	hit := map[int]bool{}
	for _, h := range d.ScanText(text) {
		hit[h.Line] = true
	}
	var out []string
	open := maskedBlock{}
	n, name := 0, -1 // name is the indentation of the line before, where that ends in a name whose value is below it
	for line := range strings.SplitSeq(text, "\n") {
		n++
		body := strings.TrimSpace(uncomment(line))
		switch {
		case open.holds(line, body):
			out = append(out, hidden)
		case hit[n], strings.Contains(body, pemBegin), strings.Contains(body, "map[") && mentions(body):
			open = openBlock(line, body)
			if 0 <= name && name < open.indent {
				open.indent = name
			}
			out = append(out, hidden)
		default:
			out = append(out, maskWords(line))
		}
		name = -1
		if strings.HasSuffix(strings.TrimRight(body, "|>+-0123456789 "), ":") {
			name = indentation(line)
		}
	}
	return strings.Join(out, "\n")
}

// MaskPath returns a path in which keys that hold a secret themselves are hidden, as they are in hits. path is left as it is.
func (d *Detector) MaskPath(path values.Path) values.Path {
	out := path
	for i, step := range path {
		if step.IsIndex || len(d.ScanText(step.Key)) == 0 {
			continue
		}
		if &out[0] == &path[0] {
			out = slices.Clone(path)
		}
		out[i].Key = hidden
	}
	return out
}

// maskedBlock is what a hidden line opened: a PEM block, or the lines that are indented deeper.
type maskedBlock struct {
	open   bool
	pem    bool
	indent int // deeper lines belong to it
}

func openBlock(line, body string) maskedBlock {
	at := strings.LastIndex(body, pemBegin)
	return maskedBlock{open: true, pem: at >= 0 && !strings.Contains(body[at:], pemEnd), indent: indentation(line)}
}

// holds tells whether a line belongs to the block, and closes it where it ends. The line that ends a PEM block belongs to
// it; a block that has no such line takes the rest of the text.
func (b *maskedBlock) holds(line, body string) bool {
	switch {
	case !b.open:
		return false
	case b.pem:
		b.pem = !strings.Contains(body, pemEnd)
		return true
	case body == "" || indentation(line) > b.indent:
		return body != ""
	}
	b.open = false
	return false
}

func indentation(line string) int {
	return len(line) - len(strings.TrimLeft(line, " \t"))
}

// shortestToken is the length of the shortest word that is taken for random letters.
const shortestToken = 8

// maskWords hides the words of a line that read like random letters and digits.
func maskWords(line string) string {
	var b strings.Builder
	for line != "" {
		end := strings.IndexFunc(line, func(r rune) bool { return !isTokenRune(r) })
		if end < 0 {
			end = len(line)
		}
		word := line[:end]
		if len(word) >= shortestToken && !readable(word) {
			word = hidden
		}
		b.WriteString(word)
		line = line[end:]
		next := strings.IndexFunc(line, isTokenRune)
		if next < 0 {
			next = len(line)
		}
		b.WriteString(line[:next])
		line = line[next:]
	}
	return b.String()
}

func isTokenRune(r rune) bool {
	return r < 0x80 && (isAlnum(byte(r)) || strings.ContainsRune("+=_-~!$%^&*", r))
}

// readable tells whether a word is made of words or of digits alone.
func readable(word string) bool {
	return wordy(word) || strings.Trim(word, "0123456789-_+=*~") == ""
}
