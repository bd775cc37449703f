"""Years of weeks that print none, told by the document as a whole. All pure.

    the weeks around, where they run on | the year of the document | the weekdays of all together

A stretch is a run of headings, each a little older than the one before, or each a little newer:
the year of one of its weeks gives that of any other, over the turn of a year too.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import accumulate, pairwise

from bot.domain.drafts import YearRule
from bot.domain.week_phrases import (
    LOOK_BACK_YEARS,
    Week,
    WeekPhrase,
    YearEvidence,
    resolve_week,
    starting_in,
)

# Days counted in months of 31: enough to tell which of two comes first, real or not.
_MONTH, _YEAR = 31, 12 * 31
# A longer pause ends a stretch: behind it another year may begin.
_LONGEST_PAUSE = 2 * _MONTH
_SUNDAY = 6
# The year of a document is one of those that most of its weeks are of.
_TRIED = 3


@dataclass(frozen=True, slots=True)
class WholeEvidence:
    """What tells the years of all weeks of a document.

    `today` bounds the weekday rule; `option` is the operator's word and beats everything,
    `document` the year in the document's title or file name.
    """

    today: date
    option: int | None = None
    document: int | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """The days of a week, `None` where none are real; `near` where the weeks around told them."""

    week: Week | None
    near: bool = False


# The places of weeks that run on, with the years of their first days, counted from one of them.
_Stretch = dict[int, int]


def place_weeks(
    phrases: Sequence[WeekPhrase], listed: Sequence[int | None], evidence: WholeEvidence
) -> list[Placed]:
    """Give every week its days; `listed` are the years by an index or by a heading above."""
    stretches = _stretches(phrases)
    placed: dict[int, Placed] = {}
    if evidence.option is None:
        placed = _told_by_themselves(phrases, listed, evidence.today)
        for stretch in stretches:
            placed |= _told_by_neighbours(phrases, stretch, placed)
        placed |= _told_between(phrases, placed)
    for stretch in stretches:
        rest = {place: year for place, year in stretch.items() if place not in placed}
        weeks = _told_together(phrases, rest, evidence) if rest else {}
        placed |= {place: Placed(week) for place, week in weeks.items()}
    return [placed[place] for place in range(len(phrases))]


def _stretches(phrases: Sequence[WeekPhrase]) -> list[_Stretch]:
    """Part weeks into stretches, in the order in which most weeks of the document stand."""
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


def _told_by_themselves(
    phrases: Sequence[WeekPhrase], listed: Sequence[int | None], today: date
) -> dict[int, Placed]:
    """Place the weeks whose heading or index tells the year, as no days where none are real."""
    return {
        place: Placed(resolve_week(phrase, YearEvidence(today, index_year=year)))
        for place, (phrase, year) in enumerate(zip(phrases, listed, strict=True))
        if year or phrase.first_year or phrase.last_year
    }


def _told_by_neighbours(
    phrases: Sequence[WeekPhrase], stretch: _Stretch, placed: Mapping[int, Placed]
) -> dict[int, Placed]:
    """Place the weeks of a stretch for which its nearest known weeks tell one year."""
    starts = {
        place: known.week.first_day.year - year
        for place, year in stretch.items()
        if (known := placed.get(place)) and known.week
    }
    found = {}
    for place, before, after in _with_sides(stretch, starts):
        near = {each for each in (before, after) if each is not None}
        if place not in placed and len(near) == 1:
            year = near.pop() + stretch[place]
            week = starting_in(phrases[place], year, YearRule.DOCUMENT)
            found[place] = Placed(week, near=True)
    return found


def _told_between(phrases: Sequence[WeekPhrase], placed: Mapping[int, Placed]) -> dict[int, Placed]:
    """Place the weeks that stand, in whatever order, between two known weeks of one year."""
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
    """Yield each place with what is known at the nearest one before it, and after it."""
    places = list(places)
    at = [known.get(place) for place in places]
    before = accumulate(at, _later)
    after = reversed(list(accumulate(reversed(at), _later)))
    return zip(places, before, after, strict=True)


def _later(last: int | None, now: int | None) -> int | None:
    return last if now is None else now


def _told_together(
    phrases: Sequence[WeekPhrase], stretch: _Stretch, evidence: WholeEvidence
) -> dict[int, Week | None]:
    """Place weeks that run on and of which nothing tells the year but what tells it of all."""
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


def _fit_for_option(weeks: Sequence[Week], year: int) -> tuple[int, ...]:
    """Count the ends in a year; one week is of the year that it ends in."""
    return _ends_in(weeks, year), sum(week.last_day.year == year for week in weeks)


def _fit_for_document(weeks: Sequence[Week], year: int) -> tuple[int, ...]:
    return _ends_in(weeks, year), _on_weekdays(weeks), sum(w.first_day.year for w in weeks)


def _ends_in(weeks: Iterable[Week], year: int) -> int:
    return sum((week.first_day.year == year) + (week.last_day.year == year) for week in weeks)


def _by_weekdays(
    phrases: Sequence[WeekPhrase], stretch: _Stretch, today: date
) -> dict[int, Week | None]:
    """Take the latest past year in which most of the weeks start on a Monday or end on a Sunday.

    Where no year has most of them, each is placed by itself.
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
) -> dict[int, Week | None]:
    return {
        place: starting_in(phrases[place], year + each, rule) for place, each in stretch.items()
    }


def _real(weeks: Mapping[int, Week | None]) -> list[Week]:
    return [week for week in weeks.values() if week]


def _on_weekdays(weeks: Iterable[Week]) -> int:
    return sum(
        week.first_day.weekday() == 0 or week.last_day.weekday() == _SUNDAY for week in weeks
    )
