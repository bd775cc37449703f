"""Writes of an import: editions and their entries, merged papers, the cache of documents."""
