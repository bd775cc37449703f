"""Work that is shared between processes: rate limits, leases and jobs."""
