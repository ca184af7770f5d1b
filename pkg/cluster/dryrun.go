package cluster

// DryRun says how far a command goes that writes to the cluster, as kubectl's flag of that name does.
type DryRun string

// The dry runs.
const (
	// DryRunNone does it.
	DryRunNone DryRun = "none"
	// DryRunClient writes nothing, and asks the server for no write.
	DryRunClient DryRun = "client"
	// DryRunServer has the server check each write and persist none.
	DryRunServer DryRun = "server"
)
