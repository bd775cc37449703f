"""`broadsheet sources` and `broadsheet sync`."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from urllib.parse import urlsplit

import click

from adapters.cli.arguments import AS_JSON, TEXT
from adapters.cli.context import OpenStore, open_fetcher, open_importer, with_store
from adapters.cli.output import moment_utc, print_json, print_line, progress
from bot.domain.addresses import replace_command
from bot.domain.drafts import DocumentKind
from bot.domain.schedule import WEEKDAYS
from bot.errors import UserError
from bot.ingest.decide import REFUSED
from bot.ingest.pipeline import check_source
from bot.ingest.report import DocumentReport
from bot.replies.wording import count
from bot.sources.followed import not_followed, predefined
from bot.sources.sync import SourceSync, SyncResult
from store import sources as followed
from store.database import Session
from store.sources import Address, FollowedSource, UsualTime


@click.group()
def sources() -> None:
    """Say which sources are fetched, and from where."""


@sources.command("list")
@AS_JSON
def list_sources(*, as_json: bool) -> None:
    """List the sources that are followed, and what came of fetching them last."""

    async def action(opened: OpenStore) -> None:
        known = await opened.database.read(followed.list_followed)
        if as_json:
            print_json([_json(each) for each in known])
            return
        for each in known:
            for line in _lines(each):
                print_line(line)

    with_store(action)


@sources.command("add")
@click.argument("slug", type=TEXT)
@click.argument("url", type=TEXT)
@click.option(
    "--kind",
    type=click.Choice([each.value for each in DocumentKind]),
    help="What is found there, where it is not recognised.",
)
@click.option("--hour", type=click.DateTime(["%H:%M"]), help="When there usually is news, in UTC.")
@click.option("--day", type=click.Choice(WEEKDAYS), help="On which day; else on every one.")
def add_source(
    *, slug: str, url: str, kind: str | None, hour: datetime | None, day: str | None
) -> None:
    """Follow a source at an address; again: at one more."""
    slug, url, usual = check_source(slug), _checked_url(url), _usual_time(slug, hour, day)

    async def action(opened: OpenStore) -> tuple[list[FollowedSource], bool]:
        known = await opened.database.read(followed.list_followed)
        return known, await opened.database.write(followed.add_address, slug, url, kind, usual)

    known, added = with_store(action)
    what = f"{slug} is followed at {url}"
    print_line(f"{what}." if added else f"{what} already; it is fetched anew.")
    for each in known:
        if each.source.slug != slug and url in {address.url for address in each.addresses}:
            click.echo(f"So is {each.source.slug}: whatever is there will count twice.")
    click.echo(f"broadsheet sync {slug} fetches it now.")


@sources.command("remove")
@click.argument("slug", type=TEXT)
def remove_source(*, slug: str) -> None:
    """Follow a source no more; its editions stay."""
    if slug in {each.source.slug for each in predefined()}:
        raise UserError(
            f"{slug} comes with Broadsheet and can't be removed.",
            f"broadsheet sources disable {slug} has it fetched no more.",
        )
    _change(slug, lambda session: followed.remove(session, slug))
    click.echo(f"{slug} is no longer followed; its editions stay.")


@sources.command("enable")
@click.argument("slug", type=TEXT)
def enable_source(*, slug: str) -> None:
    """Fetch a source that is followed."""
    _change(slug, lambda session: followed.enable(session, slug, enabled=True))
    click.echo(f"{slug} is enabled.")


@sources.command("disable")
@click.argument("slug", type=TEXT)
def disable_source(*, slug: str) -> None:
    """Fetch a source no more unless it is named; its addresses stay."""
    _change(slug, lambda session: followed.enable(session, slug, enabled=False))
    click.echo(f"{slug} is disabled.")


@click.command()
@click.argument("slugs", nargs=-1, type=TEXT, metavar="[SOURCE]…")
def sync(*, slugs: tuple[str, ...]) -> None:
    """Fetch the sources that are enabled, or these, now."""

    async def action(opened: OpenStore) -> list[SyncResult]:
        with progress("sync") as shown:
            async with (
                open_fetcher(opened.settings) as fetcher,
                open_importer(opened) as importer,
            ):
                source_sync = SourceSync(opened.database, fetcher, opened.clock, importer=importer)
                return await source_sync.sync(slugs, shown.counting("source") if shown else None)

    done = with_store(action)
    for each in done:
        print_line(_outcome(each), err=bool(each.error or each.left))
    if any(each.error or each.left for each in done):
        raise SystemExit(1)


def _change(slug: str, change: Callable[[Session], object]) -> None:
    async def action(opened: OpenStore) -> None:
        try:
            await opened.database.write(change)
        except LookupError:
            known = await opened.database.read(followed.list_followed)
            raise not_followed(slug, [each.source.slug for each in known]) from None

    with_store(action)


def _checked_url(url: str) -> str:
    """Return a URL that can be fetched.

    Raises:
        UserError: if it can't.
    """
    parts = urlsplit(url)
    is_one_word = len(url.split()) == 1
    if parts.scheme not in {"http", "https"} or not parts.hostname or not is_one_word:
        raise UserError(
            f"{url!r} is no address of a web server.", "It begins with https:// or http://."
        )
    if parts.username or parts.password:
        raise UserError("An address with a user or a password is not kept.", "Leave them out.")
    return url


def _usual_time(slug: str, hour: datetime | None, day: str | None) -> UsualTime | None:
    """Return the usual time of a source's news, `None` without an hour.

    Raises:
        UserError: if there is a day alone, or the source is predefined.
    """
    if hour is None:
        if day:
            raise UserError("A day alone is no hour.", f"Say both: --day {day} --hour 14:00.")
        return None
    if slug in {each.source.slug for each in predefined()}:
        raise UserError(f"The hour of {slug} comes with Broadsheet.", "Leave --hour out.")
    return UsualTime(None if day is None else WEEKDAYS.index(day), hour.time())


def _usual_time_text(usual: UsualTime) -> str:
    """Return the usual time of a source's news in words."""
    if usual.hour is None:
        return ""
    days = "every day" if usual.weekday is None else f"on {WEEKDAYS[usual.weekday].title()}s"
    return f", usually {days} from {usual.hour:%H:%M} UTC"


def _lines(source: FollowedSource) -> Iterator[str]:
    slug, title = source.source.slug, source.source.title
    named = "" if title == slug else f", {title}"
    disabled = "" if source.enabled else " (disabled)"
    yield f"{slug}{named}{disabled}{_usual_time_text(source.usual)}"
    for each in source.addresses:
        kind = f" ({each.kind})" if each.kind else ""
        yield f"  {each.url}{kind}: {_address_state(each)}"
        if each.left:
            yield f"    {each.left} To replace it: {replace_command(slug, each)}"


def _address_state(address: Address) -> str:
    if address.failing_since:
        return f"failing since {moment_utc(address.failing_since)}: {address.error}"
    if address.fetched_at:
        return f"fetched {moment_utc(address.fetched_at)}"
    return "not fetched yet"


def _outcome(synced: SyncResult) -> str:
    where = f"{synced.source}, {synced.url}"
    if synced.error:
        news = f"{_news(synced.reports)}; " if synced.reports else ""
        since = synced.failing_since
        failing = f"failing since {moment_utc(since)}: " if since else ""
        return f"{where}: {news}{failing}{synced.error}"
    left = f"; {synced.left} broadsheet sources list says how to replace it." if synced.left else ""
    return f"{where}: {_news(synced.reports)}{left}"


def _news(reports: Sequence[DocumentReport]) -> str:
    if not reports:
        return "as it was"
    outcomes = [each.outcome for report in reports for each in report.editions]
    words = [
        f"{count(outcomes.count(word), 'edition')} {word}"
        for word in ("new", "changed", REFUSED)
        if word in outcomes
    ]
    news = ", ".join(words) or f"{count(len(outcomes), 'edition')}, all as they were"
    remarks = [note.text for report in reports for note in report.warnings]
    return f"{news}; {count(len(remarks), 'remark')}, the first: {remarks[0]}" if remarks else news


def _json(source: FollowedSource) -> dict[str, object]:
    return {
        "slug": source.source.slug,
        "title": source.source.title,
        "enabled": source.enabled,
        "day": None if source.usual.weekday is None else WEEKDAYS[source.usual.weekday],
        "hour": source.usual.hour and f"{source.usual.hour:%H:%M}",
        "addresses": [_address_json(each) for each in source.addresses],
    }


def _address_json(address: Address) -> dict[str, object]:
    instants = ("tried_at", "fetched_at", "failing_since")
    values: Sequence[tuple[str, datetime | None]] = [
        (name, getattr(address, name)) for name in instants
    ]
    return {
        "url": address.url,
        "kind": address.kind,
        **{name: at.isoformat() if at else None for name, at in values},
        "error": address.error if address.failing_since else None,
        "refused": address.left,
    }
