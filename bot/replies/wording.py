"""The wording of facts: days, instants, durations, counts, places, texts with gaps. Pure."""

import re
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from bot.domain.zones import zone_name
from store.records import Edition, Entry, Mention
from store.text import name_before_colon

_ENDS_ENTRY = re.compile("[^aeiou]y$")  # as "entry" does, and "day" doesn't
_LONGEST_NAME = 40  # of a paper that is only mentioned
_QUOTES = ('"', "“", "‘", "'")
_WORKSPACES = {"discord": "server"}
# `more` asks for the command of a button with one of these labels, or one that begins so.
MORE, NEXT, ANOTHER = "More", "Next ", "Another one"
NO_CONSENSUS = "No week has a consensus yet: it takes two sources with papers in the same week."


def days(first_day: date, last_day: date) -> str:
    """Word a range of days: `Jan 5-11, 2026` with an en dash."""
    first, last = f"{first_day:%b} {first_day.day}", f"{last_day:%b} {last_day.day}"
    if first_day.year != last_day.year:
        return f"{first}, {first_day.year} – {last}, {last_day.year}"
    if first_day == last_day:
        return f"{first}, {first_day.year}"
    if first_day.month == last_day.month:
        return f"{first}–{last_day.day}, {last_day.year}"
    return f"{first} – {last}, {last_day.year}"


def edition_name(edition: Edition) -> str:
    """Name an edition: `dair, Jan 5-11, 2026`."""
    name = f"{edition.source}, {days(edition.first_day, edition.last_day)}"
    return f"{name} (sample)" if edition.sample else name


def workspace_noun(platform: str) -> str:
    """Return the platform's word for a workspace: `server`, `workspace`."""
    return _WORKSPACES.get(platform, "workspace")


def number(entry: Entry) -> str:
    """Return the number of an entry in its edition: its episode, its rank, else its position."""
    return entry.episode or str(entry.rank if entry.rank is not None else entry.position + 1)


def paper_name(title: str) -> str:
    """Return the short name of a paper: the words before its title's colon, cut if long."""
    return shorten(name_before_colon(title) or title, _LONGEST_NAME)


def place(edition: Edition, entry: Entry) -> str:
    """Name an entry's place: `#3 in dair, Jan 5-11, 2026`, `E171 in paperdive, Jun 22-28, 2026`."""
    return f"{_sign(entry)} in {edition_name(edition)}"


def _sign(entry: Entry) -> str:
    return entry.episode or f"#{number(entry)}"


def places(mentions: Iterable[Mention]) -> str:
    """Name the places of a paper, days once: `#1 in dair, #5 in hf-daily, Jan 5-11, 2026`."""
    by_days: dict[str, list[str]] = {}
    for each in mentions:
        edition, mark = each.edition, " (sample)" if each.edition.sample else ""
        when = days(edition.first_day, edition.last_day)
        by_days.setdefault(when, []).append(f"{_sign(each.entry)} in {edition.source}{mark}")
    return " · ".join(f"{', '.join(names)}, {when}" for when, names in by_days.items())


def spelled_place(edition: Edition, entry: Entry) -> str:
    """Name an entry's place without a sign: `Number 3 in dair, Jan 5-11, 2026`."""
    name = f"Number {number(entry)}" if entry.episode is None else f"Episode {entry.episode}"
    return f"{name} in {edition_name(edition)}"


def shorten(text: str, length: int) -> str:
    """Cut a text at a word, with an ellipsis, if it has more than `length` characters."""
    if len(text) <= length:
        return text
    cut = text[: length - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut[length // 2 :] else cut).rstrip(" ,;:-") + "…"


def capitalised(words: str) -> str:
    """Capitalise the first letter, behind a quotation mark too; the others stay."""
    at = 1 if words[:1] in _QUOTES else 0
    return words[:at] + words[at : at + 1].upper() + words[at + 1 :]


def count(number_of: int, noun: str) -> str:
    """Word a count: `1 paper`, `10 papers`, `10 entries`, `3 days`."""
    if number_of == 1:
        return f"1 {noun}"
    plural = f"{noun[:-1]}ies" if _ENDS_ENTRY.search(noun) else f"{noun}s"
    return f"{number_of:,} {plural}"


def day(date_of: date) -> str:
    """Word a day: `Jan 5, 2026`."""
    return days(date_of, date_of)


def moment(at: datetime, zone: str) -> str:
    """Word an instant in an IANA zone: `Monday, Jan 12, 2026, 09:00 (Europe/Berlin)`."""
    local = at.astimezone(ZoneInfo(zone))
    return f"{local:%A}, {day(local.date())}, {local:%H:%M} ({zone_name(zone)})"


def ago(then: date, today: date) -> str:
    """Word the age of a day: `today`, `3 days ago`, `2 weeks ago`, `1 year ago`."""
    passed = (today - then).days
    if passed <= 0:
        return "today" if passed == 0 else "to come"
    for length, noun in ((365, "year"), (30, "month"), (7, "week"), (1, "day")):
        if passed >= 2 * length or (length in (1, 365) and passed >= length):
            return f"{count(passed // length, noun)} ago"
    return f"{count(passed, 'day')} ago"


UNITS = {
    "d": ("day", timedelta(days=1)),
    "h": ("hour", timedelta(hours=1)),
    "m": ("minute", timedelta(minutes=1)),
}


def duration(length: timedelta) -> str:
    """Word a duration, to the minute: `3 days`, `12 hours`, `90 minutes`."""
    number, unit = in_units(length)
    return count(number, UNITS[unit][0])


def in_units(length: timedelta) -> tuple[int, str]:
    """Return a duration as a whole number of the largest unit that divides it."""
    unit = next((name for name, (_, size) in UNITS.items() if not length % size), "m")
    return length // UNITS[unit][1], unit


GAP = "[…]"
_ABBREVIATED = r"(?<!\bvs)(?<!\bal)(?<!\betc)(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)(?<!\bapprox)"
_GAPS = (
    (re.compile(r"— , —"), f"— {GAP} —"),
    # Nothing between two quotation marks.
    (re.compile(r"(?<![\w'\"])(['\"‘“])(['\"’”])(?![\w'\"])"), rf"\1{GAP}\2"),
    # An article before a word that no noun is.
    (
        re.compile(
            r"\b(an?|the) (?=(?:that|which|of|in|and|or|to|is|are|was|were|does|do|but|with|for"
            r"|from|by|on|at|as|when)\b)",
            re.IGNORECASE,
        ),
        rf"\1 {GAP} ",
    ),
    # A blank before a stop or a comma, and a sentence that begins without a capital.
    (re.compile(r"(?<=\S) (?=[,.;:!?](?:\s|$))"), f" {GAP}"),
    (re.compile(rf"{_ABBREVIATED}([.!?]) (?=[a-z]+ )"), rf"\1 {GAP} "),
)


def with_gaps(entry: Entry, text: str) -> str:
    """Return an entry's text with its gaps marked, if it is an episode of a review.

    A copy that lost linked words says odd things such as "it lives in a with two halves".
    """
    return text if entry.episode is None else _marked(text)


@lru_cache(2048)  # every answer shows the same few texts
def _marked(text: str) -> str:
    for gap, mark in _GAPS:
        text = gap.sub(mark, text)
    return text
