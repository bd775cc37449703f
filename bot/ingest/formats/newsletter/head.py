"""The top of a newsletter: its name, the heading with the week, and the editions of one file."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import compress

from bot.domain.week_phrases import WeekPhrase, find_day, find_week
from bot.ingest.formats.newsletter.lines import Line
from bot.ingest.formats.slugs import source_slug

_HEAD_LINES = 10
_LONGEST_HEADING = 300
_LONGEST_DATE_LINE = 40
_BRACKETS = re.compile(r"[(\[][^()\[\]]*[)\]]")
_FRONT_SIGNS = re.compile(r"^[^\w(\[\"'\u201c\u2018]+")
_AROUND_RANGE = " \t-\u2013\u2014:,|\u00b7"
# In front there may be a medal, or the damaged rest of one.
_KNOWN_NAME = re.compile(
    r"\W*(?:[\u0161\u0111\u00f0\u011f]\W{1,2})?(?:the )?(top (?:ai|ml) papers of the week)\W*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Head:
    """The lines above the entries; `others` are those that were not understood.

    `name` is the heading without its week; `again` are lines that print that week once more;
    `dated` is the line of the day of publication.
    """

    heading: Line
    week: WeekPhrase
    name: str
    again: tuple[Line, ...]
    publication: Line | None
    dated: Line | None
    published_on: date | None
    others: tuple[Line, ...]


def bracketed_week(text: str) -> re.Match[str] | None:
    """Find the brackets that hold a range of days in a line short enough for a heading."""
    if len(text) > _LONGEST_HEADING:
        return None
    return next((match for match in _BRACKETS.finditer(text) if find_week(match[0])), None)


def find_heading(lines: Sequence[Line]) -> Line | None:
    """Find the heading: the first week in brackets near the top, else a bare week.

    It is above the entries; a list of contents may come before it, and then the numbering starts
    again below it.
    """
    first = next((i for i, line in enumerate(lines) if line.rank is not None), len(lines))
    above = [line for line in lines[:first] if len(line.text) <= _LONGEST_HEADING]
    bracketed = [line for line in above if bracketed_week(line.text)]
    bare = [line for line in above if find_week(line.text)]
    return next(iter(bracketed or _below_contents(lines, first) or bare), None)


def _below_contents(lines: Sequence[Line], first: int) -> list[Line]:
    last_one = max((line.number for line in lines if line.rank == 1), default=0)
    return [
        line
        for line in lines[first:_HEAD_LINES]
        if line.rank is None and line.number < last_one and bracketed_week(line.text)
    ]


def read_head(lines: Sequence[Line], heading: Line) -> Head:
    """Sort the lines above the first entry; `lines` ends before it.

    The first line above the heading is the publication's name. A short line with a whole date is
    the day of publication.

    Raises:
        ValueError: if the heading has no week.
    """
    week = _week(heading.text)
    if week is None:
        raise ValueError("a heading holds a week")
    above = [line for line in lines if line.number < heading.number]
    publication = above[0] if above and not _day(above[0]) else None
    others = [line for line in lines if line not in (heading, publication)]
    dated = next((line for line in others if _day(line)), None)
    others = [line for line in others if line != dated]
    again = [_is_same_week(line, week) for line in others]
    return Head(
        heading=heading,
        week=week,
        name=_without_week(heading.text),
        again=tuple(compress(others, again)),
        publication=publication,
        dated=dated,
        published_on=_day(dated) if dated else None,
        others=tuple(line for line, same in zip(others, again, strict=True) if not same),
    )


def source_of(head: Head) -> tuple[str, str]:
    """Return the slug and the title of the source.

    The publication's name gives both, unless the heading names the predefined source.
    """
    published_as = head.publication.text if head.publication else ""
    names = [name for name in (published_as, head.name, head.heading.text) if name]
    known = [match for name in names if (match := _KNOWN_NAME.fullmatch(name))]
    title = known[0][1] if known else _FRONT_SIGNS.sub("", names[0]) or names[0]
    return source_slug(title), title


def split_editions(lines: Sequence[Line]) -> list[Sequence[Line]]:
    """Split a file of several editions before each heading but the first.

    A heading that starts an edition is below an entry, has the words of the first heading around
    its week, and the next number behind it is 1.
    """
    first = find_heading(lines)
    if first is None:
        return [lines]
    name, ranks = _without_week(first.text), _ranks_behind(lines)
    top = next((index for index, line in enumerate(lines) if line.rank is not None), len(lines))
    starts = [
        _with_publication(index, lines)
        for index, line in enumerate(lines)
        if index > top
        and line.number > first.number
        and ranks[index] == 1
        and bracketed_week(line.text)
        and _without_week(line.text) == name
    ]
    ends = [*starts, len(lines)]
    return [lines[start:end] for start, end in zip([0, *starts], ends, strict=True)]


def _with_publication(start: int, lines: Sequence[Line]) -> int:
    """Move the start of an edition up to the publication's name, if it is repeated."""
    return start - 1 if lines[start - 1].text == lines[0].text else start


def _ranks_behind(lines: Sequence[Line]) -> list[int | None]:
    """List for every line the number of the nearest numbered line behind it."""
    ranks: list[int | None] = []
    nearest: int | None = None
    for line in reversed(lines):
        ranks.append(nearest)
        nearest = line.rank if line.rank is not None else nearest
    return ranks[::-1]


def _week(text: str) -> WeekPhrase | None:
    brackets = bracketed_week(text)
    return find_week(text[brackets.start() :] if brackets else text)


def _is_same_week(line: Line, week: WeekPhrase) -> bool:
    other = _week(line.text) if bracketed_week(line.text) else None
    return other is not None and (other.first, other.last) == (week.first, week.last)


def _without_week(text: str) -> str:
    brackets = bracketed_week(text)
    week = find_week(text)
    if brackets is None or week is None:
        return text[: week.start].strip(_AROUND_RANGE) if week else text
    front = text[: brackets.start()].strip(_AROUND_RANGE)
    return front or text[max(brackets.end(), week.end) :].strip(_AROUND_RANGE)


def _day(line: Line) -> date | None:
    return find_day(line.text) if len(line.text) <= _LONGEST_DATE_LINE else None
