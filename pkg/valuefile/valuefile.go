// Package valuefile owns the text of an app's two value files: what stands above the values, and what that says of how they came to
// be. It knows no values, and no disk.
package valuefile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

const (
	managedIntro = "# Managed values, written by kubectl apl"
	versionIntro = " from platform version "
	inputsIntro  = "# inputs: "
	digestIntro  = "# sha256 of the rest: "
	customIntro  = "# Custom values: they win over values.managed.yaml. Yours to edit; kubectl apl leaves them alone.\n"
)

// Inputs are what managed values are computed from. Digests are made by Digest; "" is not known.
type Inputs struct {
	// Version is the platform's.
	Version string
	// Settings is the digest of the platform's settings in the values repo, Release that of the release's entry in the registry.
	Settings, Release string
}

// Digest returns a short digest of texts, in their order, "" of none.
func Digest(texts ...[]byte) string {
	if len(texts) == 0 {
		return ""
	}
	sum := sha256.New()
	for _, text := range texts {
		fmt.Fprintf(sum, "%d:", len(text)) // a hash takes everything
		sum.Write(text)
	}
	return hex.EncodeToString(sum.Sum(nil))[:16]
}

// Managed composes values.managed.yaml: a comment that says what wrote it, from what, and the digest of the body, by which an edit
// by hand is seen without rendering anything; then the body as it is. It returns the file, and how many lines stand above the body.
func Managed(body []byte, in Inputs) (file []byte, above int) {
	var b bytes.Buffer
	b.WriteString(managedIntro)
	if in.Version != "" {
		b.WriteString(versionIntro + in.Version)
	}
	b.WriteString(".\n# Do not edit: put overrides in values.custom.yaml beside this file.\n")
	var inputs []string
	for _, input := range []struct{ name, digest string }{{"settings", in.Settings}, {"release", in.Release}} {
		if input.digest != "" {
			inputs = append(inputs, input.name+" "+input.digest)
		}
	}
	if len(inputs) > 0 {
		b.WriteString(inputsIntro + strings.Join(inputs, ", ") + "\n")
	}
	fmt.Fprintf(&b, "%s%s\n", digestIntro, digest(body))
	above = bytes.Count(b.Bytes(), []byte("\n"))
	b.Write(body)
	return b.Bytes(), above
}

// ReadManaged reads a values.managed.yaml: its body, and what it was made from. intact is false for a file that is other than what
// was written: its digest is missing or does not match. Its body then is all of it, below the comment it begins with if that is ours.
// The CRs that a checkout adds on some systems are no edit, and the body comes without them.
func ReadManaged(file []byte) (body []byte, in Inputs, intact bool) {
	rest := string(file)
	for line := range strings.Lines(rest) {
		if !strings.HasPrefix(line, "#") {
			return file, in, false
		}
		rest = rest[len(line):]
		line = strings.TrimRight(line, "\r\n")
		if version, ok := strings.CutPrefix(line, managedIntro+versionIntro); ok {
			in.Version = strings.TrimSuffix(version, ".")
		}
		if inputs, ok := strings.CutPrefix(line, inputsIntro); ok {
			in.read(inputs)
		}
		if sum, ok := strings.CutPrefix(line, digestIntro); ok {
			body, sum = []byte(rest), strings.TrimSpace(sum)
			if plain := withoutCR(body); sum == digest(plain) {
				return plain, in, true
			}
			return body, in, sum == digest(body)
		}
	}
	return file, in, false
}

func withoutCR(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

func (in *Inputs) read(text string) {
	for input := range strings.SplitSeq(text, ", ") {
		switch name, digest, _ := strings.Cut(input, " "); name {
		case "settings":
			in.Settings = digest
		case "release":
			in.Release = digest
		}
	}
}

// Custom composes values.custom.yaml: a comment, which is all of it when nothing is custom, since Argo CD fails on a value file that
// is missing, and the text below it.
func Custom(text []byte) []byte {
	return append([]byte(customIntro), text...)
}

func digest(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// Changed names what is other in inputs that came later. What one of both does not tell is passed over.
func (in Inputs) Changed(later Inputs) []string {
	var out []string
	differs := func(a, b string) bool { return a != "" && b != "" && a != b }
	if differs(in.Version, later.Version) {
		out = append(out, fmt.Sprintf("platform version %s to %s", in.Version, later.Version))
	}
	if differs(in.Settings, later.Settings) {
		out = append(out, "the settings in env/")
	}
	if differs(in.Release, later.Release) {
		out = append(out, "the release's entry in the registry")
	}
	return out
}
