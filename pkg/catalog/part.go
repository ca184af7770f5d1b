package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	// partSize is how much of a bundle one ConfigMap holds. Kubernetes takes 1 MiB of data, and etcd requests of 1.5 MB, in which binary data
	// stands as base64.
	partSize = 512 << 10
	maxParts = 16
	format   = 1

	dataKey = "part"

	formatAnnotation  = "apl.io/format"
	keyAnnotation     = "apl.io/schema-key"
	digestAnnotation  = "apl.io/digest" // of the whole bundle
	partAnnotation    = "apl.io/part"   // 1/3
	chartAnnotation   = "apl.io/chart"
	versionAnnotation = "apl.io/chart-version"

	managedBy = "app.kubernetes.io/managed-by"
	manager   = "kubectl-apl"
)

// bundle is what the parts of one say of it. Name and version are for people.
type bundle struct{ key, label, name, version string }

// part is one ConfigMap, read.
type part struct {
	key, digest string
	number, of  int // number counts from 1
	data        []byte
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func split(b bundle, data []byte) ([]*corev1.ConfigMap, error) {
	of := (len(data) + partSize - 1) / partSize
	if of > maxParts {
		return nil, fmt.Errorf("it has %d bytes compressed; %d are the most that is published", len(data), maxParts*partSize)
	}
	var out []*corev1.ConfigMap
	for i := range of {
		o := &corev1.ConfigMap{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}}
		o.Name = partName(b.key, i+1)
		o.Labels = map[string]string{Label: b.label, managedBy: manager}
		o.Annotations = map[string]string{
			formatAnnotation: strconv.Itoa(format), keyAnnotation: b.key, digestAnnotation: digest(data), partAnnotation: fmt.Sprintf("%d/%d", i+1, of),
		}
		if b.name != "" {
			o.Annotations[chartAnnotation], o.Annotations[versionAnnotation] = b.name, b.version
		}
		o.BinaryData = map[string][]byte{dataKey: data[i*partSize : min((i+1)*partSize, len(data))]}
		out = append(out, o)
	}
	return out, nil
}

// partName is the same for a part of a bundle in all its generations: what people read of it, and what tells it apart.
func partName(key string, number int) string {
	sum := sha256.Sum256([]byte(key))
	const longest = 40
	var b strings.Builder
	for _, r := range strings.ToLower(titleOf(key)) {
		if b.Len() == longest {
			break
		}
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			r = '-'
		}
		b.WriteRune(r)
	}
	return "apl-schemas-" + strings.Trim(b.String(), "-") + "-" + hex.EncodeToString(sum[:8]) + "-" + strconv.Itoa(number)
}

// readPart reads one ConfigMap. The text of the error says what is wrong, and what to do next is said by the Problem.
func readPart(o *corev1.ConfigMap) (part, error) {
	p := part{key: o.Annotations[keyAnnotation], digest: o.Annotations[digestAnnotation], data: o.BinaryData[dataKey]}
	version, err := strconv.Atoi(o.Annotations[formatAnnotation])
	switch {
	case err != nil || version < 1:
		return part{}, fmt.Errorf("its annotation %s is no version", formatAnnotation)
	case version > format:
		return part{}, fmt.Errorf("%w: it has version %d, and %d is known", errNewer, version, format)
	case p.key == "":
		return part{}, fmt.Errorf("it has no annotation %s", keyAnnotation)
	}
	number, of, _ := strings.Cut(o.Annotations[partAnnotation], "/")
	p.number, err = strconv.Atoi(number)
	if err == nil {
		p.of, err = strconv.Atoi(of)
	}
	switch {
	case err != nil || p.number < 1 || p.number > p.of || p.of > maxParts:
		return part{}, fmt.Errorf("its annotation %s is no part of at most %d", partAnnotation, maxParts)
	case o.Name != partName(p.key, p.number): // so that two objects never claim one part
		return part{}, fmt.Errorf("its name is not that of part %d of its key", p.number)
	case (p.key == managedKey) != (o.Labels[Label] == LabelManaged):
		return part{}, fmt.Errorf("its label %s says something else than its key", Label)
	case len(p.data) == 0 || len(p.data) > 2*partSize:
		return part{}, fmt.Errorf("its binaryData %s is missing, empty or too large", dataKey)
	}
	return p, nil
}
