package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
)

var (
	// ErrChanged is wrapped where an object is no longer as the caller saw it; nothing was written. Who reads it again
	// can decide again.
	ErrChanged = errors.New("it has changed meanwhile")
	// ErrRefused is wrapped where the API server, or a webhook that it asks, does not take what was sent.
	ErrRefused = errors.New("the API server does not take it")
)

// Operation is one operation of a JSON patch (RFC 6902). A test that fails stops the whole patch: nothing of it is written.
type Operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// Pointer returns a JSON pointer (RFC 6901) to what stands under the keys.
func Pointer(keys ...string) string {
	var b strings.Builder
	for _, key := range keys {
		b.WriteByte('/')
		b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(key))
	}
	return b.String()
}

// Test demands that a value is there.
func Test(value any, keys ...string) Operation {
	return Operation{Op: "test", Path: Pointer(keys...), Value: value}
}

// Add sets a value, whether there was one or not.
func Add(value any, keys ...string) Operation {
	return Operation{Op: "add", Path: Pointer(keys...), Value: value}
}

// Remove takes a value away, which must be there.
func Remove(keys ...string) Operation { return Operation{Op: "remove", Path: Pointer(keys...)} }

// MarshalJSON writes a value that is null where one belongs: a test for null is one too.
func (o Operation) MarshalJSON() ([]byte, error) {
	if o.Op == "remove" {
		return json.Marshal(map[string]string{"op": o.Op, "path": o.Path})
	}
	return json.Marshal(map[string]any{"op": o.Op, "path": o.Path, "value": o.Value})
}

// WriteOptions say how to write.
type WriteOptions struct {
	// Manager is the field manager that what is written belongs to.
	Manager string
	// DryRun has the server check everything and persist nothing.
	DryRun bool
}

// Application reads one Application, with managedFields, every digit of a number, and nulls. The error wraps ErrNotFound
// where there is none.
func (c *Client) Application(ctx context.Context, namespace, name string) (*argocd.Application, error) {
	what := call{verb: "get", resource: "applications.argoproj.io", namespace: namespace, name: name}
	ctx, cancel := c.request(ctx)
	defer cancel()
	body, err := c.argoproj.Get().Namespace(namespace).Resource("applications").Name(name).Do(ctx).Raw()
	if err != nil {
		return nil, c.explain(ctx, what, err)
	}
	return readApplication(what, body)
}

// Patch writes a JSON patch to one Application and returns what the server then has. Whoever must not write over somebody
// else's work puts tests first. The error wraps ErrChanged where a test fails, ErrNotFound where there is no such
// Application, and ErrRefused for what the server does not take.
func (c *Client) Patch(ctx context.Context, namespace, name string, patch []Operation, options WriteOptions) (*argocd.Application, error) {
	body, err := json.Marshal(patch)
	if err != nil {
		return nil, fmt.Errorf("patch Application %s: %w", name, err)
	}
	return c.write(ctx, namespace, name, types.JSONPatchType, body, options, false)
}

// Apply writes an Application by server-side apply, with force: what it declares belongs to options.Manager afterwards, and
// what that manager declared before and no longer does goes, unless another owns it too. The object names the uid of the
// Application that it is for: so that none is ever made anew. The errors are those of Patch; ErrChanged stands for an
// Application of another uid, too.
func (c *Client) Apply(ctx context.Context, object map[string]any, options WriteOptions) (*argocd.Application, error) {
	a, err := argocd.New(object)
	if err != nil {
		return nil, fmt.Errorf("apply: %w", err)
	}
	if a.UID() == "" {
		return nil, fmt.Errorf("apply Application %s: it names no uid", a.Name())
	}
	body, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("apply Application %s: %w", a.Name(), err)
	}
	return c.write(ctx, a.Namespace(), a.Name(), types.ApplyYAMLPatchType, body, options, true)
}

func (c *Client) write(ctx context.Context, namespace, name string, kind types.PatchType, body []byte, options WriteOptions, force bool) (*argocd.Application, error) {
	what := call{verb: "patch", resource: "applications.argoproj.io", namespace: namespace, name: name}
	ctx, cancel := c.request(ctx)
	defer cancel()
	request := c.argoproj.Patch(kind).Namespace(namespace).Resource("applications").Name(name).
		Param("fieldManager", options.Manager).Body(body)
	if force {
		request = request.Param("force", strconv.FormatBool(true))
	}
	if options.DryRun {
		request = request.Param("dryRun", metav1.DryRunAll)
	}
	answer, err := request.Do(ctx).Raw()
	if err != nil {
		return nil, c.explainWrite(ctx, what, kind, answer, err)
	}
	return readApplication(what, answer)
}

func readApplication(what call, body []byte) (*argocd.Application, error) {
	apps, err := readChunk(body, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	if len(apps) != 1 {
		return nil, fmt.Errorf("%s: the answer is no Application", what)
	}
	return apps[0], nil
}

// explainWrite is explain for what was written, by the answer that came with the error: client-go passes on no more of it than
// its code. Whatever the server says of a value is left out: it quotes it.
func (c *Client) explainWrite(ctx context.Context, what call, kind types.PatchType, answer []byte, err error) error {
	var s metav1.Status
	if ctx.Err() != nil || json.Unmarshal(answer, &s) != nil || s.Kind != "Status" {
		return c.explain(ctx, what, err)
	}
	switch {
	case strings.Contains(s.Message, "admission webhook"), strings.Contains(s.Message, "ValidatingAdmissionPolicy"): // in whatever code it likes
		return fmt.Errorf("%s: %w: %s", what, ErrRefused, denial(s.Message))
	case s.Code == http.StatusConflict, testFailed(kind, s), wrongUID(s):
		return fmt.Errorf("%s: %w", what, ErrChanged)
	case s.Code == http.StatusUnprocessableEntity, s.Code == http.StatusBadRequest:
		return fmt.Errorf("%s: %w: %s", what, ErrRefused, causes(s))
	case kind == types.ApplyYAMLPatchType && s.Code == http.StatusInternalServerError && strings.Contains(s.Message, "failed to create typed patch object"):
		return fmt.Errorf("%s: %w: a field has another type than the schema demands", what, ErrRefused)
	}
	return c.explain(ctx, what, err)
}

// testFailed tells that a JSON patch does not fit what is there. That alone is a 422 about no field of an object.
func testFailed(kind types.PatchType, s metav1.Status) bool {
	return kind == types.JSONPatchType && s.Code == http.StatusUnprocessableEntity && (s.Details == nil || s.Details.Kind == "")
}

// wrongUID tells that an object was applied to one of the same name that is another. There being none at all is a conflict.
func wrongUID(s metav1.Status) bool {
	return s.Details != nil && slices.ContainsFunc(s.Details.Causes, func(c metav1.StatusCause) bool { return c.Field == "metadata.uid" })
}

// denial is who denies, without the reason, which may quote what was sent.
func denial(message string) string {
	if i := strings.Index(message, " denied"); i > 0 {
		message = message[:i+len(" denied")]
	}
	const longest = 200
	return strings.ToValidUTF8(message[:min(len(message), longest)], "") + " it"
}

// causes names the fields that are wrong, and how, without their values.
func causes(s metav1.Status) string {
	var list []string
	if s.Details != nil {
		for _, cause := range s.Details.Causes {
			list = append(list, strings.TrimPrefix(cause.Field+": ", ": ")+string(cause.Type))
		}
	}
	if len(list) == 0 {
		return string(s.Reason)
	}
	return strings.Join(list, ", ")
}
