"""The message that tells a person or a channel of what alerts found. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.posting.digest.layouts import Draft, Post
from bot.posting.digest.paper_list import Fits, first_fitting
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    PaperLine,
    PaperList,
    Reply,
    Text,
    Title,
    Visibility,
)
from bot.replies.naming import line_found
from bot.replies.paper_actions import OPEN_AND_SAVE_MENUS, short_menus
from bot.replies.papers import place_line
from bot.replies.wording import count, shorten
from store.readers.alerts import FoundPaper

MOST_LISTED = 10
_STOPPED_BY_NAME = 4  # alerts with a button each
_NAME = 30  # characters of a query in a label
_SHORTEST_TITLE = 60
_MENUS = short_menus(OPEN_AND_SAVE_MENUS)


def lay_out_alerts(found: Sequence[FoundPaper], fits: Fits) -> Post:
    """Lay out papers, at least one, as one message: the first ten, and how many more there are.

    Each has the sentence that matched and the alert that found it.
    """
    replies = (
        _reply(found, lines=True), _reply(found, lines=False), _reply(found, _SHORTEST_TITLE)
    )  # fmt: skip
    reply = first_fitting(replies, fits)
    refs = tuple(each.mention.entry.ref for each in found[:MOST_LISTED])
    [title] = [block.text for block in reply.blocks if isinstance(block, Title)]
    return Post(title, (), (Draft(reply, refs),))


def _reply(found: Sequence[FoundPaper], title: int | None = None, *, lines: bool = False) -> Reply:
    alerts = _alerts(found)
    papers = tuple(
        _line(each, number, title, lines=lines)
        for number, each in enumerate(found[:MOST_LISTED], start=1)
    )
    blocks: list[Block] = [Title(headline(found)), PaperList(papers, menus=_MENUS, details=False)]
    if more := len(found) - len(papers):
        blocks.append(Text(f"And {count(more, 'more paper')}, which a search finds."))
    blocks.append(Actions(tuple(_buttons(alerts, more=more > 0))))
    return Reply(tuple(blocks), Visibility.CHANNEL)


def headline(found: Sequence[FoundPaper]) -> str:
    """Return the title: how many papers are new, and which alert found them, if it is one."""
    alerts = _alerts(found)
    papers = count(len(found), "new paper")
    if len(alerts) > 1:
        return f"{papers} for {len(alerts)} of your alerts"
    [query] = alerts.values()
    return f"{papers} for your alert: {shorten(query, 80)}"


def _alerts(found: Sequence[FoundPaper]) -> dict[int, str]:
    """Return the queries of all alerts that found any of the papers, by id."""
    return dict(sorted((alert, query.text) for each in found for alert, query in each.alerts))


def _line(found: FoundPaper, number: int, title: int | None, *, lines: bool) -> PaperLine:
    line = place_line(found.mention)
    queries = ", ".join(shorten(query.text, _NAME) for _, query in found.alerts)
    return replace(
        line,
        number=str(number),
        title=shorten(line.title, title) if title else line.title,
        line=line_found(found.mention.entry, found.snippet) if lines else None,
        where=f"{line.where} · matches {queries}" if line.where else f"matches {queries}",
        topics=(),
    )


def _buttons(alerts: dict[int, str], *, more: bool) -> Iterator[Button]:
    if more:
        for query in list(alerts.values())[:_STOPPED_BY_NAME]:
            yield Button(f"Search {shorten(query, _NAME)}", f"search {query}")
    if len(alerts) == 1:
        [alert] = alerts
        yield Button("Stop this alert", f"unalert {alert}")
    elif len(alerts) <= _STOPPED_BY_NAME:
        for alert, query in alerts.items():
            yield Button(f"Stop {shorten(query, _NAME)}", f"unalert {alert}")
    yield Button("Your alerts", "alerts")
