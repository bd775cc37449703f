"""Which source comes before which where nothing else decides, and the one that is computed."""

from functools import lru_cache

# The source that is fused from the others; nothing is imported under its name.
CONSENSUS = "consensus"
# These in this order, then all others by slug.
FIRST = ("dair", "paperdive", "hf-daily")


@lru_cache(1024)  # a store has some dozens
def precedence(source: str) -> tuple[int, str]:
    """Return a sort key of a slug."""
    return FIRST.index(source) if source in FIRST else len(FIRST), source
