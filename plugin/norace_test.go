//go:build !race

package plugin_test

const raceDetector = false
