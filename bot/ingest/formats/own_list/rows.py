"""The rows of a list as any of its forms gives them, before they are placed in weeks."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from bot.domain.drafts import Note, YearRule
from bot.ingest.formats.own_list.inline import TextRun, is_paper_address, lines_of
from bot.ingest.formats.own_list.items import (
    clean_note,
    only_links,
    read_highlight,
    read_links,
    title_in_front,
)
from store.records import Highlight, Link


@dataclass(frozen=True, slots=True)
class NamedWeek:
    """A run of days that a text names, and the evidence for its year.

    `start` and `end` are the place of its name in the text.
    """

    first_day: date
    last_day: date
    year_rule: YearRule | None = None
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class WeekHeading:
    """A heading that names the week of the rows below it."""

    line: int
    text: str
    week: NamedWeek


@dataclass(frozen=True, slots=True)
class ListRow:
    """One paper of a list.

    `rank` is the printed one, `heading` a theme printed above it. `week` is that of the heading
    above it or of a column, `day` that of a column of dates.
    """

    line: int
    title: str
    note: str | None = None
    highlights: tuple[Highlight, ...] = ()
    links: tuple[Link, ...] = ()
    rank: int | None = None
    heading: str | None = None
    week: WeekHeading | None = None
    day: date | None = None


@dataclass(slots=True)
class ListRows:
    """The rows of a document, and a note on every line that was not understood.

    `week` is that of the whole document, where its text names one.
    """

    title: str | None = None
    week: NamedWeek | None = None
    found: list[ListRow] = field(default_factory=list)
    unread: list[Note] = field(default_factory=list)
    warnings: list[Note] = field(default_factory=list)
    passed_over: list[Note] = field(default_factory=list)

    def add(self, row: ListRow | Note | None) -> None:
        """Add a row, or the note on one that was not understood; a blank one is `None`."""
        if isinstance(row, Note):
            self.unread.append(row)
        elif row:
            self.found.append(row)


@dataclass(slots=True)
class ListItem:
    """An item of a list while it is read: its lines, and the items below it."""

    line: int
    number: int | None
    paragraphs: list[Sequence[TextRun]] = field(default_factory=list)
    below: list["ListItem"] = field(default_factory=list)


class GrownRow:
    """A row to which the text, the links and the highlights below it are added."""

    def __init__(self, row: ListRow) -> None:
        self.row = row
        self._notes = [row.note] if row.note else []
        self._highlights = list(row.highlights)
        self._links = {link.url: link for link in row.links}
        self.papers_below: list[int] = []

    def add(self, pieces: Sequence[TextRun]) -> None:
        """Add a paragraph to its note."""
        self._add_links(pieces)
        lines = [line for line in lines_of(pieces) if not only_links(line)]
        if note := clean_note([piece for line in lines for piece in (TextRun(" "), *line)]):
            self._notes.append(note)

    def add_below(self, item: ListItem) -> None:
        """Add an item below it, and those below that: links, else a note, else a highlight."""
        first = item.paragraphs[0] if item.paragraphs else ()
        if title_in_front(first) and any(
            is_paper_address(piece.url) and piece.url not in self._links for piece in first
        ):
            self.papers_below.append(item.line)
        highlights: list[Highlight] = []
        for pieces in item.paragraphs:
            self._add_links(pieces)
            if not only_links(pieces) and (highlight := read_highlight(pieces)):
                highlights.append(highlight)
        if highlights and not (highlights[0].lead or self._notes or self._highlights):
            self._notes.append(highlights.pop(0).text)
        self._highlights += highlights
        for below in item.below:
            self.add_below(below)

    def whole(self) -> ListRow:
        """Return it with all that was added."""
        return replace(
            self.row,
            note=" ".join(self._notes) or None,
            highlights=tuple(self._highlights),
            links=tuple(self._links.values()),
        )

    def _add_links(self, pieces: Sequence[TextRun]) -> None:
        for link in read_links(pieces):
            self._links.setdefault(link.url, link)


def renumbered(rows: ListRows, numbers: Sequence[int]) -> ListRows:
    """Return rows whose lines, counted from 1, are those that the numbers, from 0, stand for."""

    def line(number: int) -> int:
        return numbers[min(number, len(numbers)) - 1] + 1

    def note(each: Note) -> Note:
        return replace(each, line=line(each.line))

    def row(each: ListRow) -> ListRow:
        week = each.week and replace(each.week, line=line(each.week.line))
        return replace(each, line=line(each.line), week=week)

    return ListRows(
        rows.title,
        rows.week,
        list(map(row, rows.found)),
        list(map(note, rows.unread)),
        list(map(note, rows.warnings)),
        list(map(note, rows.passed_over)),
    )
