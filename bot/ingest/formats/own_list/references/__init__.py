"""References of bibliographies as rows of a list: BibTeX, RIS, JSON."""
