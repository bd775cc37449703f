"""Replies: a small tree of blocks that every platform renders in its own way.

A button is a command typed for you: it carries the text of one, so that paging and
drill-down keep no state anywhere. Escaping and length limits belong to the renderers.
"""

from base64 import b64encode
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from bot.replies.wording import moment
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
    forms. With `turns` the answer takes the place of what was pressed, where one alone sees that.
    `aloud` is what a screen reader says where the label by itself says too little.
    """

    label: str
    command: str
    form: bool = False
    turns: bool = False
    aloud: str = ""


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
    """A paper in a list: what it is called there, its title, a line on it, and its `ref`.

    `votes` is how many people of the asker's workspace voted for it.
    """

    number: str
    title: str
    line: str | None
    ref: str
    where: str | None = None
    votes: int = 0


@dataclass(frozen=True, slots=True)
class Menu:
    """A menu of the papers in lists; to pick one types `command` and its ref.

    A message has each menu once, with all papers of its lists that have this menu. A paper is
    called by as many characters of its title as a platform's menus take, or at most by `longest`.
    """

    label: str
    command: str
    longest: int | None = None


@dataclass(frozen=True, slots=True)
class PaperList:
    """Papers in order; each has a Details button.

    `numbered` where the papers are of one edition, so that their numbers count something.
    A `close` one takes little room: its papers are lines of one text and its buttons stand below,
    or without `details` nowhere.
    """

    papers: tuple[PaperLine, ...]
    numbered: bool = True
    menus: tuple[Menu, ...] = ()
    close: bool = False
    details: bool = True


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
    """All about one paper; `where` names its place in its edition, `votes` are as in a list."""

    ref: str
    title: str
    where: str
    summary: str | None
    highlights: tuple[Highlight, ...]
    links: tuple[Link, ...]
    arxiv_id: str | None
    topics: tuple[TopicMark, ...] = ()
    votes: int = 0


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
class Choices:
    """A menu under a label; what is picked types its command."""

    label: str
    options: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class File:
    """A file that comes with the words: a picture where its type says so.

    `media_type` is as in RFC 6838, such as `image/png`; `alt` says in words what it shows or holds.
    """

    name: str
    media_type: str
    data: bytes = field(repr=False)
    alt: str


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Text of several lines that is to be copied as it stands, such as a short file."""

    text: str


@dataclass(frozen=True, slots=True)
class Pager:
    """Where a long list stands, and the buttons to the pages beside this one."""

    position: str
    previous: str | None
    next: str | None


Block = (
    Title
    | Text
    | PaperList
    | PaperCard
    | Fields
    | Moments
    | Notice
    | Actions
    | Choices
    | File
    | Verbatim
    | Pager
)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a command answers; `failed` where it is about an error of the asker's.

    `line` is the command that gives this very answer again, whoever asks and whatever came
    since: what a platform's buttons to its further parts and to its sharing carry. `spoken`
    is how people of a platform ask for it where they don't type that line. A `quiet` one says
    nothing to whoever pressed for it in a message that all see: that message will show it, or does
    once its buttons that type the same as these `renamed` ones are called as they are. A
    `private` one is its asker's own, or a manager's: no button shares it with a channel.
    """

    blocks: tuple[Block, ...]
    visibility: Visibility = Visibility.PRIVATE
    failed: bool = False
    line: str | None = None
    spoken: str | None = None
    quiet: bool = False
    renamed: tuple[Button, ...] = ()
    private: bool = False

    @property
    def is_sharable(self) -> bool:
        """Whether a channel may see it too; an error is for whoever made it."""
        return not (self.failed or self.private)


def papers_in(reply: Reply) -> frozenset[str]:
    """Return the refs of the papers that a reply shows, in lists and in full."""
    cards = {block.ref for block in reply.blocks if isinstance(block, PaperCard)}
    lists = (block.papers for block in reply.blocks if isinstance(block, PaperList))
    return frozenset(cards.union(each.ref for papers in lists for each in papers))


def to_json(reply: Reply) -> list[dict[str, Any]]:
    """Return the blocks as JSON objects, each with its `type`."""
    return [{"type": _type(block), **_plain(block)} for block in reply.blocks]


def _type(block: Block) -> str:
    words = type(block).__name__
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in words).lstrip("_")


def _plain(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if is_dataclass(value):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bytes):
        return b64encode(value).decode()
    return value
