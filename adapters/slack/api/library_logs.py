"""Loggers for Slack's libraries, without noise and secrets."""

import logging
import re

_NOISE = (
    # Our own log lines report these with a reason.
    "Failed to connect",
    "Failed to retrieve WSS URL",
    "Failed to check the current",
    # Bolt found SLACK_BOT_TOKEN in the environment, which we use too.
    "As you gave `client`",
)

# Bolt logs the OAuth code that Slack refused, which is any text that a visitor sent.
_CODE = re.compile(r"with code: .* - error", re.DOTALL)


def quiet_logger(name: str) -> logging.Logger:
    """Return a library's logger, limited to warnings and errors.

    At debug level the libraries log whole payloads with response URLs, which are secrets. A level
    of its own also spares them composing lines that nothing prints.
    """
    logger = logging.getLogger(name)
    logger.setLevel(logging.WARNING)
    if not logger.filters:
        logger.addFilter(_is_worth_logging)
    return logger


def _is_worth_logging(record: logging.LogRecord) -> bool:
    message = str(record.msg)
    record.msg = _CODE.sub("with its code - error", message)
    return not message.startswith(_NOISE)
