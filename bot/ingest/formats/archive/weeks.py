"""The years of an archive's weeks, by its index and by the document as a whole. All pure.

A heading without a year gets it from the index, else from

    the weeks around it in a stretch | the year of the document | the weekdays of all together

A stretch is a run of headings, each a little older than the one before, or each a little newer: the
year of one of its weeks gives that of any other, over the turn of a year too.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import accumulate, pairwise

from bot.domain.dates.written_date import WrittenDate
from bot.domain.drafts import Note, ParseOptions, YearRule
from bot.domain.week_years import (
    LOOK_BACK_YEARS,
    ResolvedWeek,
    YearEvidence,
    brought_back,
    latest_start,
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
class Placed:
    """The days of a week, `None` for impossible ones; `near` if the year is from its neighbours."""

    week: ResolvedWeek | None
    near: bool = False


def place_weeks(
    phrases: Sequence[WrittenDate],
    listed: Sequence[int | None],
    options: ParseOptions,
    document: int | None,
) -> list[Placed]:
    """Return the days of every week; `listed` are the years by an index or by a heading above.

    The operator's year comes first, that of the title or file name of the `document` last. A year
    that is not printed with its week gives none that lies ahead, and one that is and lies ahead
    tells nothing about other weeks.
    """
    latest = latest_start(options.today)
    if document and document > latest.year:
        document = None
    stretches = _stretches(phrases)
    placed: dict[int, Placed] = {}
    if options.year is None:
        placed = {
            place: Placed(resolve_week(phrase, YearEvidence(options.today, index_year=year)))
            for place, (phrase, year) in enumerate(zip(phrases, listed, strict=True))
            if year or phrase.first_year or phrase.last_year
        }
        known = {place: each for place, each in placed.items() if not _is_ahead(each, latest)}
        for stretch in stretches:
            near = _by_neighbours(phrases, stretch, known)
            known |= {place: each for place, each in near.items() if place not in placed}
        known |= _between_known(phrases, known, options.today)
        placed = known | placed
    for stretch in stretches:
        rest = {place: year for place, year in stretch.items() if place not in placed}
        weeks = _by_whole_document(phrases, rest, options, document) if rest else {}
        placed |= {place: Placed(week) for place, week in weeks.items()}
    return [
        replace(placed[place], week=brought_back(phrase, placed[place].week, latest))
        for place, phrase in enumerate(phrases)
    ]


def _is_ahead(placed: Placed, latest: date) -> bool:
    return placed.week is not None and placed.week.first_day > latest


def _stretches(phrases: Sequence[WrittenDate]) -> list[_Stretch]:
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


def _by_neighbours(
    phrases: Sequence[WrittenDate], stretch: _Stretch, placed: Mapping[int, Placed]
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
    phrases: Sequence[WrittenDate], placed: Mapping[int, Placed], today: date
) -> dict[int, Placed]:
    """Place the weeks between two known weeks of one year, in any order."""
    years = {place: known.week.last_day.year for place, known in placed.items() if known.week}
    found = {}
    for place, before, after in _with_sides(range(len(phrases)), years):
        if place not in placed and before is not None and before == after:
            week = resolve_week(phrases[place], YearEvidence(today, index_year=before))
            found[place] = Placed(week and replace(week, year_rule=YearRule.DOCUMENT), near=True)
    return found


def _with_sides(
    places: Collection[int], known: Mapping[int, int]
) -> Iterator[tuple[int, int | None, int | None]]:
    """Yield each place with the values of the nearest known places before and after it."""
    at = [known.get(place) for place in places]
    before = accumulate(at, _later)
    after = reversed(list(accumulate(reversed(at), _later)))
    return zip(places, before, after, strict=True)


def _later(last: int | None, now: int | None) -> int | None:
    return last if now is None else now


def _by_whole_document(
    phrases: Sequence[WrittenDate], stretch: _Stretch, options: ParseOptions, document: int | None
) -> dict[int, ResolvedWeek | None]:
    """Place the weeks of a stretch by the operator's or the document's year, else by weekdays.

    Of the years tried the best has most ends of weeks in that year. A single week is of the
    operator's year if it ends in it, and of the document's if its days are more usual ones.
    """
    year = options.year or document
    if year is None:
        return _by_weekdays(phrases, stretch, options.today)

    def fit(placed: Mapping[int, ResolvedWeek | None]) -> tuple[int, ...]:
        weeks = _real(placed)
        last_days = sum(week.last_day.year == year for week in weeks)
        ends = last_days + sum(week.first_day.year == year for week in weeks)
        if options.year:
            return ends, last_days
        return ends, _on_weekdays(weeks), sum(week.first_day.year for week in weeks)

    rule = YearRule.OPTION if options.year else YearRule.DOCUMENT
    tried = [
        _starting(phrases, stretch, year - offset - crossed, rule)
        for offset, _ in Counter(stretch.values()).most_common(_TRIED)
        for crossed in (0, 1)
    ]
    return max(tried, key=fit)


def _by_weekdays(
    phrases: Sequence[WrittenDate], stretch: _Stretch, today: date
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
    phrases: Sequence[WrittenDate], stretch: _Stretch, year: int, rule: YearRule
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


def listed_years(sections: Sequence[WeekSection], index: Sequence[IndexLine]) -> list[int | None]:
    """Return the year of each week by the index or a heading above it, `None` where none has it.

    Best first: the index line of the same range, the one that shares its first or last day and fits
    no other week, the heading above it. Lines of two years that fit equally tell nothing.
    """
    years: dict[_Range, set[int]] = defaultdict(set)
    printed = {_range(section.phrase) for section in sections}
    for line in index:
        for key in _keys(line.phrase, printed):
            years[key] |= {line.year} if line.year else set()
    for phrase in (section.phrase for section in sections):
        if stated := phrase.last_year or phrase.first_year:
            # This year of the range is the heading's own, and no other's.
            years[_range(phrase)] -= {stated, stated - phrase.crosses_year}
    listed = []
    for section in sections:
        found = next((years[key] for key in _keys(section.phrase) if years.get(key)), set())
        listed.append(next(iter(found)) if len(found) == 1 else section.year_above)
    return listed


def _range(phrase: WrittenDate) -> _Range:
    return phrase.first, phrase.last


def _keys(phrase: WrittenDate, known: Container[_Range] = ()) -> list[_Range]:
    """Return the range of a phrase and, unless the range is known, its two ends."""
    ends: list[_Range] = [(phrase.first, None), (None, phrase.last)]
    return [_range(phrase), *([] if _range(phrase) in known else ends)]


def check_index(
    sections: Sequence[WeekSection],
    weeks: Sequence[ResolvedWeek | None],
    index: Sequence[IndexLine],
) -> tuple[list[Note], list[IndexLine]]:
    """Return notes on index lines that differ from a heading, and the lines without a week.

    `weeks` are the resolved days of `sections`. A line's week is that of its own range and year,
    else one of another year that no line fits, else one that shares a day.
    """
    found: dict[tuple[_Range, int | None], WeekSection] = {}
    listed = {_range(line.phrase) for line in index}
    for section, week in zip(sections, weeks, strict=True):
        for key in _keys(section.phrase, listed):
            for year in (None, *_index_years(week)):
                found.setdefault((key, year), section)

    def fitting(key: _Range, year: int | None) -> WeekSection | None:
        return found.get((key, year)) or found.get((key, _ANY_YEAR))

    exact = [fitting(_range(line.phrase), line.year) for line in index]
    taken = {section.line for section in exact if section}
    remarks: list[Note] = []
    missing: list[IndexLine] = []
    for line in (line for line, own in zip(index, exact, strict=True) if own is None):
        same_days, first, last = _keys(line.phrase)
        same = found.get((same_days, None))
        is_free = same is not None and same.line not in taken
        other = same if is_free else fitting(first, line.year) or fitting(last, line.year)
        if other is None:
            missing.append(line)
            continue
        what = "another year" if _range(other.phrase) == same_days else "other days"
        note = f"the index names {what} than the heading in line {other.line}, which counts"
        remarks.append(Note(line.line, note))
    return remarks, missing


def _index_years(week: ResolvedWeek | None) -> set[int]:
    """Return the years under which an index may have a week.

    A week with the operator's year, or with impossible days, fits any.
    """
    if week is None or week.year_rule is YearRule.OPTION:
        return {_ANY_YEAR}
    return {week.first_day.year, week.last_day.year}
