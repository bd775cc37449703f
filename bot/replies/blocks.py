"""The blocks of a reply, which every platform renders in its own way.

A button is a command typed for you: it carries a command string, so paging and drill-down keep no
state. Escaping and length limits belong to the renderers. The names of blocks and fields appear in
the JSON of `ask --json` and in the stored digests of posts.
"""

from base64 import b64encode
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from bot.replies.wording import moment
from store.errors import StoreError
from store.records import Highlight, Link

# The metadata of a field that came later: where it is unset it is not in the JSON, by which the
# digests of posts made before stay the same.
_LATER = {"later": True}
READ_MARK = "✓ read"  # the word is what a screen reader says


class Visibility(StrEnum):
    """The readers of a reply."""

    PRIVATE = "private"
    CHANNEL = "channel"


class Level(StrEnum):
    """The severity of a notice."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Button:
    """A button: its label and its command string.

    With `form` it opens the command's form, filled in, if the platform has forms. With `turns` the
    answer replaces the message of the button, if the user alone sees it. `aloud` is the label for
    screen readers, if the label by itself says too little. `by` is the id of the user whose words
    the command holds, empty for somebody unknown; others are asked before it changes anything.
    """

    label: str
    command: str
    form: bool = False
    turns: bool = False
    aloud: str = ""
    by: str | None = field(default=None, metadata=_LATER)


@dataclass(frozen=True, slots=True)
class Title:
    """The title of a reply."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class PaperLine:
    """A paper in a list: its number there, its title, one line on it and its ref.

    `where` is its place in an edition, shown below, and `heading` a heading of the edition, shown
    once above its papers. `votes` are those of the user's workspace. The title leads to `url`.
    `topics` are slugs, shown behind its place, and the `reason` to list it for the reader before.
    `read` tells that the reader has marked it so.
    """

    number: str
    title: str
    line: str | None
    ref: str
    where: str | None = None
    heading: str | None = None
    votes: int = 0
    url: str | None = None
    topics: tuple[str, ...] = ()
    reason: str | None = field(default=None, metadata=_LATER)
    read: bool = field(default=False, metadata=_LATER)

    @property
    def small_print(self) -> str:
        """The mark of what was read, the reason to list it, its place and topics, in one line."""
        mark = READ_MARK if self.read else None
        return " · ".join(filter(None, (mark, self.reason, self.where, ", ".join(self.topics))))


@dataclass(frozen=True, slots=True)
class Menu:
    """A menu of listed papers; picking one types `command` and its ref.

    A message has each menu once, with the papers of all its lists that have the menu. An option
    has as many characters of the title as the platform allows, or at most `longest`. In a menu
    beside each paper it is the option `verb`.
    """

    label: str
    command: str
    verb: str
    longest: int | None = None


@dataclass(frozen=True, slots=True)
class PaperList:
    """Papers in order, each with a Details button, or a menu of its own where a platform has such.

    `numbered` shows their numbers, which go on from `first` over the lists of an answer. A `close`
    list is compact: its papers are lines of one text. Without `details` papers have neither button
    nor menu of their own, only the shared `menus` below the list, as in posts.
    """

    papers: tuple[PaperLine, ...]
    numbered: bool = True
    first: int = 1
    menus: tuple[Menu, ...] = ()
    close: bool = False
    details: bool = True


@dataclass(frozen=True, slots=True)
class PaperTable(PaperList):
    """Listed papers with what their lines say in columns too, for platforms that have tables.

    Each paper has a row of `cells`, one for each of the `columns` beside that of the papers.
    """

    columns: tuple[str, ...] = ()
    cells: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class TopicMark:
    """A topic of a paper, and the words that matched it."""

    topic: str
    words: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The topic with its words, if any: `agents (tool use)`."""
        return f"{self.topic} ({', '.join(self.words)})" if self.words else self.topic


@dataclass(frozen=True, slots=True)
class PaperCard:
    """One paper in full; `where` is its place in its edition, others are as in a list.

    One of several in an answer or a post has a `number`, as it stands there.
    """

    ref: str
    title: str
    where: str
    summary: str | None
    highlights: tuple[Highlight, ...]
    links: tuple[Link, ...]
    arxiv_id: str | None
    topics: tuple[TopicMark, ...] = ()
    votes: int = 0
    url: str | None = None
    number: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence of a paper's stored text, word for word; `title` and `where` are the paper's."""

    text: str
    ref: str
    title: str
    where: str


@dataclass(frozen=True, slots=True)
class Fields:
    """Names and values in two columns."""

    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of facts, each with as many cells as there are `columns`; some may be empty.

    The first cell names its row, and the second says what it is. Where a platform has no tables
    the others stand below these, with their headings.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Moments:
    """Names and instants (aware), worded in an IANA zone if the platform can't localise them."""

    pairs: tuple[tuple[str, datetime], ...]
    zone: str

    @property
    def in_words(self) -> Fields:
        """The block with the instants in words."""
        return Fields(tuple((name, moment(at, self.zone)) for name, at in self.pairs))


@dataclass(frozen=True, slots=True)
class Notice:
    """A message to read first: a sentence, and a remedy if something is wrong."""

    level: Level
    text: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Actions:
    """Buttons in a row."""

    buttons: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class Choices:
    """A menu with a label; picking an option types its command."""

    label: str
    options: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """The numbers that a picture shows as lines, for platforms that draw charts themselves.

    Each of the `series` has its name and a value for each category, in the `unit`, `None` in a gap,
    which all of them have. The reply says in words what they come to.
    """

    title: str
    unit: str
    categories: tuple[str, ...]
    series: tuple[tuple[str, tuple[float | None, ...]], ...]


@dataclass(frozen=True, slots=True)
class File:
    """An attached file; `media_type` is as in RFC 6838, `alt` describes the content in words.

    A picture may have its numbers in a `chart`, and no `data` for who draws these.
    """

    name: str
    media_type: str
    data: bytes = field(repr=False)
    alt: str
    chart: Chart | None = None


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Preformatted text of several lines to copy, such as a short file."""

    text: str


@dataclass(frozen=True, slots=True)
class Pager:
    """The position in a long list, and the commands of the pages beside it."""

    position: str
    previous: str | None
    next: str | None


@dataclass(frozen=True, slots=True)
class WebPage:
    """The web page of what a reply shows; it is a link once its `url` is known, else nothing.

    One without a `path` is elsewhere, and its `label` says where.
    """

    path: str
    url: str | None = None
    label: str = field(default="On the web", metadata=_LATER)


Block = (
    Title
    | Text
    | PaperList
    | PaperCard
    | Quote
    | Fields
    | Table
    | Moments
    | Notice
    | Actions
    | Choices
    | File
    | Verbatim
    | Pager
    | WebPage
)


@dataclass(frozen=True, slots=True)
class Undo:
    """The way back from a change: what the user did, and the command strings that restore it.

    `was` goes on from *You*: `saved Some Paper`. Without command strings `why` says why it stays.
    What is of one workspace, or of a channel there, can be taken back only `there`.
    """

    was: str
    commands: tuple[str, ...] = ()
    why: str = ""
    there: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a command.

    Attributes:
        blocks: the content.
        visibility: the readers.
        failed: it reports an error of the user.
        command: the command string that gives this answer again, for any user and at any time. The
            buttons to further parts and to Share carry it.
        ran: the canonical command string that was run, whatever was typed; `None` where none was.
        read_as: the small line above it that teaches the command which plain words were read as.
        display_command: how users of the platform enter `command`, if they do not type it.
        quiet: a button in a message that all see shows no answer, for the message shows the change.
        renamed: the new labels of the buttons in that message, by their commands.
        private: it belongs to the user or to managers; no button shares it with a channel.
        undo: the way back from what it changed, `None` where it changed nothing.
    """

    blocks: tuple[Block, ...]
    visibility: Visibility = Visibility.PRIVATE
    failed: bool = False
    command: str | None = None
    ran: str | None = None
    read_as: str | None = None
    display_command: str | None = None
    quiet: bool = False
    renamed: tuple[Button, ...] = ()
    private: bool = False
    # A repeated request changes nothing, and is answered with what the user saw.
    undo: Undo | None = field(default=None, compare=False)

    @property
    def is_sharable(self) -> bool:
        """The channel may see it too; errors are for the user alone."""
        return not (self.failed or self.private)


def store_failure(error: StoreError) -> Reply:
    """Return the answer for an error of the store; it does not say where the store is."""
    sentence, remedy = error.chat_sentence or "Something went wrong.", error.chat_remedy
    notice = Notice(Level.ERROR, sentence, remedy if error.chat_sentence else "It was logged.")
    return Reply((notice,), failed=True)


def to_json(reply: Reply) -> list[dict[str, Any]]:
    """Return the blocks as JSON objects, each with its `type`."""
    return [{"type": _snake_case(type(block).__name__), **_json(block)} for block in reply.blocks]


def _snake_case(name: str) -> str:
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in name).lstrip("_")


def _json(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if is_dataclass(value):
        pairs = ((each, getattr(value, each.name)) for each in fields(value))
        return {
            each.name: _json(held)
            for each, held in pairs
            if not (each.metadata.get("later") and held == each.default)
        }
    if isinstance(value, tuple):
        return [_json(item) for item in value]
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bytes):
        return b64encode(value).decode()
    return value
