"""Loggers for Slack's libraries, without noise and secrets."""

import logging
import re

from adapters.common.library_logs import drop_redundant, limit

_REDUNDANT = (
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
    """Return a library's logger, limited to warnings and errors that are worth it."""
    logger = logging.getLogger(name)
    limit(logger)
    drop_redundant(logger, _REDUNDANT, _without_code)
    return logger


def _without_code(message: str) -> str:
    return _CODE.sub("with its code - error", message)
