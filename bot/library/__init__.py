"""Lookups in the stored editions: search, papers, briefs, trends, and merges of papers."""
