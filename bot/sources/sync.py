"""Fetching of the followed sources, address by address.

address | fetch: not modified ends here | import | store the result

Fetching a source is a job (`bot.coordination.jobs`), which one process at a time runs, by schedule
or by hand.
"""

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial
from random import Random

from bot.clock import Clock, SystemClock
from bot.coordination.jobs import JobFunction, JobOutcome, JobWorker
from bot.domain.addresses import files_below, without_keys
from bot.domain.drafts import DocumentKind
from bot.errors import DocumentError, SourceError, WrongShape
from bot.ingest.pipeline import Importer, ImportOptions, LocalImporter
from bot.ingest.report import DocumentReport
from bot.operations.health import unforeseen
from bot.operations.metrics import Metrics
from bot.replies.wording import count
from bot.sources.daily_papers import fetch_week, is_paged_list, unfrozen_weeks
from bot.sources.fetcher import NO_VALIDATORS, Fetcher, Validators
from bot.sources.followed import choose_sources, last_fetched_at, next_fetch, next_retry
from store import sources
from store.database import Database
from store.errors import StoreError
from store.sources import Address, FollowedSource

_log = logging.getLogger(__name__)
# Only an archive leads to others.
_FOUND_KIND = DocumentKind.ARCHIVE.value
_CHANGED = "The page is there but reads otherwise than before: its markup may have changed."
_OVERTAKEN = "Another process fetches it now."
# The outcomes of an edition that are logged.
_NEWS = frozenset({"new", "changed"})


@dataclass(frozen=True, slots=True)
class SyncResult:
    """The result of fetching an address: reports, an error in words, or neither if unchanged.

    An error beside reports is that of one document among several. `failing_since` is when the
    failures began, `None` if the address was not fetched; `after` are the seconds that the host
    asks to wait. `left` names the weeks that were refused since most of their papers would be other
    ones, which only an operator replaces. `files` are the addresses of further pages that the page
    leads to; `validators` are sent with the next request.
    """

    source: str
    url: str
    reports: tuple[DocumentReport, ...] = ()
    error: str | None = None
    failing_since: datetime | None = None
    after: float | None = None
    left: str | None = None
    files: tuple[str, ...] = ()
    validators: Validators = NO_VALIDATORS


class SourceSync:
    """Fetches the followed sources and imports their documents, by default in this process.

    `clock` is the clock that users see, which a setting may move, `system_clock` the one that no
    setting moves; `random` spreads the requests to one host.
    """

    def __init__(  # noqa: PLR0913 - the store, the ports and two clocks
        self,
        database: Database,
        fetcher: Fetcher,
        clock: Clock,
        *,
        system_clock: Clock | None = None,
        random: Random | None = None,
        importer: Importer | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        self._database = database
        self._fetcher = fetcher
        self._importer = importer or LocalImporter(database)
        self._clock = clock
        self._system_clock = system_clock or SystemClock()
        self._worker = JobWorker(database, secrets.token_urlsafe(8), self._system_clock)
        self._random = random or Random()  # noqa: S311 - spreads requests, keeps no secret
        self._metrics = metrics

    async def jobs(self) -> dict[str, JobFunction]:
        """Return the jobs that fetch the enabled sources, by name.

        Raises:
            StoreError: where the store can't be read.
        """
        known = await self._database.read(sources.list_followed)
        enabled = [source for source in known if source.enabled]
        if self._metrics:
            self._metrics.followed({s.source.slug: last_fetched_at(s) for s in enabled})
        return {_job_name(source): partial(self._run, source) for source in enabled}

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
        wanted = choose_sources(await self._database.read(sources.list_followed), slugs)
        finished = 0

        async def fetch(source: FollowedSource) -> list[SyncResult]:
            nonlocal finished
            results = await self._by_hand(source)
            finished += 1
            if progress:
                progress(finished, len(wanted))
            return results

        if progress:
            progress(0, len(wanted))
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

        ended = await self._worker.carry_out_now(_job_name(source), job)
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
        if not any(result.files for result in done):
            return done
        known = await self._database.read(sources.list_followed)
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
        try:
            result = await self._import(slug, address)
        except StoreError:
            raise
        except SourceError as error:
            result = SyncResult(slug, address.url, error=error.sentence, after=error.after)
        except Exception as error:  # noqa: BLE001 - any error leaves the other sources alone
            _log.exception("sync_failed", extra={"source": slug})
            result = SyncResult(slug, address.url, error=unforeseen(error))
        if result.error:
            # It is shown in channels and logs, and the address may hold a key.
            reason, now = without_keys(result.error), self._clock.now()
            await self._database.write(sources.note_failed, address.id, reason, now)
            result = replace(result, error=reason, failing_since=address.failing_since or now)
        if self._metrics:
            outcome = "imported" if result.reports else "unchanged"
            self._metrics.fetched(slug, "failed" if result.error else outcome)
        return result

    async def _import(self, slug: str, address: Address) -> SyncResult:
        begun = self._clock.now()
        address_import = _AddressImport(self._importer, self._fetcher, slug, address, begun)
        result = await address_import.run()
        if result.error:
            # With the new validators it would not be sent again, nor reported.
            return result
        if result.files:
            await self._database.write(sources.add_linked, slug, _FOUND_KIND, result.files)
        # A week that ends during its fetch must be fetched once more: the fetch's beginning counts.
        note = sources.note_fetched
        await self._database.write(note, address.id, result.validators, begun, result.left)
        return result


@dataclass(frozen=True, slots=True)
class _AddressImport:
    """The fetch of an address: one page, or the weeks of a list in pages; and their import."""

    importer: Importer
    fetcher: Fetcher
    slug: str
    address: Address
    now: datetime

    async def run(self) -> SyncResult:
        """Fetch the address and import its document; a refused one changes nothing.

        Raises:
            FetchError: where it can't be fetched.
            SourceError: where the importer raises it; of several weeks the others are imported.
            StoreError: where the store can't be read or written.
        """
        address = self.address
        if address.kind == DocumentKind.HF_DAILY:
            return await self._weeks()
        page = await self.fetcher.fetch(address.url, address.validators)
        if page is None:
            return replace(self._nothing, validators=address.validators)
        if address.kind is None and is_paged_list(page.body):
            return await self._weeks()
        result = await self._document(page.body, address.kind, page.validators)
        files = (file for report in result.reports for file in report.files)
        return replace(result, files=files_below(page.url, files))

    @property
    def _nothing(self) -> SyncResult:
        return SyncResult(self.slug, self.address.url)

    async def _weeks(self) -> SyncResult:
        """Import the weeks that still change; one that fails leaves the others alone.

        They have no validators, since they change with every vote.
        """
        mondays = unfrozen_weeks(self.now, self.address.fetched_at)
        results = [await self._week(monday) for monday in mondays]
        errors = dict.fromkeys(result.error for result in results if result.error)
        return replace(
            self._nothing,
            reports=tuple(report for result in results for report in result.reports),
            error=" ".join(errors) or None,
            after=max((result.after for result in results if result.after), default=None),
        )

    async def _week(self, monday: date) -> SyncResult:
        try:
            data = await fetch_week(self.fetcher, self.address.url, monday, self.now)
            return await self._document(data, DocumentKind.HF_DAILY) if data else self._nothing
        except DocumentError as error:
            return self._refused(str(error), is_other=isinstance(error, WrongShape))
        except SourceError as error:
            return replace(self._nothing, error=error.sentence, after=error.after)

    async def _document(
        self, data: bytes, kind: str | None, validators: Validators = NO_VALIDATORS
    ) -> SyncResult:
        options = ImportOptions(kind=kind, source=self.slug, followed=True)
        report = await self.importer.ingest(self.address.url, data, options, self.now)
        if report.error:
            return self._refused(report.error, is_other=report.other_shape)
        if report.replaceable:
            # Without validators it is fetched again, and found unchanged once it was replaced.
            return replace(self._nothing, reports=(report,), left=_left(report))
        return replace(self._nothing, reports=(report,), validators=validators)

    def _refused(self, error: str, *, is_other: bool) -> SyncResult:
        changed = is_other and self.address.fetched_at
        return replace(self._nothing, error=f"{error} {_CHANGED}" if changed else error)


def _left(report: DocumentReport) -> str:
    """Return the refusals of weeks, the first in full."""
    first, *others = (edition.refusal or "" for edition in report.replaceable)
    more = f" So were {count(len(others), 'other week')}." if others else ""
    return f"{first}.{more}"


def _outcomes(done: Sequence[SyncResult]) -> Counter[str]:
    """Count the outcomes of editions."""
    reports = (report for result in done for report in result.reports)
    return Counter(edition.outcome for report in reports for edition in report.editions)


def _job_name(source: FollowedSource) -> str:
    return f"source:{source.source.slug}"
