"""A week of daily papers: asked for page by page, and joined into one document.

    week | its pages, or its days' where it is refused | each paper once, of that week alone | JSON

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

from bot.errors import DocumentError, OtherShape, PageGone
from bot.ingest import documents
from bot.ingest.documents import MAX_BYTES
from bot.ingest.formats.hf_daily.papers import looks_like_list, read_elements, read_paper
from bot.sources.fetcher import Fetcher

# The most papers that a page has.
PAGE = 100
# Several times the busiest week that is known.
MOST_PAGES = 20
# In so many of its first days a week may have no paper: it begins with holidays, and late.
_YOUNG = timedelta(days=3)
_WEEK = timedelta(days=7)
_ACCEPT = "application/json"
_ENDPOINT = "/api/daily_papers"
# How a page behind the last one may be answered.
_NO_SUCH_PAGE = frozenset({400, 404, 416, 422})
# What we ask for ourselves; the rest of an address's query is its operator's.
_OURS = frozenset({"week", "date", "month", "p", "limit"})


def weeks_to_ask_for(now: datetime, fetched_at: datetime | None) -> tuple[date, ...]:
    """Return the Mondays of the weeks that are not frozen yet, the earlier one first. Pure.

    These are the week of `now` (UTC), and the one before until it was fetched once after its end:
    that was its last word. `fetched_at` is when fetching last went well.
    """
    today = now.astimezone(UTC).date()
    monday = today - timedelta(days=today.weekday())
    begun = datetime.combine(monday, time(), UTC)
    # What is said to be fetched in time to come was fetched while a clock was ahead.
    is_frozen = fetched_at is not None and begun <= fetched_at <= now
    return (monday,) if is_frozen else (monday - _WEEK, monday)


def week_named(url: str) -> date | None:
    """Return the Monday of the week that an address of such a list names, `None` for another. Pure.

    Raises:
        DocumentError: where the address is of such a list and names none, for one page of it, or
            one day, is not all there is of a week.
    """
    try:
        parts = urlsplit(url)
    except ValueError:  # no address at all: whoever is to fetch it says so
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


def comes_in_pages(body: bytes) -> bool:
    """Tell whether a page is one of such a list, and so not all there is of its week. Pure."""
    return b'"submittedOnDailyAt"' in body and looks_like_list(body.decode(errors="replace"))


async def whole_week(fetcher: Fetcher, url: str, monday: date, now: datetime) -> bytes | None:
    """Return all papers of a week as one list in JSON, `None` where a young week has none.

    Raises:
        FetchError: where a page of it can't be had.
        DocumentError: where one is no such page, where the pages don't end, or where a week has no
            paper that is not young.
    """
    today = now.astimezone(UTC).date()
    values = _of_week(await _listed(fetcher, url, monday, today), monday)
    if values:
        # In ASCII, for JSON can spell halves of characters, which UTF-8 can't.
        return json.dumps(values).encode()
    if today - monday < _YOUNG:
        return None
    raise OtherShape(f"{url} lists no paper of {_name(monday)}.", "Try again later.")


@dataclass(frozen=True, slots=True)
class _Listed:
    """An element of the list, and the day on which it was listed, where that can be told."""

    value: object
    day: date | None


@dataclass
class _Walk:
    """A walk through pages: what was found, by paper, and how many bytes there may still be."""

    fetcher: Fetcher
    url: str
    found: dict[str, _Listed] = field(default_factory=dict)
    left: int = MAX_BYTES

    async def through(self, **which: str) -> None:
        """Go through the pages of a week or a day, until one has nothing new.

        Where papers moved from page to page meanwhile, for the votes that came in, one may have
        slipped to a page that was read already: then once more.

        Raises:
            FetchError: where one can't be had.
            DocumentError: where one is no such page, or where they don't end.
        """
        if await self._pages(which):
            await self._pages(which)

    async def _pages(self, which: Mapping[str, str]) -> bool:
        """Go through the pages once; return whether papers moved meanwhile."""
        seen: set[str] = set()
        is_full, has_moved = True, False
        for number in range(MOST_PAGES):
            try:
                listed = await self._page({**which, "p": str(number), "limit": str(PAGE)})
            except PageGone as error:
                if is_full or error.status not in _NO_SUCH_PAGE:
                    raise
                return has_moved
            # Of a paper on two pages the newer facts count.
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
    """Return what the pages of a week list, or those of its days where it can't be asked for."""
    walk = _Walk(fetcher, url)
    try:
        await walk.through(week=_name(monday))
    except PageGone:
        if walk.found:
            raise
    else:
        if not _is_of_others(walk.found.values(), monday):
            return list(walk.found.values())
    walk = _Walk(fetcher, url)
    for day in (monday + timedelta(days=number) for number in range(7)):
        if day <= today:  # it takes no later one
            await walk.through(date=day.isoformat())
    return list(walk.found.values())


def _is_of_others(listed: Collection[_Listed], monday: date) -> bool:
    """Tell whether all are of other weeks: some sites give their newest for one unknown to them."""
    days = [each.day for each in listed if each.day]
    return bool(days) and not any(_is_in(monday, day) for day in days)


def _of_week(listed: Collection[_Listed], monday: date) -> list[object]:
    """Return what is of a week; with it what can't be read, which the import is to name."""
    if _is_of_others(listed, monday):
        return []
    return [each.value for each in listed if each.day is None or _is_in(monday, each.day)]


def _keyed(value: object) -> tuple[str, _Listed]:
    paper = read_paper(value).paper
    if paper is None:
        return json.dumps(value, sort_keys=True), _Listed(value, None)
    return paper.arxiv_id, _Listed(value, paper.listed_on)


def _is_in(monday: date, day: date) -> bool:
    return monday <= day < monday + _WEEK


def _name(monday: date) -> str:
    return f"{monday:%G-W%V}"


def _asked(url: str, which: Mapping[str, str]) -> str:
    parts = urlsplit(url)
    own = [each for each in parse_qsl(parts.query, keep_blank_values=True) if each[0] not in _OURS]
    return urlunsplit(parts._replace(query=urlencode([*own, *which.items()]), fragment=""))
