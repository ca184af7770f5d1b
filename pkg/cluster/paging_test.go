package cluster_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/kubectl-apl/kubectl-apl/pkg/cluster"
)

// expired is what an API server says of a continue token that is too old. It offers another one, by which the list would
// go on with a later state of the cluster.
const expired = `{"kind":"Status","apiVersion":"v1","metadata":{"continue":"t2"},"status":"Failure","message":"The provided continue parameter is too old","reason":"Expired","code":410}`

// TestPaging is case F5: an expired token costs no Application, doubles none, and mixes no two states of the cluster; and
// where no whole list can be had, there is none.
func TestPaging(t *testing.T) {
	const page, total = 500, 1203
	for name, test := range map[string]struct {
		reason string
		// whole answers a request that has no limit.
		whole func(w http.ResponseWriter)
		fails bool
	}{
		"Whole": {"each try in chunks expires, so that one request asks for all", func(w http.ResponseWriter) { list(w, total, "") }, false},
		"Never": {"not even one request for all is answered: half a list is no list", func(w http.ResponseWriter) {
			w.WriteHeader(http.StatusGone)
			fmt.Fprint(w, expired)
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			var asked []string
			host := serve(t, func(w http.ResponseWriter, r *http.Request) {
				q := r.URL.Query()
				asked = append(asked, q.Get("continue"))
				w.Header().Set("Content-Type", "application/json")
				switch {
				case q.Get("limit") == "":
					test.whole(w)
				case q.Get("continue") == "":
					list(w, page, "t1")
				default:
					w.WriteHeader(http.StatusGone)
					fmt.Fprint(w, expired)
				}
			})
			apps, err := connect(t, &rest.Config{Host: host}).Applications(t.Context(), cluster.ListOptions{})
			if (err != nil) != test.fails {
				t.Fatalf("%s: the error is %v", test.reason, err)
			}
			want := total
			if test.fails {
				want = 0
			}
			if got := slices.Compact(names(apps)); len(got) != want || len(apps) != want {
				t.Errorf("%s: %d Applications, %d different ones; want %d", test.reason, len(apps), len(got), want)
			}
			if slices.Contains(asked, "t2") || len(asked) > 10 {
				t.Errorf("%s: asked for %q", test.reason, asked)
			}
		})
	}
}

// list writes the first n Applications.
func list(w http.ResponseWriter, n int, next string) {
	items := make([]string, n)
	for i := range items {
		items[i] = fmt.Sprintf(`{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"name":"app-%04d","namespace":"argocd"},"spec":{}}`, i)
	}
	fmt.Fprintf(w, `{"apiVersion":"argoproj.io/v1alpha1","kind":"ApplicationList","metadata":{"continue":%q},"items":[%s]}`, next, strings.Join(items, ","))
}
