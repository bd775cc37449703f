"""What the lines of an archive are, before years and entries are settled."""

from dataclasses import dataclass, field

from bot.domain.drafts import Note
from bot.domain.week_phrases import WeekPhrase
from bot.ingest.formats.archive.rows import Row


@dataclass(frozen=True, slots=True)
class IndexLine:
    """A line of an index: a range of days, under a year or under none.

    `file` is the address of the other file that it leads to, `None` where the week is to be in
    this document.
    """

    line: int
    year: int | None
    phrase: WeekPhrase
    file: str | None = None

    @property
    def is_here(self) -> bool:
        """Whether it leads to a week of this document."""
        return self.file is None


@dataclass(slots=True, kw_only=True)
class Section:
    """A heading, its text without marks, with the rows under it."""

    line: int
    text: str
    rows: list[Row] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class WeekSection(Section):
    """A section whose heading names a range of days.

    `year_above` is the year of a heading of a higher level that holds this one.
    """

    phrase: WeekPhrase
    year_above: int | None = None


@dataclass(slots=True)
class Outline:
    """A document's title, index and sections; every other line is named in a note.

    `unread` are the headings without a range that were meant to be weeks: they speak of a
    week or have rows.
    """

    title: str | None = None
    weeks: list[WeekSection] = field(default_factory=list)
    unread: list[Section] = field(default_factory=list)
    index: list[IndexLine] = field(default_factory=list)
    warnings: list[Note] = field(default_factory=list)
    passed_over: list[Note] = field(default_factory=list)
