"""The types of arguments: how each is read, and what it answers to what it can't read."""

import re
from calendar import monthrange
from datetime import date
from difflib import get_close_matches

from bot.command import Context
from bot.errors import Suggestion, UserError
from store import editions

_PAGE = re.compile(r"[1-9][0-9]{0,2}")  # nobody reads further
_YEAR, _MONTH, _DAY = (
    re.compile(r"(\d{4})"),
    re.compile(r"(\d{4})-(\d{2})"),
    re.compile(r"\d{4}-\d{2}-\d{2}"),
)


async def read_words(text: str, _context: Context) -> str:
    """Take the text as it is."""
    return text


async def read_page(text: str, _context: Context) -> int:
    """Read a page's number, from 1.

    Raises:
        UserError: for anything else.
    """
    if not _PAGE.fullmatch(text):
        raise UserError(f"page: takes a number from 1, not {text[:40]!r}.")
    return int(text)


async def read_source(text: str, context: Context) -> str:
    """Read the slug of a source that is stored.

    Raises:
        UserError: with the slugs there are, the nearest first.
    """
    known = [source.slug for source in await context.database.read(editions.list_sources)]
    slug = text.lower()
    if slug in known:
        return slug
    near = get_close_matches(slug, known, n=3, cutoff=0.4)
    raise UserError(
        f"There is no source {text[:40]!r}.",
        f"The sources are {', '.join(known)}." if known else "None is stored yet.",
        tuple(Suggestion(f"from:{each}", f"latest from:{each}") for each in near),
    )


async def read_since(text: str, _context: Context) -> date:
    """Read the first day of a period: `2025`, `2025-03`, `2025-03-17`.

    Raises:
        UserError: for anything else.
    """
    return _period("since", text)[0]


async def read_until(text: str, _context: Context) -> date:
    """Read the last day of a period: `2025`, `2025-03`, `2025-03-17`.

    Raises:
        UserError: for anything else.
    """
    return _period("until", text)[1]


def _period(key: str, text: str) -> tuple[date, date]:
    try:
        if year := _YEAR.fullmatch(text):
            return date(int(year[1]), 1, 1), date(int(year[1]), 12, 31)
        if month := _MONTH.fullmatch(text):
            first = date(int(month[1]), int(month[2]), 1)
            return first, first.replace(day=monthrange(first.year, first.month)[1])
        if _DAY.fullmatch(text):
            return date.fromisoformat(text), date.fromisoformat(text)
    except ValueError:
        pass  # the numbers are no day of the calendar, which the sentence below says too
    raise UserError(
        f"{key}: takes a day, month or year, not {text[:40]!r}.",
        "Such as 2025-03-17, 2025-03 or 2025.",
    )
