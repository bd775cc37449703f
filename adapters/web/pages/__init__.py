"""Web pages about editions and papers: facts, templates, routes, and the same as files."""
