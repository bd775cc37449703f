"""The years of an archive's weeks, by its index and by the document as a whole. All pure.

A heading without a year gets it from the index, else from

    the weeks around it in a stretch | the year of the document | the weekdays of all together

A stretch is a run of headings, each a little older than the one before, or each a little newer: the
year of one of its weeks gives that of any other, over the turn of a year too.
"""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import accumulate, pairwise

from bot.domain.drafts import Note, YearRule
from bot.domain.week_phrases import (
    LOOK_BACK_YEARS,
    ResolvedWeek,
    WeekPhrase,
    YearEvidence,
    resolve_week,
    starting_in,
)
from bot.ingest.formats.archive.outline import IndexLine, WeekSection

# Days counted in months of 31: enough to tell which of two comes first, real or not.
_MONTH, _YEAR = 31, 12 * 31

# A longer pause ends a stretch: behind it another year may begin.
_LONGEST_PAUSE = 2 * _MONTH
_SUNDAY = 6

# The year of a document is one of the most frequent years of its weeks.
_TRIED = 3

# The places of the weeks of a stretch, with the years of their first days relative to one of them.
_Stretch = dict[int, int]
_MonthDay = tuple[int, int]

# A range of days by both ends or, to find ranges that share one of them, by one end.
_Range = tuple[_MonthDay | None, _MonthDay | None]

# The year of a week that fits an index line of any year.
_ANY_YEAR = 0


@dataclass(frozen=True, slots=True)
class WholeEvidence:
    """The evidence for the years of all weeks of a document.

    `today` limits the weekday rule; `option` is the operator's year and comes first, `document` the
    year in the document's title or file name.
    """

    today: date
    option: int | None = None
    document: int | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """The days of a week, `None` for impossible ones; `near` if the year is from its neighbours."""

    week: ResolvedWeek | None
    near: bool = False


@dataclass(frozen=True, slots=True)
class IndexCheck:
    """The differences between an index and the weeks, and the index lines without a week."""

    remarks: tuple[Note, ...]
    missing: tuple[IndexLine, ...]


def place_weeks(
    phrases: Sequence[WeekPhrase], listed: Sequence[int | None], evidence: WholeEvidence
) -> list[Placed]:
    """Return the days of every week; `listed` are the years by an index or by a heading above."""
    stretches = _stretches(phrases)
    placed: dict[int, Placed] = {}
    if evidence.option is None:
        placed = _by_own_year(phrases, listed, evidence.today)
        for stretch in stretches:
            placed |= _by_neighbours(phrases, stretch, placed)
        placed |= _between_known(phrases, placed)
    for stretch in stretches:
        rest = {place: year for place, year in stretch.items() if place not in placed}
        weeks = _by_whole_document(phrases, rest, evidence) if rest else {}
        placed |= {place: Placed(week) for place, week in weeks.items()}
    return [placed[place] for place in range(len(phrases))]


def _stretches(phrases: Sequence[WeekPhrase]) -> list[_Stretch]:
    """Split weeks into stretches, in the order that most weeks of the document have."""
    days = [_MONTH * month + day for month, day in (phrase.first for phrase in phrases)]
    steps = [(after - before + _YEAR // 2) % _YEAR - _YEAR // 2 for before, after in pairwise(days)]
    votes = Counter(step > 0 for step in steps if 0 < abs(step) <= _LONGEST_PAUSE)
    direction = 1 if votes[True] > votes[False] else -1 if votes[False] > votes[True] else 0
    stretches: list[_Stretch] = [{0: 0}] if phrases else []
    for place, (before, step) in enumerate(zip(days, steps, strict=False), start=1):
        if 0 < direction * step <= _LONGEST_PAUSE:
            turns = (before + step - _MONTH - 1) // _YEAR
            stretches[-1][place] = stretches[-1][place - 1] + turns
        else:
            stretches.append({place: 0})
    return stretches


def _by_own_year(
    phrases: Sequence[WeekPhrase], listed: Sequence[int | None], today: date
) -> dict[int, Placed]:
    """Place the weeks whose heading or index has a year."""
    return {
        place: Placed(resolve_week(phrase, YearEvidence(today, index_year=year)))
        for place, (phrase, year) in enumerate(zip(phrases, listed, strict=True))
        if year or phrase.first_year or phrase.last_year
    }


def _by_neighbours(
    phrases: Sequence[WeekPhrase], stretch: _Stretch, placed: Mapping[int, Placed]
) -> dict[int, Placed]:
    """Place the weeks of a stretch whose nearest known weeks agree on the year."""
    starts = {
        place: known.week.first_day.year - year
        for place, year in stretch.items()
        if (known := placed.get(place)) and known.week
    }
    found = {}
    for place, before, after in _with_sides(stretch, starts):
        near = {year_near for year_near in (before, after) if year_near is not None}
        if place not in placed and len(near) == 1:
            year = near.pop() + stretch[place]
            week = starting_in(phrases[place], year, YearRule.DOCUMENT)
            found[place] = Placed(week, near=True)
    return found


def _between_known(
    phrases: Sequence[WeekPhrase], placed: Mapping[int, Placed]
) -> dict[int, Placed]:
    """Place the weeks between two known weeks of one year, in any order."""
    years = {place: known.week.last_day.year for place, known in placed.items() if known.week}
    found = {}
    for place, before, after in _with_sides(range(len(phrases)), years):
        if place not in placed and before is not None and before == after:
            week = resolve_week(phrases[place], YearEvidence(date.min, index_year=before))
            found[place] = Placed(week and replace(week, year_rule=YearRule.DOCUMENT), near=True)
    return found


def _with_sides(
    places: Iterable[int], known: Mapping[int, int]
) -> Iterator[tuple[int, int | None, int | None]]:
    """Yield each place with the values of the nearest known places before and after it."""
    places = list(places)
    at = [known.get(place) for place in places]
    before = accumulate(at, _later)
    after = reversed(list(accumulate(reversed(at), _later)))
    return zip(places, before, after, strict=True)


def _later(last: int | None, now: int | None) -> int | None:
    return last if now is None else now


def _by_whole_document(
    phrases: Sequence[WeekPhrase], stretch: _Stretch, evidence: WholeEvidence
) -> dict[int, ResolvedWeek | None]:
    """Place the weeks of a stretch by the operator's or the document's year, else by weekdays."""
    year = evidence.option or evidence.document
    if year is None:
        return _by_weekdays(phrases, stretch, evidence.today)
    rule = YearRule.OPTION if evidence.option else YearRule.DOCUMENT
    most = Counter(stretch.values()).most_common(_TRIED)
    tried = [
        _starting(phrases, stretch, year - offset - crossed, rule)
        for offset, _ in most
        for crossed in (0, 1)
    ]
    fit = _fit_for_option if evidence.option else _fit_for_document
    return max(tried, key=lambda weeks: fit(_real(weeks), year))


def _fit_for_option(weeks: Sequence[ResolvedWeek], year: int) -> tuple[int, ...]:
    """Rate weeks by their ends in a year; a single week is of the year that it ends in."""
    return _ends_in(weeks, year), sum(week.last_day.year == year for week in weeks)


def _fit_for_document(weeks: Sequence[ResolvedWeek], year: int) -> tuple[int, ...]:
    return _ends_in(weeks, year), _on_weekdays(weeks), sum(w.first_day.year for w in weeks)


def _ends_in(weeks: Iterable[ResolvedWeek], year: int) -> int:
    return sum((week.first_day.year == year) + (week.last_day.year == year) for week in weeks)


def _by_weekdays(
    phrases: Sequence[WeekPhrase], stretch: _Stretch, today: date
) -> dict[int, ResolvedWeek | None]:
    """Place weeks in the latest past year in which most start on a Monday or end on a Sunday.

    Where there is no such year, each is placed by itself.
    """
    newest = max(stretch.values())
    tried = (
        _starting(phrases, stretch, year - newest, YearRule.WEEKDAY)
        for year in range(today.year, today.year - LOOK_BACK_YEARS - 1, -1)
    )
    past = [weeks for weeks in tried if all(week.first_day <= today for week in _real(weeks))]
    best = max(past, key=lambda weeks: (len(_real(weeks)), _on_weekdays(_real(weeks))))
    if len(stretch) > 1 and 2 * _on_weekdays(_real(best)) > len(stretch):
        return best
    return {place: resolve_week(phrases[place], YearEvidence(today)) for place in stretch}


def _starting(
    phrases: Sequence[WeekPhrase], stretch: _Stretch, year: int, rule: YearRule
) -> dict[int, ResolvedWeek | None]:
    return {
        place: starting_in(phrases[place], year + offset, rule) for place, offset in stretch.items()
    }


def _real(weeks: Mapping[int, ResolvedWeek | None]) -> list[ResolvedWeek]:
    return [week for week in weeks.values() if week]


def _on_weekdays(weeks: Iterable[ResolvedWeek]) -> int:
    return sum(
        week.first_day.weekday() == 0 or week.last_day.weekday() == _SUNDAY for week in weeks
    )


def listed_years(
    sections: Sequence[WeekSection], index: Sequence[IndexLine]
) -> tuple[int | None, ...]:
    """Return the year of each week by the index or a heading above it, `None` where none has it.

    Best first: the index line of the same range, the one that shares its first or last day and fits
    no other week, the heading above it.
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
        """Remove the year of a range from the index where a heading states that year itself."""
        if stated := _stated(phrase):
            self.years[_range(phrase)] -= {stated, stated - phrase.crosses_year}

    def year(self, phrase: WeekPhrase) -> int | None:
        """Return the year of the best line, unless lines of two years fit equally."""
        found = (self.years.get(key) for key in (_range(phrase), *_ends(phrase)))
        years = next((years for years in found if years), set())
        return next(iter(years)) if len(years) == 1 else None


def _range(phrase: WeekPhrase) -> _Range:
    return phrase.first, phrase.last


def _ends(phrase: WeekPhrase) -> tuple[_Range, _Range]:
    return (phrase.first, None), (None, phrase.last)


def check_index(
    sections: Sequence[WeekSection],
    weeks: Sequence[ResolvedWeek | None],
    index: Sequence[IndexLine],
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
    """Weeks by range or by one end, and by every year that an index may give them."""

    def __init__(self, index: Sequence[IndexLine]) -> None:
        self.listed = {_range(line.phrase) for line in index}
        self.weeks: dict[tuple[_Range, int | None], WeekSection] = {}

    def add(self, section: WeekSection, week: ResolvedWeek | None) -> None:
        """Add a week; one whose range is in the index is not found by its ends."""
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
        """Find a week of another year that no line fits, or one that shares a day."""
        same = self.weeks.get((_range(line.phrase), None))
        if same and same.line not in taken:
            return same
        first, last = _ends(line.phrase)
        return self._fitting(first, line.year) or self._fitting(last, line.year)

    def _fitting(self, key: _Range, year: int | None) -> WeekSection | None:
        return self.weeks.get((key, year)) or self.weeks.get((key, _ANY_YEAR))


def _index_years(week: ResolvedWeek | None) -> set[int]:
    """Return the years under which an index may have a week.

    A week with the operator's year, or with impossible days, fits any.
    """
    if week is None or week.year_rule is YearRule.OPTION:
        return {_ANY_YEAR}
    return {week.first_day.year, week.last_day.year}


def _difference(line: IndexLine, section: WeekSection) -> str:
    """Describe the difference between an index line and its heading."""
    same_days = _range(line.phrase) == _range(section.phrase)
    what = "another year" if same_days else "other days"
    return f"the index names {what} than the heading in line {section.line}, which counts"
