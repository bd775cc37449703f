"""Pieces as Discord's Markdown, and untrusted text made safe for it. Pure.

Any sign but a letter, a digit and a blank stands for itself after a backslash. What Discord's
own helper leaves as it is (the colons of emoji and addresses, numbers that begin a list, text
beside addresses) is why none of it is used:
https://support.discord.com/hc/articles/210298617-Markdown-Text-101
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from adapters.common.layout.limits import Look, Shape
from adapters.common.layout.pieces import Piece, Span
from adapters.common.layout.texts import is_address
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


# Beginnings of what mentions somebody even where nothing of it is shown as a mention.
_PING = r"@(?=everyone|here|[!&]?\d)"
_MEANINGFUL = re.compile(rf"(?P<ping>{_PING})|[\\*_~|`<\[\]]|:(?=//|[\w+-]{{1,64}}:)")
_ANY_SIGN = re.compile(r"[\\*_~|`<\[\]:@]")  # nothing above is without one
_MEANING = re.compile(rf"(?P<url>https?://[^\s<>]+)|{_MEANINGFUL.pattern}", re.IGNORECASE)
# Any other sign has its meaning by itself.
_MORE_THAN_A_SIGN = re.compile(r"[:@]")
_ESCAPES = str.maketrans({sign: f"\\{sign}" for sign in "\\*_~|`<[]"})
# What makes a line a heading, a list, a quotation, small print.
_START = re.compile(r"\s*(?:\d+(?=[.)](?:\s|$))|(?=[-+>#]))")
_AFTER_URL = ".,:;!?'\")]}*_~|"
_RISKY_IN_URL = re.compile(rf"[()*]|{_PING}")
# Brackets in pairs, as Discord wants them in the words of a link.
_PAIRED = re.compile(r"[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*")


def in_markdown(words: str, *, starts: bool = True) -> str:
    """Return words on one line as Markdown that shows them as they stand.

    Addresses lead to themselves. `starts` where the words stand at the beginning of the line.
    """
    shown = _without_meaning(words) if _ANY_SIGN.search(words) else words
    start = _START.match(shown) if starts else None
    return f"{start[0]}\\{shown[start.end() :]}" if start else shown


def _without_meaning(words: str) -> str:
    if _MORE_THAN_A_SIGN.search(words):
        return _MEANING.sub(_meant, words)
    return words.translate(_ESCAPES)


def linked(label: str, url: str, *, starts: bool = False) -> str:
    """Return a link of these words to an address.

    Discord shows no words that look like an address as a link to another. `starts` where the words
    stand at the beginning of the line.
    """
    address = f"<{shown_address(url)}>"
    if label == url:
        return address
    if "://" in label or not _PAIRED.fullmatch(label):
        return f"{in_markdown(label, starts=starts)} {address}"
    return f"[{in_markdown(label, starts=False)}]({address})"


def leading_to_itself(url: str) -> str:
    """Return an address that leads where it says, in its own signs.

    With signs that are risky in one it is the words of a link, without its scheme: words with a
    scheme would be no link.
    """
    return linked(url.partition("://")[2] if _RISKY_IN_URL.search(url) else url, url)


def shown_address(url: str) -> str:
    """Return an address without signs that end a link or mean something in it."""
    return _RISKY_IN_URL.sub(lambda found: f"%{ord(found[0]):02X}", url)


def _meant(found: re.Match[str]) -> str:
    """Return what has a meaning without it; an address that is safe keeps its."""
    url = found["url"]
    if url is None:
        return _escaped(found)
    bare = url.rstrip(_AFTER_URL)
    if is_address(bare) and not _RISKY_IN_URL.search(bare):
        return f"<{bare}>{_MEANINGFUL.sub(_escaped, url[len(bare) :])}"
    return _MEANINGFUL.sub(_escaped, url)


def _escaped(found: re.Match[str]) -> str:
    return f"@{_UNSEEN}" if found["ping"] else f"\\{found[0]}"
