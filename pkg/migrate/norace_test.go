//go:build !race

package migrate_test

// raceDetector tells that memory is not what it is without the detector.
const raceDetector = false
