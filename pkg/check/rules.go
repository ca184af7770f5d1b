package check

import (
	"github.com/kubectl-apl/kubectl-apl/pkg/finding"
	"github.com/kubectl-apl/kubectl-apl/pkg/scan"
)

// The rules about values.
const (
	// RuleParse: Helm cannot read a value file, or reads it otherwise than it is written.
	RuleParse = "values-parse"
	// RuleSecret: a value file holds a literal secret.
	RuleSecret = "values-secret"
	// RuleEdited: a managed file is not what the tool wrote.
	RuleEdited = "managed-edited"
	// RuleSchema: the vendor's schema refuses the values, as Helm coalesces them.
	RuleSchema = "values-schema"
	// RuleSchemaUnusable: the vendor's schema cannot judge.
	RuleSchemaUnusable = "schema-unusable"
	// RuleSchemaUnchecked: a part of the vendor's schema was not looked at.
	RuleSchemaUnchecked = "schema-unchecked"
	// RuleSchemaMissing: the chart has no schema.
	RuleSchemaMissing = "schema-missing"
	// RuleChart: the chart is not at hand.
	RuleChart = "chart-missing"
	// RuleUnknownKey: a key that the chart does not know (Options.StrictKeys).
	RuleUnknownKey = "unknown-key"
	// RuleException: an entry of .apl.yaml accepts nothing.
	RuleException = scan.RuleUnused
	// RuleShadowed: custom overrides what the platform sets.
	RuleShadowed = "shadowed-managed"
)

// The rules about Applications.
const (
	// RuleShape: the Application is not what the layout needs.
	RuleShape = "application-shape"
	// RuleOrder: the value files are not managed and then custom, once each.
	RuleOrder = "value-files-order"
	// RuleInline: the Application holds values itself.
	RuleInline = "inline-values"
	// RuleFileMissing: a value file that the Application names is not there.
	RuleFileMissing = "value-file-missing"
	// RuleOrphanApplication: the settings or the registry have no such app.
	RuleOrphanApplication = "orphan-application"
	// RuleOrphanValues: no Application reads the value files.
	RuleOrphanValues = "orphan-values"
	// RuleOwnedTwice: two Applications apply the same.
	RuleOwnedTwice = "path-owned-twice"
)

// The rules about other files.
const (
	// RuleManifest: a manifest cannot be read, so that Argo CD syncs nothing of its folder.
	RuleManifest = "manifest-parse"
	// RulePath: an object is not in the file that is its own.
	RulePath = "artifact-path"
	// RuleArtifactSecret: a manifest holds a literal secret.
	RuleArtifactSecret = "artifact-secret"
	// RuleDuplicate: two files hold one object.
	RuleDuplicate = "duplicate-object"
	// RuleCase: two paths differ in case alone.
	RuleCase = "file-name-case"
	// RuleStray: a file that nothing reads, or a link.
	RuleStray = "stray-file"
	// RuleApps: env/settings/apps.yaml is not as it has to be.
	RuleApps = "apps-yaml"
	// RuleSettings: a settings file is no YAML.
	RuleSettings = "settings-parse"
	// RuleSettingsSecret: a settings file holds a literal secret.
	RuleSettingsSecret = "settings-secret"
	// RuleLeftover: env/apps is still there beside apps.yaml.
	RuleLeftover = "leftover-env-apps"
)

// Rules lists all rules, sorted, with the worst severity that their findings have by themselves.
func Rules() []finding.Rule {
	const e, w, i = finding.Error, finding.Warning, finding.Info
	return []finding.Rule{
		{ID: RuleShape, Severity: e, Summary: "an Application is not what the layout needs"},
		{ID: RuleApps, Severity: e, Summary: "env/settings/apps.yaml is not as the platform reads it"},
		{ID: RulePath, Severity: e, Summary: "an object is not in the file that is its own"},
		{ID: RuleArtifactSecret, Severity: e, Summary: "a manifest holds a literal secret"},
		{ID: RuleChart, Severity: e, Summary: "the chart is not at hand, so that its values are not checked"},
		{ID: RuleDuplicate, Severity: e, Summary: "two files hold one object"},
		{ID: RuleException, Severity: w, Summary: "an exception of .apl.yaml accepts nothing any more"},
		{ID: RuleCase, Severity: e, Summary: "two paths differ in case alone"},
		{ID: RuleInline, Severity: e, Summary: "an Application holds values itself"},
		{ID: RuleLeftover, Severity: w, Summary: "env/apps is still there beside env/settings/apps.yaml"},
		{ID: RuleEdited, Severity: e, Summary: "a managed file is not what the tool wrote"},
		{ID: RuleManifest, Severity: e, Summary: "a manifest cannot be read, so that Argo CD syncs nothing of its folder"},
		{ID: RuleOrphanApplication, Severity: w, Summary: "the platform does not install the app of an Application"},
		{ID: RuleOrphanValues, Severity: w, Summary: "no Application reads these values"},
		{ID: RuleOwnedTwice, Severity: e, Summary: "two Applications apply the same"},
		{ID: RuleSchemaMissing, Severity: i, Summary: "the chart has no schema, so that nothing checks its values"},
		{ID: RuleSchemaUnchecked, Severity: w, Summary: "a part of the chart's schema was not looked at"},
		{ID: RuleSchemaUnusable, Severity: e, Summary: "the chart's schema cannot judge values"},
		{ID: RuleSettings, Severity: e, Summary: "a settings file is no YAML, or says something twice"},
		{ID: RuleSettingsSecret, Severity: e, Summary: "a settings file holds a literal secret"},
		{ID: RuleShadowed, Severity: i, Summary: "a custom value overrides what the platform sets"},
		{ID: RuleStray, Severity: e, Summary: "a file that nothing reads"},
		{ID: RuleUnknownKey, Severity: w, Summary: "a key that the chart does not know"},
		{ID: RuleFileMissing, Severity: e, Summary: "a value file that an Application names is not there"},
		{ID: RuleOrder, Severity: e, Summary: "the value files are not managed and then custom, once each"},
		{ID: RuleParse, Severity: e, Summary: "Helm cannot read a value file, or reads it otherwise than it is written"},
		{ID: RuleSchema, Severity: e, Summary: "the chart's schema refuses the values"},
		{ID: RuleSecret, Severity: e, Summary: "a value file holds a literal secret"},
	}
}
