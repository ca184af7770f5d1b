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

// texts is how much garbage a run lets be that holds large texts, in percent of what is in use. Texts point to nothing, so that
// collecting more often than by Go's default, 100, costs little, and saves nearly as much as there is text.
const texts = 25

// boundTexts has the collector run more often, unless GOGC says something else.
func boundTexts(env Env) {
	if _, set := env.Lookup("GOGC"); !set {
		debug.SetGCPercent(texts)
	}
}

// A run that keeps little of what it reads can let more garbage be: short, in percent of what is in use, and shortMemory, in bytes, where
// the collector works harder again.
const (
	short       = 400
	shortMemory = 270 << 20
)

// boundShort has the collector run less often, within bounds, unless GOGC and GOMEMLIMIT say something else.
func boundShort(env Env) {
	if _, set := env.Lookup("GOGC"); !set {
		debug.SetGCPercent(short)
	}
	if _, set := env.Lookup("GOMEMLIMIT"); !set {
		debug.SetMemoryLimit(shortMemory)
	}
}
