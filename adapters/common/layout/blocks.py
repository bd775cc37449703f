"""What each block of a reply is laid out as: titles first, little around them. Pure."""

from collections.abc import Iterable, Iterator
from functools import singledispatch

from adapters.common.layout.menus import choices_pieces
from adapters.common.layout.papers import card_pieces, list_pieces
from adapters.common.layout.pieces import Look, Measure, Piece, Shape, Span, pressed, worded
from adapters.common.layout.texts import cleaned, kept_lines, paragraphs
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Choices,
    Fields,
    File,
    Moments,
    Notice,
    Pager,
    PaperCard,
    PaperList,
    Reply,
    Text,
    Title,
    Verbatim,
)

# What a paragraph before it is about.
_INTRODUCED = (PaperList, Fields, Actions, Choices)


def pieces_of(reply: Reply, measure: Measure) -> list[Piece]:
    """Return a reply as pieces, in order; at least one."""
    found: list[Piece] = []
    following = (*reply.blocks[1:], None)
    for group, (block, after) in enumerate(zip(reply.blocks, following, strict=False)):
        found += _pieces(block, group, measure)
        if found and isinstance(block, Text) and isinstance(after, _INTRODUCED):
            found[-1] = found[-1]._replace(leads=True)
    return found or worded(measure, 0, (Span("There is nothing to show."),))


@singledispatch
def _pieces(block: Block, group: int, measure: Measure) -> Iterable[Piece]:
    del group, measure
    raise TypeError(f"{type(block).__name__} has no form in a chat")


@_pieces.register
def _title(block: Title, group: int, measure: Measure) -> list[Piece]:
    words = cleaned(block.text)
    if len(words) <= measure.longest_header:
        return worded(measure, group, (Span(words),), Shape.HEADER, leads=True)
    return worded(measure, group, (Span(words, Look.BOLD),), leads=True)


@_pieces.register
def _text(block: Text, group: int, measure: Measure) -> Iterator[Piece]:
    for paragraph in paragraphs(block.text):
        yield from worded(measure, group, (Span(paragraph),))


@_pieces.register
def _actions(block: Actions, group: int, measure: Measure) -> list[Piece]:
    return pressed(measure, group, block.buttons)


@_pieces.register
def _fields(block: Fields, group: int, measure: Measure) -> Iterator[Piece]:
    for name, value in block.pairs:
        yield from _pair(measure, group, name, Span(cleaned(value)))


@_pieces.register
def _moments(block: Moments, group: int, measure: Measure) -> Iterator[Piece]:
    for (name, at), (_, words) in zip(block.pairs, block.in_words.pairs, strict=True):
        told = Span(cleaned(words), at=int(at.timestamp()))
        yield from _pair(measure, group, name, told)


def _pair(measure: Measure, group: int, name: str, value: Span) -> list[Piece]:
    words = cleaned(name)
    before = f"{words}: " if words and value.text else words
    return worded(measure, group, (Span(before, Look.BOLD), value), joined=True)


@_pieces.register
def _notice(notice: Notice, group: int, measure: Measure) -> Iterator[Piece]:
    words, remedy = cleaned(notice.text), cleaned(notice.remedy)
    if not (words or remedy):
        return
    sign = Span(notice.level.value, Look.SIGN)
    bold = Span(f" {words}" if words else "", Look.BOLD)
    yield from worded(measure, group, (sign, bold, Span(f"\n{remedy}" if remedy else "")))


@_pieces.register
def _file(file: File, group: int, measure: Measure) -> Iterator[Piece]:
    name = Span(f"{cleaned(file.name)}: ", Look.BOLD)
    for piece in worded(measure, group, (name, Span(cleaned(file.alt)))):
        yield piece._replace(file=file)


@_pieces.register
def _verbatim(block: Verbatim, group: int, measure: Measure) -> Iterator[Piece]:
    """Lay out text as it stands, as many lines of it in a piece as one may hold."""
    for lines in kept_lines(block.text, measure.heaviest_kept, measure.weight):
        if cleaned(lines):
            yield Piece(group, Shape.VERBATIM, (Span(lines),))


@_pieces.register
def _pager(pager: Pager, group: int, measure: Measure) -> Iterator[Piece]:
    pages = (("Previous", pager.previous), ("Next", pager.next))
    buttons = [Button(label, command) for label, command in pages if command]
    position = Span(cleaned(pager.position))
    yield from worded(measure, group, (position,), Shape.FAINT, leads=bool(buttons))
    yield from pressed(measure, group, buttons, turns=True)


_pieces.register(PaperList, list_pieces)
_pieces.register(PaperCard, card_pieces)
_pieces.register(Choices, choices_pieces)
