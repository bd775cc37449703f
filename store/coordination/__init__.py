"""Coordination of several processes on one store: leases, jobs, rate limits, request claims."""
