"""The sources that are followed: when they are fetched, from where, and arXiv metadata."""
