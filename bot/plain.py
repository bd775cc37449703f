"""Replies as plain text: what a screen reader reads, a notification shows, a terminal prints."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import singledispatch

from bot.replies import (
    Actions,
    Block,
    Fields,
    Notice,
    Pager,
    PaperCard,
    PaperLine,
    PaperList,
    Reply,
    Text,
    Title,
)


class Style(StrEnum):
    """What a line is, for whoever can show it."""

    TITLE = "title"
    TEXT = "text"
    FAINT = "faint"
    NOTICE = "notice"
    BLANK = "blank"


@dataclass(frozen=True, slots=True)
class Line:
    """A line that may be wrapped: `indent` blanks before it, `hang` more before the rest."""

    style: Style
    text: str
    indent: int = 0
    hang: int = 0


_BLANK = Line(Style.BLANK, "")


def plain_text(reply: Reply) -> str:
    """Return a reply as text, one line a fact, unwrapped."""
    return "\n".join(" " * line.indent + line.text for line in lines(reply))


def lines(reply: Reply) -> list[Line]:
    """Return a reply as lines, a blank one between blocks."""
    found: list[Line] = []
    for block in reply.blocks:
        if found:
            found.append(_BLANK)
        found += _of_block(block)
    return found


@singledispatch
def _of_block(block: Block) -> Iterator[Line]:
    raise TypeError(f"{type(block).__name__} has no plain form")


@_of_block.register
def _title(block: Title) -> Iterator[Line]:
    yield Line(Style.TITLE, block.text)


@_of_block.register
def _text(block: Text) -> Iterator[Line]:
    return _paragraphs(block.text)


@_of_block.register
def _notice(block: Notice) -> Iterator[Line]:
    yield Line(Style.NOTICE, block.text)
    if block.remedy:
        yield Line(Style.TEXT, block.remedy)


@_of_block.register
def _fields(block: Fields) -> Iterator[Line]:
    for name, value in block.pairs:
        yield Line(Style.TEXT, name)
        yield Line(Style.FAINT, value, indent=4)


@_of_block.register
def _actions(block: Actions) -> Iterator[Line]:
    for button in block.buttons:
        yield from _button(button.label, button.command)


def _paragraphs(text: str) -> Iterator[Line]:
    for number, paragraph in enumerate(text.split("\n\n")):
        if number:
            yield _BLANK
        yield Line(Style.TEXT, " ".join(paragraph.split()))


@_of_block.register
def _paper_list(block: PaperList) -> Iterator[Line]:
    marks = [paper.number if block.numbered else "•" for paper in block.papers]
    width = max(map(len, marks), default=0)
    for mark, paper in zip(marks, block.papers, strict=True):
        yield from _paper_line(f"{mark:>{width}}", paper)


def _paper_line(mark: str, paper: PaperLine) -> Iterator[Line]:
    indent = len(mark) + 2
    yield Line(Style.TITLE, f"{mark}  {paper.title}", hang=indent)
    if paper.line:
        yield Line(Style.TEXT, paper.line, indent=indent)
    where = f"{paper.where} · {paper.ref}" if paper.where else paper.ref
    yield Line(Style.FAINT, where, indent=indent)


@_of_block.register
def _paper_card(card: PaperCard) -> Iterator[Line]:
    yield Line(Style.TITLE, card.title)
    yield Line(Style.FAINT, f"{card.where} · {card.ref}")
    if card.summary:
        yield _BLANK
        yield from _paragraphs(card.summary)
    for highlight in card.highlights:
        lead = f"{highlight.lead}: " if highlight.lead else ""
        yield Line(Style.TEXT, f"• {lead}{highlight.text}", hang=2)
    if card.links:
        yield _BLANK
    for link in card.links:
        yield Line(Style.FAINT, f"{link.label}: {link.url}")
    if card.topics:
        yield _BLANK
        marks = (f"{mark.topic} ({', '.join(mark.words)})" for mark in card.topics)
        yield Line(Style.FAINT, f"Topics: {', '.join(marks)}")


@_of_block.register
def _pager(pager: Pager) -> Iterator[Line]:
    yield Line(Style.FAINT, pager.position)
    for label, command in (("Previous", pager.previous), ("Next", pager.next)):
        if command:
            yield from _button(label, command)


def _button(label: str, command: str) -> Iterator[Line]:
    """Give a button as the command that it types, under it the label where that says more."""
    yield Line(Style.TEXT, f"> {command}", indent=2)
    if label != command:
        yield Line(Style.FAINT, label, indent=4)
