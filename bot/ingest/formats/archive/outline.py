"""The outline of an archive: its lines sorted into index, sections with rows, and notes."""

import re
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from bot.domain.dates import find, find_days
from bot.domain.dates.written_date import Unit, WrittenDate
from bot.domain.drafts import Note
from bot.ingest.formats.archive.cells import plain_text
from bot.ingest.formats.archive.rows import ArchiveRow, ends_open, is_ranked_row, printed_rank

# `#tag` is text, `##Top` a heading that lost its blank.
_HEADING = re.compile(r"\s{0,3}(?P<signs>#(?=\s)|#{2,6}(?!#))\s*(?P<text>.*)$")

# Some editors write headings as bold lines; only a range of days makes one of them a heading.
_BOLD_LINE = re.compile(r"\s*\*\*(?P<text>[^*|]+)\*\*(?P<year>[\s-]*\d{4})?\s*$")
_BOLD_LEVEL = 6
_YEAR_ONLY = re.compile(r"\W*(?P<year>(?:19|20)\d{2})\W*$")
_LIST_SIGN = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s")
_LINK_FILE = re.compile(r"\]\(\s*(?P<file>[^)#]*)")

# A link to one of these leads into the document itself.
_THIS_DOCUMENT = frozenset({"", ".", "./", "README.md", "./README.md"})
_RULE = re.compile(r"\s*(?P<sign>[-*_])(?: *(?P=sign)){2,}\s*")
_TABLE_RULE_SIGNS = frozenset("|-: \t")
_MOST_HEAD_WORDS = 2
_NAMES_WEEK = re.compile(r"\bweeks?\b", re.IGNORECASE)
_DEEPEST_LEVEL = 6

# A row that was cut by line breaks is joined from so many lines at most.
_MOST_ROW_LINES = 4


@dataclass(frozen=True, slots=True)
class IndexLine:
    """A line of an index: a range of days, under a year or under none.

    `file` is the address of the other file that it leads to, `None` for a week of this document.
    """

    line: int
    year: int | None
    phrase: WrittenDate
    file: str | None = None


@dataclass(slots=True, kw_only=True)
class Section:
    """A heading without marks, with the rows under it."""

    line: int
    text: str
    level: int
    rows: list[ArchiveRow] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class WeekSection(Section):
    """A section whose heading names a range of days.

    `year_above` is the year of a heading of a higher level that holds this one.
    """

    phrase: WrittenDate
    year_above: int | None = None


@dataclass(frozen=True, slots=True)
class _HeadingLine:
    """A heading without its marks; `year` if it is only a year."""

    level: int
    text: str
    phrase: WrittenDate | None
    year: int | None


def read_heading(line: str) -> _HeadingLine | None:
    """Read a heading, or a bold line that names a range of days; `None` for other lines."""
    if match := _HEADING.match(line):
        text = plain_text(match["text"].rstrip().rstrip("#"))
        year = _YEAR_ONLY.match(text)
        only = int(year["year"]) if year else None
        return _HeadingLine(len(match["signs"]), text, _dated(text), only)
    if line.lstrip().startswith("**") and (match := _BOLD_LINE.match(line)):
        text = plain_text(match["text"] + (match["year"] or ""))
        if phrase := _dated(text):
            return _HeadingLine(_BOLD_LEVEL, text, phrase, None)
    return None


def _dated(text: str) -> WrittenDate | None:
    """Find the range of days in a heading; a single year elsewhere in it is its year."""
    phrase = find_days(text)
    if phrase is None or phrase.has_year:
        return phrase
    years = {each.first_year for each in find(text) if each.unit is Unit.YEAR}
    return replace(phrase, last_year=years.pop()) if len(years) == 1 else phrase


def _read_index_line(number: int, line: str, year: int | None) -> IndexLine | None:
    """Read a list line with a range of days under a year's heading, or under none."""
    if not _LIST_SIGN.match(line):
        return None
    phrase = find_days(plain_text(line))
    if phrase is None:
        return None
    link = _LINK_FILE.search(line)
    stated = phrase.last_year or phrase.first_year
    file = link["file"].strip() if link else ""
    return IndexLine(number, stated or year, phrase, None if file in _THIS_DOCUMENT else file)


def _is_table_rule(line: str) -> bool:
    """Tell the rule under a table's head, as in `| --- | --- |`."""
    return "-" in line and "|" in line and _TABLE_RULE_SIGNS.issuperset(line)


def _names_columns(line: str) -> bool:
    """Tell a possible table head without its rule: cells of a word or two, no links."""
    bare = line.strip()
    if not bare.startswith("|") or "](" in bare:
        return False
    return all(len(cell.split()) <= _MOST_HEAD_WORDS for cell in bare.split("|"))


OUTSIDE = "text outside the weeks"
NO_ROW = "text inside a week that is no row of its table"


class _Place(Enum):
    """The part of the document that is being read."""

    PROSE = auto()  # before the weeks, or under another heading
    WEEK = auto()
    AFTER_RULE = auto()  # behind the rule that ended a week
    LOST = auto()  # in a table whose heading is missing


class ArchiveOutline:
    """A document's title, index and sections; every other line is named in a note.

    `unread` are headings without a range of days that were meant to be weeks: they have the word
    "week" or rows.
    """

    def __init__(self, text: str) -> None:
        self.title: str | None = None
        self.weeks: list[WeekSection] = []
        self.unread: list[Section] = []
        self.index: list[IndexLine] = []
        self.warnings: list[Note] = []
        self.passed_over: list[Note] = []
        self._lines = text.split("\n")
        self._sections: list[Section] = []
        self._section: Section | None = None
        self._place = _Place.PROSE
        self._year: tuple[int, int] | None = None  # with the level of its heading
        self._ranks: set[int | None] = set()
        self._broken = False  # something other than a row came after a row
        self._after_rule: list[tuple[Section | None, int]] = []
        for number, line in enumerate(self._lines, start=1):
            if not line or line.isspace():
                self._broken = True
            else:
                self._read(number, line)
        self._settle()

    def _read(self, number: int, line: str) -> None:
        if heading := read_heading(line):
            self._heading(number, heading)
        elif _RULE.fullmatch(line):
            self._rule(number)
        elif self._is_row(line):
            self._row(number, line)
        elif self._continues_row(number, line):
            pass
        elif _is_table_rule(line) or self._is_table_head(number, line):
            self._broken = True
            self._pass_over(number, "a table's head")
        elif line.lstrip().startswith("|") and self._place is _Place.WEEK:
            self._row(number, line)
        else:
            self._text(number, line)

    def _heading(self, number: int, heading: _HeadingLine) -> None:
        if self._year and heading.level <= self._year[1]:
            self._year = None
        if heading.year:
            self._year = (heading.year, heading.level)
        is_title = heading.level == 1 and not self.title and not self._sections
        if heading.phrase is None and (heading.year or is_title):
            if not heading.year:
                self.title = heading.text or None
            self._section, self._place = None, _Place.PROSE
            self._pass_over(number, "a year's heading" if heading.year else "the document's title")
            return
        if heading.phrase:
            year = self._year[0] if self._year else None
            self._section = WeekSection(
                line=number,
                text=heading.text,
                level=heading.level,
                phrase=heading.phrase,
                year_above=year,
            )
        else:
            self._section = Section(line=number, text=heading.text, level=heading.level)
        self._place = _Place.WEEK if heading.phrase else _Place.PROSE
        self._sections.append(self._section)
        self._ranks, self._broken = set(), False

    def _rule(self, number: int) -> None:
        self._broken = True
        if self._place is _Place.WEEK:
            self._place = _Place.AFTER_RULE
        self._pass_over(number, "a rule across the page")

    def _is_row(self, line: str) -> bool:
        starts_barred = line.lstrip().startswith("|")
        return is_ranked_row(line) and (starts_barred or self._place is _Place.WEEK)

    def _row(self, number: int, line: str) -> None:
        """Add a row to its section, unless the heading of its table is missing."""
        rank = printed_rank(line)
        is_other_table = self._broken and rank in self._ranks
        if self._section is None or self._place is _Place.LOST or is_other_table:
            self._section, self._place = None, _Place.LOST
            self._warn(number, "a table row outside any week, which is not kept")
            return
        self._section.rows.append(ArchiveRow(number, line))
        self._ranks.add(rank)
        self._broken = False
        if isinstance(self._section, WeekSection):
            self._place = _Place.WEEK

    def _continues_row(self, number: int, line: str) -> bool:
        """Join the second half of a row that a line break cut in two, if the line is one."""
        if self._section is None or not self._section.rows or self._broken:
            return False
        last = self._section.rows[-1]
        if not ends_open(last.text) or number - last.line >= _MOST_ROW_LINES:
            return False
        if line.lstrip().startswith("|") and "](" in last.text:
            return False
        self._section.rows[-1] = ArchiveRow(last.line, f"{last.text} {line.strip()}")
        self._warn(number, f"the row of line {last.line} goes on here, and was put together")
        return True

    def _is_table_head(self, number: int, line: str) -> bool:
        """Tell a head by the rule under it, or by its place at the start of a week."""
        if "|" in line and number < len(self._lines) and _is_table_rule(self._lines[number]):
            return True
        return not self._ranks and _names_columns(line)

    def _text(self, number: int, line: str) -> None:
        if self._place is _Place.PROSE:
            self._prose(number, line)
        elif self._place is _Place.AFTER_RULE:
            self._after_rule.append((self._section, number))
        else:
            self._warn(number, NO_ROW)

    def _prose(self, number: int, line: str) -> None:
        year = self._year[0] if self._year else None
        if index_line := _read_index_line(number, line, year):
            self.index.append(index_line)
            # The year's heading is one of an index: no week is under it.
            self._year = (year, _DEEPEST_LEVEL) if year else None
            self._pass_over(number, "a line of the index")
        else:
            self._pass_over(number, OUTSIDE)

    def _settle(self) -> None:
        """Sort the sections, and the texts behind rules, by what comes after them.

        Text behind the last week is passed over; text between two weeks is odd.
        """
        last = self._sections[-1] if self._sections else None
        for section, number in self._after_rule:
            if section is last:
                self._pass_over(number, "text behind the last week")
            else:
                self._warn(number, "text between two weeks")
        for section in self._sections:
            is_title = section.level == 1 and not self.weeks
            if isinstance(section, WeekSection):
                self.weeks.append(section)
            elif section.rows or (_NAMES_WEEK.search(section.text) and not is_title):
                self.unread.append(section)
            else:
                self._pass_over(section.line, "a heading that is no week's")

    def _warn(self, number: int, text: str) -> None:
        self.warnings.append(Note(number, text))

    def _pass_over(self, number: int, text: str) -> None:
        self.passed_over.append(Note(number, text))
