"""The import of an address of a source: one page, or the weeks of a list in pages."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from bot.domain.addresses import files_below
from bot.domain.drafts import DocumentKind
from bot.errors import DocumentError, FetchError, SourceError, WrongShape
from bot.ingest.pipeline import Importer, ImportOptions
from bot.ingest.report import DocumentReport
from bot.replies.wording import count
from bot.sources.daily_papers import fetch_week, is_paged_list, unfrozen_weeks
from bot.sources.fetcher import NO_VALIDATORS, Fetcher, Validators
from store.sources import Address

_CHANGED = "The page is there but reads otherwise than before: its markup may have changed."


@dataclass(frozen=True, slots=True)
class AddressResult:
    """The result of importing an address.

    `reports` are those of the imported documents, none for an unchanged page; `validators` are sent
    with the next request. An `error` beside reports is that of one document among several; `after`
    are the seconds that the host asks to wait. `files` are the addresses of further pages that it
    leads to. `left` names the weeks that were refused.
    """

    reports: tuple[DocumentReport, ...] = ()
    validators: Validators = NO_VALIDATORS
    error: str | None = None
    after: float | None = None
    files: tuple[str, ...] = ()
    left: str | None = None


@dataclass(frozen=True, slots=True)
class AddressImport:
    """Fetches the addresses of a source and imports their documents.

    Args:
        importer: imports documents.
        fetcher: fetches pages.
        slug: the source.
        now: the time of the fetch.
    """

    importer: Importer
    fetcher: Fetcher
    slug: str
    now: datetime

    async def run(self, address: Address) -> AddressResult:
        """Fetch an address and import its document; a refused one changes nothing.

        Raises:
            FetchError: where it can't be fetched.
            SourceError: where the importer raises it; of several weeks the others are imported.
            StoreError: where the store can't be read or written.
        """
        if address.kind == DocumentKind.HF_DAILY:
            return await self._weeks(address)
        page = await self.fetcher.fetch(address.url, address.validators)
        if page is None:
            return AddressResult(validators=address.validators)
        if address.kind is None and is_paged_list(page.body):
            return await self._weeks(address)
        result = await self._document(address, page.body, address.kind, page.validators)
        files = (file for report in result.reports for file in report.files)
        return replace(result, files=files_below(page.url, files))

    async def _weeks(self, address: Address) -> AddressResult:
        """Import the weeks that still change; one that fails leaves the others alone.

        They have no validators, since they change with every vote.
        """
        mondays = unfrozen_weeks(self.now, address.fetched_at)
        return _together([await self._week(address, monday) for monday in mondays])

    async def _week(self, address: Address, monday: date) -> AddressResult:
        try:
            data = await fetch_week(self.fetcher, address.url, monday, self.now)
            return (
                await self._document(address, data, DocumentKind.HF_DAILY)
                if data
                else AddressResult()
            )
        except FetchError as error:
            return AddressResult(error=error.sentence, after=error.after)
        except DocumentError as error:
            return AddressResult(
                error=_error(address, str(error), is_other=isinstance(error, WrongShape))
            )
        except SourceError as error:
            return AddressResult(error=error.sentence)

    async def _document(
        self,
        address: Address,
        data: bytes,
        kind: str | None,
        validators: Validators = NO_VALIDATORS,
    ) -> AddressResult:
        options = ImportOptions(kind=kind, source=self.slug)
        report = await self.importer.ingest(address.url, data, options, self.now)
        if report.error:
            return AddressResult(error=_error(address, report.error, is_other=report.other_shape))
        if report.refused:
            # Without validators it is fetched again, and found unchanged once it was replaced.
            return AddressResult((report,), left=_left(report))
        return AddressResult((report,), validators)


def _left(report: DocumentReport) -> str:
    """Return the refusals of weeks, the first in full."""
    first, *others = (edition.refusal or "" for edition in report.refused)
    more = f" So were {count(len(others), 'other week')}." if others else ""
    return f"{first}.{more}"


def _error(address: Address, error: str, *, is_other: bool) -> str:
    return f"{error} {_CHANGED}" if is_other and address.fetched_at else error


def _together(results: Sequence[AddressResult]) -> AddressResult:
    errors = dict.fromkeys(result.error for result in results if result.error)
    return AddressResult(
        reports=tuple(report for result in results for report in result.reports),
        error=" ".join(errors) or None,
        after=max((result.after for result in results if result.after), default=None),
    )
