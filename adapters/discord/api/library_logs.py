"""What the library logs: warnings and errors that our own lines don't say better."""

import logging

_NO_NEWS = (
    # Our own lines say it, without a traceback.
    "Attempting a reconnect",
    "Failed to connect for shard_id",
    # Whoever types goes on typing, and each letter asks anew.
    "Ignoring exception in autocomplete",
    # Voice is not spoken here.
    "PyNaCl is not installed",
    "davey is not installed",
)


def quiet() -> None:
    """Have the library's loggers say nothing but news.

    At their debug level they write whole payloads, tokens of interactions among them.
    """
    logging.getLogger("discord").setLevel(logging.WARNING)
    for name in ("client", "shard", "gateway", "http", "webhook.async_", "app_commands.tree"):
        logger = logging.getLogger(f"discord.{name}")
        if not logger.filters:
            logger.addFilter(_is_news)


def _is_news(record: logging.LogRecord) -> bool:
    return not str(record.msg).startswith(_NO_NEWS)
