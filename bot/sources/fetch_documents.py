"""What is found at an address, fetched and taken in: one page, or the weeks of a list in pages."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from bot.domain.addresses import files_below
from bot.domain.drafts import DocumentKind
from bot.errors import DocumentError, FetchError, OtherShape, SourceError
from bot.ingest.pipeline import Importer, ImportOptions
from bot.ingest.report import DocumentReport
from bot.replies.wording import count
from bot.sources.daily_papers import comes_in_pages, weeks_to_ask_for, whole_week
from bot.sources.fetcher import NOTHING_KNOWN, Fetcher, Validators
from store.sources import Address

_OTHERWISE = "The page is there but reads otherwise than before: its markup may have changed."


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of an address.

    `reports` are on the documents that were taken in, none where it is as it was; `validators` are
    to be shown the next time. An `error`, in words, stands beside the reports where there are
    several documents and one of them could not be taken in; `after` is for how many seconds its
    host asks to be left alone, where it does. `files` is where further pages are that it leads to.
    `left` is what was refused of a document that was taken in otherwise.
    """

    reports: tuple[DocumentReport, ...] = ()
    validators: Validators = NOTHING_KNOWN
    error: str | None = None
    after: float | None = None
    files: tuple[str, ...] = ()
    left: str | None = None


@dataclass(frozen=True, slots=True)
class Taking:
    """Takes in what is found at the addresses of a source.

    Args:
        importer: takes documents in.
        fetcher: gets documents.
        slug: the source.
        now: when that began.
    """

    importer: Importer
    fetcher: Fetcher
    slug: str
    now: datetime

    async def take_in(self, address: Address) -> Taken:
        """Fetch an address and take in what is there; what is refused changes nothing.

        Raises:
            FetchError: where it can't be had.
            SourceError: where the importer raises it; of several weeks the others are taken in.
            StoreError: where the store can't be read or written.
        """
        if address.kind == DocumentKind.HF_DAILY:
            return await self._weeks(address)
        page = await self.fetcher.fetch(address.url, address.validators)
        if page is None:
            return Taken(validators=address.validators)
        if address.kind is None and comes_in_pages(page.body):
            return await self._weeks(address)
        taken = await self._document(address, page.body, address.kind, page.validators)
        files = (file for report in taken.reports for file in report.files)
        return replace(taken, files=files_below(page.url, files))

    async def _weeks(self, address: Address) -> Taken:
        """Take in the weeks that are not frozen; one that fails leaves the others alone.

        Nothing is kept by which to ask for them: they move with every vote.
        """
        mondays = weeks_to_ask_for(self.now, address.fetched_at)
        return _together([await self._week(address, monday) for monday in mondays])

    async def _week(self, address: Address, monday: date) -> Taken:
        try:
            data = await whole_week(self.fetcher, address.url, monday, self.now)
            return await self._document(address, data, DocumentKind.HF_DAILY) if data else Taken()
        except FetchError as error:
            return Taken(error=error.sentence, after=error.after)
        except DocumentError as error:
            return Taken(error=_told(address, str(error), is_other=isinstance(error, OtherShape)))
        except SourceError as error:
            return Taken(error=error.sentence)

    async def _document(
        self,
        address: Address,
        data: bytes,
        kind: str | None,
        validators: Validators = NOTHING_KNOWN,
    ) -> Taken:
        options = ImportOptions(kind=kind, source=self.slug)
        report = await self.importer.ingest(address.url, data, options, self.now)
        if report.error:
            return Taken(error=_told(address, report.error, is_other=report.other_shape))
        if report.refused:
            # Without validators it comes again, and is found as it is stored once it was replaced.
            return Taken((report,), left=_left(report))
        return Taken((report,), validators)


def _left(report: DocumentReport) -> str:
    """Say which weeks were left, the first in full."""
    first, *others = (each.refusal or "" for each in report.refused)
    more = f" So were {count(len(others), 'other week')}." if others else ""
    return f"{first}.{more}"


def _told(address: Address, error: str, *, is_other: bool) -> str:
    return f"{error} {_OTHERWISE}" if is_other and address.fetched_at else error


def _together(several: Sequence[Taken]) -> Taken:
    errors = dict.fromkeys(each.error for each in several if each.error)
    return Taken(
        reports=tuple(report for each in several for report in each.reports),
        error=" ".join(errors) or None,
        after=max((each.after for each in several if each.after), default=None),
    )
