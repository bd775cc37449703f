"""How each block of a reply looks in Slack: titles first, little around them. Pure."""

from collections.abc import Iterable, Iterator
from functools import singledispatch

from adapters.slack.buttons import Verb
from adapters.slack.render.limits import LONGEST_HEADER
from adapters.slack.render.papers import card_pieces, list_pieces
from adapters.slack.render.pieces import Look, Piece, Shape, Span, pressed, worded
from adapters.slack.render.texts import cleaned, paragraphs
from bot.replies import (
    Actions,
    Block,
    Button,
    Fields,
    Level,
    Notice,
    Pager,
    PaperCard,
    PaperList,
    Reply,
    Text,
    Title,
)

_EMOJI = {Level.INFO: "information_source", Level.WARNING: "warning", Level.ERROR: "x"}
# What a paragraph before it is about.
_INTRODUCED = (PaperList, Fields, Actions)


def pieces_of(reply: Reply) -> list[Piece]:
    """Return a reply as pieces, in order; at least one."""
    found: list[Piece] = []
    following = (*reply.blocks[1:], None)
    for group, (block, after) in enumerate(zip(reply.blocks, following, strict=False)):
        found += _pieces(block, group)
        if found and isinstance(block, Text) and isinstance(after, _INTRODUCED):
            found[-1] = found[-1]._replace(leads=True)
    return found or worded(0, (Span("There is nothing to show."),))


@singledispatch
def _pieces(block: Block, group: int) -> Iterable[Piece]:
    del group
    raise TypeError(f"{type(block).__name__} has no form in Slack")


@_pieces.register
def _title(block: Title, group: int) -> list[Piece]:
    words = cleaned(block.text)
    if len(words) <= LONGEST_HEADER:
        return worded(group, (Span(words),), Shape.HEADER, leads=True)
    return worded(group, (Span(words, Look.BOLD),), leads=True)


@_pieces.register
def _text(block: Text, group: int) -> Iterator[Piece]:
    for paragraph in paragraphs(block.text):
        yield from worded(group, (Span(paragraph),))


@_pieces.register
def _actions(block: Actions, group: int) -> list[Piece]:
    return pressed(group, block.buttons)


@_pieces.register
def _fields(block: Fields, group: int) -> Iterator[Piece]:
    for name, value in block.pairs:
        words, meaning = cleaned(name), cleaned(value)
        before = f"{words}: " if words and meaning else words
        yield from worded(group, (Span(before, Look.BOLD), Span(meaning)), joined=True)


@_pieces.register
def _notice(notice: Notice, group: int) -> Iterator[Piece]:
    words, remedy = cleaned(notice.text), cleaned(notice.remedy)
    if not (words or remedy):
        return
    emoji = Span(_EMOJI[notice.level], Look.EMOJI)
    bold = Span(f" {words}" if words else "", Look.BOLD)
    yield from worded(group, (emoji, bold, Span(f"\n{remedy}" if remedy else "")))


@_pieces.register
def _pager(pager: Pager, group: int) -> Iterator[Piece]:
    pages = (("Previous", pager.previous), ("Next", pager.next))
    buttons = [Button(label, command) for label, command in pages if command]
    position = Span(cleaned(pager.position))
    yield from worded(group, (position,), Shape.FAINT, leads=bool(buttons))
    yield from pressed(group, buttons, Verb.TURN)


_pieces.register(PaperList, list_pieces)
_pieces.register(PaperCard, card_pieces)
