//go:build race

package plugin_test

// raceDetector tells that this is a build with the race detector, which takes a multiple of the memory.
const raceDetector = true
