"""What people are told where the store failed."""

from bot.replies import Level, Notice, Reply
from store.errors import StoreError


def excuse(error: StoreError) -> Reply:
    """Say that the store failed, and nothing of where it is."""
    told = (error.said, error.advice) if error.said else ("Something went wrong.", "It was logged.")
    return Reply((Notice(Level.ERROR, *told),), failed=True)
