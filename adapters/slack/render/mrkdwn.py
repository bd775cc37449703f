"""Words in mrkdwn, and the text beside the blocks of a message, for who can't see them. Pure.

Slack has no escape for the signs of its markup, so one that would begin or end a style is replaced
by a sign that looks like it: https://docs.slack.dev/messaging/formatting-message-text
"""

import re
from collections.abc import Iterable
from html import escape
from itertools import groupby

from adapters.common.layout.limits import Look, Shape
from adapters.common.layout.parts import ReplyPart
from adapters.common.layout.pieces import Piece, Span
from adapters.slack.render.files import chart_words
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


_MARKS = {Shape.BULLET: "• ", Shape.QUOTE: "> "}


def fallback_text(part: ReplyPart, *, is_shared: bool) -> str:
    """Return the text of a part in mrkdwn."""
    words = [in_mrkdwn(part.line_above)] if part.line_above else []
    words += _lines(part.pieces)
    if not part.is_whole:
        words.append(part.frame.position(part.number, part.of))
    if is_shared:
        words.append(f"Shared: {in_mrkdwn(part.frame.command)}")
    return "\n".join(words)


def _lines(pieces: Iterable[Piece]) -> list[str]:
    """Return pieces as lines, buttons that stand in a row on one, as options behind their menu."""
    lines: list[str] = []
    for row, group in groupby(pieces, key=_row):
        words = map(_plain, group)
        lines += words if row is None else [f"{row}{' '.join(words)}"]
    return lines


def _row(piece: Piece) -> str | None:
    """Return what stands before a row of buttons or options, `None` before words."""
    if piece.spans or piece.file:
        return None
    return "" if piece.button else in_mrkdwn(f"{piece.picks[0].menu}: ")


def _plain(piece: Piece) -> str:
    """Return a piece safe in mrkdwn.

    A button or an option with words beside it says no more than they do.
    """
    if piece.file and piece.file.chart:
        return in_mrkdwn(chart_words(piece.file.chart))
    if not piece.spans:
        labels = [piece.button.label] if piece.button else [pick.label for pick in piece.picks]
        return in_mrkdwn(" ".join([f"[{label}]" for label in labels]))
    return _MARKS.get(piece.shape, "") + "".join([_said(span) for span in piece.spans]).lstrip()


def _said(span: Span) -> str:
    """Return words safe in mrkdwn, as a link where they lead somewhere."""
    if span.look is Look.SIGN:
        return ""
    words = in_mrkdwn(span.text)
    return words if span.url in (None, span.text) else f"<{link_target(span.url)}|{words}>"
