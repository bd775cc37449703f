"""The formats of round-ups, one module each, which exposes it as `FORMAT`.

A module whose name starts with `_` helps others and is no format.
"""
