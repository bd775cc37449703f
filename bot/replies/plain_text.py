"""Replies as plain text, for screen readers, notifications and the terminal."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

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
    PaperList,
    Quote,
    Reply,
    Table,
    Text,
    Title,
    Verbatim,
    WebPage,
)
from bot.replies.wording import count
from store.records import Highlight, Link

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
class StyledSpan:
    """Words of one style, perhaps a link."""

    text: str
    style: Style = Style.TEXT
    url: str | None = None


@dataclass(frozen=True, slots=True)
class StyledLine:
    """A line that may be wrapped, with blanks between its spans.

    Each wrapped row begins `margin` columns from the edge; `mark`, such as a number or a bullet,
    is in the margin of the first. A `kept` line is preformatted and not wrapped.
    """

    spans: tuple[StyledSpan, ...] = ()
    mark: StyledSpan | None = None
    margin: int = 0
    kept: bool = False


BLANK = StyledLine()


def printable(text: str) -> str:
    """Return untrusted text on one line, without the characters that control a terminal."""
    return without_controls(_WHITESPACE.sub(" ", text))


def plain_text(reply: Reply) -> str:
    """Return a reply as unwrapped text."""
    return "\n".join(_unwrapped(line) for line in lines(reply))


def _unwrapped(line: StyledLine) -> str:
    if line.kept:
        return "".join(printable(span.text) for span in line.spans)
    mark = printable(line.mark.text) if line.mark else ""
    words = (word for span in line.spans for word in printable(span.text).split())
    return f"{mark:<{line.margin}}{' '.join(words)}"


def lines(reply: Reply) -> list[StyledLine]:
    """Return a reply as lines, with a blank line between blocks."""
    return joined([read_as_lines(reply), *map(block_lines, reply.blocks)])


def read_as_lines(reply: Reply) -> tuple[StyledLine, ...]:
    """Return the line that teaches what plain words were read as, if there is one."""
    return (_line(reply.read_as, Style.FAINT),) if reply.read_as else ()


def joined(parts: Iterable[Iterable[StyledLine]]) -> list[StyledLine]:
    """Join the lines of parts, with a blank line between non-empty ones."""
    found: list[StyledLine] = []
    for part in map(list, parts):
        if found and part:
            found.append(BLANK)
        found += part
    return found


def block_lines(block: Block) -> Iterable[StyledLine]:  # noqa: C901, PLR0911, PLR0912 - one case for each kind of block
    """Return a block as lines, its buttons as their commands."""
    match block:
        case Title(text):
            return (_line(text, Style.TITLE),)
        case Text(text):
            return _paragraphs(text)
        case Notice(_, text, remedy):
            return (_line(text, Style.NOTICE), *((_line(remedy),) if remedy else ()))
        case Fields():
            return _fields(block)
        case Moments():
            return _fields(block.in_words)
        case Table(columns, rows):
            return _fields(Fields(tuple(_in_line(columns, row) for row in rows)))
        case Actions(buttons):
            return _buttons((each.label, each.command) for each in buttons)
        case Choices(label, options):
            heading = (_line(label, Style.TITLE),) if label else ()
            return (*heading, *_buttons((each.label, each.command) for each in options))
        case File():
            return (StyledLine((StyledSpan(f"{block.name}:", Style.TITLE), StyledSpan(block.alt))),)
        case Verbatim(text):
            return (StyledLine((StyledSpan(line),), kept=True) for line in text.splitlines())
        case WebPage():
            address = StyledSpan(block.url or "", Style.FAINT, block.url)
            return (
                (StyledLine((StyledSpan(f"{block.label}:", Style.FAINT), address)),)
                if block.url
                else ()
            )
        case Pager():
            ways = (("Previous", block.previous), ("Next", block.next))
            shown = _buttons((label, command) for label, command in ways if command)
            return (_line(block.position, Style.FAINT), *shown)
        case Quote():
            return _quote(block)
        case PaperList():
            return _paper_list(block)
        case PaperCard():
            return _paper_card(block)


def _fields(block: Fields) -> Iterator[StyledLine]:
    short = [len(name) for name, _ in block.pairs if len(name) <= _LONGEST_NAME]
    margin = max(short, default=2) + 2
    for name, value in block.pairs:
        mark = StyledSpan(name, Style.TITLE)
        if len(name) <= _LONGEST_NAME:
            yield StyledLine((StyledSpan(value),), mark, margin)
        else:
            yield StyledLine((mark,))
            yield _line(value, margin=margin)


def _in_line(columns: tuple[str, ...], row: tuple[str, ...]) -> tuple[str, str]:
    """Return the name of a row, and what else it says on one line."""
    pairs = zip(columns[2:], row[2:], strict=True)
    facts = (f"{heading}: {fact}" for heading, fact in pairs if fact)
    return "".join(row[:1]), " · ".join(filter(None, (*row[1:2], *facts)))


def _paper_list(block: PaperList) -> Iterator[StyledLine]:
    marks = [paper.number if block.numbered else "•" for paper in block.papers]
    width = max(map(len, marks), default=0)
    margin, heading = width + 2, None
    for mark, paper in zip(marks, block.papers, strict=True):
        if paper.heading and paper.heading != heading:
            yield _line(paper.heading, Style.FAINT)
        heading = paper.heading
        yield StyledLine(
            (StyledSpan(paper.title, Style.TITLE),),
            StyledSpan(f"{mark:>{width}}", Style.TITLE),
            margin,
        )
        if paper.line:
            yield _line(paper.line, margin=margin)
        yield _line(_place(paper.small_print, paper.ref, paper.votes), Style.FAINT, margin)


def _quote(quote: Quote) -> Iterator[StyledLine]:
    yield StyledLine((StyledSpan(quote.text),), StyledSpan(">"), margin=2)
    if paper := " · ".join(filter(None, (quote.title, quote.where))):
        yield _line(paper, Style.FAINT, margin=2)


def _paper_card(card: PaperCard) -> list[StyledLine]:
    place = _place(card.where, card.ref, card.votes)
    title = _line(card.title, Style.TITLE)
    if card.number:  # as in a list
        title = replace(
            title, mark=StyledSpan(card.number, Style.TITLE), margin=len(card.number) + 2
        )
    topics = ", ".join(mark.topic for mark in card.topics)
    return joined(
        (
            (title, _line(place, Style.FAINT)),
            _paragraphs(card.summary or ""),
            map(_highlight, card.highlights),
            map(_link, card.links),
            (_line(f"Topics: {topics}", Style.FAINT),) if topics else (),
        )
    )


def _place(where: str | None, ref: str, votes: int) -> str:
    """Return a paper's place, its votes, and its ref at the end, where programs read it."""
    counted = count(votes, "vote") if votes else None
    return " · ".join(filter(None, (where, counted, ref)))


def _highlight(highlight: Highlight) -> StyledLine:
    lead = (StyledSpan(f"{highlight.lead}:", Style.TITLE),) if highlight.lead else ()
    return StyledLine((*lead, StyledSpan(highlight.text)), StyledSpan("•"), margin=2)


def _link(link: Link) -> StyledLine:
    label, address = (
        StyledSpan(f"{link.label}:", Style.FAINT),
        StyledSpan(link.url, Style.FAINT, link.url),
    )
    return StyledLine((label, address))


def _paragraphs(text: str) -> list[StyledLine]:
    return joined((_line(paragraph),) for paragraph in text.split("\n\n") if paragraph.strip())


def _buttons(found: Iterable[tuple[str, str]]) -> Iterator[StyledLine]:
    """Yield the command of each button, and below it the label if that differs."""
    for label, command in found:
        yield StyledLine((StyledSpan(command),), StyledSpan("  >"), margin=4)
        if label != command:
            yield _line(label, Style.FAINT, margin=4)


def _line(text: str, style: Style = Style.TEXT, margin: int = 0) -> StyledLine:
    return StyledLine((StyledSpan(text, style),), margin=margin)


def quoted(text: str, longest: int = 40) -> str:
    """Return the beginning of a user's text in quotes, on one line."""
    shown = printable(text[:longest])
    mark = '"' if "'" in shown else "'"
    return f"{mark}{shown}{mark}"
