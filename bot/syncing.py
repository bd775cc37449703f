"""Syncing: what is followed is fetched and taken in, each address by itself.

address | fetch: not modified ends here | ingest | note what came of it
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches

from bot.clock import Clock
from bot.errors import SourceError, Suggestion, UserError
from bot.fetching import Fetcher, Page
from bot.health import unforeseen
from bot.ingest.drafts import DocumentKind
from bot.ingest.pipeline import ImportOptions, ingest
from bot.ingest.report import DocumentReport
from store import followed
from store.database import Database
from store.errors import StoreError
from store.followed import Address, Followed

_log = logging.getLogger(__name__)
# What one page says would take the rest of its weeks away.
_IN_PAGES = frozenset({DocumentKind.HF_DAILY.value})


@dataclass(frozen=True, slots=True)
class Synced:
    """What came of fetching an address: a report, an error in words, or that it is as it was.

    `failing_since` is when that began where it went wrong.
    """

    source: str
    url: str
    report: DocumentReport | None = None
    error: str | None = None
    failing_since: datetime | None = None


class Syncing:
    """Fetches what is followed.

    Args:
        database: the store.
        fetcher: gets documents.
        clock: the time.
    """

    def __init__(self, database: Database, fetcher: Fetcher, clock: Clock) -> None:
        self._database = database
        self._fetcher = fetcher
        self._clock = clock

    async def sync(self, slugs: Sequence[str] = ()) -> list[Synced]:
        """Fetch these sources, or all that are enabled, side by side; return what came of it.

        One that fails stops no other.

        Raises:
            UserError: where one of them is not followed, or none is.
            StoreError: where the store can't be read or written.
        """
        known = await self._database.read(followed.list_followed)
        wanted = chosen(known, slugs)
        done = await asyncio.gather(*(self._sync(each) for each in wanted))
        return [synced for source in done for synced in source]

    async def _sync(self, source: Followed) -> list[Synced]:
        """Fetch a source's addresses one after the other, for they may tell of the same weeks."""
        return [await self._try(source.source.slug, each) for each in source.addresses]

    async def _try(self, slug: str, address: Address) -> Synced:
        try:
            return await self._take_in(slug, address)
        except StoreError:
            raise
        except SourceError as error:
            said = error.sentence
        except Exception as error:  # noqa: BLE001 - whatever it was, the others are to be fetched
            _log.exception("sync_failed", extra={"source": slug})
            said = unforeseen(error)
        return await self._failed(slug, address, said)

    async def _take_in(self, slug: str, address: Address) -> Synced:
        page = await self._fetcher.fetch(address.url, address.validators)
        if page is None:
            await self._fetched(address, None)
            return Synced(slug, address.url)
        options = ImportOptions(kind=address.kind, source=slug, without=_IN_PAGES)
        report = await ingest(self._database, address.url, page.body, options, self._clock.now())
        if report.error:
            # Asked for by the same validators it would not come again, nor be told of.
            return await self._failed(slug, address, report.error)
        await self._fetched(address, page)
        return Synced(slug, address.url, report)

    async def _fetched(self, address: Address, page: Page | None) -> None:
        validators = page.validators if page else address.validators
        await self._database.write(followed.note_fetched, address.id, validators, self._clock.now())

    async def _failed(self, slug: str, address: Address, error: str) -> Synced:
        now = self._clock.now()
        await self._database.write(followed.note_failed, address.id, error, now)
        _log.warning("source_failed", extra={"source": slug, "reason": error})
        since = address.failing_since or now
        return Synced(slug, address.url, error=error, failing_since=since)


def chosen(known: Sequence[Followed], slugs: Sequence[str]) -> list[Followed]:
    """Return the sources of these names, or all that are enabled. Pure.

    Raises:
        UserError: where one of them is not followed, or none is.
    """
    if not slugs:
        if enabled := [each for each in known if each.enabled]:
            return enabled
        raise UserError(
            "No source is followed." if not known else "No source is enabled.",
            "broadsheet sources add SLUG URL follows one; sources enable SLUG takes one up again.",
        )
    by_slug = {each.source.slug: each for each in known}
    for slug in slugs:
        if slug not in by_slug:
            raise not_followed(slug, list(by_slug))
    return [by_slug[slug] for slug in dict.fromkeys(slugs)]


def not_followed(slug: str, known: Sequence[str]) -> UserError:
    """Return the error for a source that is not followed, with those that may be meant. Pure."""
    near = get_close_matches(slug, known, n=3, cutoff=0.5)
    listed = f"Followed are {', '.join(known)}." if known else "None is followed so far."
    return UserError(
        f"No source {slug!r} is followed.", listed, tuple(Suggestion(each, each) for each in near)
    )
