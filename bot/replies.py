"""Replies: a small tree of blocks that every platform renders in its own way.

A button is a command typed for you: it carries the text of one, so that paging and
drill-down keep no state anywhere. Escaping and length limits belong to the renderers.
"""

from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from bot.wording import moment
from store.records import Highlight, Link


class Visibility(StrEnum):
    """Who sees a reply."""

    PRIVATE = "private"
    CHANNEL = "channel"


class Level(StrEnum):
    """How a notice is meant."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Button:
    """The words on a button and the command that it types.

    With `form` the command's form opens instead, its arguments filled in, where a platform has
    forms.
    """

    label: str
    command: str
    form: bool = False


@dataclass(frozen=True, slots=True)
class Title:
    """The line over a reply."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class PaperLine:
    """A paper in a list: what it is called there, its title, a line on it, and its `ref`."""

    number: str
    title: str
    line: str | None
    ref: str
    where: str | None = None


@dataclass(frozen=True, slots=True)
class PaperList:
    """Papers in order; each has a Details button.

    `numbered` where the papers are of one edition, so that their numbers count something.
    """

    papers: tuple[PaperLine, ...]
    numbered: bool = True


@dataclass(frozen=True, slots=True)
class TopicMark:
    """A topic of a paper, and the words that speak for it."""

    topic: str
    words: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The topic, with its words where they are told: `agents (tool use)`."""
        return f"{self.topic} ({', '.join(self.words)})" if self.words else self.topic


@dataclass(frozen=True, slots=True)
class PaperCard:
    """All about one paper; `where` names its place in its edition."""

    ref: str
    title: str
    where: str
    summary: str | None
    highlights: tuple[Highlight, ...]
    links: tuple[Link, ...]
    arxiv_id: str | None
    topics: tuple[TopicMark, ...] = ()


@dataclass(frozen=True, slots=True)
class Fields:
    """Names and values in two columns."""

    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Moments:
    """Names and instants (aware), which are told in an IANA zone where there is but one telling."""

    pairs: tuple[tuple[str, datetime], ...]
    zone: str

    @property
    def in_words(self) -> Fields:
        """The same with the instants in words."""
        return Fields(tuple((name, moment(at, self.zone)) for name, at in self.pairs))


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to know before reading on: what is wrong, and what to do about it."""

    level: Level
    text: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Actions:
    """Buttons in a row."""

    buttons: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class Pager:
    """Where a long list stands, and the buttons to the pages beside this one."""

    position: str
    previous: str | None
    next: str | None


Block = Title | Text | PaperList | PaperCard | Fields | Moments | Notice | Actions | Pager


@dataclass(frozen=True, slots=True)
class Reply:
    """What a command answers; `failed` where it is about an error of the asker's.

    `line` is the command that gives this very answer again, whoever asks and whatever came
    since: what a platform's buttons to its further parts and to its sharing carry. `spoken`
    is how people of a platform ask for it where they don't type that line.
    """

    blocks: tuple[Block, ...]
    visibility: Visibility = Visibility.PRIVATE
    failed: bool = False
    line: str | None = None
    spoken: str | None = None


def to_json(reply: Reply) -> list[dict[str, Any]]:
    """Return the blocks as JSON objects, each with its `type`."""
    return [{"type": _type(block), **_plain(block)} for block in reply.blocks]


def _type(block: Block) -> str:
    words = type(block).__name__
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in words).lstrip("_")


def _plain(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, date):
        return value.isoformat()
    return value
