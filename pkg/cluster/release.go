package cluster

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-apl/kubectl-apl/pkg/app"
)

// maxRelease bounds a release once it is unpacked, in bytes. A Secret holds at most 1 MiB, packed.
const maxRelease = 64 << 20

// maxRevisions bounds how many revisions of a release are looked at. Helm keeps ten unless it is told otherwise.
const maxRevisions = 1000

var (
	// ErrNoRelease is wrapped where the cluster has no deployed Helm release of an app.
	ErrNoRelease = errors.New("no deployed Helm release")
	// ErrCorruptRelease is wrapped where a release's Secret does not hold what Helm writes.
	ErrCorruptRelease = errors.New("the Secret does not hold a Helm release")
)

// HelmRelease is what a cluster says of a Helm release: what `helm get values` prints, and of which chart.
type HelmRelease struct {
	// Secret is the name of the Secret that holds it.
	Secret string
	// Revision is the release's revision.
	Revision int
	// Config is the user-supplied values as JSON, every digit kept; null when there are none.
	Config []byte
	// Chart and ChartVersion are what was installed.
	Chart, ChartVersion string
	// Warnings say what is odd about the release's history.
	Warnings []string
}

// HelmRelease reads the newest deployed revision of an app's Helm release from its Secrets (Helm's storage driver
// "secret": type helm.sh/release.v1, labels owner, name, status and version). A newer revision that failed or is
// pending, and a second deployed one, are warnings: what was deployed last counts.
//
// The error wraps ErrNoRelease when nothing is deployed, ErrCorruptRelease when the Secret cannot be read, which it
// names, and ErrForbidden.
func (c *Client) HelmRelease(ctx context.Context, id app.ID) (HelmRelease, error) {
	revisions, err := c.revisions(ctx, id)
	if err != nil {
		return HelmRelease{}, err
	}
	var release HelmRelease
	deployed := slices.DeleteFunc(slices.Clone(revisions), func(r revision) bool { return r.status != "deployed" })
	if len(deployed) == 0 {
		if len(revisions) == 0 {
			return HelmRelease{}, fmt.Errorf("read Helm release %s: %w", id, ErrNoRelease)
		}
		return HelmRelease{}, fmt.Errorf("read Helm release %s: %w: the newest of %d revisions is %s", id, ErrNoRelease, len(revisions), revisions[0].status)
	}
	newest := deployed[0]
	if len(deployed) > 1 {
		release.Warnings = append(release.Warnings, fmt.Sprintf("%d revisions say that they are deployed; the newest, %d, counts", len(deployed), newest.number))
	}
	for _, r := range revisions {
		if r.number > newest.number {
			release.Warnings = append(release.Warnings, fmt.Sprintf("revision %d, newer than the deployed one, is %s", r.number, r.status))
		}
	}
	release.Secret, release.Revision = newest.secret, newest.number
	if err := c.readRelease(ctx, id, &release); err != nil {
		return HelmRelease{}, fmt.Errorf("read Helm release %s: %w", id, err)
	}
	return release, nil
}

// revision is one Secret of a release, by its labels.
type revision struct {
	number         int
	status, secret string
}

// revisions lists the revisions of a release, the newest first, without what they hold.
func (c *Client) revisions(ctx context.Context, id app.ID) ([]revision, error) {
	what := call{verb: "list", resource: "secrets", namespace: id.Namespace}
	ctx, cancel := c.request(ctx)
	defer cancel()
	list, err := c.metadata.Resource(schema.GroupVersionResource{Version: "v1", Resource: "secrets"}).Namespace(id.Namespace).
		List(ctx, metav1.ListOptions{LabelSelector: "owner=helm,name=" + id.Release, FieldSelector: "type=helm.sh/release.v1", Limit: maxRevisions})
	switch {
	case err != nil:
		return nil, c.explain(ctx, what, err)
	case list.Continue != "": // which of them is the newest is not in the order of their names
		return nil, fmt.Errorf("%s: Helm release %s has more than %d revisions", what, id, maxRevisions)
	}
	var out []revision
	for _, item := range list.Items {
		number, err := strconv.Atoi(item.Labels["version"])
		if err != nil || !strings.HasPrefix(item.Name, "sh.helm.release.v1.") {
			continue // not Helm's
		}
		out = append(out, revision{number, item.Labels["status"], item.Name})
	}
	slices.SortFunc(out, func(a, b revision) int {
		return cmp.Or(cmp.Compare(b.number, a.number), cmp.Compare(a.secret, b.secret))
	})
	return out, nil
}

func (c *Client) readRelease(ctx context.Context, id app.ID, release *HelmRelease) error {
	what := call{verb: "get", resource: "secrets", namespace: id.Namespace, name: release.Secret}
	ctx, cancel := c.request(ctx)
	defer cancel()
	secret, err := c.kubernetes.CoreV1().Secrets(id.Namespace).Get(ctx, release.Secret, metav1.GetOptions{})
	if err != nil {
		return c.explain(ctx, what, err)
	}
	if err := release.decode(secret.Data["release"]); err != nil {
		return fmt.Errorf("%w: Secret %s in namespace %s: %w", ErrCorruptRelease, release.Secret, id.Namespace, err)
	}
	return nil
}

// decode reads what Helm's storage driver writes: base64 of gzipped JSON, or of plain JSON as old versions did. Its errors
// quote nothing.
func (r *HelmRelease) decode(payload []byte) error {
	if len(payload) == 0 {
		return errors.New("it has no key release")
	}
	packed, err := base64.StdEncoding.DecodeString(string(payload))
	if err != nil {
		return errors.New("its payload is no base64")
	}
	var text io.Reader = bytes.NewReader(packed)
	if bytes.HasPrefix(packed, []byte{0x1f, 0x8b, 0x08}) {
		unpacked, err := gzip.NewReader(text)
		if err != nil {
			return errors.New("its payload is no gzip")
		}
		text = unpacked
	}
	data, err := io.ReadAll(io.LimitReader(text, maxRelease+1))
	switch {
	case err != nil:
		return errors.New("its payload cannot be unpacked")
	case len(data) > maxRelease:
		return fmt.Errorf("its payload is larger than %d MiB", maxRelease>>20)
	}
	var release struct {
		Config json.RawMessage `json:"config"`
		Chart  struct {
			Metadata struct {
				Name    string `json:"name"`
				Version string `json:"version"`
			} `json:"metadata"`
		} `json:"chart"`
	}
	if err := json.Unmarshal(data, &release); err != nil {
		return errors.New("its payload is no release in JSON")
	}
	if len(release.Config) == 0 {
		release.Config = []byte("null")
	}
	r.Config, r.Chart, r.ChartVersion = release.Config, release.Chart.Metadata.Name, release.Chart.Metadata.Version
	return nil
}
