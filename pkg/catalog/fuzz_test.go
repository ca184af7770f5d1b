package catalog

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
)

func squeeze(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text)) // into memory
	_ = z.Close()                // as above
	return b.Bytes()
}

// TestUnpackBounds holds that what is hostile is refused, and how.
func TestUnpackBounds(t *testing.T) {
	for want, text := range map[string]string{
		"deeper":       `{"key":"k","chart":{"name":"a","values":` + strings.Repeat(`{"a":`, 600) + "1" + strings.Repeat("}", 600) + `}}`,
		"larger than":  strings.Repeat(" ", maxInflated+1),
		"not the JSON": `{"key":1}`,
		"another":      `{"key":"other"}`,
		"no chart":     `{"key":"k"}`,
	} {
		if _, err := unpack("k", squeeze(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", want, err)
		}
	}
}

// FuzzUnpack holds that nothing that a ConfigMap can hold breaks the reader, and that what is read can be looked at.
func FuzzUnpack(f *testing.F) {
	k := keyOf(chart.Source{Path: "c", Revision: "v1"}).String()
	f.Add(k, `{"key":"`+k+`","source":{"path":"c","revision":"v1"},"chart":{"name":"a","values":{"a":[1]},"subcharts":[{"name":"b"}]}}`)
	f.Add(managedKey, `{"key":"managed","config":"","managed":[{"app":"a/b","text":"a: &x [*x]"}]}`)
	f.Add(k, `{"key":"`+k+`","source":{},"chart":{"name":"a","dependencies":[{}],"subcharts":[{}]}}`)
	f.Fuzz(func(t *testing.T, key, text string) {
		l, err := unpack(key, squeeze(text))
		if err != nil {
			return
		}
		if l.chart != nil {
			if l.chart.source.String() != key {
				t.Errorf("it stands under another key")
			}
			_, _, _ = l.chart.chart.Judged(nil) // it may refuse; it must not break
		}
	})
}

// FuzzInflate holds the same for bytes that are no gzip.
func FuzzInflate(f *testing.F) {
	f.Add(squeeze("a"))
	f.Add([]byte{0x1f, 0x8b})
	f.Fuzz(func(t *testing.T, data []byte) {
		if text, err := inflate(data); err == nil && len(text) > maxInflated {
			t.Error("it is too large")
		}
	})
}
