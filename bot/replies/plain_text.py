"""Replies as plain text, for screen readers, notifications and the terminal."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import singledispatch

from bot.domain.untrusted_text import without_controls
from bot.replies.blocks import (
    Actions,
    Block,
    Choices,
    Fields,
    File,
    Moments,
    Notice,
    Pager,
    PaperCard,
    PaperLine,
    PaperList,
    Reply,
    Text,
    Title,
    Verbatim,
)
from bot.replies.wording import count

_LONGEST_NAME = 24  # of a field whose value stands beside it
_WHITESPACE = re.compile(r"\s")


class Style(StrEnum):
    """The style of some words, for renderers that can show it."""

    TITLE = "title"
    TEXT = "text"
    FAINT = "faint"
    NOTICE = "notice"
    CHOICE = "choice"


@dataclass(frozen=True, slots=True)
class Span:
    """Words of one style, perhaps a link."""

    text: str
    style: Style = Style.TEXT
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A line that may be wrapped, with blanks between its spans.

    Each wrapped row begins `margin` columns from the edge; `mark`, such as a number or a bullet,
    is in the margin of the first. A `kept` line is preformatted and not wrapped.
    """

    spans: tuple[Span, ...] = ()
    mark: Span | None = None
    margin: int = 0
    kept: bool = False


BLANK = Line()


def printable(text: str) -> str:
    """Return untrusted text on one line, without the characters that control a terminal."""
    return without_controls(_WHITESPACE.sub(" ", text))


def plain_text(reply: Reply) -> str:
    """Return a reply as unwrapped text."""
    return "\n".join(_unwrapped(line) for line in lines(reply))


def _unwrapped(line: Line) -> str:
    if line.kept:
        return "".join(printable(span.text) for span in line.spans)
    mark = printable(line.mark.text) if line.mark else ""
    words = (word for span in line.spans for word in printable(span.text).split())
    return f"{mark:<{line.margin}}{' '.join(words)}"


def lines(reply: Reply) -> list[Line]:
    """Return a reply as lines, with a blank line between blocks."""
    return joined(map(block_lines, reply.blocks))


def joined(parts: Iterable[Iterable[Line]]) -> list[Line]:
    """Join the lines of parts, with a blank line between non-empty ones."""
    found: list[Line] = []
    for part in map(list, parts):
        if found and part:
            found.append(BLANK)
        found += part
    return found


@singledispatch
def block_lines(block: Block) -> Iterable[Line]:
    """Return a block as lines, its buttons as their commands.

    Raises:
        TypeError: for a block without a plain form.
    """
    raise TypeError(f"{type(block).__name__} has no plain form")


@block_lines.register
def _title(block: Title) -> Iterator[Line]:
    yield _line(block.text, Style.TITLE)


@block_lines.register
def _text(block: Text) -> Iterable[Line]:
    return _paragraphs(block.text)


@block_lines.register
def _notice(block: Notice) -> Iterator[Line]:
    yield _line(block.text, Style.NOTICE)
    if block.remedy:
        yield _line(block.remedy)


@block_lines.register
def _fields(block: Fields) -> Iterator[Line]:
    short = [len(name) for name, _ in block.pairs if len(name) <= _LONGEST_NAME]
    margin = max(short, default=2) + 2
    for name, value in block.pairs:
        mark = Span(name, Style.TITLE)
        if len(name) <= _LONGEST_NAME:
            yield Line((Span(value),), mark, margin)
        else:
            yield Line((mark,))
            yield _line(value, margin=margin)


@block_lines.register
def _moments(block: Moments) -> Iterable[Line]:
    return _fields(block.in_words)


@block_lines.register
def _actions(block: Actions) -> Iterator[Line]:
    for button in block.buttons:
        yield from _button(button.label, button.command)


@block_lines.register
def _choices(block: Choices) -> Iterator[Line]:
    if block.label:
        yield _line(block.label, Style.TITLE)
    for button in block.options:
        yield from _button(button.label, button.command)


@block_lines.register
def _file(file: File) -> Iterator[Line]:
    yield Line((Span(f"{file.name}:", Style.TITLE), Span(file.alt)))


@block_lines.register
def _verbatim(block: Verbatim) -> Iterator[Line]:
    for line in block.text.splitlines():
        yield Line((Span(line),), kept=True)


@block_lines.register
def _pager(pager: Pager) -> Iterator[Line]:
    yield _line(pager.position, Style.FAINT)
    for label, command in (("Previous", pager.previous), ("Next", pager.next)):
        if command:
            yield from _button(label, command)


@block_lines.register
def _paper_list(block: PaperList) -> Iterator[Line]:
    marks = [paper.number if block.numbered else "•" for paper in block.papers]
    width = max(map(len, marks), default=0)
    for mark, paper in zip(marks, block.papers, strict=True):
        yield from _paper_line(f"{mark:>{width}}", paper)


def _paper_line(mark: str, paper: PaperLine) -> Iterator[Line]:
    margin = len(mark) + 2
    yield Line((Span(paper.title, Style.TITLE),), Span(mark, Style.TITLE), margin)
    if paper.line:
        yield _line(paper.line, margin=margin)
    yield _line(_place(paper.where, paper.ref, paper.votes), Style.FAINT, margin)


@block_lines.register
def _paper_card(card: PaperCard) -> list[Line]:
    summary = _paragraphs(card.summary or "")
    parts = (_card_head(card), summary, _highlights(card), _links(card), _topics(card))
    return joined(parts)


def _card_head(card: PaperCard) -> Iterator[Line]:
    yield _line(card.title, Style.TITLE)
    yield _line(_place(card.where, card.ref, card.votes), Style.FAINT)


def _place(where: str | None, ref: str, votes: int) -> str:
    """Return a paper's place, its votes, and its ref at the end, where programs read it."""
    counted = count(votes, "vote") if votes else None
    return " · ".join(filter(None, (where, counted, ref)))


def _highlights(card: PaperCard) -> Iterator[Line]:
    for highlight in card.highlights:
        lead = (Span(f"{highlight.lead}:", Style.TITLE),) if highlight.lead else ()
        yield Line((*lead, Span(highlight.text)), Span("•"), margin=2)


def _links(card: PaperCard) -> Iterator[Line]:
    for link in card.links:
        label, address = Span(f"{link.label}:", Style.FAINT), Span(link.url, Style.FAINT, link.url)
        yield Line((label, address))


def _topics(card: PaperCard) -> Iterator[Line]:
    if card.topics:
        marks = (mark.text for mark in card.topics)
        yield _line(f"Topics: {', '.join(marks)}", Style.FAINT)


def _paragraphs(text: str) -> list[Line]:
    return joined((_line(paragraph),) for paragraph in text.split("\n\n") if paragraph.strip())


def _button(label: str, command: str) -> Iterator[Line]:
    """Yield the command of a button, and below it the label if that differs."""
    yield Line((Span(command),), Span("  >"), margin=4)
    if label != command:
        yield _line(label, Style.FAINT, margin=4)


def _line(text: str, style: Style = Style.TEXT, margin: int = 0) -> Line:
    return Line((Span(text, style),), margin=margin)


def quoted(text: str, longest: int = 40) -> str:
    """Return the beginning of a user's text in quotes, on one line."""
    shown = printable(text[:longest])
    mark = '"' if "'" in shown else "'"
    return f"{mark}{shown}{mark}"
