"""`broadsheet import`: import of documents from files and the web."""

import shlex
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import click

from adapters.cli.arguments import TEXT
from adapters.cli.context import OpenStore, open_fetcher, open_importer, with_store
from adapters.cli.output import ProgressLine, print_json, print_line, progress
from bot.domain import weeks
from bot.domain.addresses import files_below, source_at
from bot.domain.drafts import DocumentKind
from bot.errors import DocumentError, SourceError, UserError
from bot.ingest.decide import REFUSED
from bot.ingest.documents import check_size
from bot.ingest.pipeline import Importer, ImportOptions, check_source
from bot.ingest.report import DocumentReport, EditionReport, to_json
from bot.replies.wording import count, days
from bot.sources.daily_papers import fetch_week, week_in_url
from bot.sources.fetcher import Fetcher
from store.sources import Address, FollowedSource, list_followed, note_replaced

_MAX_LISTED = 12  # more editions than these are summed up in one line


@click.command("import")
@click.argument("paths", nargs=-1, required=True, metavar="FILE_OR_URL…")
@click.option(
    "--kind",
    type=click.Choice([kind.value for kind in DocumentKind]),
    help="What the document is, where it is not recognised.",
)
@click.option(
    "--year",
    type=click.IntRange(1990, 2100),
    help="The year of its weeks, in which one alone ends.",
)
@click.option("--week", metavar="WEEK", type=TEXT, help="The week of a list: 2026-W02, jan 5-11.")
@click.option(
    "--source", metavar="SLUG", type=TEXT, help="The source that the document belongs to."
)
@click.option("--replace", "replaces", is_flag=True, help="Take other papers for a stored week.")
@click.option("--dry-run", is_flag=True, help="Report what would change and change nothing.")
@click.option("--json", "as_json", is_flag=True, help="Report as JSON.")
def import_documents(  # noqa: PLR0913 - one argument an option
    *,
    paths: tuple[str, ...],
    kind: str | None,
    year: int | None,
    week: str | None,
    source: str | None,
    replaces: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Import documents from files or the web; their kind is recognised."""
    options = ImportOptions(
        kind=kind,
        year=year,
        source=check_source(source) if source else None,
        dry_run=dry_run,
        replace=replaces,
    )

    async def action(opened: OpenStore) -> list[DocumentReport]:
        given = replace(options, week=_days_of(week, opened) if week else None)
        reports = []
        async with open_importer(opened) as importer:
            for path in paths:
                async for report in _import(opened, importer, path, given):
                    reports.append(report)
                    if not as_json:
                        _print(report, given)
        return reports

    reports = with_store(action)
    if as_json:
        print_json(to_json(reports))
    if any(report.error or report.refused or report.is_mostly_unread for report in reports):
        raise SystemExit(1)


def _days_of(week: str, opened: OpenStore) -> tuple[date, date]:
    """Return the days of `--week`: those of a range, else of the ISO week.

    Raises:
        UserError: where the text names no week.
    """
    found = weeks.parse_days(week, opened.clock.now().date())
    if found is None:
        raise UserError(f"I can't read {week[:40]!r} as a week.", weeks.EXPECTED_WEEK)
    return found.first_day, found.last_day


async def _import(
    opened: OpenStore, importer: Importer, path: str, options: ImportOptions
) -> AsyncIterator[DocumentReport]:
    """Import a document; if it is an index on the web, import its documents too."""
    if "://" not in path:
        yield await _import_file(opened, importer, path, options)
        return
    with progress(_name(path)) as shown:
        async with open_fetcher(opened.settings, shown.fetched if shown else None) as fetcher:
            web = _WebImport(opened, importer, fetcher, options, shown)
            report, at = await web.run(path)
            yield report
            for url in files_below(at, report.files):
                yield (await web.run(url))[0]


async def _import_file(
    opened: OpenStore, importer: Importer, path: str, options: ImportOptions
) -> DocumentReport:
    with progress(_name(path)) as shown:
        file_options = replace(options, progress=shown.counting("edition") if shown else None)
        try:
            return await importer.ingest(path, _read(path), file_options, opened.clock.now())
        except SourceError as error:
            return DocumentReport(path, error=str(error))


@dataclass(frozen=True, slots=True)
class _WebImport:
    """An import of documents by their URLs."""

    opened: OpenStore
    importer: Importer
    fetcher: Fetcher
    options: ImportOptions
    shown: ProgressLine | None

    async def run(self, url: str) -> tuple[DocumentReport, str]:
        """Import the document at a URL; return the report, and the URL after redirects."""
        if self.shown is None:
            return await self._run(url)
        self.shown.rename(_name(url))
        try:
            return await self._run(url)
        finally:
            self.shown.clear()

    async def _run(self, url: str) -> tuple[DocumentReport, str]:
        try:
            data, at = await self._fetch(url)
            return await self._taken_in(url, data), at
        except SourceError as error:
            return DocumentReport(url, error=str(error)), url

    async def _taken_in(self, url: str, data: bytes) -> DocumentReport:
        known = await self._followed()
        source = self.options.source or source_at(url, known)
        followed = _addresses_at(url, source, known)
        options = replace(
            self.options,
            kind=self.options.kind or next((address.kind for address in followed), None),
            source=source,
            followed=bool(followed),
            progress=self.shown.counting("edition") if self.shown else None,
        )
        report = await self.importer.ingest(url, data, options, self.opened.clock.now())
        if options.replace and not options.dry_run and not report.error:
            await self.opened.database.write(note_replaced, url)
        return report

    async def _followed(self) -> list[FollowedSource]:
        return await self.opened.database.read(list_followed)

    async def _fetch(self, url: str) -> tuple[bytes, str]:
        """Fetch a document; for daily papers, all pages of a week.

        Raises:
            FetchError: if it can't be fetched.
            DocumentError: if the URL of daily papers names no week, or the week has none yet.
        """
        if monday := week_in_url(url):
            now = self.opened.clock.now()
            return await fetch_week(self.fetcher, url, monday, now) or b"[]", url
        page = await self.fetcher.fetch(url)
        return (page.body, page.url) if page else (b"", url)


def _addresses_at(url: str, source: str | None, known: Sequence[FollowedSource]) -> list[Address]:
    """Return the addresses of a source that are this URL, none where it is not followed there."""
    return [
        address
        for followed in known
        for address in followed.addresses
        if (followed.source.slug, address.url) == (source, url)
    ]


def _name(path: str) -> str:
    """Return the last part of a path or a URL."""
    return path.rstrip("/").rpartition("/")[2] or path


def _read(path: str) -> bytes:
    """Read a file, unless it is too large for a document.

    Raises:
        DocumentError: if it can't be read.
    """
    try:
        check_size(path, Path(path).stat().st_size)
        return Path(path).read_bytes()
    except OSError as error:
        raise DocumentError(f"{path} can't be read: {error.strerror}.") from error


def _print(report: DocumentReport, options: ImportOptions) -> None:
    if report.error:
        named = "" if report.path in report.error else f"{report.path}: "
        print_line(f"Not imported: {named}{report.error}", err=True)
        return
    would = " (dry run, nothing was written)" if options.dry_run else ""
    entries = sum(e.entries.new + e.entries.changed + e.entries.unchanged for e in report.editions)
    print_line(
        f"{report.path}: {report.kind}, {count(len(report.editions), 'edition')}"
        f" with {count(entries, 'entry')}{would}"
    )
    listed = [edition for edition in report.editions if edition.outcome != "unchanged"]
    shown = listed if len(listed) <= _MAX_LISTED else report.refused
    for edition in shown:
        print_line(f"  {_edition_line(edition)}")
    _print_totals(report, listed)
    if report.files and "://" not in report.path:
        print_line(f"  It is an index: {', '.join(report.files)} hold more weeks.", err=True)
    for note in report.repaired:
        print_line(f"  {report.path}:{note.line}: repaired: {note.text}")
    for note in report.warnings:
        print_line(f"  {report.path}:{note.line}: {note.text}", err=True)
    if report.replaceable:
        command = _replace_command(report.path, options)
        print_line(f"  To replace {_weeks(report.replaceable)}: {command}", err=True)


def _weeks(refused: Sequence[EditionReport]) -> str:
    return " and ".join(days(each.first_day, each.last_day) for each in refused)


def _replace_command(path: str, options: ImportOptions) -> str:
    """Return the command that replaces the refused weeks, with the same options."""
    given = (("--source", options.source), ("--kind", options.kind), ("--year", options.year))
    words = [word for name, value in given if value is not None for word in (name, str(value))]
    return shlex.join(["broadsheet", "import", path, *words, "--replace"])


def _edition_line(edition: EditionReport) -> str:
    counts = (
        (edition.entries.new, "new"),
        (edition.entries.changed, "changed"),
        (edition.entries.unchanged, "unchanged"),
        (edition.entries.removed, "removed"),
    )
    entries = ", ".join(f"{number} {word}" for number, word in counts if number)
    rule = f" (year by {edition.year_rule})" if edition.year_rule else ""
    week = days(edition.first_day, edition.last_day)
    return f"{edition.source}, {week}{rule}: {edition.outcome}; entries: {entries or 'none'}"


def _print_totals(report: DocumentReport, listed: list[EditionReport]) -> None:
    if len(listed) > _MAX_LISTED:
        outcomes = [edition.outcome for edition in listed]
        words = (
            f"{outcomes.count(word)} {word}"
            for word in ("new", "changed", REFUSED)
            if word in outcomes
        )
        print_line(f"  {listed[0].source}: {', '.join(words)}")
    unchanged = len(report.editions) - len(listed)
    if unchanged:
        print_line(f"  {count(unchanged, 'edition')} unchanged")
