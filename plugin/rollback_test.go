package plugin_test

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-apl/kubectl-apl/internal/testcluster"
	"github.com/kubectl-apl/kubectl-apl/plugin"
)

// actors are commands of scripts that do to a cluster what the programs of a platform do:
//
//	apply MANAGER FILE...     applies Applications, server-side and with force
//	adopt APPLICATION FILE... has an Application sync others, as Argo CD applies them
//	interrupt FILE ARG...     interrupts kubectl-apl as soon as it tells of its first step, and writes what it said
//	owned APPLICATION FILE    writes down an Application, its uid and who owns what, less what changes by itself
func actors(t *testing.T, c *testcluster.Cluster) map[string]func(ts *testscript.TestScript, neg bool, args []string) {
	absolute := func(ts *testscript.TestScript, args []string) []string {
		var out []string
		for _, arg := range args {
			out = append(out, ts.MkAbs(arg))
		}
		return out
	}
	return map[string]func(ts *testscript.TestScript, neg bool, args []string){
		"apply": func(ts *testscript.TestScript, neg bool, args []string) {
			usage(ts, neg, len(args) >= 2, "apply MANAGER FILE...")
			c.Apply(t, args[0], func(object *unstructured.Unstructured) {
				annotations := object.GetAnnotations()
				for _, left := range []string{"kubectl.kubernetes.io/last-applied-configuration", "argocd.argoproj.io/tracking-id", "argocd.argoproj.io/refresh"} {
					delete(annotations, left) // no program applies what kubectl and Argo CD have left on a recorded one
				}
				object.SetAnnotations(annotations)
				unstructured.RemoveNestedField(object.Object, "status")
			}, absolute(ts, args[1:])...)
		},
		"adopt": func(ts *testscript.TestScript, neg bool, args []string) {
			usage(ts, neg, len(args) >= 2, "adopt APPLICATION FILE...")
			c.Apply(t, "argocd-controller", func(object *unstructured.Unstructured) {
				annotations := object.GetAnnotations()
				annotations["argocd.argoproj.io/tracking-id"] = args[0] + ":argoproj.io/Application:argocd/" + object.GetName()
				object.SetAnnotations(annotations)
			}, absolute(ts, args[1:])...)
		},
		"interrupt": func(ts *testscript.TestScript, neg bool, args []string) {
			usage(ts, neg, len(args) >= 2, "interrupt FILE ARG...")
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			log := &interrupting{interrupt: cancel}
			env := plugin.Env{Now: time.Now, Lookup: func(name string) (string, bool) { return ts.Getenv(name), ts.Getenv(name) != "" }}
			args = append(args, "--kubeconfig", ts.Getenv("KUBECONFIG"))
			if code := plugin.Main(ctx, args[1:], plugin.Streams{In: strings.NewReader(""), Out: io.Discard, ErrOut: log}, env); code != plugin.ExitFailed {
				ts.Fatalf("it ended with %d:\n%s", code, log.text.String())
			}
			ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(log.text.String()), 0o600))
		},
		"owned": func(ts *testscript.TestScript, neg bool, args []string) {
			usage(ts, neg, len(args) == 2, "owned APPLICATION FILE")
			live, err := c.Dynamic.Resource(testcluster.Applications()).Namespace("argocd").Get(t.Context(), args[0], metav1.GetOptions{})
			ts.Check(err)
			for _, field := range []string{"resourceVersion", "generation"} {
				unstructured.RemoveNestedField(live.Object, "metadata", field)
			}
			entries := live.GetManagedFields()
			for i := range entries {
				entries[i].Time = nil
			}
			live.SetManagedFields(entries)
			data, err := json.MarshalIndent(live.Object, "", "  ")
			ts.Check(err)
			ts.Check(os.WriteFile(ts.MkAbs(args[1]), append(data, '\n'), 0o600))
		},
	}
}

// interrupting is a standard error whose first line interrupts the program that writes it.
type interrupting struct {
	text      strings.Builder
	interrupt func()
}

// Write keeps what is written.
func (w *interrupting) Write(p []byte) (int, error) {
	w.interrupt()
	return w.text.Write(p)
}
