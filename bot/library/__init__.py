"""Lookups in the stored editions: search, one paper, briefs, trends, merges by an operator."""
