"""`broadsheet import`: documents in, and a report of what was not understood."""

import sys
from pathlib import Path

import click

from adapters.cli.output import print_json
from adapters.cli.runtime import Runtime, with_runtime
from bot.errors import DocumentError, SourceError
from bot.ingest.documents import check_size
from bot.ingest.drafts import DocumentKind
from bot.ingest.pipeline import ImportOptions, check_source, ingest
from bot.ingest.report import DocumentReport, EditionReport, to_json
from bot.wording import count, days

_LISTED = 12  # more editions than these are summed up in one line


@click.command("import")
@click.argument("paths", nargs=-1, required=True, metavar="FILE_OR_URL…")
@click.option(
    "--kind",
    type=click.Choice([kind.value for kind in DocumentKind]),
    help="What the document is, where it is not recognised.",
)
@click.option("--year", type=click.IntRange(1990, 2100), help="The year in which the week ends.")
@click.option("--source", metavar="SLUG", help="The source that the document belongs to.")
@click.option("--dry-run", is_flag=True, help="Report what would change and change nothing.")
@click.option("--json", "as_json", is_flag=True, help="Report as JSON.")
def import_documents(  # noqa: PLR0913 - one argument an option
    *,
    paths: tuple[str, ...],
    kind: str | None,
    year: int | None,
    source: str | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Take documents in, from files or the web; their kind is recognised."""
    options = ImportOptions(
        kind=kind,
        year=year,
        source=check_source(source) if source else None,
        dry_run=dry_run,
        progress=_progress if sys.stderr.isatty() else None,
    )

    async def verb(runtime: Runtime) -> list[DocumentReport]:
        reports = []
        for path in paths:
            report = await _import(runtime, path, options)
            reports.append(report)
            if not as_json:
                _print(report, dry_run=dry_run)
        return reports

    reports = with_runtime(verb)
    if as_json:
        print_json(to_json(reports))
    if any(report.error for report in reports):
        raise SystemExit(1)


async def _import(runtime: Runtime, path: str, options: ImportOptions) -> DocumentReport:
    try:
        data = await _fetched(runtime, path) if "://" in path else _read(path)
    except SourceError as error:
        return DocumentReport(path, error=str(error))
    return await ingest(runtime.database, path, data, options, runtime.clock.now())


async def _fetched(runtime: Runtime, url: str) -> bytes:
    """Fetch a document, whatever was fetched before.

    Raises:
        FetchError: if it can't be had.
    """
    async with runtime.fetcher() as fetcher:
        page = await fetcher.fetch(url)
    return page.body if page else b""


def _read(path: str) -> bytes:
    """Read a file, unless it is longer than any round-up.

    Raises:
        DocumentError: if it can't be read, in words.
    """
    try:
        check_size(path, Path(path).stat().st_size)
        return Path(path).read_bytes()
    except OSError as error:
        raise DocumentError(f"{path} can't be read: {error.strerror}.") from error


def _progress(done: int, total: int) -> None:
    end = "\r\x1b[K" if done == total else ""
    click.echo(f"\r{done} of {total} editions{end}", nl=False, err=True)


def _print(report: DocumentReport, *, dry_run: bool) -> None:
    if report.error:
        named = "" if report.path in report.error else f"{report.path}: "
        click.echo(f"Not imported: {named}{report.error}", err=True)
        return
    would = " (dry run, nothing was written)" if dry_run else ""
    entries = sum(e.new + e.changed + e.unchanged for e in report.editions)
    click.echo(
        f"{report.path}: {report.kind}, {count(len(report.editions), 'edition')}"
        f" with {count(entries, 'entry')}{would}"
    )
    listed = [edition for edition in report.editions if edition.outcome != "unchanged"]
    if len(listed) <= _LISTED:
        for edition in listed:
            click.echo(f"  {_edition_line(edition)}")
    _print_totals(report, listed)
    for note in report.repaired:
        click.echo(f"  {report.path}:{note.line}: mended: {note.text}")
    for note in report.warnings:
        click.echo(f"  {report.path}:{note.line}: {note.text}", err=True)


def _edition_line(edition: EditionReport) -> str:
    counts = (
        (edition.new, "new"),
        (edition.changed, "changed"),
        (edition.unchanged, "unchanged"),
        (edition.removed, "removed"),
    )
    entries = ", ".join(f"{number} {word}" for number, word in counts if number)
    rule = f" (year by {edition.year_rule})" if edition.year_rule else ""
    week = days(edition.first_day, edition.last_day)
    return f"{edition.source}, {week}{rule}: {edition.outcome}; entries: {entries or 'none'}"


def _print_totals(report: DocumentReport, listed: list[EditionReport]) -> None:
    if len(listed) > _LISTED:
        outcomes = [edition.outcome for edition in listed]
        words = (
            f"{outcomes.count(word)} {word}" for word in ("new", "changed") if word in outcomes
        )
        click.echo(f"  {listed[0].source}: {', '.join(words)}")
    unchanged = len(report.editions) - len(listed)
    if unchanged:
        click.echo(f"  {count(unchanged, 'edition')} unchanged")
