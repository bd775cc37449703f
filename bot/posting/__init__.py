"""Scheduled posts: due subscriptions, digests of an edition, and their delivery."""
