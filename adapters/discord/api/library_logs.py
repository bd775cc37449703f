"""Log filters for discord.py: warnings and errors that our own log lines do not repeat."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

_REDUNDANT = (
    # Our own lines report it, without a traceback.
    "Attempting a reconnect",
    "Failed to connect for shard_id",
    # The user goes on typing, and each letter asks again.
    "Ignoring exception in autocomplete",
    # The bot does not use voice.
    "PyNaCl is not installed",
    "davey is not installed",
)


def quiet_library_logs() -> None:
    """Set the library's loggers to WARNING and drop redundant records.

    At DEBUG they write whole payloads, with the tokens of interactions.
    """
    logging.getLogger("discord").setLevel(logging.WARNING)
    for name in ("client", "shard", "gateway", "http", "webhook.async_", "app_commands.tree"):
        logger = logging.getLogger(f"discord.{name}")
        if not logger.filters:
            logger.addFilter(_is_worth_logging)


@contextmanager
def muted_library_logs() -> Iterator[None]:
    """Mute the library's loggers, for a caller that reports its errors."""
    logger = logging.getLogger("discord")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


def _is_worth_logging(record: logging.LogRecord) -> bool:
    return not str(record.msg).startswith(_REDUNDANT)
