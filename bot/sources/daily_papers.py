"""A week of daily papers, fetched page by page and joined into one document.

    week | its pages, or those of its days if refused | each paper of the week once | JSON

The endpoint is https://huggingface.co/api/daily_papers, described at
https://huggingface.co/docs/hub/en/api#get-apidailypapers. Its pages (`p`, from 0) are of a week
(`week=2025-W04`, known to be taken up to W52) or of a day in UTC (`date=2025-01-20`). One may have
fewer papers than were asked for, though another follows.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from bot.errors import DocumentError, PageGone, WrongShape
from bot.ingest import documents
from bot.ingest.documents import MAX_BYTES
from bot.ingest.formats.hf_daily import looks_like_list, read_elements, read_paper
from bot.sources.fetcher import Fetcher

# The most papers that a page has.
PAGE = 100
# Several times the busiest known week.
MOST_PAGES = 20
# A week may have no paper in its first days: it may begin with holidays.
_YOUNG = timedelta(days=3)
_WEEK = timedelta(days=7)
_ACCEPT = "application/json"
_ENDPOINT = "/api/daily_papers"
# Answers for a page behind the last one.
_NO_SUCH_PAGE = frozenset({400, 404, 416, 422})
# The parameters that we set; the others in an address are its operator's.
_OURS = frozenset({"week", "date", "month", "p", "limit"})


def unfrozen_weeks(now: datetime, fetched_at: datetime | None) -> tuple[date, ...]:
    """Return the Mondays of the weeks that are not frozen yet, the earlier one first. Pure.

    These are the week of `now` (UTC), and the one before until it was fetched once after its end.
    `fetched_at` is the time of the last successful fetch.
    """
    today = now.astimezone(UTC).date()
    monday = today - timedelta(days=today.weekday())
    begun = datetime.combine(monday, time(), UTC)
    # A time of fetch in the future was stored while a clock was ahead.
    is_frozen = fetched_at is not None and begun <= fetched_at <= now
    return (monday,) if is_frozen else (monday - _WEEK, monday)


def week_in_url(url: str) -> date | None:
    """Return the Monday of the week that an address of daily papers names. Pure.

    `None` for an address of anything else.

    Raises:
        DocumentError: where an address of daily papers names no week, but a day or a page.
    """
    try:
        parts = urlsplit(url)
    except ValueError:  # no address at all: the fetcher reports it
        return None
    week = dict(parse_qsl(parts.query)).get("week", "")
    if not parts.path.rstrip("/").endswith(_ENDPOINT):
        return None
    try:
        return date.fromisoformat(f"{week}-1")
    except ValueError:
        raise DocumentError(
            f"{url} names no week of daily papers.", "Name one, as in ?week=2025-W04."
        ) from None


def is_paged_list(body: bytes) -> bool:
    """Tell a page of a list of daily papers, which is a part of a week. Pure."""
    return b'"submittedOnDailyAt"' in body and looks_like_list(body.decode(errors="replace"))


async def fetch_week(fetcher: Fetcher, url: str, monday: date, now: datetime) -> bytes | None:
    """Return all papers of a week as one list in JSON, `None` where a young week has none.

    Raises:
        FetchError: where a page can't be fetched.
        DocumentError: where a page is no list, where the pages don't end, or where an older week
            has no paper.
    """
    today = now.astimezone(UTC).date()
    values = _of_week(await _listed(fetcher, url, monday, today), monday)
    if values:
        # In ASCII, for JSON can spell halves of characters, which UTF-8 can't.
        return json.dumps(values).encode()
    if today - monday < _YOUNG:
        return None
    raise WrongShape(f"{url} lists no paper of {_name(monday)}.", "Try again later.")


# An element of the list, and the day on which it was listed, if known.
_Listed = tuple[object, date | None]


@dataclass
class _PageReader:
    """Reads pages: the elements found, by paper, and the bytes that may still be read."""

    fetcher: Fetcher
    url: str
    found: dict[str, _Listed] = field(default_factory=dict)
    left: int = MAX_BYTES

    async def read(self, **which: str) -> None:
        """Read the pages of a week or a day, until one has nothing new.

        New votes move papers from page to page. Then the pages are read once more, since a paper
        may have moved to a page that was read already.

        Raises:
            FetchError: where a page can't be fetched.
            DocumentError: where a page is no list, or where the pages don't end.
        """
        if await self._pages(which):
            await self._pages(which)

    async def _pages(self, which: Mapping[str, str]) -> bool:
        """Read the pages once; return whether papers moved meanwhile."""
        seen: set[str] = set()
        is_full, has_moved = True, False
        for number in range(MOST_PAGES):
            try:
                listed = await self._page({**which, "p": str(number), "limit": str(PAGE)})
            except PageGone as error:
                if is_full or error.status not in _NO_SUCH_PAGE:
                    raise
                return has_moved
            # The later facts of a paper on two pages count.
            self.found |= listed
            if listed.keys() <= seen:
                return has_moved
            has_moved |= not seen.isdisjoint(listed)
            seen |= listed.keys()
            is_full = len(listed) >= PAGE
        raise DocumentError(f"{self.url} lists papers on more than {MOST_PAGES} pages.")

    async def _page(self, which: Mapping[str, str]) -> dict[str, _Listed]:
        at = _asked(self.url, which)
        page = await self.fetcher.fetch(at, accept=_ACCEPT, most=self.left)
        body = page.body if page else b""
        self.left -= len(body)
        elements = read_elements(documents.read(at, body).document)
        return dict(_keyed(element.value) for element in elements)


async def _listed(fetcher: Fetcher, url: str, monday: date, today: date) -> list[_Listed]:
    """Return the elements of a week, by its days where the site does not know the week."""
    reader = _PageReader(fetcher, url)
    try:
        await reader.read(week=_name(monday))
    except PageGone:
        if reader.found:
            raise
    else:
        if not _is_of_others(reader.found.values(), monday):
            return list(reader.found.values())
    reader = _PageReader(fetcher, url)
    for day in (monday + timedelta(days=number) for number in range(7)):
        if day <= today:  # the site refuses later days
            await reader.read(date=day.isoformat())
    return list(reader.found.values())


def _is_of_others(listed: Collection[_Listed], monday: date) -> bool:
    """Tell whether all elements are of other weeks: some sites answer so for an unknown week."""
    days = [day for _, day in listed if day]
    return bool(days) and not any(_is_in(monday, day) for day in days)


def _of_week(listed: Collection[_Listed], monday: date) -> list[object]:
    """Return the elements of a week, and the unreadable ones, which the import reports."""
    if _is_of_others(listed, monday):
        return []
    return [value for value, day in listed if day is None or _is_in(monday, day)]


def _keyed(value: object) -> tuple[str, _Listed]:
    paper, _ = read_paper(value)
    if paper is None:
        return json.dumps(value, sort_keys=True), (value, None)
    return paper.arxiv_id, (value, paper.listed_on)


def _is_in(monday: date, day: date) -> bool:
    return monday <= day < monday + _WEEK


def _name(monday: date) -> str:
    return f"{monday:%G-W%V}"


def _asked(url: str, which: Mapping[str, str]) -> str:
    parts = urlsplit(url)
    own = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair[0] not in _OURS]
    return urlunsplit(parts._replace(query=urlencode([*own, *which.items()]), fragment=""))
