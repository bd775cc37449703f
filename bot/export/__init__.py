"""Editions and saved lists as files for other programs (`docs/export.md`, `docs/json.md`). Pure.

No clock is read: the same editions give the same characters.
"""
