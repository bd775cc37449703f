"""Words in mrkdwn, for the few places that take no rich text. Pure.

Slack has no escape for the signs of its markup, so one that would begin or end a style is replaced
by a sign that looks like it: https://docs.slack.dev/messaging/formatting-message-text
"""

import re
from collections.abc import Iterable
from itertools import groupby

from adapters.common.layout.looks import Look
from adapters.common.layout.pieces import Span
from adapters.slack.render.escape import in_mrkdwn, link_target

_ANY_SIGN = re.compile("[*_~`:]")  # most words have none
# Within a word none of these means anything.
_STYLING = re.compile(r"(?<!\w)[*_~`]|[*_~`](?!\w)")
_ALIKE = {
    "*": "\N{ASTERISK OPERATOR}",
    "_": "\N{MODIFIER LETTER LOW MACRON}",
    "~": "\N{TILDE OPERATOR}",
    "`": "\N{MODIFIER LETTER GRAVE ACCENT}",
}
_EMOJI = re.compile(r":(?=[\w+-]+:)")
_COLON = "\N{MODIFIER LETTER COLON}"
_QUOTED = re.compile(r"^(?=&gt;)", re.MULTILINE)
_UNSEEN = "\u200b"
_STYLES = {Look.BOLD: "*", Look.FAINT: "_"}


def marked(spans: Iterable[Span]) -> str:
    """Return words with their styles and links."""
    runs = (_styled(look, run) for look, run in groupby(spans, key=lambda span: span.look))
    return _QUOTED.sub(_UNSEEN, "".join(runs))


def literal(words: str) -> str:
    """Return words as mrkdwn shows them as they stand, but for a few signs that look alike."""
    if _ANY_SIGN.search(words):
        words = _EMOJI.sub(_COLON, _STYLING.sub(lambda found: _ALIKE[found[0]], words))
    return in_mrkdwn(words)


def _styled(look: Look, spans: Iterable[Span]) -> str:
    """Return words of one style, whose signs stand close to them."""
    shown = "".join(map(_linked, spans))
    words = shown.strip()
    style = _STYLES.get(look)
    return shown.replace(words, f"{style}{words}{style}", 1) if style and words else shown


def _linked(span: Span) -> str:
    if not span.url:
        return literal(span.text)
    target = link_target(span.url)
    return f"<{target}>" if span.url == span.text else f"<{target}|{literal(span.text)}>"
