package migrate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-apl/kubectl-apl/pkg/chart"
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/manifest"
	"github.com/kubectl-apl/kubectl-apl/pkg/values"
)

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
	textsA, testsA := d.texts(a)
	textsB, _ := d.texts(b)
	anyA, errA := manifest.Any(textsA)
	anyB, errB := manifest.Any(textsB)
	switch err := errors.Join(errA, errB); {
	case err != nil:
		return unproven("what is rendered: %v", cmp.Or(errA, errB))
	case !anyA || !anyB:
		return unproven("nothing is rendered: %s before, %s after; two empty renderings prove nothing", objects(anyA, textsA), objects(anyB, textsB))
	}
	proof := &Proof{Objects: len(textsA), Hooks: hooks(a)}
	if testsA > 0 {
		proof.Left = fmt.Sprintf("%s of helm test, which Argo CD does not run", finding.Count(testsA, "object"))
	}
	differences, noise, err := d.compare(ctx, side{live, textsA}, side{changed, textsB})
	if err != nil {
		return unproven("%v", err)
	}
	for _, x := range differences {
		if x.Breaking != "" {
			proof.breaking = append(proof.breaking, x.Object.String()+": "+x.Breaking)
		}
	}
	proof.Random = d.random(noise)
	if len(differences) == 0 {
		proof.Result, proof.Reason = Equal, finding.Count(proof.Objects, "object")+" rendered alike"+proof.hooks()
		return proof
	}
	of := finding.Count(proof.Objects, "object")
	if after := len(textsB); after != proof.Objects {
		of += fmt.Sprintf(" before, %d after", after)
	}
	proof.Result, proof.Reason = Differs, fmt.Sprintf("%s of %s%s", finding.Count(len(differences), "difference"), of, proof.hooks())
	proof.Differences = d.show(differences)
	return proof
}

// hooks counts the hooks among the objects, in words.
func (p *Proof) hooks() string {
	if p.Hooks == 0 {
		return ""
	}
	return fmt.Sprintf(", %s among them", finding.Count(p.Hooks, "hook"))
}

// side is one side of a proof: what is rendered, and what it came to the first time.
type side struct {
	rendering chart.Rendering
	first     []manifest.Text
}

// rounds is how often each side is rendered again while there are differences: what is random in few values can come out
// the same twice.
const rounds = 3

// compare returns the differences of the two sides, and the noise, which it leaves out: what is another in a second
// rendering of both sides. Where templates see the same on both sides, they are two renderings of one input already.
func (d *decision) compare(ctx context.Context, before, after side) (differences, noise []manifest.Difference, err error) {
	if differences, err = manifest.Compare(before.first, after.first); err != nil {
		return nil, nil, fmt.Errorf("what is rendered: %w", err)
	}
	if len(differences) == 0 {
		return nil, nil, nil
	}
	if d.sameForTemplates(before, after) {
		if noise, err = manifest.Noise(before.first, after.first); err != nil {
			return nil, nil, fmt.Errorf("what is rendered: %w", err)
		}
		return nil, noise, nil
	}
	renderings := [2][][]manifest.Text{{before.first}, {after.first}}
	for range rounds {
		for i, s := range []side{before, after} {
			again, err := d.loaded.Render(ctx, s.rendering)
			if err != nil {
				return nil, nil, fmt.Errorf("what is rendered a second time: %w", err)
			}
			more, _ := d.texts(again)
			renderings[i] = append(renderings[i], more)
		}
		if noise, err = manifest.Shared(renderings[0], renderings[1]); err != nil {
			return nil, nil, fmt.Errorf("what is rendered a second time: %w", err)
		}
		if differences, err = manifest.Compare(before.first, after.first, noise...); err != nil {
			return nil, nil, fmt.Errorf("what is rendered: %w", err)
		}
		if len(differences) == 0 {
			break
		}
	}
	return differences, noise, nil
}

// sameForTemplates tells whether templates see the same values on both sides. It is asked only where objects differ.
func (d *decision) sameForTemplates(before, after side) bool {
	a, errA := d.loaded.Effective(before.rendering.Values)
	b, errB := d.loaded.Effective(after.rendering.Values)
	return errA == nil && errB == nil && values.Equal(a, b)
}

// random lists where renderings of the same values differ, in the order of noise, which is by object and path.
func (d *decision) random(noise []manifest.Difference) []string {
	if len(noise) == 0 {
		return nil
	}
	secrets := d.secrets()
	var out []string
	for _, n := range noise {
		out = append(out, secrets.hide(strings.TrimSpace(n.Object.String()+" "+d.where(n))))
	}
	out = slices.Compact(out)
	if more := len(out) - maxDifferences; more > 0 {
		out = append(out[:maxDifferences], fmt.Sprintf("and %d more", more))
	}
	return out
}

// objects counts the objects of a side, of which there can be none in documents.
func objects(has bool, texts []manifest.Text) string {
	if !has {
		return "0 objects"
	}
	return finding.Count(len(texts), "object")
}

// hooks counts the hooks, tests aside. Argo CD applies them when it syncs, so that they are compared as all else is.
func hooks(documents []chart.Document) int {
	n := 0
	for _, doc := range documents {
		if doc.Hook && !isTest(doc) && !blank(doc.Text) {
			n++
		}
	}
	return n
}

// argoHook is the annotation by which Argo CD runs an object as a hook, whatever Helm's annotation says of it.
const argoHook = "argocd.argoproj.io/hook"

// isTest tells whether a document is for helm test alone.
func isTest(doc chart.Document) bool { return doc.Test && !strings.Contains(doc.Text, argoHook) }

// texts returns what Argo CD applies: no documents without an object, and no tests of Helm's, which are counted.
func (d *decision) texts(documents []chart.Document) (out []manifest.Text, tests int) {
	for _, doc := range documents {
		switch {
		case isTest(doc):
			tests++
		case !blank(doc.Text):
			out = append(out, manifest.Text{Source: doc.Source, Content: doc.Text, Namespace: d.id.Namespace})
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
