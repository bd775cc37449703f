"""The outline of an archive: its lines sorted into index, sections with rows, and notes."""

import re
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from bot.domain.drafts import Note
from bot.domain.week_phrases import WeekPhrase, find_week
from bot.ingest.formats.archive.cells import plain_text
from bot.ingest.formats.archive.rows import Row, is_ranked_row, printed_rank

# `#tag` is text, `##Top` a heading that lost its blank.
_HEADING = re.compile(r"\s{0,3}(?P<signs>#(?=\s)|#{2,6}(?!#))\s*(?P<text>.*)$")

# Some editors write headings as bold lines; only a range of days makes one of them a heading.
_BOLD_LINE = re.compile(r"\s*\*\*(?P<text>[^*|]+)\*\*(?P<year>[\s-]*\d{4})?\s*$")
_BOLD_LEVEL = 6
_YEAR_ONLY = re.compile(r"\W*(?P<year>(?:19|20)\d{2})\W*$")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_LIST_SIGN = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s")
_LINK_FILE = re.compile(r"\]\(\s*(?P<file>[^)#]*)")

# A link to one of these leads into the document itself.
_THIS_DOCUMENT = frozenset({"", ".", "./", "README.md", "./README.md"})
_RULE_SIGNS = (frozenset("-"), frozenset("*"), frozenset("_"))
_RULE_STARTS = ("-", "*", "_")
_SHORTEST_RULE = 3
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
    phrase: WeekPhrase
    file: str | None = None

    @property
    def is_here(self) -> bool:
        """True if it leads to a week of this document."""
        return self.file is None


@dataclass(slots=True, kw_only=True)
class Section:
    """A heading without marks, with the rows under it."""

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

    `unread` are headings without a range of days that were meant to be weeks: they have the word
    "week" or rows.
    """

    title: str | None = None
    weeks: list[WeekSection] = field(default_factory=list)
    unread: list[Section] = field(default_factory=list)
    index: list[IndexLine] = field(default_factory=list)
    warnings: list[Note] = field(default_factory=list)
    passed_over: list[Note] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class HeadingLine:
    """A heading without its marks; `year` if it is only a year."""

    level: int
    text: str
    phrase: WeekPhrase | None
    year: int | None


def read_heading(line: str) -> HeadingLine | None:
    """Read a heading, or a bold line that names a range of days; `None` for other lines."""
    if match := _HEADING.match(line):
        text = plain_text(match["text"].rstrip().rstrip("#"))
        return HeadingLine(len(match["signs"]), text, _dated(text), _year_only(text))
    if line.lstrip().startswith("**") and (match := _BOLD_LINE.match(line)):
        text = plain_text(match["text"] + (match["year"] or ""))
        if phrase := _dated(text):
            return HeadingLine(_BOLD_LEVEL, text, phrase, None)
    return None


def _year_only(text: str) -> int | None:
    match = _YEAR_ONLY.match(text)
    return int(match["year"]) if match else None


def _dated(text: str) -> WeekPhrase | None:
    """Find the range of days in a heading; a single year elsewhere in it is its year."""
    phrase = find_week(text)
    if phrase is None or phrase.first_year or phrase.last_year:
        return phrase
    years = set(_YEAR.findall(text[: phrase.start] + " " + text[phrase.end :]))
    return replace(phrase, last_year=int(years.pop())) if len(years) == 1 else phrase


def read_index_line(number: int, line: str, year: int | None) -> IndexLine | None:
    """Read a list line with a range of days under a year's heading, or under none."""
    if not _LIST_SIGN.match(line):
        return None
    phrase = find_week(plain_text(line))
    if phrase is None:
        return None
    link = _LINK_FILE.search(line)
    stated = phrase.last_year or phrase.first_year
    file = link["file"].strip() if link else ""
    return IndexLine(number, stated or year, phrase, None if file in _THIS_DOCUMENT else file)


def is_rule(line: str) -> bool:
    """Tell a rule across the page: three or more of `-`, `*` or `_` alone."""
    if line.lstrip()[:1] not in _RULE_STARTS:
        return False
    signs = line.replace(" ", "").strip()
    return len(signs) >= _SHORTEST_RULE and frozenset(signs) in _RULE_SIGNS


def is_table_rule(line: str) -> bool:
    """Tell the rule under a table's head, as in `| --- | --- |`."""
    return "-" in line and "|" in line and _TABLE_RULE_SIGNS.issuperset(line)


def names_columns(line: str) -> bool:
    """Tell a possible table head without its rule: cells of a word or two, no links."""
    bare = line.strip()
    if not bare.startswith("|") or "](" in bare:
        return False
    return all(len(cell.split()) <= _MOST_HEAD_WORDS for cell in bare.split("|"))


def read_outline(text: str) -> Outline:
    """Sort the lines of a document; no line is lost."""
    return _Reader(text.split("\n")).read()


class _Place(Enum):
    """The part of the document that is being read."""

    PROSE = auto()  # before the weeks, or under another heading
    WEEK = auto()
    AFTER_RULE = auto()  # behind the rule that ended a week
    LOST = auto()  # in a table whose heading is missing


class _Reader:
    """The state of the pass over the lines."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.outline = Outline()
        self.sections: list[Section] = []
        self.section: Section | None = None
        self.place = _Place.PROSE
        self.year: tuple[int, int] | None = None  # with the level of its heading
        self.ranks: set[int | None] = set()
        self.broken = False  # something other than a row came after a row
        self.after_rule: list[tuple[Section | None, Note]] = []

    def read(self) -> Outline:
        """Read every line once, then decide what depends on the end of the document."""
        for number, line in enumerate(self.lines, start=1):
            if not line or line.isspace():
                self.broken = True
            else:
                self._read(number, line)
        self._settle_after_rule()
        self._settle_headings()
        return self.outline

    def _read(self, number: int, line: str) -> None:
        if heading := read_heading(line):
            self._heading(number, heading)
        elif is_rule(line):
            self._rule(number)
        elif self._is_row(line):
            self._row(number, line)
        elif self._continues_row(number, line):
            self._continuation(number, line)
        elif is_table_rule(line) or self._is_table_head(number, line):
            self.broken = True
            self._pass_over(number, "a table's head")
        elif line.lstrip().startswith("|") and self.place is _Place.WEEK:
            self._row(number, line)
        else:
            self._text(number, line)

    def _heading(self, number: int, heading: HeadingLine) -> None:
        if self.year and heading.level <= self.year[1]:
            self.year = None
        if heading.year:
            self.year = (heading.year, heading.level)
        is_title = heading.level == 1 and not self.outline.title and not self.sections
        if heading.phrase is None and (heading.year or is_title):
            self._plain_heading(number, heading, is_title=is_title and not heading.year)
        else:
            self._section(number, heading)

    def _plain_heading(self, number: int, heading: HeadingLine, *, is_title: bool) -> None:
        if is_title:
            self.outline.title = heading.text or None
        self.section, self.place = None, _Place.PROSE
        self._pass_over(number, "the document's title" if is_title else "a year's heading")

    def _section(self, number: int, heading: HeadingLine) -> None:
        if heading.phrase:
            year = self.year[0] if self.year else None
            week = WeekSection(
                line=number, text=heading.text, phrase=heading.phrase, year_above=year
            )
            self.section, self.place = week, _Place.WEEK
        else:
            self.section, self.place = Section(line=number, text=heading.text), _Place.PROSE
        self.sections.append(self.section)
        self.ranks, self.broken = set(), False

    def _rule(self, number: int) -> None:
        self.broken = True
        if self.place is _Place.WEEK:
            self.place = _Place.AFTER_RULE
        self._pass_over(number, "a rule across the page")

    def _is_row(self, line: str) -> bool:
        starts_barred = line.lstrip().startswith("|")
        return is_ranked_row(line) and (starts_barred or self.place is _Place.WEEK)

    def _row(self, number: int, line: str) -> None:
        """Add a row to its section, unless the heading of its table is missing."""
        rank = printed_rank(line)
        is_other_table = self.broken and rank in self.ranks
        if self.section is None or self.place is _Place.LOST or is_other_table:
            self.section, self.place = None, _Place.LOST
            self._warn(number, "a table row outside any week, which is not kept")
            return
        self.section.rows.append(Row(number, line))
        self.ranks.add(rank)
        self.broken = False
        if isinstance(self.section, WeekSection):
            self.place = _Place.WEEK

    def _continues_row(self, number: int, line: str) -> bool:
        """Tell the second half of a row that a line break cut in two."""
        if self.section is None or not self.section.rows or self.broken:
            return False
        last = self.section.rows[-1]
        if not last.is_open or number - last.line >= _MOST_ROW_LINES:
            return False
        return not (line.lstrip().startswith("|") and "](" in last.text)

    def _continuation(self, number: int, line: str) -> None:
        if self.section is None:
            return
        last = self.section.rows[-1]
        self.section.rows[-1] = Row(last.line, f"{last.text} {line.strip()}")
        self._warn(number, f"the row of line {last.line} goes on here, and was put together")

    def _is_table_head(self, number: int, line: str) -> bool:
        """Tell a head by the rule under it, or by its place at the start of a week."""
        if "|" in line and number < len(self.lines) and is_table_rule(self.lines[number]):
            return True
        return not self.ranks and names_columns(line)

    def _text(self, number: int, line: str) -> None:
        if self.place is _Place.PROSE:
            self._prose(number, line)
        elif self.place is _Place.AFTER_RULE:
            self.after_rule.append((self.section, Note(number, "text between two weeks")))
        else:
            self._warn(number, "text inside a week that is no row of its table")

    def _prose(self, number: int, line: str) -> None:
        year = self.year[0] if self.year else None
        if index_line := read_index_line(number, line, year):
            self.outline.index.append(index_line)
            # The year's heading is one of an index: no week is under it.
            self.year = (year, _DEEPEST_LEVEL) if year else None
            self._pass_over(number, "a line of the index")
        else:
            self._pass_over(number, "text outside the weeks")

    def _settle_after_rule(self) -> None:
        """Pass over text behind the last week; warn of text between two weeks."""
        last = self.sections[-1] if self.sections else None
        for section, note in self.after_rule:
            if section is last:
                self._pass_over(note.line, "text behind the last week")
            else:
                self.outline.warnings.append(note)

    def _settle_headings(self) -> None:
        """Sort the sections into weeks, headings that were meant to be weeks, and others."""
        for section in self.sections:
            if isinstance(section, WeekSection):
                self.outline.weeks.append(section)
            elif section.rows or _NAMES_WEEK.search(section.text):
                self.outline.unread.append(section)
            else:
                self._pass_over(section.line, "a heading that is no week's")

    def _warn(self, number: int, text: str) -> None:
        self.outline.warnings.append(Note(number, text))

    def _pass_over(self, number: int, text: str) -> None:
        self.outline.passed_over.append(Note(number, text))
