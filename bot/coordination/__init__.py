"""Work that is shared between processes: rate limits, leases, jobs, worker processes."""
