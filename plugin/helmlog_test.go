package plugin

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// writeLines writes each text as one line of the standard logger.
func writeLines(w *helmWarnings, lines ...string) error {
	for _, line := range lines {
		if _, err := w.Write([]byte(line + "\n")); err != nil {
			return err
		}
	}
	return nil
}

func TestHelmWarnings(t *testing.T) {
	cases := map[string]struct {
		reason string
		lines  []string
		want   string
	}{
		"Plain": {
			reason: "a line without a value is shown as it is",
			lines:  []string{"warning: skipped value for probe.sub: Not a table."},
			want:   "warning: Helm: skipped value for probe.sub: Not a table.\n",
		},
		"Value": {
			reason: "Helm quotes the value in brackets at the end of the line",
			lines:  []string{"warning: cannot overwrite table with non table for probe.login (map[user:ada])"},
			want:   "warning: Helm: cannot overwrite table with non table for probe.login\n",
		},
		"Brackets": {
			reason: "a value can hold brackets itself",
			lines:  []string{"warning: destination for probe.login is a table. Ignoring non-table value (ada (the first) and (so on)"},
			want:   "warning: Helm: destination for probe.login is a table. Ignoring non-table value\n",
		},
		"Lines": {
			reason: "a value can have many lines",
			lines:  []string{"warning: cannot overwrite table with non table for probe.key (BEGIN\nada\nEND\n)"},
			want:   "warning: Helm: cannot overwrite table with non table for probe.key\n",
		},
		"UpperCase": {
			reason: "some of Helm's lines begin with an upper case letter; two such words would stand in one line",
			lines:  []string{"Warning: Condition path 'sub.enabled' for chart sub returned non-bool value"},
			want:   "warning: Helm: Condition path 'sub.enabled' for chart sub returned non-bool value\n",
		},
		"Again": {
			reason: "two apps of one chart say the same, with other values",
			lines: []string{
				"warning: cannot overwrite table with non table for probe.login (ada)",
				"warning: cannot overwrite table with non table for probe.login (cleo)",
				"warning: cannot overwrite table with non table for probe.other (ada)",
			},
			want: "warning: Helm: cannot overwrite table with non table for probe.login\n" +
				"warning: Helm: cannot overwrite table with non table for probe.other\n",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			if err := writeLines(&helmWarnings{out: &out}, tc.lines...); err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.want, out.String()); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}

func TestHelmWarningsAreBounded(t *testing.T) {
	var out strings.Builder
	w := &helmWarnings{out: &out}
	for i := range 3 * maxHelmWarnings {
		if err := writeLines(w, fmt.Sprintf("warning: skipped value for probe.key%d: Not a table.", i)); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Count(out.String(), "\n"); got != maxHelmWarnings || len(w.seen) != maxHelmWarnings {
		t.Errorf("a broken chart can warn of each key: %d lines shown, %d remembered", got, len(w.seen))
	}
}

func TestHelmWarningsHideEveryValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := "s3cret" + rapid.StringMatching(`[ -~\n]{0,40}`).Draw(t, "value") + "s3cret"
		form := rapid.SampledFrom([]string{
			"warning: cannot overwrite table with non table for probe.key (%v)",
			"warning: destination for probe.key is a table. Ignoring non-table value (%v)",
		}).Draw(t, "form")
		var out strings.Builder
		if err := writeLines(&helmWarnings{out: &out}, fmt.Sprintf(form, value)); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), "s3cret") || !strings.Contains(out.String(), "probe.key") {
			t.Fatalf("shown: %q", out.String())
		}
	})
}

func TestHelmWarningsReportAClosedStream(t *testing.T) {
	want := errors.New("closed")
	if err := writeLines(&helmWarnings{out: failing{want}}, "warning: a"); !errors.Is(err, want) {
		t.Errorf("the logger has to learn that nothing was written: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
