"""The schema's history, one module a revision; run by `store.migrations.upgrade`."""
