"""The filters of every command that lists papers: their parameters, their value, their words.

Authors are those that arXiv names.
"""

from dataclasses import replace
from datetime import date
from typing import Any

from bot.commands.params.topics_and_sources import SOURCE, TOPIC
from bot.commands.params.weeks import SINCE, UNTIL, WHOLE_PERIOD
from bot.commands.plain_words.filters import (
    ReadingFacts,
    in_order,
    quoted_value,
    take_filters,
)
from bot.commands.types import Call, Context, Param, ParamType
from bot.domain.dates import may_hold
from bot.domain.dates.written_date import Period
from bot.errors import ArgumentError, Option, Suggestion, UserError
from bot.replies.plain_text import quoted
from bot.replies.wording import count, day, days
from store.library import authors
from store.search import Filters
from store.search.filters import is_initial
from store.text import typed_words

_EXPECTED = "An author is named as arXiv does, or by a part of that: bengio, Y. Bengio."
_LONGEST = 100  # characters
_OFFERED, _COMPLETED = 4, 25


async def _read_any(text: str, _context: Context) -> str:
    """Return the name in one line, whether or not an author with it is stored."""
    name = " ".join(text.split())
    if len(name) > _LONGEST or all(map(is_initial, typed_words(name).words)):
        raise ArgumentError(f"I can't read {quoted(name)} as an author.", _EXPECTED)
    return name


async def _read(text: str, context: Context) -> str:
    """Return the name in one line; a stored author has it.

    Raises:
        UserError: if no authors are stored at all.
    """
    name = await _read_any(text, context)
    if not await context.content.read(authors.any_stored):
        raise UserError(
            "No authors are stored yet: arXiv has not been asked about these papers.",
            "broadsheet run asks it while BROADSHEET_SYNC is on; search finds papers by any word.",
        )
    if not await context.content.read(authors.is_known, name):
        near = await context.content.read(authors.nearest, name, _OFFERED)
        raise ArgumentError(
            f"No stored paper is by {quoted(name)}.",
            "Perhaps one of these:" if near else _EXPECTED,
            tuple(Option(author) for author, _ in near),
            (Suggestion("Tell me when one appears", f"alert author:{quoted_value(name)}"),),
        )
    return name


async def _complete(beginning: str, context: Context) -> list[Option]:
    """Complete an author's name by the beginning of any of its words, most papers first."""
    typed = " ".join(beginning[:_LONGEST].split())
    found = await context.content.read(authors.beginning, typed, _COMPLETED)
    return [Option(author, count(papers, "paper")) for author, papers in found]


ANY_AUTHOR = ParamType("AUTHOR", _read_any, _complete, _EXPECTED, write=str)
AUTHOR = ParamType("AUTHOR", _read, _complete, _EXPECTED, write=str)


_WHEN = "A year (2025), a month (2025-03), a week (2025-W12) or a day (2025-03-17)."
TOPIC_FILTER = Param(
    "topic", "Only this topic", TOPIC, key="topic", label="Topic", empty="Any topic", loose=True
)
SOURCE_FILTER = Param(
    "source", "Only this source", SOURCE, key="from", label="Source", empty="Any source", loose=True
)
AUTHOR_FILTER = Param(
    "author",
    "Only this author",
    AUTHOR,
    key="author",
    label="Author",
    hint="A name or a part of one, such as bengio or Y. Bengio.",
)
SINCE_FILTER = Param(
    "since",
    "Since a day, month or year",
    SINCE,
    key="since",
    label="Since",
    hint=_WHEN,
)
UNTIL_FILTER = Param(
    "until",
    "Up to a day, month or year",
    UNTIL,
    key="until",
    label="Until",
    hint=_WHEN,
)
# A period without a name, in text alone: `topic rag 2024`.
PERIOD_FILTER = Param("period", "Only papers of this period", WHOLE_PERIOD, hidden=True)
FILTERS = (TOPIC_FILTER, SOURCE_FILTER, AUTHOR_FILTER, SINCE_FILTER, UNTIL_FILTER)


def filters_of(  # noqa: PLR0913 - as the parameters are
    *,
    topic: str | None = None,
    source: str | None = None,
    author: str | None = None,
    since: Period | None = None,
    until: Period | None = None,
    period: Period | None = None,
    **_others: Any,  # noqa: ANN401 - arguments of a command that are no filters
) -> Filters:
    """Return the filters among the arguments of a command."""
    first = [each.first_day for each in (since, period) if each]
    last = [each.last_day for each in (until, period) if each]
    return Filters(topic, source, author, max(first, default=None), min(last, default=None))


def with_period(call: Call, today: date) -> Call:
    """Return a typed call for words with the period that is among these as its filters. Pure.

    What stands in quotation marks is looked for as it is. Two ends that stand the wrong way round
    are turned.
    """
    query, texts = call.arguments.get("query", ""), call.arguments
    if {"since", "until"} <= texts.keys():
        since, until = in_order(texts["since"], texts["until"], today)
        return replace(call, arguments={**texts, "since": since or "", "until": until or ""})
    takes = {"query", "since", "until"} <= {param.name for param in call.command.params}
    is_given = "since" in texts or "until" in texts
    if not (takes and query) or is_given or '"' in query or not may_hold(query):
        return call
    facts = ReadingFacts({}, frozenset(), frozenset(), frozenset(), today)
    wanted = take_filters(query, facts, names=False)
    if not (named := dict(wanted.named)):
        return call
    others = {name: text for name, text in texts.items() if name != "query"}
    words = {"query": wanted.words} if wanted.words else {}
    return replace(call, arguments={**words, **others, **named})


def in_words(filters: Filters) -> str:
    """Word filters to stand behind `paper`: ` on agents by Y. Bengio in dair since Jan 5, 2026`."""
    since, until = filters.since, filters.until
    is_run = since and until and since <= until
    parts = {
        "on": filters.topic,
        "by": filters.author,
        "in": filters.source,
        "from": days(since, until) if since and until and is_run else None,
        "since": day(since) if since and not is_run else None,
        "until": day(until) if until and not is_run else None,
    }
    return "".join(f" {word} {value}" for word, value in parts.items() if value)
