"""Slack's mrkdwn as HTML. Pure.

https://docs.slack.dev/messaging/formatting-message-text
"""

import re
from collections.abc import Callable
from html import unescape

from markupsafe import Markup, escape

# Emoji that messages of ours have, by Slack's names.
EMOJI = {
    "information_source": "ℹ️",
    "warning": "⚠️",
    "x": "❌",
    "white_check_mark": "✅",
    "page_facing_up": "📄",
    "newspaper": "📰",
    "fire": "🔥",
    "star": "⭐",
    "bookmark": "🔖",
    "bulb": "💡",
    "speech_balloon": "💬",
    "arrow_up": "⬆️",
    "chart_with_upwards_trend": "📈",
}
_FENCE = re.compile(r"```\n?(.*?)\n?```", re.DOTALL)
_TOKEN = re.compile(
    r"<(?P<angle>[^<>\n]+)>"
    r"|`(?P<code>[^`\n]+)`"
    r"|(?<![\w*])\*(?P<bold>[^\s*](?:[^*\n]*[^\s*])?)\*(?![\w*])"
    r"|(?<![\w_])_(?P<italic>[^\s_](?:[^_\n]*[^\s_])?)_(?![\w_])"
    r"|(?<![\w~])~(?P<struck>[^\s~](?:[^~\n]*[^\s~])?)~(?![\w~])"
    r"|:(?P<emoji>[a-z0-9_+-]+):"
)
_TAGS = {
    "bold": (Markup("<b>"), Markup("</b>")),
    "italic": (Markup("<i>"), Markup("</i>")),
    "struck": (Markup("<s>"), Markup("</s>")),
}


def html_of(text: str) -> Markup:
    """Return a text in mrkdwn as HTML."""
    around, *others = _FENCE.split(text)
    shown = _lines(around)
    for kept, after in zip(others[::2], others[1::2], strict=True):
        shown += Markup("<pre>{}</pre>").format(unescape(kept)) + _lines(after)
    return shown


def _lines(text: str) -> Markup:
    shown, quoted = [], False
    for line in text.split("\n"):
        is_quote = line.startswith("&gt;")
        if is_quote:
            words = _inline(line.removeprefix("&gt;").lstrip())
            shown.append(Markup("<blockquote>{}</blockquote>").format(words))
        else:
            # A quotation is a block by itself.
            shown.append(Markup("<br>") + _inline(line) if shown and not quoted else _inline(line))
        quoted = is_quote
    return Markup("").join(shown)


def _inline(text: str) -> Markup:
    shown, end = Markup(""), 0
    for found in _TOKEN.finditer(text):
        shown += escape(unescape(text[end : found.start()])) + _meant(found)
        end = found.end()
    return shown + escape(unescape(text[end:]))


def _meant(found: re.Match[str]) -> Markup:
    kind, words = found.lastgroup or "", found[found.lastgroup or 0]
    match kind:
        case "angle":
            return _angle(words)
        case "code":
            return Markup("<code>{}</code>").format(unescape(words))
        case "emoji":
            return escape(EMOJI.get(words, found[0]))
    before, after = _TAGS[kind]
    return before + _inline(words) + after


def _angle(words: str) -> Markup:
    target, _, label = words.partition("|")
    said = unescape(label)
    mentions: dict[str, Callable[[], str]] = {
        "@": lambda: f"@{said or target[1:]}",
        "#": lambda: f"#{said or target[1:]}",
        "!": lambda: said or f"@{target[1:].partition('^')[0]}",
    }
    if target[0] in mentions:
        return Markup('<span class="mention">{}</span>').format(mentions[target[0]]())
    url = unescape(target)
    return Markup('<a href="{}">{}</a>').format(url, said or url)
