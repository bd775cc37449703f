"""Log filters for discord.py: warnings and errors that our own log lines do not repeat."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from adapters.common.library_logs import drop_redundant, limit

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
    """Limit the library's loggers to warnings and errors that are worth it."""
    limit(logging.getLogger("discord"))
    for name in ("client", "shard", "gateway", "http", "webhook.async_", "app_commands.tree"):
        drop_redundant(logging.getLogger(f"discord.{name}"), _REDUNDANT)


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
