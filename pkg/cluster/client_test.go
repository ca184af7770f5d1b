package cluster

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// TestLoginTimeout holds that a person has time to log in, once, and that --request-timeout bounds that too.
func TestLoginTimeout(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotFound)
	}))
	t.Cleanup(server.Close)
	plugin := &clientcmdapi.ExecConfig{
		APIVersion: "client.authentication.k8s.io/v1", Command: "sh", InteractiveMode: clientcmdapi.NeverExecInteractiveMode,
		Args: []string{"-c", `echo '{"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": {"token": "t"}}'`},
	}
	for name, tc := range map[string]struct {
		config        rest.Config
		before, after time.Duration
	}{
		"Plugin":    {rest.Config{ExecProvider: plugin}, loginTimeout, defaultTimeout},
		"Bounded":   {rest.Config{ExecProvider: plugin, Timeout: time.Minute}, time.Minute, time.Minute},
		"NoPlugin":  {rest.Config{}, defaultTimeout, defaultTimeout},
		"NoneBound": {rest.Config{Timeout: time.Second}, time.Second, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			tc.config.Host = server.URL
			c, err := New(&tc.config)
			if err != nil {
				t.Fatal(err)
			}
			check := func(when string, want time.Duration) {
				ctx, cancel := c.request(t.Context())
				defer cancel()
				if at, ok := ctx.Deadline(); !ok || time.Until(at) > want || time.Until(at) < want-want/10 {
					t.Errorf("%s a request ends in %s, not %s", when, time.Until(at), want)
				}
			}
			check("at first", tc.before)
			_, _ = c.Namespaces(t.Context()) // that it answers is enough
			check("after an answer", tc.after)
		})
	}
}
