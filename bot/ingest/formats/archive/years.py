"""Which year the index of an archive gives to a week, and where index and headings differ.

The text of an index line counts, never its anchor: anchors lead elsewhere in real archives.
The heading wins wherever the two differ.
"""

from collections import defaultdict
from collections.abc import Container, Sequence
from dataclasses import dataclass

from bot.domain.drafts import Note, YearRule
from bot.domain.week_phrases import Week, WeekPhrase
from bot.ingest.formats.archive.outline import IndexLine, WeekSection

_MonthDay = tuple[int, int]

# A range of days by both ends or, to find what shares one of them, by one end.
_Range = tuple[_MonthDay | None, _MonthDay | None]

# Stands for a week that fits an index line of any year.
_ANY_YEAR = 0


def listed_years(
    sections: Sequence[WeekSection], index: Sequence[IndexLine]
) -> tuple[int | None, ...]:
    """Give each week the year that the index or a heading above it names, `None` where none does.

    Best first: the index line of the same range, the one that shares its first or last day
    and fits no other week, the heading over it.
    """
    lookup = _Lookup(sections, index)
    return tuple(lookup.year(section.phrase) or section.year_above for section in sections)


def _stated(phrase: WeekPhrase) -> int | None:
    return phrase.last_year or phrase.first_year


class _Lookup:
    """The years of the index by range, and by one end for lines that fit no heading."""

    def __init__(self, sections: Sequence[WeekSection], index: Sequence[IndexLine]) -> None:
        self.years: dict[_Range, set[int]] = defaultdict(set)
        printed = {_range(section.phrase) for section in sections}
        for line in index:
            keys = [_range(line.phrase)]
            if keys[0] not in printed:
                keys += _ends(line.phrase)
            for key in keys:
                self.years[key] |= {line.year} if line.year else set()
        for section in sections:
            self._leave_to(section.phrase)

    def _leave_to(self, phrase: WeekPhrase) -> None:
        """Take a range's year away from other headings where one states that year itself."""
        if stated := _stated(phrase):
            self.years[_range(phrase)] -= {stated, stated - phrase.crosses_year}

    def year(self, phrase: WeekPhrase) -> int | None:
        """Give the year of the line that fits best, unless lines of two years fit alike."""
        found = (self.years.get(key) for key in (_range(phrase), *_ends(phrase)))
        years = next((years for years in found if years), set())
        return next(iter(years)) if len(years) == 1 else None


def _range(phrase: WeekPhrase) -> _Range:
    return phrase.first, phrase.last


def _ends(phrase: WeekPhrase) -> tuple[_Range, _Range]:
    return (phrase.first, None), (None, phrase.last)


@dataclass(frozen=True, slots=True)
class IndexCheck:
    """How an index fits the weeks: where it differs, and its lines without a week."""

    remarks: tuple[Note, ...]
    missing: tuple[IndexLine, ...]


def check_index(
    sections: Sequence[WeekSection], weeks: Sequence[Week | None], index: Sequence[IndexLine]
) -> IndexCheck:
    """Find the week of every index line; `weeks` are the resolved days of `sections`."""
    finder = _Finder(index)
    for section, week in zip(sections, weeks, strict=True):
        finder.add(section, week)
    remarks: list[Note] = []
    missing: list[IndexLine] = []
    exact = [finder.exact(line) for line in index]
    taken = {section.line for section in exact if section}
    for line, own in zip(index, exact, strict=True):
        if own is None and (other := finder.near(line, taken)):
            remarks.append(Note(line.line, _difference(line, other)))
        elif own is None:
            missing.append(line)
    return IndexCheck(tuple(remarks), tuple(missing))


class _Finder:
    """Weeks by range or by one end, each with every year that an index may give it."""

    def __init__(self, index: Sequence[IndexLine]) -> None:
        self.listed = {_range(line.phrase) for line in index}
        self.weeks: dict[tuple[_Range, int | None], WeekSection] = {}

    def add(self, section: WeekSection, week: Week | None) -> None:
        """Take in a week; a range that stands in the index is not to be found by its ends."""
        keys = [_range(section.phrase)]
        if keys[0] not in self.listed:
            keys += _ends(section.phrase)
        for key in keys:
            for year in (None, *_index_years(week)):
                self.weeks.setdefault((key, year), section)

    def exact(self, line: IndexLine) -> WeekSection | None:
        """Find the week of the line's own range and year."""
        return self._fitting(_range(line.phrase), line.year)

    def near(self, line: IndexLine, taken: Container[int]) -> WeekSection | None:
        """Find the week of another year that no line fits, or one that shares a day."""
        same = self.weeks.get((_range(line.phrase), None))
        if same and same.line not in taken:
            return same
        first, last = _ends(line.phrase)
        return self._fitting(first, line.year) or self._fitting(last, line.year)

    def _fitting(self, key: _Range, year: int | None) -> WeekSection | None:
        return self.weeks.get((key, year)) or self.weeks.get((key, _ANY_YEAR))


def _index_years(week: Week | None) -> set[int]:
    """List the years under which an index may have a week.

    The operator's year is above question, and so is a week whose days can't be real.
    """
    if week is None or week.year_rule is YearRule.OPTION:
        return {_ANY_YEAR}
    return {week.first_day.year, week.last_day.year}


def _difference(line: IndexLine, section: WeekSection) -> str:
    """Say how a line differs from the heading that it means."""
    same_days = _range(line.phrase) == _range(section.phrase)
    what = "another year" if same_days else "other days"
    return f"the index names {what} than the heading in line {section.line}, which counts"
