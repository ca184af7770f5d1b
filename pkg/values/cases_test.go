package values

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPublicFailures is what people hit in other tools that override Helm values, each with values of our own: what
// custom must be, to the byte. A1 and A7 want a managed key undone, which is Pin's (TestPin).
func TestPublicFailures(t *testing.T) {
	cases := map[string]struct {
		reason     string
		live       string
		managed    string
		custom     string
		introduced []string
		warnings   int
	}{
		"A1": {
			reason:     "a key that live lacks is never undone with a null on our own: it is listed",
			live:       "uid: 70\n",
			managed:    "uid: 70\nprobe: {httpGet: {path: /ready}}\n",
			introduced: []string{"probe.httpGet.path"},
		},
		"A3": {
			reason:  "nulls stay as they are: what they do depends on the chart and on Helm's version",
			live:    "tls: {on: null, extra: null}\n",
			managed: "",
			custom:  "tls: {on: null, extra: null}\n",
		},
		"A5": {
			reason:  "lists are replaced whole, so that custom carries all items in live's order",
			live:    "env:\n- {name: A, value: \"1\"}\n- {name: B, value: \"9\"} # changed\n- {name: C, value: \"4\"}\n",
			managed: "env:\n- {name: A, value: \"1\"}\n- {name: B, value: \"2\"}\n",
			custom:  "env:\n- {name: A, value: \"1\"}\n- {name: B, value: \"9\"} # changed\n- {name: C, value: \"4\"}\n",
		},
		"A5Same": {
			reason:  "an identical list is no override, whatever its style",
			live:    "env: [x, {k: v}]\n",
			managed: "env:\n- x\n- k: \"v\"\n",
		},
		"A5Order": {
			reason:  "order is meaning",
			live:    "hosts: [b, a]\n",
			managed: "hosts: [a, b]\n",
			custom:  "hosts: [b, a]\n",
		},
		"A7": {
			reason:     "false, 0, empty text and an empty list are overrides; {} is none, since it clears nothing",
			live:       "a: false\nb: 0\nc: \"\"\nd: []\ne: {}\n",
			managed:    "a: true\nb: 7\nc: y\nd: [2]\ne: {k: 3}\n",
			custom:     "a: false\nb: 0\nc: \"\"\nd: []\n",
			introduced: []string{"e.k"},
		},
		"A9": {
			reason:  "a value of another type replaces the whole, in both directions",
			live:    "auth: {existingSecret: {name: db, key: pw}}\nprobe: false\n",
			managed: "auth: {existingSecret: \"\"}\nprobe: {period: 9}\n",
			custom:  "auth:\n  existingSecret:\n    name: db\n    key: pw\nprobe: false\n",
		},
		"A11": {
			reason:  "numbers are compared as Helm reads them and written as they were",
			live:    "mode: 0644\nsha: \"51840e7\"\nzip: \"09\"\npad: 098765432\ncol: 11:20:30\nday: 2023-03-04\nund: 2_000\nhex: 0x2F\nbig: 1e500\n",
			managed: "mode: 420\nsha: x\n",
			custom:  "sha: \"51840e7\"\nzip: \"09\"\npad: 098765432\ncol: 11:20:30\nday: 2023-03-04\nund: 2_000\nhex: 0x2F\nbig: 1e500\n",
		},
		"A13": {
			reason:  "9090 and \"9090\" are one key to Helm; a number stays the key that it was",
			live:    "tcp: {\"9090\": \"a/b:80\", 7070: \"c/d:90\"}\n",
			managed: "tcp: {9090: \"a/b:80\"}\n",
			custom:  "tcp:\n  7070: \"c/d:90\"\n",
		},
		"A15": {
			reason:   "of duplicate keys the last counts, whole; people are told",
			live:     "image: {repository: q, tag: a}\nport: 1\nimage: {tag: b}\n",
			managed:  "image: {tag: a}\nport: 1\n",
			custom:   "image:\n  tag: b\n",
			warnings: 1,
		},
		"A17CRLF": {
			reason:  "line ends are no difference",
			live:    "n: 5\r\ns: |\r\n  one\r\n  two\r\n",
			managed: "n: 5\ns: |\n  one\n  two\n",
		},
		"A17BOM": {
			reason:  "nor is a byte order mark",
			live:    "\ufeffn: 5\ns: |\n  one\n  two\n",
			managed: "n: 5\ns: |\n  one\n  two\n",
		},
		"A17Written": {
			reason:  "what is kept of such a text is written with LF and without a mark",
			live:    "\ufeffn: 5 # five\r\ns: |\r\n  one\r\n",
			managed: "",
			custom:  "n: 5 # five\ns: |\n  one\n",
		},
		"A19": {
			reason:  "line ends and spaces at the end of a text are data",
			live:    "a: |-\n  t\nb: |+\n  t\n\nc: \"t \"\n",
			managed: "a: |\n  t\nb: |-\n  t\nc: t\n",
			custom:  "a: |-\n  t\nb: |+\n  t\n\nc: \"t \"\n",
		},
		"A21": {
			reason:  "a null in global is an override like any other; globals are not copied to subcharts",
			live:    "global: {domain: e.test, region: null}\n",
			managed: "global: {domain: e.test, region: us}\n",
			custom:  "global:\n  region: null\n",
		},
		"A23": {
			reason:  "template expressions are text: not evaluated, not quoted anew",
			live:    "host: \"{{ .Values.global.zone }}\"\nurl: \"https://{{ tpl .Values.host . }}:81/#g\"\n",
			managed: "host: '{{ .Values.global.zone }}'\n",
			custom:  "url: \"https://{{ tpl .Values.host . }}:81/#g\"\n",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			live, managed := mustParse(t, tc.live), mustParse(t, tc.managed)
			d := Split(live, managed)
			if diff := cmp.Diff(tc.custom, textOf(t, d)); diff != "" {
				t.Errorf("%s: custom (-want +got):\n%s", tc.reason, diff)
			}
			var introduced []Path
			for _, leaf := range d.Introduced {
				introduced = append(introduced, leaf.Path)
			}
			if diff := cmp.Diff(tc.introduced, pathNames(introduced)); diff != "" {
				t.Errorf("%s: introduced (-want +got):\n%s", tc.reason, diff)
			}
			if len(live.Warnings) != tc.warnings {
				t.Errorf("%s: warnings %v", tc.reason, live.Warnings)
			}
			checkSplit(t, live, managed)
		})
	}
}

// TestNullsNeedHelmsVersion is case A3: which nulls templates see is Helm's to say, and differs by version. This is
// 3.21.4's, the version that proofs are made with.
func TestNullsNeedHelmsVersion(t *testing.T) {
	c := chartSpec{name: "top", defaults: mustParse(t, "tls: {on: true}").Values}
	got, err := c.effective(mustParse(t, "tls: {on: null, extra: null}").Values)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]any{"tls": map[string]any{"extra": nil}}, got); diff != "" {
		t.Errorf("a null deletes a default, and stays where there is none (-want +got):\n%s", diff)
	}
}
