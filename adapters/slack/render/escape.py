"""Untrusted text made safe for Slack. Pure."""

from html import escape

from bot.replies.plain_text import printable


def escaped(text: str) -> str:
    """Return a text that mrkdwn shows as it stands: it mentions nobody and links nowhere.

    These three signs are all that Slack asks for:
    https://docs.slack.dev/messaging/formatting-message-text
    """
    return escape("\n".join(map(printable, text.split("\n"))), quote=False)


def link_target(url: str) -> str:
    """Return an address as it stands in a link of mrkdwn: nothing in it ends it."""
    return escape(url, quote=False).replace("|", "%7C")


def in_mrkdwn(words: str) -> str:
    """Return cleaned words as mrkdwn shows them as they stand."""
    return escape(words, quote=False)
