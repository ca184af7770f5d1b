package gitrepo

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

var errDate = errors.New("not a date that is understood; use seconds since 1970 and a zone, like 1700000000 +0000, or RFC 3339")

// parseDate reads the forms that git documents for dates in the environment (git-commit(1), "Date formats"): git's own, RFC
// 2822 and ISO 8601. Git guesses at many more; here those are errors. A date without a zone is local.
func parseDate(text string, local *time.Location) (time.Time, error) {
	text = strings.TrimSpace(text)
	if when, ok := parseUnix(text, local); ok {
		return when, nil
	}
	for _, layout := range []string{
		"Mon, _2 Jan 2006 15:04:05 -0700", "_2 Jan 2006 15:04:05 -0700",
		"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05-0700", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 -07:00",
		"2006-01-02T15:04:05", "2006-01-02 15:04:05",
	} {
		if when, err := time.ParseInLocation(layout, text, local); err == nil && when.Unix() >= 0 {
			return when, nil
		}
	}
	return time.Time{}, fmt.Errorf("%w: %q", errDate, text)
}

// parseUnix reads "<seconds> <zone>". Without "@" git takes a number of less than nine digits for something else.
func parseUnix(text string, local *time.Location) (time.Time, bool) {
	number, zone, hasZone := strings.Cut(text, " ")
	number, marked := strings.CutPrefix(number, "@")
	seconds, err := strconv.ParseUint(number, 10, 40)
	if err != nil || (!marked && len(number) < 9) {
		return time.Time{}, false
	}
	when := time.Unix(int64(seconds), 0)
	if !hasZone {
		return when.In(local), true
	}
	offset, err := time.Parse("-0700", strings.TrimSpace(zone))
	if err != nil {
		return time.Time{}, false
	}
	_, east := offset.Zone()
	return when.In(time.FixedZone("", east)), true
}
