"""Coordination of several processes on one store: jobs, leases, rate limits, request claims."""
