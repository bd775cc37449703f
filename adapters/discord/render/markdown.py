"""Pieces as Discord's Markdown. Pure."""

from collections.abc import Sequence
from itertools import pairwise

from adapters.common.layout.looks import Look, Shape
from adapters.common.layout.pieces import Piece, Span
from adapters.discord.render.escape import in_markdown, leading_to_itself, linked
from bot.replies.blocks import Level

_SIGNS = {
    Level.INFO.value: "\N{INFORMATION SOURCE}\N{VARIATION SELECTOR-16}",
    Level.WARNING.value: "\N{WARNING SIGN}\N{VARIATION SELECTOR-16}",
    Level.ERROR.value: "\N{CROSS MARK}",
}
_MARKS = {
    Shape.HEADER: "## ",
    Shape.NAME: "### ",
    Shape.FAINT: "-# ",
    Shape.WORDS: "",
    Shape.BULLET: "- ",
    Shape.QUOTE: "> ",
}
_FENCE = "```"
_CLOSE = (Shape.HEADER, Shape.NAME, Shape.FAINT)
_LARGE = (Shape.HEADER, Shape.NAME)
# Discord takes signs that end a heading for a part of its mark; this one ends it unseen.
_UNSEEN = "\u200b"


def text_of(pieces: Sequence[Piece]) -> str:
    """Return the pieces of one text as Markdown."""
    text = in_words(pieces[0])
    for before, piece in pairwise(pieces):
        text += _between(before, piece) + in_words(piece)
    return text


def in_words(piece: Piece) -> str:
    """Return the words of a piece as Markdown."""
    if piece.shape is Shape.VERBATIM:
        return _verbatim(piece)
    shown = ""
    for span in piece.spans:
        shown += _marked(span, large=piece.shape in _LARGE, starts=not shown)
    if piece.shape in _LARGE and shown.endswith("#"):
        shown += _UNSEEN
    return _MARKS[piece.shape] + shown


def faint(words: str) -> str:
    """Return Markdown in small grey letters."""
    return _MARKS[Shape.FAINT] + words


def _between(before: Piece, piece: Piece) -> str:
    """Return the break between two pieces of one text: a blank line between paragraphs only."""
    close = (
        before.shape in _CLOSE
        or before.leads
        or (before.joined and piece.joined)
        or piece.shape in (Shape.FAINT, Shape.BULLET)
    )
    return "\n" if close else "\n\n"


def _verbatim(piece: Piece) -> str:
    """Return lines as they stand; what would end them there is parted by a sign that none sees."""
    words = "".join(span.text for span in piece.spans).replace(_FENCE, f"``{_UNSEEN}`")
    return f"{_FENCE}\n{words}\n{_FENCE}"


def _marked(span: Span, *, large: bool, starts: bool) -> str:
    """Return a span as Markdown, its marks close to its words; a heading is bold as it is."""
    if span.look is Look.SIGN:
        return _SIGNS[span.text]
    if span.user:
        return f"<@{span.user}>"
    if span.at is not None:
        return f"<t:{span.at}:F> (<t:{span.at}:R>)"
    words = span.text.strip()
    before, _, after = span.text.partition(words)
    if span.look is Look.BOLD and not large:
        return f"{before}**{_said(span, words, starts=False)}**{after}"
    if span.look is Look.FAINT:
        return f"{before}{_MARKS[Shape.FAINT]}{_said(span, words, starts=True)}{after}"
    starts = starts or before.endswith("\n")
    return f"{before}{_said(span, words, starts=starts)}{after}"


def _said(span: Span, words: str, *, starts: bool) -> str:
    if span.url is None:
        return in_markdown(words, starts=starts)
    return leading_to_itself(words) if words == span.url else linked(words, span.url, starts=starts)
