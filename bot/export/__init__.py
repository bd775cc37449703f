"""What is stored, as files for other programs (see `docs/export.md` and `docs/json.md`). All pure.

Nothing here reads a clock: the same editions give the same characters.
"""
