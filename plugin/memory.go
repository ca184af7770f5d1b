package plugin

import "runtime/debug"

// softMemory is what a run with 4,200 Applications may come near to, in bytes. Without it Go's collector lets the process
// hold twice what is in use; with it, it works harder before that.
const softMemory = 640 << 20

// boundMemory asks the collector to keep to softMemory, unless GOMEMLIMIT says something else. It is no hard bound: a plan
// that needs more gets more.
func boundMemory(env Env) {
	if _, set := env.Lookup("GOMEMLIMIT"); !set {
		debug.SetMemoryLimit(softMemory)
	}
}
