package check

import "context"

// checkSettings checks the platform's settings.
func (r *run) checkSettings(context.Context) error { return nil }
