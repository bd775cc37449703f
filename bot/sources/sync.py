"""Fetching of the followed sources, address by address.

address | fetch: not modified ends here | import | store the result

Fetching a source is a job (`bot.coordination.jobs`), which one process at a time runs, by schedule
or by hand.
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
from bot.coordination.jobs import JobFunction, JobOutcome, JobWorker
from bot.domain.addresses import without_keys
from bot.domain.drafts import DocumentKind
from bot.errors import FetchError, SourceError, Suggestion, UserError
from bot.ingest.pipeline import Importer, LocalImporter
from bot.ingest.report import DocumentReport
from bot.operations.health import unforeseen
from bot.sources.fetch_documents import AddressImport
from bot.sources.fetch_times import next_fetch, next_retry
from bot.sources.fetcher import Fetcher
from store import sources as followed
from store.database import Database
from store.errors import StoreError
from store.sources import Address, FollowedSource

_log = logging.getLogger(__name__)
# Only an archive leads to others.
_FOUND_KIND = DocumentKind.ARCHIVE.value
_OVERTAKEN = "Another process fetches it now."
# The outcomes of an edition that are logged.
_NEWS = frozenset({"new", "changed"})


@dataclass(frozen=True, slots=True)
class SyncResult:
    """The result of fetching an address: reports, an error in words, or neither if unchanged.

    An address can have several documents, so that there may be both. `failing_since` is when its
    failures began, `None` if it was not fetched; `after` are the seconds that the host asks to
    wait. `led` is true if its page leads to others. `left` names the weeks that were refused since
    most of their papers would be other ones, which only an operator replaces.
    """

    source: str
    url: str
    reports: tuple[DocumentReport, ...] = ()
    error: str | None = None
    failing_since: datetime | None = None
    after: float | None = None
    led: bool = False
    left: str | None = None


class SyncMetrics(Protocol):
    """Counts fetches, as `bot.operations.metrics.Metrics` does."""

    def fetched(self, source: str, outcome: str) -> None:
        """Count an address that was fetched: `imported`, `unchanged` or `failed`."""

    def followed(self, newest: Mapping[str, datetime | None]) -> None:
        """Set the time of the last successful fetch of each source."""


class SourceSync:
    """Fetches the followed sources and imports their documents.

    Args:
        database: the store.
        fetcher: fetches pages.
        clock: the clock that users see, which a setting may move.
        system_clock: the clock that no setting moves.
        owner: the name of this process in leases.
        random: spreads the requests to one host.
        importer: imports documents, by default in this process.
        metrics: counts the fetches.
    """

    def __init__(  # noqa: PLR0913 - the store, the ports, two clocks and the lease's owner
        self,
        database: Database,
        fetcher: Fetcher,
        clock: Clock,
        *,
        system_clock: Clock | None = None,
        owner: str | None = None,
        random: Random | None = None,
        importer: Importer | None = None,
        metrics: SyncMetrics | None = None,
    ) -> None:
        self._database = database
        self._fetcher = fetcher
        self._importer = importer or LocalImporter(database)
        self._clock = clock
        self._system_clock = system_clock or SystemClock()
        self._carrying = JobWorker(database, owner or secrets.token_urlsafe(8), self._system_clock)
        self._random = random or Random()  # noqa: S311 - spreads requests, keeps no secret
        self._metrics = metrics

    async def jobs(self) -> dict[str, JobFunction]:
        """Return the jobs that fetch the enabled sources, by name.

        Raises:
            StoreError: where the store can't be read.
        """
        known = await self._database.read(followed.list_followed)
        enabled = [source for source in known if source.enabled]
        if self._metrics:
            newest = {source.source.slug: last_fetched_at(source) for source in enabled}
            self._metrics.followed(newest)
        return {job_name(source): partial(self._run, source) for source in enabled}

    async def sync(
        self, slugs: Sequence[str] = (), progress: Callable[[int, int], None] | None = None
    ) -> list[SyncResult]:
        """Fetch these sources, or all that are enabled, at the same time; return the results.

        A source that fails stops no other; one that another process is fetching is taken over.
        `progress(done, of)` is called after each source.

        Raises:
            UserError: where one of them is not followed, or none is.
            StoreError: where the store can't be read or written.
        """
        known = await self._database.read(followed.list_followed)
        wanted, numbers = choose_sources(known, slugs), count()

        def report_progress() -> None:
            if progress:
                progress(next(numbers), len(wanted))

        async def fetch(source: FollowedSource) -> list[SyncResult]:
            results = await self._by_hand(source)
            report_progress()
            return results

        report_progress()
        done = await asyncio.gather(*map(fetch, wanted), return_exceptions=True)
        results: list[SyncResult] = []
        for of_source in done:
            if isinstance(of_source, BaseException):
                raise of_source
            results += of_source
        return results

    async def _by_hand(self, source: FollowedSource) -> list[SyncResult]:
        """Fetch a source now, even if another process is fetching it.

        Raises:
            StoreError: where the store can't be read or written.
        """
        done: list[SyncResult] = []
        errors: list[StoreError] = []

        async def job(failures: int) -> JobOutcome:
            try:
                done[:] = await self._sync(source)
            except StoreError as error:
                errors.append(error)
                raise
            return self._ended(source, done, failures)

        ended = await self._carrying.carry_out_now(job_name(source), job)
        if errors:
            raise errors[0]
        reason = ended.reason if ended else _OVERTAKEN
        slug = source.source.slug
        return done or [SyncResult(slug, address.url, error=reason) for address in source.addresses]

    async def _run(self, source: FollowedSource, failures: int) -> JobOutcome:
        done = await self._sync(source)
        slug, outcomes = source.source.slug, _outcomes(done)
        if outcomes.keys() & _NEWS:
            _log.info("source_imported", extra={"source": slug, **outcomes})
        for result in done:
            if result.left:
                _log.warning("week_refused", extra={"source": slug, "reason": result.left})
        return self._ended(source, done, failures)

    async def _sync(self, source: FollowedSource) -> list[SyncResult]:
        """Fetch a source's addresses one after the other, since they may have the same weeks.

        Pages that one of them leads to are fetched after them.
        """
        slug = source.source.slug
        done = [await self._try(slug, address) for address in source.addresses]
        if not any(result.led for result in done):
            return done
        known = await self._database.read(followed.list_followed)
        found = [a for other in known if other.source.slug == slug for a in other.addresses]
        tried = {address.id for address in source.addresses}
        new = [address for address in found if address.id not in tried]
        return done + [await self._try(slug, address) for address in new]

    def _ended(
        self, source: FollowedSource, done: Sequence[SyncResult], failures: int
    ) -> JobOutcome:
        """Return when a source is fetched next."""
        now, spread = self._system_clock.now(), self._random.random()
        errors = [result.error for result in done if result.error]
        if not errors:
            return JobOutcome(next_fetch(source.usual, now, spread))
        after = max((result.after or 0.0 for result in done), default=None)
        at = next_retry(failures + 1, after, now, spread)
        return JobOutcome(at, failed=True, reason=" ".join(dict.fromkeys(errors)))

    async def _try(self, slug: str, address: Address) -> SyncResult:
        result = await self._import_or_fail(slug, address)
        if self._metrics:
            self._metrics.fetched(slug, _outcome(result))
        return result

    async def _import_or_fail(self, slug: str, address: Address) -> SyncResult:
        try:
            return await self._import(slug, address)
        except StoreError:
            raise
        except FetchError as error:
            return await self._failed(slug, address, error.sentence, error.after)
        except SourceError as error:
            reason = error.sentence
        except Exception as error:  # noqa: BLE001 - any error leaves the other sources alone
            _log.exception("sync_failed", extra={"source": slug})
            reason = unforeseen(error)
        return await self._failed(slug, address, reason)

    async def _import(self, slug: str, address: Address) -> SyncResult:
        begun = self._clock.now()
        result = await AddressImport(self._importer, self._fetcher, slug, begun).run(address)
        if result.error:
            # With the new validators it would not be sent again, nor reported.
            failed = await self._failed(slug, address, result.error, result.after)
            return replace(failed, reports=result.reports)
        if result.files:
            await self._database.write(followed.add_linked, slug, _FOUND_KIND, result.files)
        # A week that ends during its fetch must be fetched once more: the fetch's beginning counts.
        note = followed.note_fetched
        await self._database.write(note, address.id, result.validators, begun, result.left)
        led = bool(result.files)
        return SyncResult(slug, address.url, result.reports, led=led, left=result.left)

    async def _failed(
        self, slug: str, address: Address, error: str, after: float | None = None
    ) -> SyncResult:
        # It is shown in channels and logs, and the address may hold a key.
        error, now = without_keys(error), self._clock.now()
        await self._database.write(followed.note_failed, address.id, error, now)
        since = address.failing_since or now
        return SyncResult(slug, address.url, error=error, failing_since=since, after=after)


def last_fetched_at(source: FollowedSource) -> datetime | None:
    """Return the time of the last successful fetch at one of a source's addresses. Pure."""
    times = (address.fetched_at for address in source.addresses)
    return max((time for time in times if time), default=None)


def _outcome(result: SyncResult) -> str:
    if result.error:
        return "failed"
    return "imported" if result.reports else "unchanged"


def _outcomes(done: Sequence[SyncResult]) -> Counter[str]:
    """Count the outcomes of editions."""
    reports = (report for result in done for report in result.reports)
    return Counter(edition.outcome for report in reports for edition in report.editions)


def job_name(source: FollowedSource) -> str:
    """Return the name of the job that fetches a source. Pure."""
    return f"source:{source.source.slug}"


def choose_sources(known: Sequence[FollowedSource], slugs: Sequence[str]) -> list[FollowedSource]:
    """Return the sources of these names, or all that are enabled. Pure.

    Raises:
        UserError: where one of them is not followed, or none is.
    """
    if not slugs:
        if enabled := [source for source in known if source.enabled]:
            return enabled
        raise UserError(
            "No source is followed." if not known else "No source is enabled.",
            "broadsheet sources add SLUG URL follows one; sources enable SLUG takes one up again.",
        )
    by_slug = {source.source.slug: source for source in known}
    for slug in slugs:
        if slug not in by_slug:
            raise not_followed(slug, list(by_slug))
    return [by_slug[slug] for slug in dict.fromkeys(slugs)]


def not_followed(slug: str, known: Sequence[str]) -> UserError:
    """Return the error for a source that is not followed, with similar names. Pure."""
    near = get_close_matches(slug, known, n=3, cutoff=0.5)
    listed = f"Followed are {', '.join(known)}." if known else "None is followed so far."
    return UserError(
        f"No source {slug!r} is followed.", listed, tuple(Suggestion(name, name) for name in near)
    )
