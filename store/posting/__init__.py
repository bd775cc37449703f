"""Subscriptions and the delivery ledger: what is due, queued, claimed, sent and reported."""
