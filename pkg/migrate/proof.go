package migrate

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/kubectl-apl/kubectl-apl/pkg/argocd"
	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/manifest"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

// Verify says by what it is shown that nothing changes.
type Verify string

// The ways.
const (
	// VerifyValues compares what templates see (DESIGN 4's theorem).
	VerifyValues Verify = "values"
	// VerifyManifests renders both and compares the objects.
	VerifyManifests Verify = "manifests"
	// VerifyNone shows nothing.
	VerifyNone Verify = "none"
)

// Result is what a proof came to.
type Result string

// The results.
const (
	Equal    Result = "equal"
	Differs  Result = "differs"
	Unproven Result = "unproven"
)

// Proof tells whether what an app runs stays the same.
type Proof struct {
	Result Result `json:"result"`
	// Reason says on what ground, or why not.
	Reason string `json:"reason"`
	// Objects counts those that the live values render; 0 where nothing was rendered. Hooks are those of them that Argo CD
	// applies as hooks.
	Objects int `json:"objects,omitempty"`
	Hooks   int `json:"hooks,omitempty"`
	// Differences are the places at which objects, or what templates see, differ.
	Differences []ProofDifference `json:"differences,omitempty"`
	// Random are the places that differ from one rendering of the same values to the next; they were left out.
	Random []string `json:"random,omitempty"`
	// Left says what else was left out.
	Left string `json:"left,omitempty"`

	breaking []string // what CustomResourceDefinitions take from objects that exist
}

// ProofDifference is one place at which a proof found a difference.
type ProofDifference struct {
	// Object is the object, "" where values were compared; Source is its template.
	Object string `json:"object,omitempty"`
	Source string `json:"source,omitempty"`
	Change string `json:"change"`
	Path   string `json:"path,omitempty"`
	// Before and After are JSON, shortened; "***" where they are or may be secret, "" where there is nothing.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// Capabilities are the Kubernetes that charts are rendered for.
type Capabilities struct {
	KubeVersion string `json:"kubeVersion"`
	// APIVersions come on top of those that Helm knows.
	APIVersions []string `json:"apiVersions,omitempty"`
	// Source says where they come from: flags, or the cluster.
	Source string `json:"source"`
}

// ProofInfo is what holds for all proofs of a plan.
type ProofInfo struct {
	Mode Verify `json:"mode"`
	// Helm is the version that read, merged and rendered; ArgoCD and ArgoCDHelm are the cluster's Argo CD and the Helm that it
	// brings, "" when they cannot be told.
	Helm       string `json:"helm"`
	ArgoCD     string `json:"argoCD,omitempty"`
	ArgoCDHelm string `json:"argoCDHelm,omitempty"`
	// Kubernetes is set for VerifyManifests.
	Kubernetes *Capabilities `json:"kubernetes,omitempty"`
	Equal      int           `json:"equal"`
	Differs    int           `json:"differs"`
	Unproven   int           `json:"unproven"`
}

const (
	ruleProofDiffers = "proof-differs"
	ruleProofMissing = "proof-missing"
	ruleCRD          = "crd-breaking"
	ruleHelmNulls    = "helm-nulls"
	// maxDifferences bounds how many differences and random places of an app are listed.
	maxDifferences = 50
)

// introduceProof says in the plan what holds for all proofs.
func (p *planner) introduceProof(plan *Plan) {
	plan.Proof = ProofInfo{
		Mode: p.options.Verify, Helm: chart.HelmVersion,
		ArgoCD: p.in.ArgoCD, ArgoCDHelm: argocd.BundledHelm(p.in.ArgoCD),
	}
	if p.options.Verify == VerifyManifests {
		plan.Proof.Kubernetes = p.in.Capabilities
	}
}

// warnOfHelm warns where the Helm that Argo CD brings would read the values of an app otherwise than the Helm of this proof. Values
// that are equal to the digit come out equal in each of them, so that it is about the other apps, where there is a null (case A3).
func (p *planner) warnOfHelm(plan *Plan, decisions []*decision) {
	bundled := plan.Proof.ArgoCDHelm
	differs, charts := chart.NullsOf(bundled)
	if bundled == "" || differs == "" {
		return
	}
	var apps []string
	for _, d := range decisions {
		if d.Proof != nil && d.files != nil && (len(d.Introduced) > 0 || p.options.Verify == VerifyManifests) && (charts || d.hasNull()) {
			apps = append(apps, d.id.String())
		}
	}
	if len(apps) == 0 {
		return
	}
	slices.Sort(apps)
	const most = 10
	if more := len(apps) - most; more > 0 {
		apps = append(apps[:most], fmt.Sprintf("and %d more", more))
	}
	plan.Findings = append(plan.Findings, finding.Finding{Rule: ruleHelmNulls, Severity: finding.Warning,
		Message: fmt.Sprintf("Argo CD %s renders with Helm %s, and this proof with %s. Helm %s %s. It can matter to %s",
			p.in.ArgoCD, bundled, chart.HelmVersion, bundled, differs, strings.Join(apps, ", ")),
		Next: "render these apps with that Helm too, and compare"})
}

// hasNull tells whether a null is among the values of the app, old or new.
func (d *decision) hasNull() bool {
	for _, tree := range []map[string]any{d.live.Values, d.managed.Values, d.files.customValues()} {
		for _, leaf := range values.Leaves(tree, nil) {
			if leaf.Value == nil {
				return true
			}
		}
	}
	return false
}

// prove proves every app whose files are decided, several at once: rendering is what takes time.
func (p *planner) prove(ctx context.Context, decisions []*decision) error {
	var open []*decision
	for _, d := range decisions {
		switch {
		case d.files == nil || d.blocked() && (d.kept == nil || p.options.Verify != VerifyManifests):
		case p.options.Verify == VerifyManifests:
			open = append(open, d)
		default:
			d.Proof = d.proofByValues()
		}
	}
	queue := make(chan *decision)
	var running sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(open)) {
		running.Go(func() {
			for d := range queue {
				d.Proof = d.proofByManifests(ctx)
			}
		})
	}
	for i, d := range open {
		if ctx.Err() != nil {
			break
		}
		queue <- d
		p.progress("proving", i+1, len(open))
	}
	close(queue)
	running.Wait()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("prove: %w", err)
	}
	for _, d := range open {
		d.judge()
	}
	return nil
}

// proofByValues tells on what ground templates see the same.
func (d *decision) proofByValues() *Proof {
	switch {
	case d.options.Verify == VerifyNone:
		return &Proof{Result: Unproven, Reason: "not asked for (--verify=none)"}
	case len(d.Introduced) == 0:
		return &Proof{Result: Equal, Reason: "managed and custom come to the live values, to the digit, whatever the chart"}
	case d.exact():
		return &Proof{Result: Equal, Reason: "templates of chart " + d.loaded.Name() + " see the same"}
	}
	proof := &Proof{Result: Differs, Reason: "what is introduced and accepted takes effect"}
	for _, i := range d.Introduced {
		proof.Differences = append(proof.Differences, ProofDifference{Change: string(manifest.Added), Path: i.Path, After: i.Value})
	}
	return proof
}

// exact tells whether custom neutralises what managed introduces.
func (d *decision) exact() bool {
	return d.options.Exact && !slices.ContainsFunc(d.Introduced, func(i Introduced) bool { return i.Effect != Pinned })
}

// judge blocks an app whose proof says that something changes which nobody accepted, or which could not be made.
func (d *decision) judge() {
	if d.blocked() {
		return
	}
	accepted := slices.ContainsFunc(d.Introduced, func(i Introduced) bool { return i.Effect == Accepted })
	if len(d.Proof.breaking) > 0 {
		d.block(ruleCRD, "a custom resource definition would break: "+strings.Join(d.Proof.breaking, "; "), "move what is stored first, or do not accept what changes the definition")
	}
	switch {
	case d.Proof.Result == Unproven:
		d.block(ruleProofMissing, "that nothing changes could not be shown: "+d.Proof.Reason, "solve it, or move the app on its values alone (--verify=values)")
	case d.Proof.Result == Differs && !accepted:
		d.block(ruleProofDiffers, "what runs would change: "+d.Proof.Reason, "see the differences; correct the custom file that the repo has, or the chart")
	case d.Proof.Result == Differs:
		d.add(finding.Finding{Rule: ruleProofDiffers, Severity: finding.Warning, Message: "what is introduced and accepted changes what runs: " + d.Proof.Reason})
	}
	if d.blocked() {
		d.changes, d.Files = nil, []File{}
	}
	slices.SortFunc(d.Findings, finding.Compare)
}

// valueFiles are the two value files of an app as they will be.
type valueFiles struct{ managed, custom []byte }

// values reads them as Helm does, and merges them.
func (f *valueFiles) values() (map[string]any, error) {
	managed, err := values.Parse("managed", f.managed)
	if err != nil {
		return nil, err
	}
	custom, err := values.Parse("custom", f.custom)
	if err != nil {
		return nil, err
	}
	return values.Merge(managed.Values, custom.Values), nil
}

// customValues reads the custom file, which was read before.
func (f *valueFiles) customValues() map[string]any {
	custom, err := values.Parse("custom", f.custom)
	if err != nil {
		return nil
	}
	return custom.Values
}

// ErrNoKubernetes is returned by New where manifests are to be rendered, and nobody said for which Kubernetes.
var ErrNoKubernetes = errors.New("--verify=manifests needs to know the cluster's Kubernetes: give --kube-version (and --api-versions), or read the cluster")
