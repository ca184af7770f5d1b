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
	// Objects counts those that the live values render; 0 where nothing was rendered.
	Objects int `json:"objects,omitempty"`
	// Differences are the places at which objects, or what templates see, differ.
	Differences []ProofDifference `json:"differences,omitempty"`
	// Random are the places that differ from one rendering of the same values to the next; they were left out.
	Random []string `json:"random,omitempty"`
	// Left says what else was left out.
	Left string `json:"left,omitempty"`
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
	KubeVersion string   `json:"kubeVersion"`
	APIVersions []string `json:"-"`
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
	if bundled := plan.Proof.ArgoCDHelm; bundled != "" && !chart.SameNulls(bundled) {
		plan.Findings = append(plan.Findings, finding.Finding{Rule: "helm-nulls", Severity: finding.Warning,
			Message: fmt.Sprintf("Argo CD %s renders with Helm %s, which treats some nulls otherwise than the Helm %s of this proof", p.in.ArgoCD, bundled, chart.HelmVersion),
			Next:    "look at custom values that are null: whether a null over a key that the chart lacks stays visible to templates differs"})
	}
}

// prove proves every app whose files are decided, several at once: rendering is what takes time.
func (p *planner) prove(ctx context.Context, decisions []*decision) error {
	var open []*decision
	for _, d := range decisions {
		switch {
		case d.files == nil || d.blocked():
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

// proofByManifests renders the live values and the two files as they will be written, and compares the objects. It only
// reads the decision: several run at once.
func (d *decision) proofByManifests(ctx context.Context) *Proof {
	unproven := func(format string, args ...any) *Proof {
		return &Proof{Result: Unproven, Reason: fmt.Sprintf(format, args...)}
	}
	if d.loaded == nil {
		return unproven("there is no chart to render")
	}
	written, err := d.files.values()
	if err != nil {
		return unproven("the files do not read back")
	}
	live := d.rendering(d.live.Values)
	var same bool // templates see the same, so that both sides are renderings of one input
	before, errBefore := d.loaded.Effective(d.live.Values)
	after, errAfter := d.loaded.Effective(written)
	if errBefore == nil && errAfter == nil {
		same = values.Equal(before, after)
	}
	a, err := d.loaded.Render(ctx, live)
	if err != nil {
		return unproven("the live values: %v", err)
	}
	changed := d.rendering(written)
	changed.Known = a
	b, err := d.loaded.Render(ctx, changed)
	if err != nil {
		return unproven("managed and custom: %v", err)
	}
	proof := &Proof{Objects: len(a)}
	textsA, testsA := texts(a)
	textsB, _ := texts(b)
	if len(textsA) == 0 || len(textsB) == 0 {
		return unproven("nothing is rendered: %s before, %s after; two empty renderings prove nothing", count(len(textsA), "object"), count(len(textsB), "object"))
	}
	proof.Objects = len(textsA)
	if testsA > 0 {
		proof.Left = fmt.Sprintf("%s of helm test, which Argo CD does not run", count(testsA, "object"))
	}
	differences, err := manifest.Compare(textsA, textsB)
	if err != nil {
		return unproven("what is rendered: %v", err)
	}
	var noise []manifest.Difference
	switch {
	case len(differences) == 0:
	case same:
		noise, differences = differences, nil
	default:
		if noise, err = d.noise(ctx, live, textsA, changed, textsB); err != nil {
			return unproven("what is rendered a second time: %v", err)
		}
		differences = manifest.Without(differences, noise)
	}
	for i, n := range noise {
		if i == maxDifferences {
			proof.Random = append(proof.Random, fmt.Sprintf("and %d more", len(noise)-i))
			break
		}
		proof.Random = append(proof.Random, strings.TrimSpace(n.Object.String()+" "+d.where(n)))
	}
	slices.Sort(proof.Random)
	proof.Random = slices.Compact(proof.Random)
	if len(differences) == 0 {
		proof.Result, proof.Reason = Equal, fmt.Sprintf("%s rendered alike", count(proof.Objects, "object"))
		return proof
	}
	proof.Result, proof.Reason = Differs, fmt.Sprintf("%s of %s", count(len(differences), "difference"), count(proof.Objects, "object"))
	proof.Differences = d.show(differences)
	return proof
}

// noise is where each side differs from a second rendering of itself.
func (d *decision) noise(ctx context.Context, live chart.Rendering, textsA []manifest.Text, written chart.Rendering, textsB []manifest.Text) ([]manifest.Difference, error) {
	var noise []manifest.Difference
	for _, side := range []struct {
		rendering chart.Rendering
		first     []manifest.Text
	}{{live, textsA}, {written, textsB}} {
		again, err := d.loaded.Render(ctx, side.rendering)
		if err != nil {
			return nil, err
		}
		second, _ := texts(again)
		differences, err := manifest.Compare(side.first, second)
		if err != nil {
			return nil, err
		}
		noise = append(noise, differences...)
	}
	return noise, nil
}

// texts returns what Argo CD applies: no documents without an object, and no tests, which are counted.
func texts(documents []chart.Document) (out []manifest.Text, tests int) {
	for _, doc := range documents {
		switch {
		case doc.Test:
			tests++
		case !blank(doc.Text):
			out = append(out, manifest.Text{Source: doc.Source, Content: doc.Text})
		}
	}
	return out, tests
}

// blank tells whether a document is comments and space alone.
func blank(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") && line != "---" {
			return false
		}
	}
	return true
}

// rendering is how Argo CD renders the app with some values.
func (d *decision) rendering(user map[string]any) chart.Rendering {
	out := chart.Rendering{
		Release: d.id.Release, Namespace: d.id.Namespace, Values: user,
		KubeVersion: d.in.Capabilities.KubeVersion, APIVersions: d.in.Capabilities.APIVersions,
	}
	source, err := d.source.ChartSource()
	if err != nil {
		return out // admit has blocked the app
	}
	options := source.HelmOptions()
	if options.Namespace != "" {
		out.Namespace = options.Namespace
	}
	if options.KubeVersion != "" {
		out.KubeVersion = options.KubeVersion
	}
	if len(options.APIVersions) > 0 {
		out.APIVersions = options.APIVersions
	}
	out.SkipCRDs, out.SkipSchema = options.SkipCRDs, options.SkipSchemaValidation
	return out
}

// show makes differences fit to be seen.
func (d *decision) show(differences []manifest.Difference) []ProofDifference {
	var out []ProofDifference
	for i, x := range differences {
		if i == maxDifferences {
			out = append(out, ProofDifference{Change: fmt.Sprintf("and %d more", len(differences)-i)})
			break
		}
		shown := ProofDifference{Object: x.Object.String(), Source: x.Source, Change: string(x.Change), Path: d.where(x)}
		if x.Change == manifest.Changed {
			if shown.Before, shown.After = d.mask(x, x.Before), d.mask(x, x.After); shown.Before == masked || shown.After == masked {
				shown.Before, shown.After = masked, masked // what one side holds tells of the other
			}
		}
		out = append(out, shown)
	}
	return out
}

func (d *decision) where(x manifest.Difference) string {
	if x.Change != manifest.Changed || len(x.Path) == 0 {
		return ""
	}
	return d.shown(x.Path).String()
}

// mask writes a field's value as short JSON, "***" where it is, or may hold, what is secret.
func (d *decision) mask(x manifest.Difference, v any) string {
	if x.Secret {
		return masked
	}
	if v == nil {
		return ""
	}
	tree := v
	for _, step := range slices.Backward(x.Path) {
		if step.IsIndex {
			tree = []any{tree}
			continue
		}
		tree = map[string]any{step.Key: tree}
	}
	if root, ok := tree.(map[string]any); ok && len(d.detector.Scan(root)) > 0 {
		return masked
	}
	if text, ok := v.(string); ok && len(d.detector.ScanText(text)) > 0 {
		return masked
	}
	return shorten(v)
}

// judge blocks an app whose proof says that something changes which nobody accepted, or which could not be made.
func (d *decision) judge() {
	if d.blocked() {
		return
	}
	accepted := slices.ContainsFunc(d.Introduced, func(i Introduced) bool { return i.Effect == Accepted })
	switch {
	case d.Proof.Result == Unproven:
		d.block(ruleProofMissing, "that nothing changes could not be shown: "+d.Proof.Reason, "solve it, or move the app on its values alone (--verify=values)")
	case d.Proof.Result == Differs && !accepted:
		d.block(ruleProofDiffers, "what runs would change: "+d.Proof.Reason, "see the differences; correct the custom file that the repo has, or the chart")
	case d.Proof.Result == Differs:
		d.add(finding.Finding{Rule: ruleProofDiffers, Severity: finding.Warning, Message: "what is introduced and accepted changes " + d.Proof.Reason})
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

// ErrNoKubernetes is returned by New where manifests are to be rendered, and nobody said for which Kubernetes.
var ErrNoKubernetes = errors.New("--verify=manifests needs to know the cluster's Kubernetes: give --kube-version (and --api-versions), or read the cluster")
