"""The commands latest and week: editions."""

from bot.commands.params.topics_and_sources import SOURCE
from bot.commands.params.weeks import WEEK
from bot.commands.types import Command, Context, Group, Param
from bot.domain.weeks import Week
from bot.library.paper_lookup import nothing_stored
from bot.replies.blocks import Reply
from bot.replies.papers import edition_reply, no_edition_reply, week_reply
from store.library import editions
from store.records import Edition

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
    if found:
        votes = await context.count_votes({ref for each in found for ref in _refs(each)})
        return week_reply(week, source, found, beside, context.day, votes=votes)
    if beside.before is None and beside.after is None:
        raise nothing_stored(source)
    return no_edition_reply(week, source, beside)


async def _edition(context: Context, edition: Edition) -> Reply:
    week = Week.named(editions.iso_week(edition.first_day, edition.last_day))
    beside = await context.content.read(editions.neighbours, week.name, edition.source)
    votes = await context.count_votes(_refs(edition))
    return edition_reply(edition, week, beside, context.day, votes)


def _refs(edition: Edition) -> set[str]:
    return {entry.ref for entry in edition.entries}


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
