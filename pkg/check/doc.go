// Package check owns the rules that a values repo keeps: what is in it, and what is wrong with that. It reads what it is given, and
// touches no disk, cluster or network; where charts come from is its caller's business. Admission asks it the same of single objects.
//
// One file holds one rule, or rules that look at the same thing. A rule finds; how bad it is says Rules, and .apl.yaml.
package check
