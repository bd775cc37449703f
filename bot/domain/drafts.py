"""Drafts: the validated output of parsers, before anything is decided or stored.

Outside data enters through drafts alone, since table rows do not validate themselves.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from store.records import Heading, Highlight, Link


class DocumentKind(StrEnum):
    """The kinds of document, recognised by content (`--kind` overrules)."""

    NEWSLETTER = "newsletter"
    REVIEW = "review"
    ARCHIVE = "archive"
    FEED = "feed"
    HF_DAILY = "hf-daily"
    LIST = "list"


class YearRule(StrEnum):
    """The evidence for the year of a heading without one; `None` where the dates had a year."""

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
    """The parameters of a parser: today's date, the operator's `--year` and `--week`.

    `week` are the first and the last day of a list. `first_fetched` is given for a list that is
    followed by address: the days of the edition in which each row was stored, by the row's keys.
    """

    today: date
    year: int | None = None
    week: tuple[date, date] | None = None
    first_fetched: Mapping[str, tuple[date, date]] | None = None


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
    """A parsed document; together its parts account for every line.

    `slug` is the source's, from the document's own title. `warnings` are on lines that were not
    understood, and on oddities. `passed_over` are lines that were understood and have nothing to
    store: sponsors, players, rules, prose around weeks. `files` are the addresses, most often
    relative, of the documents that it is an index of. `unread_rows` is the number of rows that were
    not understood, each of which has a warning.
    """

    kind: DocumentKind
    slug: str
    source_title: str
    editions: tuple[EditionDraft, ...]
    warnings: tuple[Note, ...] = ()
    passed_over: tuple[Note, ...] = ()
    files: tuple[str, ...] = ()
    unread_rows: int = 0


@dataclass(frozen=True, slots=True)
class Format:
    """A format of documents: its recogniser and its parser.

    Each package of `bot.ingest.formats` exposes one as `FORMAT`. `recognise` sees the text alone;
    `parse` is pure and raises only `DocumentError`, where the document as a whole can't be trusted:
    truncated, or without a week.
    """

    kind: DocumentKind
    recognise: Callable[[str], bool]
    parse: Callable[[RawDocument, ParseOptions], ParsedDocument]
