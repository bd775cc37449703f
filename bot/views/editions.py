"""Editions and weeks as Replies."""

from collections.abc import Callable, Sequence
from datetime import date

from bot.ingest.dates import find_week
from bot.replies import (
    Actions,
    Block,
    Button,
    Level,
    Notice,
    Pager,
    PaperLine,
    PaperList,
    Reply,
    Text,
    Title,
)
from bot.views.keeping import IN_ANSWERS
from bot.weeks import Week
from bot.wording import count, days, marked_title, number, one_line, shorten
from store.library.editions import Neighbours, is_open
from store.records import Edition, Entry
from store.sources import CONSENSUS

_FIRST_OF_EACH = 3  # papers shown of each edition where a week has several


def edition_reply(edition: Edition, week: Week, beside: Neighbours, day: date) -> Reply:
    """Show an edition: its titles in order with one line each, and the way to others.

    One that may still grow on this day (UTC) is what there is so far.
    """
    blocks: list[Block] = [*edition_head(edition, day), Text(_edition_line(edition))]
    if edition.overview:
        blocks.append(Text(edition.overview))
    lines = tuple(paper_line(entry) for entry in edition.entries)
    blocks.append(PaperList(lines, menus=IN_ANSWERS))
    line = _week_command(week.name, edition.source)
    return Reply((*blocks, *_ways_on(edition, week, beside)), line=line)


def edition_head(edition: Edition, day: date) -> list[Block]:
    """Return the title of an edition as of a day (UTC), and what to know of it before."""
    title = Title(f"{edition_title(edition)}{_so_far(edition, day)}")
    return [title, _SAMPLE] if edition.sample else [title]


_SAMPLE = Notice(
    Level.INFO,
    "This is a bundled sample: well-known papers, arranged to have something to show.",
    "Import a round-up to replace it: broadsheet import FILE.",
)


def _so_far(edition: Edition, day: date) -> str:
    return ", so far" if is_open(edition, day) else ""


def week_reply(
    week: Week, source: str | None, editions: Sequence[Edition], beside: Neighbours, day: date
) -> Reply:
    """Show a week of several editions: the first papers of each, and a button for each.

    `source` is the one that was asked for, `None` where all were.
    """
    blocks: list[Block] = [Title(f"Week {week.name} · {days(week.first_day, week.last_day)}")]
    for edition in editions:
        named = f"{_without_days(edition)}{_so_far(edition, day)}"
        blocks.append(Text(f"{named}: {_edition_line(edition)}"))
        shown = edition.entries[:_FIRST_OF_EACH]
        lines = tuple(paper_line(entry) for entry in shown)
        blocks.append(PaperList(lines, menus=IN_ANSWERS))
    buttons = (whole_edition(edition.source, week) for edition in editions)
    blocks.append(Actions(tuple(buttons)))
    line = _week_command(week.name, source)
    return Reply((*blocks, _pager(week, beside, source)), line=line)


def no_edition_reply(week: Week, source: str | None, beside: Neighbours) -> Reply:
    """Say that a week has no edition, and offer the last one before and the first one after."""
    of_source = f" of {source}" if source else ""
    notice = Notice(
        Level.INFO,
        f"There is no edition{of_source} for week {week.name}"
        f" ({days(week.first_day, week.last_day)}).",
        "The nearest are below.",
    )
    buttons = nearest_weeks(beside, lambda near: _week_command(near, source))
    return Reply((notice, Actions(buttons)), line=_week_command(week.name, source))


def nearest_weeks(beside: Neighbours, command: Callable[[str], str]) -> tuple[Button, ...]:
    """Return a button to each of the weeks beside one, by the command that shows such a week."""
    found = (("Last one before", beside.before), ("First one after", beside.after))
    return tuple(
        Button(f"{label}: {_days_of(near)}", command(near)) for label, near in found if near
    )


def edition_title(edition: Edition, longest: int | None = None) -> str:
    """Return the title of an edition with its days after it, cut where it is `longest` and more."""
    title = _without_days(edition)
    title = shorten(title, longest) if longest else title
    return f"{title} · {days(edition.first_day, edition.last_day)}"


def paper_line(entry: Entry) -> PaperLine:
    """List a paper under its number in its edition, with one line on it."""
    line = one_line(entry.summary)
    return PaperLine(number(entry), marked_title(entry), line, entry.ref, entry.heading)


def _ways_on(edition: Edition, week: Week, beside: Neighbours) -> list[Block]:
    others = [whole_edition(slug, week) for slug in beside.others if slug != edition.source]
    if edition.source == CONSENSUS:
        others = [_agreed(week), *others]
    pager = _pager(week, beside, edition.source)
    blocks: list[Block] = [Actions(tuple(others))] if others else []
    return [*blocks, pager] if pager.previous or pager.next else blocks


def whole_edition(source: str, week: Week) -> Button:
    """Return the button to what a source has in a week, or to what the sources agree on."""
    if source == CONSENSUS:
        return _agreed(week)
    return Button(f"{source}, {_days_of(week.name)}", _week_command(week.name, source))


def _agreed(week: Week) -> Button:
    return Button(f"{CONSENSUS}, {_days_of(week.name)}", f"{CONSENSUS} {week.name}")


def _pager(week: Week, beside: Neighbours, source: str | None) -> Pager:
    return Pager(
        position=f"Week {week.name}",
        previous=beside.before and _week_command(beside.before, source),
        next=beside.after and _week_command(beside.after, source),
    )


def _week_command(week: str, source: str | None) -> str:
    return f"week {week} from:{source}" if source else f"week {week}"


def _days_of(name: str) -> str:
    week = Week.named(name)
    return days(week.first_day, week.last_day)


def _without_days(edition: Edition) -> str:
    """Return the title up to its range of days, which is worded after it."""
    phrase = find_week(edition.title)
    before = edition.title[: phrase.start].rstrip(" (:-–—") if phrase else ""
    return before or edition.title


def _edition_line(edition: Edition) -> str:
    parts = [f"from {edition.source}", count(len(edition.entries), "paper")]
    if edition.minutes:
        parts.append(f"{edition.minutes} minutes")
    if edition.year_rule == "weekday":
        parts.append("year inferred from the weekday")
    return " · ".join(parts)
