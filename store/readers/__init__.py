"""Data of one person: saved papers, papers seen, votes, and their erasure."""
