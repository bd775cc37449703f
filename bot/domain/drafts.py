"""What parsers make of a document, before anything is decided or stored.

Drafts are the only way in for outside data: they validate themselves, table rows do not.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from store.records import Heading, Highlight, Link


class DocumentKind(StrEnum):
    """The kinds of document that are told apart by content (`--kind` overrules)."""

    NEWSLETTER = "newsletter"
    REVIEW = "review"
    ARCHIVE = "archive"
    FEED = "feed"
    HF_DAILY = "hf-daily"


class YearRule(StrEnum):
    """The evidence that gave a heading without a year its year.

    `None` stands beside these where the dates came whole.
    """

    OPTION = "option"
    HEADING = "heading"
    INDEX = "index"
    FEED = "feed"
    DOCUMENT = "document"
    WEEKDAY = "weekday"


@dataclass(frozen=True, slots=True)
class Note:
    """A remark on one line (from 1) of a document, in a sentence without full stop."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class RawDocument:
    """A document as read: the path or address it is reported under, and its text.

    `text` is decoded and repaired, lines ended by LF and no byte order mark.
    """

    path: str
    text: str

    @property
    def lines(self) -> list[str]:
        """The lines without their ends; line N of the document is `lines[N - 1]`."""
        return self.text.split("\n")


@dataclass(frozen=True, slots=True)
class ParseOptions:
    """What a parser may not find out for itself: today's date and the operator's `--year`."""

    today: date
    year: int | None = None


@dataclass(frozen=True, slots=True)
class EntryDraft:
    """One entry as one document has it; `line` is where it starts.

    Raises:
        ValueError: for a blank title, or unless exactly one of rank and episode is given.
    """

    line: int
    title: str
    rank: int | None = None
    episode: str | None = None
    summary: str | None = None
    highlights: tuple[Highlight, ...] = ()
    heading: str | None = None
    section: str | None = None
    links: tuple[Link, ...] = ()

    def __post_init__(self) -> None:
        if not self.title.strip():
            raise ValueError("an entry needs a title")
        if (self.rank is None) == (self.episode is None):
            raise ValueError("an entry has a rank or an episode, and not both")


@dataclass(frozen=True, slots=True)
class EditionDraft:
    """One edition as one document has it; entries in the order of the document.

    Raises:
        ValueError: if it ends before it starts or names an entry twice.
    """

    line: int
    kind: DocumentKind
    title: str
    first_day: date
    last_day: date
    year_rule: YearRule | None
    published_on: date | None = None
    overview: str | None = None
    minutes: int | None = None
    url: str | None = None
    headings: tuple[Heading, ...] = ()
    entries: tuple[EntryDraft, ...] = ()

    def __post_init__(self) -> None:
        if self.last_day < self.first_day:
            raise ValueError("an edition ends on or after its first day")
        keys = [entry.episode or entry.rank for entry in self.entries]
        if len(set(keys)) != len(keys):
            raise ValueError("an edition names each rank or episode once")


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """All that a parser made of a document; together its parts account for every line.

    `slug` names the source that the document's own title gives. `warnings` are lines that
    were not understood, or oddities a reader should know of. `passed_over` are lines that
    were understood and hold no fact to keep: sponsors, players, rules, prose around weeks.
    `files` are the addresses, most often relative, of further documents that it is the index of.
    """

    kind: DocumentKind
    slug: str
    source_title: str
    editions: tuple[EditionDraft, ...]
    warnings: tuple[Note, ...] = ()
    passed_over: tuple[Note, ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Format:
    """A text format: how it is recognised and how it is parsed.

    Each module of `bot.ingest.formats` exposes one as `FORMAT`. `recognise` tells from the
    text alone; `parse` is pure and raises `DocumentError` (only) where the document as a
    whole can't be trusted: truncated, or without a week.
    """

    kind: DocumentKind
    recognise: Callable[[str], bool]
    parse: Callable[[RawDocument, ParseOptions], ParsedDocument]
