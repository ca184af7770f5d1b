package finding

// docs is where the pages of the rules are: one for each rule, docs/rules/<id>.md.
const docs = "https://github.com/kubectl-apl/kubectl-apl/blob/main/docs/rules/"

// Rule is what a check looks for. Severity is the one that its findings have unless .apl.yaml says otherwise; Summary says
// in a sentence what is wrong where it finds something.
type Rule struct {
	ID       string
	Severity Severity
	Summary  string
}

// URL returns the address of the page that explains the rule.
func (r Rule) URL() string { return RuleURL(r.ID) }

// RuleURL returns the address of the page that explains a rule, by the rule's id.
func RuleURL(id string) string { return docs + escapeURI(id) + ".md" }
