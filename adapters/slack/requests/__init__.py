"""Requests as plain values: payloads read, actors and channels looked up."""
