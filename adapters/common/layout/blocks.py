"""Blocks of a reply as pieces: titles first, little around them. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import singledispatch

from adapters.common.layout.elements import choices_pieces, folded
from adapters.common.layout.limits import Limits, Look, Shape
from adapters.common.layout.papers import (
    card_pieces,
    list_pieces,
    paper_table_pieces,
    quote_pieces,
    table_pieces,
)
from adapters.common.layout.pieces import Piece, Span, pressed, worded
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
    PaperTable,
    Quote,
    Reply,
    Table,
    Text,
    Title,
    Verbatim,
    WebPage,
)

# What a paragraph before it is about.
_INTRODUCED = (PaperList, Fields, Table, Actions, Choices, WebPage)


def pieces_of(reply: Reply, limits: Limits, *, attach: bool) -> list[Piece]:
    """Return a reply as pieces, in order; at least one.

    With `attach` a file is a piece by itself, else words stand for it. The first table is one: a
    message holds no two.
    """
    found: list[Piece] = []
    blocks = [each for each in reply.blocks if not _is_unreachable(each)]
    following = (*blocks[1:], None)
    card: int | None = None  # where the pieces begin of a card whose buttons may follow
    for group, (block, after) in enumerate(zip(blocks, following, strict=False)):
        if attach and isinstance(block, File):
            found.append(Piece(group, file=block))
            continue
        made = [*_pieces(block, group, limits)]
        if any(piece.row for piece in made):
            limits = replace(limits, most_columns=0)
        if isinstance(block, PaperCard):
            card = len(found)
        elif isinstance(block, Actions) and card is not None:
            found[card:] = [piece._replace(kept=True) for piece in found[card:]]
            made[:-1] = [piece._replace(kept=True) for piece in made[:-1]]
        card = card if isinstance(block, PaperCard | Text) else None
        found += made
        if found and isinstance(block, Text | WebPage) and isinstance(after, _INTRODUCED):
            found[-1] = found[-1]._replace(leads=True)
    if limits.folds_buttons and not reply.failed:
        found = folded(found, limits)
    return found or worded(limits, 0, (Span("There is nothing to show."),))


def _is_unreachable(block: Block) -> bool:
    return isinstance(block, WebPage) and block.url is None


@singledispatch
def _pieces(block: Block, group: int, limits: Limits) -> Iterable[Piece]:
    del group, limits
    raise TypeError(f"{type(block).__name__} has no form in a chat")


@_pieces.register
def _title(block: Title, group: int, limits: Limits) -> list[Piece]:
    words = cleaned(block.text)
    if len(words) <= limits.longest_header:
        return worded(limits, group, (Span(words),), Shape.HEADER, leads=True)
    return worded(limits, group, (Span(words, Look.BOLD),), leads=True)


@_pieces.register
def _text(block: Text, group: int, limits: Limits) -> Iterator[Piece]:
    for paragraph in paragraphs(block.text):
        yield from worded(limits, group, (Span(paragraph),))


@_pieces.register
def _actions(block: Actions, group: int, limits: Limits) -> list[Piece]:
    return pressed(limits, group, block.buttons)


@_pieces.register
def _fields(block: Fields, group: int, limits: Limits) -> Iterator[Piece]:
    for name, value in block.pairs:
        yield from _pair(limits, group, name, Span(cleaned(value)))


@_pieces.register
def _moments(block: Moments, group: int, limits: Limits) -> Iterator[Piece]:
    for (name, at), (_, words) in zip(block.pairs, block.in_words.pairs, strict=True):
        told = Span(cleaned(words), at=int(at.timestamp()))
        yield from _pair(limits, group, name, told)


def _pair(limits: Limits, group: int, name: str, value: Span) -> list[Piece]:
    words = cleaned(name)
    before = f"{words}: " if words and value.text else words
    return worded(limits, group, (Span(before, Look.BOLD), value), joined=True)


@_pieces.register
def _notice(notice: Notice, group: int, limits: Limits) -> Iterator[Piece]:
    words, remedy = cleaned(notice.text), cleaned(notice.remedy)
    if not (words or remedy):
        return
    sign = Span(notice.level.value, Look.SIGN)
    bold = Span(f" {words}" if words else "", Look.BOLD)
    yield from worded(limits, group, (sign, bold, Span(f"\n{remedy}" if remedy else "")))


@_pieces.register
def _file(file: File, group: int, limits: Limits) -> Iterator[Piece]:
    name = Span(f"{cleaned(file.name)}: ", Look.BOLD)
    yield from worded(limits, group, (name, Span(cleaned(file.alt))))


@_pieces.register
def _verbatim(block: Verbatim, group: int, limits: Limits) -> Iterator[Piece]:
    """Lay out text as it stands, as many lines of it in a piece as one may hold."""
    for lines in kept_lines(block.text, limits.longest_verbatim, limits.verbatim_weight):
        if cleaned(lines):
            yield Piece(group, Shape.VERBATIM, (Span(lines),))


@_pieces.register
def _pager(pager: Pager, group: int, limits: Limits) -> Iterator[Piece]:
    pages = (("Previous", pager.previous), ("Next", pager.next))
    buttons = [Button(label, command) for label, command in pages if command]
    position = Span(cleaned(pager.position))
    yield from worded(limits, group, (position,), Shape.FAINT, leads=bool(buttons))
    yield from pressed(limits, group, buttons, turns=True)


@_pieces.register
def _web_page(page: WebPage, group: int, limits: Limits) -> list[Piece]:
    link = Span(page.label, Look.FAINT, url=page.url)
    return worded(limits, group, (link,), joined=True)


_pieces.register(PaperList, list_pieces)
_pieces.register(PaperTable, paper_table_pieces)
_pieces.register(Table, table_pieces)
_pieces.register(PaperCard, card_pieces)
_pieces.register(Quote, quote_pieces)
_pieces.register(Choices, choices_pieces)
