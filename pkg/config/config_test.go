package config

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
)

const fileName = ".apl.yaml" // as the callers name it

func TestParse(t *testing.T) {
	gitea := app.ID{Namespace: "gitea", Release: "gitea"}
	valkey := app.ID{Namespace: "gitea", Release: "gitea-valkey"}
	tests := map[string]struct {
		reason string
		text   string
		want   Config
	}{
		"Empty":       {reason: "A file that says nothing excludes and accepts nothing.", text: ""},
		"CommentOnly": {reason: "Neither does one whose entries are commented out.", text: "# exclude:\n# - app: a/b\n"},
		"Null":        {reason: "Nor one that is null.", text: "---\nnull\n"},
		"EmptyMap":    {reason: "Nor one that is an empty map.", text: "{}\n"},
		"EmptyLists":  {reason: "Nor one whose lists have lost their entries.", text: "exclude:\nsecrets: []\n"},
		"Full": {
			reason: "Every entry is read, with the place where it stands.",
			text: `# ours
exclude:
- app: gitea/gitea
  reason: its managed values hold a literal
secrets:
  - app: gitea/gitea-valkey
    path: auth.password
    rule: secret-named-key
    reason: " reachable in the cluster only "
`,
			want: Config{
				Exclude: []Exclusion{{App: gitea, Reason: "its managed values hold a literal", Line: 3, Column: 3}},
				Secrets: []Exception{{
					App: valkey, Path: "auth.password", Rule: "secret-named-key",
					Reason: "reachable in the cluster only", Line: 6, Column: 5,
				}},
			},
		},
		"File": {
			reason: "A settings file belongs to no app, and is named itself.",
			text:   "secrets:\n- {file: env/settings/apps.yaml, path: apps.cache.password, rule: r1, reason: x}\n",
			want: Config{Secrets: []Exception{
				{File: "env/settings/apps.yaml", Path: "apps.cache.password", Rule: "r1", Reason: "x", Line: 2, Column: 3},
			}},
		},
		"Rules": {
			reason: "A rule can count for more, for less, or not at all.",
			text:   "rules:\n- {rule: stray-file, severity: off, reason: x}\n- rule: orphan-values\n  severity: error\n  reason: y\n",
			want: Config{Rules: []Rule{
				{Rule: "stray-file", Severity: Off, Reason: "x", Line: 2, Column: 3},
				{Rule: "orphan-values", Severity: finding.Error, Reason: "y", Line: 3, Column: 3},
			}},
		},
		"OnePlaceTwoRules": {
			reason: "Two rules at one place are two exceptions.",
			text: `secrets:
- {app: gitea/gitea, path: a, rule: r1, reason: x}
- {app: gitea/gitea, path: a, rule: r2, reason: x}
`,
			want: Config{Secrets: []Exception{
				{App: gitea, Path: "a", Rule: "r1", Reason: "x", Line: 2, Column: 3},
				{App: gitea, Path: "a", Rule: "r2", Reason: "x", Line: 3, Column: 3},
			}},
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Parse(fileName, []byte(tc.text))
			if err != nil {
				t.Fatalf("%s\nParse(...): %v", tc.reason, err)
			}
			if diff := cmp.Diff(&tc.want, got); diff != "" {
				t.Errorf("%s\nParse(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	const (
		appNext    = "write it as namespace/releaseName, such as gitea/gitea-valkey"
		reasonNext = "say why the app is left out"
	)
	tests := map[string]struct {
		reason string
		text   string
		want   []string
	}{
		"UnknownKeys": {
			reason: "A typo must not silently exclude nothing; the message lists what can be meant.",
			text:   "excludes:\n- app: a/b\nexclude:\n- app: a/b\n  reasn: x\n  reason: y\n",
			want: []string{
				`.apl.yaml:1:1: the file has an unknown key "excludes"; the known keys are exclude, secrets, rules`,
				`.apl.yaml:5:3: an entry of exclude has an unknown key "reasn"; the known keys are app, reason`,
			},
		},
		"DuplicateKeys": {
			reason: "Of a repeated key, one reader takes the first and another the last.",
			text:   "exclude: []\nexclude:\n- app: a/b\n  reason: x\n  reason: y\n",
			want:   []string{".apl.yaml:2:1: the key exclude stands here again, after line 1; keep one of the two"},
		},
		"DuplicateFields": {
			reason: "The same goes for the keys of an entry.",
			text:   "exclude:\n- app: a/b\n  reason: x\n  reason: y\n",
			want:   []string{".apl.yaml:4:3: the key reason stands here again, after line 3; keep one of the two"},
		},
		"NoReason": {
			reason: "An exception without a reason is nobody's decision; blank is none.",
			text:   "exclude:\n- app: a/b\n- app: a/c\n  reason: '  '\n- app: a/d\n  reason:\nsecrets:\n- {app: a/b, path: p, rule: r}\n",
			want: []string{
				".apl.yaml:2:3: the entry has no reason; " + reasonNext,
				".apl.yaml:4:11: reason is empty; " + reasonNext,
				".apl.yaml:6:10: reason is empty; " + reasonNext,
				".apl.yaml:8:3: the entry has no reason; say why the value may stand in git",
			},
		},
		"Incomplete": {
			reason: "App, path and rule are needed to accept one finding and no other; all that is missing is told at once.",
			text:   "secrets:\n- reason: x\n",
			want: []string{
				".apl.yaml:2:3: the entry has no app; " + appNext,
				".apl.yaml:2:3: the entry has no path; name the place as the finding does, such as auth.password",
				".apl.yaml:2:3: the entry has no rule; name the rule as the finding does, such as secret-named-key",
			},
		},
		"BadFile": {
			reason: "An entry is about an app or about a settings file, not both, and a file of values belongs to an app.",
			text: `secrets:
- {app: a/b, file: env/settings/apps.yaml, path: p, rule: r, reason: x}
- {file: env/values/a/b/values.custom.yaml, path: p, rule: r, reason: x}
- {file: '', path: p, rule: r, reason: x}
- {file: env/settings/apps.yaml, path: p, rule: r, reason: x}
`,
			want: []string{
				".apl.yaml:2:20: the entry has a file and an app; keep app for values of an app, file for a settings file",
				".apl.yaml:3:10: file is no settings file; name a settings file from the root of the repo, such as env/settings/apps.yaml",
				".apl.yaml:4:10: file is empty; name a settings file from the root of the repo, such as env/settings/apps.yaml",
				".apl.yaml:5:3: this place and rule are accepted already, in line 2; keep one of the two",
			},
		},
		"BadRule": {
			reason: "A severity that is misspelt must not switch a rule off; of two entries for a rule one would go unread.",
			text:   "rules:\n- {rule: a, severity: none, reason: x}\n- {rule: a, severity: error, reason: x}\n- {rule: b}\n",
			want: []string{
				".apl.yaml:2:23: there is no such severity; it is one of error, warning, info, off",
				".apl.yaml:3:3: the rule has a severity already, in line 2; keep one of the two",
				".apl.yaml:4:3: the entry has no severity; it is one of error, warning, info, off",
				".apl.yaml:4:3: the entry has no reason; say why the rule counts for more or less here",
			},
		},
		"BadApp": {
			reason: "An app is an identity: an app name does not say which app it is.",
			text:   "exclude:\n- app: gitea-gitea\n  reason: x\n- app: Gitea/gitea\n  reason: x\n- app: " + strings.Repeat("a", 99) + "/b\n  reason: x\n",
			want: []string{
				`.apl.yaml:2:8: app: not an app identity: "gitea-gitea" is not of the form namespace/releaseName; ` + appNext,
				`.apl.yaml:4:8: app: not an app identity: "Gitea" is no namespace name; ` + appNext,
				`.apl.yaml:6:8: app: not an app identity; ` + appNext,
			},
		},
		"WrongTypes": {
			reason: "What is of another type was meant for something else.",
			text:   "exclude: a/b\nsecrets:\n- a/b\n- app: [a/b]\n  path: 5\n  rule: true\n  reason: {a: b}\n- null\n",
			want: []string{
				`.apl.yaml:1:10: exclude is text, not a list; write its entries as a list, each with "- "`,
				".apl.yaml:3:3: an entry of secrets is text, not a map; write it as a map with the keys app, file, path, rule, reason",
				".apl.yaml:4:8: app is a list, not text; " + appNext,
				".apl.yaml:5:9: path is a number, not text; put it in quotes",
				".apl.yaml:6:9: rule is true or false, not text; put it in quotes",
				".apl.yaml:7:11: reason is a map, not text; say why the value may stand in git",
				".apl.yaml:8:3: an entry of secrets is empty, not a map; write it as a map with the keys app, file, path, rule, reason",
			},
		},
		"List": {
			reason: "A list at the root is none of the keys.",
			text:   "- app: a/b\n",
			want:   []string{".apl.yaml:1:1: the file is a list, not a map; write it as a map with the keys exclude, secrets, rules"},
		},
		"Alias": {
			reason: "What an exception accepts has to stand where it is read.",
			text:   "exclude:\n- app: a/b\n  reason: &r x\n- app: a/c\n  reason: *r\n",
			want:   []string{".apl.yaml:5:11: reason is an alias (which is not followed here), not text; " + reasonNext},
		},
		"OddKeys": {
			reason: "A key that is no text cannot be meant, however it reads.",
			text:   "5: x\n? [a]\n: y\n<<: {exclude: []}\n",
			want: []string{
				`.apl.yaml:1:1: the file has an unknown key "5"; the known keys are exclude, secrets, rules`,
				`.apl.yaml:2:3: the file has an unknown key that is a list; the known keys are exclude, secrets, rules`,
				`.apl.yaml:4:1: the file has an unknown key "<<"; the known keys are exclude, secrets, rules`,
			},
		},
		"Twice": {
			reason: "Of two reasons for one thing, one goes unread.",
			text: `exclude:
- {app: a/b, reason: x}
- {app: a/b, reason: y}
secrets:
- {app: a/b, path: p, rule: r, reason: x}
- {app: a/b, path: p, rule: r, reason: y}
`,
			want: []string{
				`.apl.yaml:3:3: "a/b" is excluded already, in line 2; keep one of the two`,
				`.apl.yaml:6:3: this place and rule are accepted already, in line 5; keep one of the two`,
			},
		},
		"SecondDocument": {
			reason: "A second document would be ignored, and what it says with it.",
			text:   "exclude: []\n---\nsecrets: []\n",
			want:   []string{".apl.yaml:2:1: a second YAML document begins here; keep one document: remove the line ---, or what follows it"},
		},
		"Syntax": {
			reason: "What is no YAML is said with its line.",
			text:   "exclude:\n- app: a/b\n\treason: x\n",
			want: []string{".apl.yaml:2: not YAML: found a tab character that violates indentation; " +
				"correct the YAML at this line or next to it"},
		},
		"UnknownAlias": {
			reason: "A value that begins with a star is an alias to YAML; it is not repeated, as it may be no such thing.",
			text:   "exclude:\n- app: a/b\n  reason: *important\n",
			want: []string{".apl.yaml:3:11: not YAML: an alias without its anchor; " +
				"write the value out, or put it in quotes when it begins with *"},
		},
		"FirstLine": {
			reason: "A file that stops in the middle is said to.",
			text:   "{",
			want:   []string{".apl.yaml:1: not YAML: did not find expected node content; correct the YAML at this line or next to it"},
		},
		"BadBytes": {
			reason: "What is no text is said to be none.",
			text:   "exclude: \x00\n",
			want:   []string{".apl.yaml: not YAML: control characters are not allowed; correct the YAML at this line or next to it"},
		},
		"NotUTF8": {
			reason: "Neither is what is written in another encoding.",
			text:   "exclude: # \xe9\n",
			want:   []string{".apl.yaml: the text is not UTF-8; save the file as UTF-8"},
		},
		"SyntaxAfterDocument": {
			reason: "A syntax error behind the first document does not pass, and hides no other problem.",
			text:   "excludes: []\n---\na: [\n",
			want: []string{
				`.apl.yaml:1:1: the file has an unknown key "excludes"; the known keys are exclude, secrets, rules`,
				".apl.yaml:3: not YAML: did not find expected node content; correct the YAML at this line or next to it",
			},
		},
		"TooLarge": {
			reason: "A file of this size is another file.",
			text:   strings.Repeat("#", MaxSize+1),
			want:   []string{".apl.yaml: 1048577 bytes are too many, at most 1048576 are read; check that this is the file you mean"},
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := Parse(fileName, []byte(tc.text))
			var typed *Error
			if !errors.As(err, &typed) {
				t.Fatalf("%s\nParse(...) = %v, want an *Error", tc.reason, err)
			}
			if diff := cmp.Diff(tc.want, strings.Split(typed.Error(), "\n")); diff != "" {
				t.Errorf("%s\nParse(...): -want, +got:\n%s", tc.reason, diff)
			}
			if len(typed.Problems) != len(tc.want) {
				t.Errorf("%s\nParse(...) has %d problems, want %d", tc.reason, len(typed.Problems), len(tc.want))
			}
		})
	}
}

func TestExcluded(t *testing.T) {
	c, err := Parse(fileName, []byte("exclude:\n- {app: a/b, reason: x}\n"))
	if err != nil {
		t.Fatalf("Parse(...): %v", err)
	}
	if reason, ok := c.Excluded(app.ID{Namespace: "a", Release: "b"}); !ok || reason != "x" {
		t.Errorf("an app in the list is excluded, with its reason; got %q, %v", reason, ok)
	}
	if reason, ok := c.Excluded(app.ID{Namespace: "a", Release: "c"}); ok {
		t.Errorf("an app that is not in the list is not excluded; got %q", reason)
	}
	if _, ok := (&Config{}).Excluded(app.ID{}); ok {
		t.Error("nothing is excluded by an empty file")
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "exclude:\n- app: a/b\n  reason: x\n", "secrets:\n- {app: a/b, path: p, rule: r, reason: x}\n", "a: b\n---\nc: d\n",
		"exclude: &a [*a]\n", "? {a: b}\n: c\n", "\ufeffexclude: []\n", "exclude: !!binary eA==\n", "\t", "exclude: [{app: a/b, reason: !x y}]", "%YAML 1.1\n---\n",
		"\xff\xfee\x00", "- - - -\n", "a: |\n", "\"\\x", "exclude:\n- <<: *x\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := Parse(fileName, text)
		if err != nil {
			var typed *Error
			if !errors.As(err, &typed) || len(typed.Problems) == 0 || c != nil {
				t.Fatalf("Parse(...) = %v, %v: want nil and an *Error with problems", c, err)
			}
			for _, p := range typed.Problems {
				if p.Message == "" || p.Next == "" || p.Line < 0 || p.Column < 0 {
					t.Errorf("problem %+v: want what is wrong and what to do", p)
				}
			}
			return
		}
		for _, e := range c.Exclude {
			if e.App.Validate() != nil || strings.TrimSpace(e.Reason) == "" || e.Line < 1 {
				t.Errorf("exclusion %+v: want an app, a reason and a line", e)
			}
		}
		for _, e := range c.Secrets {
			if (e.App.Validate() != nil) == (e.File == "") || e.Path == "" || e.Rule == "" || strings.TrimSpace(e.Reason) == "" || e.Line < 1 {
				t.Errorf("exception %+v: want app, path, rule, a reason and a line", e)
			}
		}
	})
}
