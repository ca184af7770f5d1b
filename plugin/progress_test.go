package plugin

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// screen is a terminal of a width, with a clock that goes on by a step whenever it is asked.
func screen(out io.Writer, width int, step time.Duration) *status {
	clock := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	return &status{out: out, width: func() int { return width }, now: func() time.Time {
		clock = clock.Add(step)
		return clock
	}}
}

func TestProgress(t *testing.T) {
	cases := map[string]struct {
		reason string
		width  int
		step   time.Duration
		run    func(s *status)
		want   string
	}{
		"Stages": {
			reason: "a shorter line covers what stood there", width: 80, step: time.Second,
			run: func(s *status) {
				s.progress("reading Applications", 500, 0)
				s.progress("charts", 1, 46)
				s.progress("writing", 0, 0)
			},
			want: "\rreading Applications: 500\rcharts: 1/46             \rwriting                  ",
		},
		"Often": {
			reason: "ten times a second is enough", width: 80, step: 30 * time.Millisecond,
			run: func(s *status) {
				for i := range 6 {
					s.progress("charts", i+1, 6)
				}
			},
			want: "\rcharts: 1/6\rcharts: 5/6",
		},
		"Narrow": {
			reason: "a line that wraps cannot be taken away", width: 10, step: time.Second,
			run:  func(s *status) { s.progress("reading Applications", 1, 0) },
			want: "\rreading A",
		},
		"NoRoom": {
			reason: "a terminal can be of no width at all", width: 0, step: time.Second,
			run:  func(s *status) { s.progress("charts", 1, 2) },
			want: "\r",
		},
		"Other": {
			reason: "what else is written stands on a line of its own", width: 80, step: time.Second,
			run: func(s *status) {
				s.progress("charts", 1, 2)
				_, _ = io.WriteString(s, "warning: x\n")
				s.progress("charts", 2, 2)
				Streams{ErrOut: s}.Quiet()
				Streams{ErrOut: s}.Quiet()
			},
			want: "\rcharts: 1/2\r           \rwarning: x\n\rcharts: 2/2\r           \r",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			tc.run(screen(&out, tc.width, tc.step))
			if diff := cmp.Diff(tc.want, out.String()); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", tc.reason, diff)
			}
		})
	}
}

// TestDuring holds that a stage is over when it is said to be: nothing is drawn after.
func TestDuring(t *testing.T) {
	var out strings.Builder
	s := screen(&out, 80, time.Second)
	over := Streams{ErrOut: s}.During(context.Background(), "helmfile")
	over()
	over()
	if got := out.String(); !strings.HasPrefix(got, "\rhelmfile") {
		t.Errorf("got %q", got)
	}
}

func TestNoTerminalDrawsNothing(t *testing.T) {
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	})
	for name, out := range map[string]io.Writer{"a file": file, "a buffer": &strings.Builder{}} {
		streams := Streams{ErrOut: newStatus(out, Env{Now: time.Now, Lookup: func(string) (string, bool) { return "", false }})}
		streams.Progress("charts", 1, 2)
		streams.During(t.Context(), "helmfile")()
		streams.Quiet()
		if _, err := io.WriteString(streams.ErrOut, "text"); err != nil {
			t.Fatal(err)
		}
		got := ""
		if b, ok := out.(*strings.Builder); ok {
			got = b.String()
		} else if data, err := os.ReadFile(file.Name()); err == nil {
			got = string(data)
		}
		if got != "text" {
			t.Errorf("%s holds %q", name, got)
		}
		if colored(out, func(string) (string, bool) { return "", false }) {
			t.Errorf("%s has colours", name)
		}
	}
	Streams{ErrOut: file}.Progress("charts", 1, 2) // a stream that nobody wrapped
}

func TestMayDraw(t *testing.T) {
	cases := map[string]struct {
		reason string
		env    map[string]string
		want   bool
	}{
		"Plain":   {reason: "a terminal", env: map[string]string{"TERM": "xterm"}, want: true},
		"Unset":   {reason: "no TERM, as on Windows", want: true},
		"Dumb":    {reason: "a terminal that cannot go back", env: map[string]string{"TERM": "dumb"}},
		"CI":      {reason: "a log that somebody reads later", env: map[string]string{"CI": "true"}},
		"NotCI":   {reason: "CI=false says no", env: map[string]string{"CI": "false"}, want: true},
		"NoColor": {reason: "nothing but text", env: map[string]string{"NO_COLOR": "1"}},
		"Empty":   {reason: "an empty NO_COLOR is none", env: map[string]string{"NO_COLOR": ""}, want: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := mayDraw(func(key string) (string, bool) { value, ok := tc.env[key]; return value, ok })
			if got != tc.want {
				t.Errorf("%s: got %v", tc.reason, got)
			}
		})
	}
}
