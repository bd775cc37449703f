"""Foreign text made safe for Slack, and weighed. Pure."""

from html import escape
from json import dumps

from bot.replies.plain_text import printable


def escaped(text: str) -> str:
    """Return a text that mrkdwn shows as it stands: it mentions nobody and links nowhere.

    These three signs are all that Slack asks for:
    https://docs.slack.dev/messaging/formatting-message-text
    """
    return escape("\n".join(map(printable, text.split("\n"))), quote=False)


def in_mrkdwn(words: str) -> str:
    """Return cleaned words as mrkdwn shows them as they stand."""
    return escape(words, quote=False)


def json_length(words: str) -> int:
    """Return how long cleaned words are as JSON, at most."""
    if words.isascii():
        return len(words) + words.count('"') + words.count("\\") + words.count("\n") + 2
    return len(dumps(words))


def weight(words: str) -> int:
    """Return what words take of a message: as mrkdwn, or half of that as JSON if it is more."""
    return max(len(in_mrkdwn(words)), json_length(words) // 2)
