"""The loggers that Slack's libraries are given."""

import logging
import re

_NO_NEWS = (
    # Our own lines say it, in one line and with the reason.
    "Failed to connect",
    "Failed to retrieve WSS URL",
    "Failed to check the current",
    # Bolt found SLACK_BOT_TOKEN in the environment; it is the one that we use too.
    "As you gave `client`",
)

# Bolt logs the code of an installation that Slack refused: any text of whoever opened the page.
_CODE = re.compile(r"with code: .* - error", re.DOTALL)


def quiet_logger(name: str) -> logging.Logger:
    """Return a logger for a library: warnings and errors, with a level of its own.

    At their debug level the libraries write whole payloads, response URLs among them, which are
    secrets; and a logger without a level of its own has them compose those lines in vain.
    """
    logger = logging.getLogger(name)
    logger.setLevel(logging.WARNING)
    if not logger.filters:
        logger.addFilter(_is_news)
    return logger


def _is_news(record: logging.LogRecord) -> bool:
    said = str(record.msg)
    record.msg = _CODE.sub("with its code - error", said)
    return not said.startswith(_NO_NEWS)
