"""`broadsheet export` and `broadsheet site`: editions for other programs, and as web pages."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import click

from adapters.cli.arguments import TEXT
from adapters.cli.context import OpenStore, with_store
from adapters.cli.output import print_line, progress
from bot.commands.params.topics_and_sources import find_source, find_topic
from bot.domain import weeks
from bot.domain.page_paths import with_pages
from bot.domain.paper_ids import web_address
from bot.domain.weeks import parse_week
from bot.errors import UserError
from bot.export import FORMATS
from store.database import Session
from store.library import arxiv, editions
from store.library.arxiv import ArxivPaper
from store.records import Edition


@click.command()
@click.option(
    "--format", "form", type=click.Choice(list(FORMATS)), default="json", show_default=True
)
@click.option(
    "--week", metavar="WEEK", type=TEXT, help="Only this week's editions: 2026-W02, jan 5."
)
@click.option("--topic", metavar="TOPIC", type=TEXT, help="Only papers of this topic.")
@click.option("--source", metavar="SLUG", type=TEXT, help="Only this source's editions.")
def export(*, form: str, week: str | None, topic: str | None, source: str | None) -> None:
    """Print the editions, newest first, with every fact that the format holds."""

    async def action(opened: OpenStore) -> tuple[list[Edition], dict[str, ArxivPaper]]:
        name, day = _week_name(opened, week), opened.clock.now().date()
        found, facts = await opened.database.read(_read, source, name, day)
        # The facts of JSON are those that documents gave.
        url = None if form == "json" else opened.settings.public_url
        return with_pages(found, url), facts

    slug = find_topic(topic) if topic else None
    found, arxiv_facts = with_store(action)
    click.echo(FORMATS[form](_of_topic(found, slug) if slug else found, arxiv_facts), nl=False)


def _web_url(_context: click.Context, _option: click.Parameter, url: str) -> str:
    if url and web_address(url) != url:
        raise click.BadParameter(f"{url!r} is no address such as https://papers.example.org.")
    return url.rstrip("/")


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--url",
    metavar="URL",
    type=TEXT,
    default="",
    callback=_web_url,
    help="Where the files are going to be published: feeds and previews name it.",
)
@click.option("--force", is_flag=True, help="Write into a folder that has other files.")
def site(*, folder: Path, url: str, force: bool) -> None:
    """Write the web pages and feeds as files, to be published anywhere; only what changed."""

    async def action(opened: OpenStore) -> str:
        from adapters.web.site import write_site

        day = opened.clock.now().date()
        with progress("site") as shown:
            counting = shown.counting("file") if shown else None
            written = await write_site(opened.database, day, folder, url, counting, force=force)
        return f"{written} in {folder}."

    print_line(with_store(action))


def _read(
    session: Session, source: str | None, week: str | None, day: date
) -> tuple[list[Edition], dict[str, ArxivPaper]]:
    slug = find_source(source, editions.list_sources(session)) if source else None
    return editions.export_editions(session, slug, week, day), arxiv.known(session)


def _of_topic(found: list[Edition], topic: str) -> list[Edition]:
    """Return the editions with entries of a topic, without their other entries."""
    filtered = (
        replace(edition, entries=tuple(e for e in edition.entries if topic in e.topics))
        for edition in found
    )
    return [edition for edition in filtered if edition.entries]


def _week_name(opened: OpenStore, text: str | None) -> str | None:
    if text is None:
        return None
    week = parse_week(text, opened.now.date())
    if week is None:
        raise UserError(f"I can't read {text[:40]!r} as a week.", weeks.EXPECTED_WEEK)
    return week.name
