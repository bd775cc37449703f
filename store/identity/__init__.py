"""Paper identity: which entries are of one paper."""
