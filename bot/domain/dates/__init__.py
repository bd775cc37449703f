"""The dates in a text: days, runs of days, weeks, months, quarters, years, relative ones. All pure.

`find` gives all of a text with their places, `leading` the one that it begins with, `whole` the one
that it is, `find_days` and `find_week` the one that names an edition, `misread` what one may mean
that is none. A date says what is printed; a year that is not is left to the reader, who has a rule
for it. Numbers are a date only where one reading of them is.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date

from bot.domain.dates.reading import BEGINNING, read_at, readings_of_day
from bot.domain.dates.written_date import Unit, WrittenDate

_BEFORE = re.compile(
    r"[\s(\[\"'\u201c]*+(?:(?:in|of|on|during|for|from|the|over|within)\s{1,3}){0,5}",
    re.IGNORECASE,
)
_BETWEEN = "between "
_AND = re.compile(
    r"(?P<between>between\s{1,3}(?:the\s{1,3})?).{1,40}?\s(?P<and>and)\s", re.IGNORECASE
)
_BEHIND = re.compile(r"[\s.,;:!?)\]\"'\u201d]*+")
# A bare month or quarter elsewhere is mostly a verb, a name or a model, and behind the words of the
# second line too if another word follows.
_BEFORE_MONTH = re.compile(
    r"\b(?:(?P<sure>in|since|until|till|during|early|mid|late|last|next|(?:top|best) \d{1,3})"
    r"|of|by|from|to|before|after|this|and)[\s-]$",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\b(?:top|best|first|last|these|another)\s$", re.IGNORECASE)
# As in "we found 5 may help".
_VERB = re.compile(r"(?:\d{1,2}\s(?:may|march)|(?:may|march)\s\d{1,2})\s[a-z]")
_WORD_BEHIND = re.compile(r"\s[^\W\d_]")
_LONGEST_BEFORE = 16
_USUAL_YEARS = range(1900, 2100)


def find(text: str) -> Iterator[WrittenDate]:
    """Yield the dates in a text in their order; none is a part of another.

    Words and numbers that are dates only where nothing else stands (`may`, `4096`, `month`) need a
    text of their own, or a word before them that tells.
    """
    place, alone = 0, _end_of_small_words(text)
    while beginning := BEGINNING.search(text, place):
        place = beginning.end()
        found = read_at(text, beginning)
        if found and (_is_whole(text, found, alone) or _is_meant(text, found)):
            yield found
            place = found.end


def leading(text: str) -> WrittenDate | None:
    """Return the date that a text begins with, behind such words as `in`, `the` and `week of`.

    `between march and may` is a run, as `march to may` is.
    """
    start = _end_of_small_words(text)
    if text[start : start + len(_BETWEEN)].lower() != _BETWEEN:
        return _at(text, start)
    both = _AND.match(text, start)
    if both is None:
        return None
    run = f"{text[: both.start('and')]}to {text[both.end('and') :]}"  # as long
    found = _at(run, both.end("between"))
    return found if found and found.end > both.end("and") else None


def _at(text: str, start: int) -> WrittenDate | None:
    beginning = BEGINNING.match(text, start)
    return read_at(text, beginning) if beginning else None


def may_hold(text: str) -> bool:
    """Tell whether a text has what a date could begin with."""
    return BEGINNING.search(text) is not None


def whole(text: str) -> WrittenDate | None:
    """Return the date that a text is, with small words before it; `None` for any other text."""
    found = leading(text)
    return found if found and _BEHIND.fullmatch(text, found.end) else None


def misread(text: str) -> tuple[WrittenDate, ...]:
    """Return the days that a text may mean and that make no date of it.

    `5.1.2026` means two, `31 june` one that the calendar does not have.
    """
    if whole(text):
        return ()
    read = readings_of_day(text, _end_of_small_words(text))
    return _told([each for each in read if _BEHIND.fullmatch(text, each.end)])


def find_misread(text: str) -> Iterator[tuple[slice, int]]:
    """Yield where days stand in a text that `misread` tells of alone, and how many each may be."""
    for beginning in BEGINNING.finditer(text):
        found = read_at(text, beginning)
        if found is None or found.unit is Unit.MONTH:
            told = _told(readings_of_day(text, beginning.start()))
            if told:
                yield slice(told[0].start, told[0].end), sum(1 for each in told if each.days())


def holds_misread(text: str) -> bool:
    """Tell whether a day stands in a text that `misread` tells of alone."""
    return any(True for _ in find_misread(text))


def _told(read: Sequence[WrittenDate]) -> tuple[WrittenDate, ...]:
    """Return the readings of a day if several are real, one of them if none is."""
    real = tuple(each for each in read if each.days())
    return real if len(real) > 1 else tuple(read[: not real])


def find_days(text: str) -> WrittenDate | None:
    """Return the first run of days in a text, else the first ISO week: `Jan 9-15`, `2026-W02`."""
    return _days_or(text, lambda week: week.unit is Unit.WEEK and text[week.start].isdecimal())


def find_week(text: str) -> WrittenDate | None:
    """Return the first run of days in a text, else the ISO week that a number or a day is in.

    Either has its year: `week 2, 2026`, `5 January 2026`.
    """
    return _days_or(text, lambda week: week.unit in (Unit.WEEK, Unit.DAY))


def _days_or(text: str, is_week: Callable[[WrittenDate], bool]) -> WrittenDate | None:
    week = None
    for found in find(text):
        if found.unit is Unit.DAYS:
            return found
        week = week or (found.as_week() if is_week(found) else None)
    return week


def find_day(text: str) -> date | None:
    """Return the first day in a text that has its year: `Jun 28, 2026`."""
    days = (found.days() for found in find(text) if found.unit is Unit.DAY)
    return next((each.first_day for each in days if each), None)


def _end_of_small_words(text: str) -> int:
    before = _BEFORE.match(text)
    return before.end() if before else 0


def _is_whole(text: str, found: WrittenDate, alone: int) -> bool:
    return found.start == alone and _BEHIND.fullmatch(text, found.end) is not None


def _is_meant(text: str, found: WrittenDate) -> bool:
    """Tell a date from words and numbers that merely look like one."""
    before = text[max(0, found.start - _LONGEST_BEFORE) : found.start]
    if found.ago is not None:
        return found.unit is Unit.DAY or not text[found.start : found.end].isalpha()
    if found.unit is Unit.YEAR:
        return found.first_year in _USUAL_YEARS
    if found.has_year or found.of_week or found.unit in (Unit.DAYS, Unit.WEEK):
        return True
    if found.unit is Unit.DAY:
        is_counted = text[found.start].isdecimal() and _COUNTED.search(before)
        return not (is_counted or _VERB.match(text, found.start))
    told = _BEFORE_MONTH.search(before)
    return told is not None and bool(told["sure"] or not _WORD_BEHIND.match(text, found.end))
