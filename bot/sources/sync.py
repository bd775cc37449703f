"""Syncing: what is followed is fetched and taken in, each address by itself.

address | fetch: not modified ends here | ingest | note what came of it

One process at a time fetches a source, by schedule or by hand: it is a job
(`bot.coordination.jobs`).
"""

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import get_close_matches
from functools import partial
from itertools import count
from random import Random
from typing import Protocol

from bot.clock import Clock, SystemClock
from bot.coordination.jobs import Carrying, Ended, Job
from bot.domain.addresses import discreet
from bot.domain.drafts import DocumentKind
from bot.errors import FetchError, SourceError, Suggestion, UserError
from bot.ingest.pipeline import Here, Importer
from bot.ingest.report import DocumentReport
from bot.operations.health import unforeseen
from bot.sources.fetch_documents import Taking
from bot.sources.fetch_times import next_fetch, next_try
from bot.sources.fetcher import Fetcher
from store import sources as followed
from store.database import Database
from store.errors import StoreError
from store.sources import Address, Followed

_log = logging.getLogger(__name__)
# Only an archive leads to others.
_FOUND = DocumentKind.ARCHIVE.value
_OVERTAKEN = "Another process fetches it now."
# What becomes of an edition that is worth a line.
_NEWS = frozenset({"new", "changed"})


@dataclass(frozen=True, slots=True)
class Synced:
    """What came of fetching an address: reports, an error in words, or that it is as it was.

    `reports` are on the documents that were taken in, of which an address can have several: then
    one may have gone in though another failed. `failing_since` is when that began where it went
    wrong, `None` where it was not come to, and `after` for how many seconds its host asks to be
    left alone, where it does. `led` is whether its page leads to others. `left` is what was refused
    of it: weeks whose papers would mostly be other ones, which nobody but an operator replaces.
    """

    source: str
    url: str
    reports: tuple[DocumentReport, ...] = ()
    error: str | None = None
    failing_since: datetime | None = None
    after: float | None = None
    led: bool = False
    left: str | None = None


class Tally(Protocol):
    """Counts what comes of fetching, as `bot.operations.metrics.Metrics` does."""

    def fetched(self, source: str, outcome: str) -> None:
        """Count an address that was fetched: `taken_in`, `as_it_was` or `failed`."""

    def followed(self, newest: Mapping[str, datetime | None]) -> None:
        """Note of each source that is fetched when that last went well."""


class Syncing:
    """Fetches what is followed.

    Args:
        database: the store.
        fetcher: gets documents.
        clock: the time, as people see it.
        wall: the time that no setting moves.
        owner: the process that fetches.
        dice: spreads what would be asked of one host at once.
        importer: takes documents in, in this process unless it is told.
        tally: counts what comes of it.
    """

    def __init__(  # noqa: PLR0913 - the store, what fetches, who it is, and the time
        self,
        database: Database,
        fetcher: Fetcher,
        clock: Clock,
        *,
        wall: Clock | None = None,
        owner: str | None = None,
        dice: Random | None = None,
        importer: Importer | None = None,
        tally: Tally | None = None,
    ) -> None:
        self._database = database
        self._fetcher = fetcher
        self._importer = importer or Here(database)
        self._clock = clock
        self._wall = wall or SystemClock()
        self._carrying = Carrying(database, owner or secrets.token_urlsafe(8), self._wall)
        self._dice = dice or Random()  # noqa: S311 - spreads requests, keeps no secret
        self._tally = tally

    async def jobs(self) -> dict[str, Job]:
        """Return the runs that fetch what is enabled, by name.

        Raises:
            StoreError: where the store can't be read.
        """
        known = await self._database.read(followed.list_followed)
        enabled = [each for each in known if each.enabled]
        if self._tally:
            self._tally.followed({each.source.slug: fetched_last(each) for each in enabled})
        return {run_of(each): partial(self._run, each) for each in enabled}

    async def sync(
        self, slugs: Sequence[str] = (), progress: Callable[[int, int], None] | None = None
    ) -> list[Synced]:
        """Fetch these sources, or all that are enabled, side by side; return what came of it.

        One that fails stops no other; one that another process is fetching is taken from it.
        `progress(done, of)` is told how many sources are done.

        Raises:
            UserError: where one of them is not followed, or none is.
            StoreError: where the store can't be read or written.
        """
        known = await self._database.read(followed.list_followed)
        wanted, numbers = chosen(known, slugs), count()

        def tell() -> None:
            if progress:
                progress(next(numbers), len(wanted))

        async def fetched(source: Followed) -> list[Synced]:
            synced = await self._by_hand(source)
            tell()
            return synced

        tell()
        done = await asyncio.gather(*map(fetched, wanted), return_exceptions=True)
        synced: list[Synced] = []
        for each in done:
            if isinstance(each, BaseException):
                raise each
            synced += each
        return synced

    async def _by_hand(self, source: Followed) -> list[Synced]:
        """Fetch a source now, whoever is at it.

        Raises:
            StoreError: where the store can't be read or written.
        """
        done: list[Synced] = []
        trouble: list[StoreError] = []

        async def job(failures: int) -> Ended:
            try:
                done[:] = await self._sync(source)
            except StoreError as error:
                trouble.append(error)
                raise
            return self._ended(source, done, failures)

        ended = await self._carrying.carry_out_now(run_of(source), job)
        if trouble:
            raise trouble[0]
        said = ended.reason if ended else _OVERTAKEN
        slug = source.source.slug
        return done or [Synced(slug, each.url, error=said) for each in source.addresses]

    async def _run(self, source: Followed, failures: int) -> Ended:
        done = await self._sync(source)
        slug, outcomes = source.source.slug, _outcomes(done)
        if outcomes.keys() & _NEWS:
            _log.info("source_taken_in", extra={"source": slug, **outcomes})
        for each in done:
            if each.left:
                _log.warning("week_refused", extra={"source": slug, "reason": each.left})
        return self._ended(source, done, failures)

    async def _sync(self, source: Followed) -> list[Synced]:
        """Fetch a source's addresses one after the other, for they may tell of the same weeks.

        Where a page among them led to others, these are fetched after them.
        """
        slug = source.source.slug
        done = [await self._try(slug, each) for each in source.addresses]
        if not any(each.led for each in done):
            return done
        known = await self._database.read(followed.list_followed)
        found = [a for each in known if each.source.slug == slug for a in each.addresses]
        tried = {each.id for each in source.addresses}
        return done + [await self._try(slug, each) for each in found if each.id not in tried]

    def _ended(self, source: Followed, done: Sequence[Synced], failures: int) -> Ended:
        """Say when a source is fetched next."""
        now, spread = self._wall.now(), self._dice.random()
        errors = [each.error for each in done if each.error]
        if not errors:
            return Ended(next_fetch(source.usual, now, spread))
        after = max((each.after or 0.0 for each in done), default=None)
        at = next_try(failures + 1, after, now, spread)
        return Ended(at, failed=True, reason=" ".join(dict.fromkeys(errors)))

    async def _try(self, slug: str, address: Address) -> Synced:
        synced = await self._tried(slug, address)
        if self._tally:
            self._tally.fetched(slug, _outcome(synced))
        return synced

    async def _tried(self, slug: str, address: Address) -> Synced:
        try:
            return await self._take_in(slug, address)
        except StoreError:
            raise
        except FetchError as error:
            return await self._failed(slug, address, error.sentence, error.after)
        except SourceError as error:
            said = error.sentence
        except Exception as error:  # noqa: BLE001 - whatever it was, the others are to be fetched
            _log.exception("sync_failed", extra={"source": slug})
            said = unforeseen(error)
        return await self._failed(slug, address, said)

    async def _take_in(self, slug: str, address: Address) -> Synced:
        begun = self._clock.now()
        taken = await Taking(self._importer, self._fetcher, slug, begun).take_in(address)
        if taken.error:
            # Asked for by the same validators it would not come again, nor be told of.
            failed = await self._failed(slug, address, taken.error, taken.after)
            return replace(failed, reports=taken.reports)
        if taken.files:
            await self._database.write(followed.add_found, slug, _FOUND, taken.files)
        # A week that ends while it is fetched is to be fetched once more, so that its beginning
        # counts.
        note = followed.note_fetched
        await self._database.write(note, address.id, taken.validators, begun, taken.left)
        led = bool(taken.files)
        return Synced(slug, address.url, taken.reports, led=led, left=taken.left)

    async def _failed(
        self, slug: str, address: Address, error: str, after: float | None = None
    ) -> Synced:
        # It is told in channels and logs, and the address may hold a key.
        error, now = discreet(error), self._clock.now()
        await self._database.write(followed.note_failed, address.id, error, now)
        since = address.failing_since or now
        return Synced(slug, address.url, error=error, failing_since=since, after=after)


def fetched_last(source: Followed) -> datetime | None:
    """Return when fetching a source last went well at one of its addresses. Pure."""
    return max((each.fetched_at for each in source.addresses if each.fetched_at), default=None)


def _outcome(synced: Synced) -> str:
    if synced.error:
        return "failed"
    return "taken_in" if synced.reports else "as_it_was"


def _outcomes(done: Sequence[Synced]) -> Counter[str]:
    """Return how many editions became what."""
    reports = (report for synced in done for report in synced.reports)
    return Counter(edition.outcome for report in reports for edition in report.editions)


def run_of(source: Followed) -> str:
    """Return the name of the run that fetches a source. Pure."""
    return f"source:{source.source.slug}"


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
