package plugin_test

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/kubectl-apl/kubectl-apl/plugin"
	"github.com/kubectl-apl/kubectl-apl/plugin/printer"
)

// TestValidateLeaksNothing holds that no format shows a secret that a value file holds, in whatever it is found and whatever else is wrong with it
// (case E11).
func TestValidateLeaksNothing(t *testing.T) {
	const hidden = `Zq8-<plain>&"2024"`
	quoted, err := json.Marshal(hidden)
	if err != nil {
		t.Fatal(err)
	}
	base := migratedPlatform(t)
	for name, custom := range map[string]string{
		"Value":    "db:\n  password: " + string(quoted) + "\n",
		"Schema":   "autoscaling:\n  maxReplicas: " + string(quoted) + "\n  password: " + string(quoted) + "\n",
		"Flow":     "image: {password: " + string(quoted) + ", tag: 1}\n",
		"Key":      "password: " + string(quoted) + "\nenv:\n  ? " + string(quoted) + "\n  : 1\n",
		"Comment":  "# password: " + hidden + "\nautoscaling: 1\n",
		"Broken":   "password: " + string(quoted) + "\n\tb: [\n",
		"Unclosed": "password: \"" + hidden + "\n",
		"Twice":    "password: " + string(quoted) + "\npassword: x\n",
		"Second":   "a: 1\n---\npassword: " + string(quoted) + "\n",
		"Alias":    "password: *" + strings.ReplaceAll(hidden, `"`, "") + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			r := base.copy(t)
			put(routerCustom, custom)(t, r)
			for _, format := range printer.ValidateFormats() {
				code, out, errOut := runMain(t, "validate", "--repo", r.dir, "--charts", r.charts, "--strict-keys", "-o", format)
				if code == plugin.ExitFailed {
					t.Fatalf("%s: %s", format, errOut)
				}
				for _, form := range []string{hidden, strings.Trim(string(quoted), `"`), `Zq8-<plain>`, "plain>&", url.QueryEscape(hidden), base64.StdEncoding.EncodeToString([]byte(hidden)), "Zq8-&lt;plain", `Zq8-\u003cplain`} {
					if strings.Contains(out+errOut, form) {
						t.Errorf("%s shows %q:\n%s", format, form, out+errOut)
					}
				}
			}
		})
	}
}
