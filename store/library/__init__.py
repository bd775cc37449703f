"""Queries over editions, entries, papers, topics and arXiv metadata."""
