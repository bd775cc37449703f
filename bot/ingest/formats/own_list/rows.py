"""The rows of a list as any of its forms gives them, before they are placed in weeks."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from bot.domain.drafts import Note, YearRule
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
class Row:
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
class Rows:
    """The rows of a document, and a note on every line that was not understood.

    `week` is that of the whole document, where its text names one.
    """

    title: str | None = None
    week: NamedWeek | None = None
    found: list[Row] = field(default_factory=list)
    unread: list[Note] = field(default_factory=list)
    warnings: list[Note] = field(default_factory=list)
    passed_over: list[Note] = field(default_factory=list)


def renumbered(rows: Rows, numbers: Sequence[int]) -> Rows:
    """Return rows whose lines, counted from 1, are those that the numbers, from 0, stand for."""

    def line(number: int) -> int:
        return numbers[min(number, len(numbers)) - 1] + 1

    def note(each: Note) -> Note:
        return replace(each, line=line(each.line))

    def row(each: Row) -> Row:
        week = each.week and replace(each.week, line=line(each.week.line))
        return replace(each, line=line(each.line), week=week)

    return Rows(
        rows.title,
        rows.week,
        list(map(row, rows.found)),
        list(map(note, rows.unread)),
        list(map(note, rows.warnings)),
        list(map(note, rows.passed_over)),
    )
