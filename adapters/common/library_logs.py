"""Logs of platform libraries, without secrets and without what our own lines report."""

import logging
from collections.abc import Callable


def limit(logger: logging.Logger) -> None:
    """Limit a library's logger to warnings and errors.

    At debug level the libraries log whole payloads with the tokens of interactions and response
    URLs, which are secrets. A level of its own also spares them composing lines that nothing
    prints.
    """
    logger.setLevel(logging.WARNING)


def drop_redundant(
    logger: logging.Logger,
    beginnings: tuple[str, ...],
    redact: Callable[[str], str] = lambda message: message,
) -> None:
    """Drop the records of a logger that begin so, and redact the others.

    A logger that has a filter keeps it alone.
    """

    def is_worth_logging(record: logging.LogRecord) -> bool:
        message = str(record.msg)
        record.msg = redact(message)
        return not message.startswith(beginnings)

    if not logger.filters:
        logger.addFilter(is_worth_logging)
