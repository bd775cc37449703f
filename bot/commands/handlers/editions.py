"""The commands latest and week: editions."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from bot.cache import once_each
from bot.commands.handlers.nothing_found import alert_buttons
from bot.commands.handlers.pagination import ListPage, no_page
from bot.commands.handlers.search import SEARCH
from bot.commands.params.filters import (
    AUTHOR_FILTER,
    SOURCE_FILTER,
    TOPIC_FILTER,
    filters_of,
    in_words,
)
from bot.commands.params.scalars import PAGE
from bot.commands.params.weeks import WEEK
from bot.commands.parser import command_string
from bot.commands.types import Command, Context, Group, Param
from bot.domain.long_lists import A_PAGE
from bot.domain.page_paths import edition_path, week_path
from bot.domain.weeks import Week
from bot.library.brief import reading_minutes
from bot.library.paper_lookup import nothing_stored
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Level,
    Notice,
    Pager,
    PaperList,
    Reply,
    Text,
    Title,
    WebPage,
)
from bot.replies.paper_actions import ANSWER_MENUS
from bot.replies.papers import (
    edition_button,
    edition_head,
    nearest_week_buttons,
    paper_lines,
    so_far,
    title_without_days,
    week_command,
)
from bot.replies.wording import count, days
from store.consensus.queries import nearest_days
from store.library import editions
from store.library.editions import Neighbours
from store.records import Edition, Entry
from store.search import Filters, SearchQuery
from store.sources import CONSENSUS

_HALF_A_WEEK = timedelta(days=3)  # the middle of an edition is in its week
_FIRST_PAPERS = 3  # of each edition in a week of several
_KEPT = 64  # editions


async def latest(
    context: Context,
    source: str | None = None,
    **given: Any,  # noqa: ANN401 - as `filters_of` has them
) -> Reply:
    """Show the newest edition, of one source or of all; with filters some of its papers."""
    edition = await context.content.read(editions.newest_edition, source, context.day)
    if edition is None:
        raise nothing_stored(source)
    return await _edition(context, edition, filters_of(**given))


async def week(
    context: Context,
    week: Week,
    source: str | None = None,
    page: int = 1,
    **given: Any,  # noqa: ANN401 - as `filters_of` has them
) -> Reply:
    """Show a week's editions, or offer the nearest weeks that have one."""
    filters = filters_of(**given)
    found = await context.content.read(editions.of_week, week.name, source)
    if len(found) == 1:
        return await _edition(context, found[0], filters, page)
    beside = await context.content.read(editions.neighbours, week.name, source, context.day)
    line, span = _week_line(context, week.name, source), days(week.first_day, week.last_day)
    if found:
        shown = [await _filtered(context, edition, filters) for edition in found]
        votes = await context.count_votes({ref for each in shown for ref in _refs(each)})
        link = WebPage(week_path(week.name))
        blocks: list[Block] = [Title(f"Week {week.name} · {span}"), link]
        for edition, whole in zip(shown, found, strict=True):
            title = f"{title_without_days(edition)}{so_far(edition, context.day)}"
            blocks.append(Text(f"{title}: {_facts(edition, len(whole.entries), filters)}"))
            if edition.entries:
                blocks.append(_papers(edition.entries[:_FIRST_PAPERS], votes))
        buttons = tuple(_button_to(context, edition.source, week) for edition in found)
        pages = _pager(context, week, beside, source)
        return Reply((*blocks, Actions(buttons), pages), command=line)
    if beside.before is None and beside.after is None:
        raise nothing_stored(source)
    of_source = f" of {source}" if source else ""
    sentence = f"There is no edition{of_source} for week {week.name} ({span})."
    notice = Notice(Level.INFO, sentence, "The nearest are below.")
    buttons = nearest_week_buttons(beside, lambda near: _week_line(context, near, source))
    return Reply((notice, Actions(buttons)), command=line)


async def _edition(context: Context, whole: Edition, filters: Filters, number: int = 1) -> Reply:
    """Show a page of an edition: its titles with one line each, and buttons to others of its week.

    Raises:
        UserError: if it has no such page.
    """
    edition = await _filtered(context, whole, filters)
    week = Week.named(editions.iso_week(edition.first_day, edition.last_day))
    page = ListPage(number, A_PAGE)
    if number > 1 and page.start >= len(edition.entries):
        raise no_page("This edition", _week_line(context, week.name, edition.source))
    wanted = week.name, edition.source, context.day
    beside = await context.content.read(editions.neighbours, *wanted)
    listed = edition.entries[page.start : page.stop]
    votes = await context.count_votes({entry.ref for entry in listed})
    facts = _facts(edition, len(whole.entries), filters)
    link = WebPage(edition_path(edition))
    blocks: list[Block] = [*edition_head(edition, context.day), Text(facts), link]
    if edition.overview and not filters and number == 1:
        blocks.append(Text(edition.overview))
    if listed:
        blocks.append(_papers(listed, votes, page.start + 1))
    others = [_button_to(context, slug, week) for slug in beside.others if slug != edition.source]
    if edition.source == CONSENSUS:
        others.insert(0, edition_button(CONSENSUS, week))
    if filters:
        others = [*await _otherwise(context, edition, week, filters), *others]
    if others:
        blocks.append(Actions(tuple(others)))
    pages = _pager(context, week, beside, edition.source)
    if len(edition.entries) > A_PAGE:
        pages = _page_pager(context, pages, edition, page, week)
    if pages.previous or pages.next:
        blocks.append(pages)
    return Reply(tuple(blocks), command=_week_line(context, week.name, edition.source, number))


def _page_pager(
    context: Context, weeks: Pager, edition: Edition, page: ListPage, week: Week
) -> Pager:
    """Return the pager of a page of a long edition; before and behind it are the other weeks."""
    last = min(page.stop, len(edition.entries))

    def line(number: int) -> str:
        return _week_line(context, week.name, edition.source, number)

    return Pager(
        position=f"{weeks.position}, {page.start + 1}–{last} of {len(edition.entries):,}",
        previous=line(page.number - 1) if page.number > 1 else weeks.previous,
        next=line(page.number + 1) if last < len(edition.entries) else weeks.next,
    )


async def _filtered(context: Context, edition: Edition, filters: Filters) -> Edition:
    """Return an edition with those of its papers that filters let through."""
    if not filters:
        return edition
    name = editions.iso_week(edition.first_day, edition.last_day)
    refs = await context.content.read(editions.wanted_refs, name, filters)
    return replace(edition, entries=tuple(each for each in edition.entries if each.ref in refs))


def _without_filters(
    context: Context, edition: Edition, week: Week, filters: Filters
) -> list[Button]:
    """Return buttons to the whole edition, and to such papers of all editions."""
    wanted = {name: text for name, text in context.arguments.items() if name in _FILTER_NAMES}
    return [
        Button("The whole edition", week_command(week.name, edition.source)),
        Button(f"All papers{in_words(filters)}", command_string(SEARCH, wanted)),
    ]


async def _otherwise(
    context: Context, edition: Edition, week: Week, filters: Filters
) -> list[Button]:
    """Return buttons to more than filters let through; of an empty list the nearest weeks too."""
    wider = _without_filters(context, edition, week, filters)
    if edition.entries:
        return wider
    source = context.arguments.get("source")
    around, wanted = (edition.first_day, edition.last_day), replace(filters, source=source)
    near = await context.content.read(nearest_days, around, context.day, wanted)
    before, after = (
        Week.of(ends - _HALF_A_WEEK).name if ends else None for ends in (near.before, near.after)
    )
    weeks = Neighbours(before, after, ())
    nearest = nearest_week_buttons(weeks, lambda name: _week_line(context, name, source))
    return [*nearest, *wider, *alert_buttons(context, SearchQuery(filters=filters))]


def _week_line(context: Context, week: str, source: str | None, page: int = 1) -> str:
    """Return the command string of a page of a week with the filters of a request."""
    given = {name: text for name, text in context.arguments.items() if name in _FILTER_NAMES}
    shown = {"week": week, "source": source, **given, "page": None if page == 1 else page}
    return command_string(WEEK_OF, shown)


def _button_to(context: Context, source: str, week: Week) -> Button:
    """Return a button to an edition of a week with the filters of a request."""
    button = edition_button(source, week)
    is_edition = button.command == week_command(week.name, source)
    line = _week_line(context, week.name, source)
    return replace(button, command=line) if is_edition else button


def _refs(edition: Edition) -> set[str]:
    return {entry.ref for entry in edition.entries}


def _papers(entries: Sequence[Entry], votes: Mapping[str, int], first: int = 1) -> PaperList:
    named = zip(paper_lines(entries, votes), entries, strict=True)
    lines = (replace(line, where=each.episode) if each.episode else line for line, each in named)
    return PaperList(tuple(lines), first=first, menus=ANSWER_MENUS)


def _pager(context: Context, week: Week, beside: Neighbours, source: str | None) -> Pager:
    return Pager(
        position=f"Week {week.name}",
        previous=beside.before and _week_line(context, beside.before, source),
        next=beside.after and _week_line(context, beside.after, source),
    )


def _facts(edition: Edition, papers: int, filters: Filters) -> str:
    """Word the facts of an edition that has so many papers, of which some may be filtered out."""
    shown = count(papers, "paper")
    if filters:
        shown = f"{len(edition.entries) or 'none'} of {shown}{in_words(filters)}"
    parts = [f"from {edition.source}", shown]
    if minutes := (not filters and edition.minutes) or _minutes(edition):
        parts.append(count(minutes, "minute"))
    if edition.year_rule == "weekday":
        parts.append("year inferred from the weekday")
    return " · ".join(parts)


@once_each(_KEPT)
def _minutes(edition: Edition) -> int:
    return reading_minutes(edition.entries)


_FILTERS = (TOPIC_FILTER, AUTHOR_FILTER)
_FILTER_NAMES = tuple(param.name for param in _FILTERS)
LATEST = Command(
    name="latest",
    group=Group.LOOKUP,
    summary="The newest edition: titles in order with one line each",
    handler=latest,
    params=(SOURCE_FILTER, *_FILTERS),
    examples=("latest", "latest from:dair", "latest dair agents"),
)
WEEK_OF = Command(
    name="week",
    group=Group.LOOKUP,
    summary="One week's editions, of all sources or one",
    handler=week,
    params=(
        Param("week", "The week to show", WEEK, required=True),
        SOURCE_FILTER,
        *_FILTERS,
        Param("page", "The page of a long edition", PAGE, key="page", hidden=True),
    ),
    examples=("week last week", "week 2", "week of jan 5", "week 3 weeks ago from:dair"),
)
