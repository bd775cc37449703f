"""The commands latest and week: editions."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from bot.commands.params.topics_and_sources import SOURCE
from bot.commands.params.weeks import WEEK
from bot.commands.types import Command, Context, Group, Param
from bot.domain.weeks import Week
from bot.library.paper_lookup import nothing_stored
from bot.replies.blocks import (
    Actions,
    Block,
    Level,
    Notice,
    Pager,
    PaperList,
    Reply,
    Text,
    Title,
)
from bot.replies.paper_actions import ANSWER_MENUS
from bot.replies.papers import (
    edition_button,
    edition_head,
    nearest_week_buttons,
    paper_line,
    so_far,
    title_without_days,
    week_command,
)
from bot.replies.wording import count, days
from store.library import editions
from store.library.editions import Neighbours
from store.records import Edition, Entry
from store.sources import CONSENSUS

_FIRST_PAPERS = 3  # of each edition in a week of several
_SOURCE = Param("source", "Only this source's editions", SOURCE, key="from")


async def latest(context: Context, source: str | None = None) -> Reply:
    """Show the newest edition, of one source or of all."""
    edition = await context.content.read(editions.newest_edition, source, context.day)
    if edition is None:
        raise nothing_stored(source)
    return await _edition(context, edition)


async def week(context: Context, week: Week, source: str | None = None) -> Reply:
    """Show a week's editions, or offer the nearest weeks that have one."""
    found = await context.content.read(editions.of_week, week.name, source)
    if len(found) == 1:
        return await _edition(context, found[0])
    beside = await context.content.read(editions.neighbours, week.name, source)
    command, span = week_command(week.name, source), days(week.first_day, week.last_day)
    if found:
        votes = await context.count_votes({ref for each in found for ref in _refs(each)})
        blocks: list[Block] = [Title(f"Week {week.name} · {span}")]
        for edition in found:
            title = f"{title_without_days(edition)}{so_far(edition, context.day)}"
            blocks.append(Text(f"{title}: {_facts(edition)}"))
            blocks.append(_papers(edition.entries[:_FIRST_PAPERS], votes))
        buttons = tuple(edition_button(edition.source, week) for edition in found)
        return Reply((*blocks, Actions(buttons), _pager(week, beside, source)), command=command)
    if beside.before is None and beside.after is None:
        raise nothing_stored(source)
    of_source = f" of {source}" if source else ""
    sentence = f"There is no edition{of_source} for week {week.name} ({span})."
    notice = Notice(Level.INFO, sentence, "The nearest are below.")
    buttons = nearest_week_buttons(beside, lambda near: week_command(near, source))
    return Reply((notice, Actions(buttons)), command=command)


async def _edition(context: Context, edition: Edition) -> Reply:
    """Show an edition: its titles with one line each, and buttons to the others of its week."""
    week = Week.named(editions.iso_week(edition.first_day, edition.last_day))
    beside = await context.content.read(editions.neighbours, week.name, edition.source)
    votes = await context.count_votes(_refs(edition))
    blocks: list[Block] = [*edition_head(edition, context.day), Text(_facts(edition))]
    if edition.overview:
        blocks.append(Text(edition.overview))
    blocks.append(_papers(edition.entries, votes))
    others = [edition_button(slug, week) for slug in beside.others if slug != edition.source]
    if edition.source == CONSENSUS:
        others.insert(0, edition_button(CONSENSUS, week))
    if others:
        blocks.append(Actions(tuple(others)))
    if beside.before or beside.after:
        blocks.append(_pager(week, beside, edition.source))
    return Reply(tuple(blocks), command=week_command(week.name, edition.source))


def _refs(edition: Edition) -> set[str]:
    return {entry.ref for entry in edition.entries}


def _papers(entries: Iterable[Entry], votes: Mapping[str, int]) -> PaperList:
    lines = (replace(paper_line(each, votes), where=each.episode) for each in entries)
    return PaperList(tuple(lines), menus=ANSWER_MENUS)


def _pager(week: Week, beside: Neighbours, source: str | None) -> Pager:
    return Pager(
        position=f"Week {week.name}",
        previous=beside.before and week_command(beside.before, source),
        next=beside.after and week_command(beside.after, source),
    )


def _facts(edition: Edition) -> str:
    parts = [f"from {edition.source}", count(len(edition.entries), "paper")]
    if edition.minutes:
        parts.append(f"{edition.minutes} minutes")
    if edition.year_rule == "weekday":
        parts.append("year inferred from the weekday")
    return " · ".join(parts)


LATEST = Command(
    name="latest",
    group=Group.LOOKUP,
    summary="The newest edition: titles in order with one line each",
    handler=latest,
    params=(_SOURCE,),
    examples=("latest", "latest from:dair"),
)
WEEK_OF = Command(
    name="week",
    group=Group.LOOKUP,
    summary="One week's editions, of all sources or one",
    handler=week,
    params=(Param("week", "The week to show", WEEK, required=True), _SOURCE),
    examples=("week last week", "week 2026-W02", "week jan 5", "week 3 weeks ago from:dair"),
)
