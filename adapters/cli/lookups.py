"""`broadsheet editions`, `show` and `search`."""

from datetime import date

import click

from adapters.cli.arguments import AS_JSON, TEXT, TypedCommand
from adapters.cli.context import OpenStore, Runtime, with_runtime, with_store
from adapters.cli.output import print_json, print_line
from bot.commands.handlers.search import search_query
from bot.commands.params.topics_and_sources import find_source
from bot.domain.typed_text import as_meant
from bot.export.json_shapes import editions_json, hits_json, mentions_json
from bot.library.paper_lookup import find_paper
from bot.library.search import Hit, find_hits
from bot.replies.naming import shown_title
from bot.replies.papers import paper_reply
from bot.replies.wording import days, place
from store.database import Session
from store.library import arxiv, editions, mentions
from store.library.arxiv import ArxivPaper
from store.records import Edition, Mention


@click.command("editions")
@click.option("--source", metavar="SLUG", type=TEXT, help="Only this source's.")
@AS_JSON
def list_editions(*, source: str | None, as_json: bool) -> None:
    """List the editions, newest first."""

    async def action(opened: OpenStore) -> None:
        found = await opened.database.read(_editions, source, opened.clock.now().date())
        if as_json:
            print_json(editions_json(found, entries=False))
            return
        for edition in found:
            week = days(edition.first_day, edition.last_day)
            days_of = f"{edition.first_day}  {week:<24}"
            print_line(f"{edition.source:<12} {days_of} {edition.title}")

    with_store(action)


def _editions(session: Session, source: str | None, day: date) -> list[Edition]:
    slug = find_source(source, editions.list_sources(session)) if source else None
    return editions.list_editions(session, slug, day)


@click.command("show", cls=TypedCommand)
@click.argument("paper", nargs=-1, required=True, type=TEXT)
@AS_JSON
def show_paper(*, paper: tuple[str, ...], as_json: bool) -> None:
    """Show all about a paper: by ref, number, episode, arXiv id or words of its title."""

    async def action(runtime: Runtime) -> None:
        found, featured, arxiv_facts = await runtime.database.read(
            _find, as_meant(" ".join(paper)), runtime.clock.now().date()
        )
        if as_json:
            print_json(
                mentions_json(featured, {arxiv_facts.arxiv_id: arxiv_facts} if arxiv_facts else {})
            )
        else:
            runtime.terminal.show(paper_reply(found, featured, arxiv=arxiv_facts))

    with_runtime(action)


def _find(
    session: Session, text: str, day: date
) -> tuple[Mention, list[Mention], ArxivPaper | None]:
    found = find_paper(session, text, day)
    paper = found.paper_id
    return found, mentions.of_paper(session, paper, day), arxiv.of_paper(session, paper)


@click.command("search", cls=TypedCommand)
@click.argument("words", nargs=-1, required=True, type=TEXT)
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True)
@AS_JSON
def search_papers(*, words: tuple[str, ...], limit: int, as_json: bool) -> None:
    """Find papers by words and filters, best first; nothing found is no error."""
    text = " ".join(words)

    async def action(runtime: Runtime) -> None:
        _, arguments = await runtime.app.read_text(f"search {text}", runtime.terminal.actor)
        query, day = search_query(**arguments), runtime.clock.now().date()
        found = await runtime.database.read(find_hits, query, day, limit)
        if as_json:
            print_json(hits_json(text, found.corrected, found.hits))
            return
        if not found.hits:
            print_line(f"No paper matches {text}.")
        for sentence in found.cut:
            print_line(sentence)
        for hit in found.hits:
            _print_hit(hit)

    with_runtime(action)


def _print_hit(hit: Hit) -> None:
    entry = hit.mention.entry
    print_line(f"{entry.ref}  {shown_title(entry)}")
    print_line(f"    {place(hit.mention.edition, entry)}")
    print_line(f"    {hit.snippet}")
