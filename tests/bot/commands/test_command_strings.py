"""The command string of a reply: it gives the same answer again, to any user at any time."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.actor import Role
from bot.app import Broadsheet
from bot.commands.handlers import COMMANDS
from bot.commands.handlers.search import SEARCH
from bot.commands.parser import LONGEST_COMMAND_STRING
from bot.commands.types import PRESSED, Call
from bot.replies.blocks import Reply, to_json
from store.database import Database
from tests.bot.conftest import READER, WEEK, Ask, FixedClock, answered, bot_of, copied_store, fill
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import take_in
from tests.bot.member_channels import manager, rooms

# Thursday in the week of two editions; half a year later, elsewhere, everything relative differs.
THEN = datetime(2026, 1, 8, 12, tzinfo=UTC)
LATER = THEN + timedelta(days=180)

LINES = (
    "", "latest", "latest paperdive", "latest FROM:Dair",
    "week this week", "week 2026-01-08", "week jan 5", "week last week", "week 3 weeks ago",
    "week this week from:other", "week 2020-W05", "week 2020-W05 from:Paperdive",
    "show 3", "show E31", "show 2026-01-05#2", "show routing experts", "show 2601.00003v2",
    "related 3", "related when to stop",
    "topic", "topic moe", "topic agents page:1", "topic Agents page:2", "topic agent page:2",
    "search agents", "search agents page:1", "search agents page:2", "search   agents  part ",
    "search sparse since:2025 until:month", 'search attention until:yesterday since:"last year"',
    "ask what does sparse attention attend to?", "ask  who  made zebras",
    "search zebra since:today", "search ruotign from:DAIR", 'search "part 3" -survey topic:agent',
    "search from:dair agents page:2 until:year", "search sparse exploration attention",
    "consensus", "consensus jan 5", "consensus this week", "consensus 2020-W05",
    "top", "top month", "top Year", "top 2026", "top 2025-q4", "top 2025 page:2", "top last week",
    "top 2019", "top 2026 by:votes", "top 2026 by:rank", "latest from:consensus",
    "trends", "trends agent, surveys", "trends tool use until:2025-W52",
    "help", "help SEARCH", "help lookup week", "settings unfurls",
)  # fmt: skip
# What they say is about the day or the asker: how old things are, which zone is the asker's.
OF_THE_ASKER = (
    "sources", "status", "lookup sources", "settings", "settings zone", "brief", "saved",
    "saved as:csv", "alerts",
)  # fmt: skip

# Each changes the asker's list or vote, or tells what only the asker may know: shared, it is the
# paper.
OF_LISTS = (
    "save 3", "save 3", "note 3 read by Monday", "note 3", "unsave 3", "unsave 3", "vote 3",
    "vote 3", "vote 3 in:card", "dismiss 3", "read 3", "unread 3", "undo",
)  # fmt: skip

# Each answer has something that no other has: what chance picked, what proves a question.
OF_CHANCE = ("random", "forget")

# One after the other: each changes what the channel gets, or shows it.
OF_CHANNELS = (
    "subscribe", "subscribe change:1 friday", "deliver", "preview", "pause", "resume",
    "subscriptions", "unsubscribe", "resume 1",
)  # fmt: skip

# Each changes the asker's alerts: shared or repeated, it lists them.
OF_ALERTS = ("alert mamba", "unalert 1")


@pytest.fixture
def rich(sqlite_template: Path, tmp_path: Path) -> Iterator[Database]:
    """Return the filled store with a week of two sources, and a dozen papers on agents."""
    yield from copied_store(sqlite_template, "rich.db", _fill_more, tmp_path / "rich.db")


def _fill_more(database: Database) -> None:
    fill(database)
    asyncio.run(database.write(take_in, WEEK, "other"))
    entries = (entry(rank, f"Agents, part {rank}") for rank in range(1, 12))
    asyncio.run(database.write(take_in, edition(*entries, first_day=MONDAY - timedelta(days=70))))


def _asking(database: Database, at: datetime = THEN, zone: str | None = None) -> Ask:
    app = _app(database, at)
    actor = replace(READER, platform="slack", role=Role.MANAGER, zone=zone, channel="C1")
    return lambda text: asyncio.run(answered(app, text, actor, PRESSED))


def _app(database: Database, at: datetime = THEN) -> Broadsheet:
    clock, dice = FixedClock(at), Random(1)  # noqa: S311 - throws that repeat, not a secret
    return bot_of(database, clock, dice=dice)


def _line(reply: Reply) -> str:
    assert not reply.failed
    assert reply.command is not None
    return reply.command


@pytest.mark.parametrize("text", LINES)
def test_a_line_gives_its_answer_again(rich: Database, text: str) -> None:
    """The same blocks and the same line, also half a year later and where it is tomorrow.

    Only what still grew is no longer marked so.
    """
    reply = _asking(rich)(text)
    for again in (_asking(rich), _asking(rich, LATER, "Pacific/Kiritimati")):
        answer = again(_line(reply))
        assert (_closed(answer), answer.command) == (_closed(reply), reply.command)


def _closed(reply: Reply) -> str:
    return json.dumps(to_json(reply)).replace(", so far", "")


@pytest.mark.parametrize("text", OF_THE_ASKER)
def test_what_is_the_askers_is_given_again_to_the_same(rich: Database, text: str) -> None:
    """A user's own answer is repeated to them by its command string on the same day."""
    for ask in (_asking(rich), _asking(rich, LATER, "Pacific/Kiritimati")):
        reply = ask(text)
        assert ask(_line(reply)) == replace(reply, ran=_line(reply))


def test_what_chance_picked_is_shown_again(rich: Database) -> None:
    """The line of a throw is that of its paper; the offer of another throw is not part of it."""
    ask = _asking(rich)
    for text in ("random", "random topic:agents"):
        reply = ask(text)
        again = ask(_line(reply))
        assert _line(reply).startswith("show ")
        assert (again.blocks, again.command) == (reply.blocks[:-1], reply.command)


async def test_what_is_about_a_channel_is_given_again_as_it_stands(rich: Database) -> None:
    """The command string of a change shows the present state, and changes nothing."""
    app, asker = _app(rich), manager(rooms())
    for text in OF_CHANNELS:
        reply = await app.run_text(text, asker, origin=PRESSED)
        again = await app.run_text(_line(reply), asker)
        assert _line(reply) == ("preview 1" if text == "preview" else "subscriptions")
        assert (reply.failed, again.failed) == (False, False)
        assert await app.run_text(_line(again), asker) == again


def test_what_changes_a_list_is_given_again_as_its_paper(rich: Database) -> None:
    """Its command string shows the paper, and nothing of a user's list."""
    ask = _asking(rich)
    for text in OF_LISTS:
        assert _line(ask(text)) == "show dair:2026-01-05#3"


def test_every_command_is_asked_here() -> None:
    """A new command's lines are held to the rule as well."""
    asked = {
        line.split()[0]
        for line in (*LINES, *OF_THE_ASKER, *OF_CHANNELS, *OF_ALERTS, *OF_LISTS, *OF_CHANCE)
        if line
    }
    assert asked - {"lookup"} == {command.name for command in COMMANDS}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "week 2026-W02 from:dair"),
        ("latest paperdive", "week 2025-W52 from:paperdive"),
        ("week jan 5", "week 2026-W02"),
        ("week this week from:Other", "week 2026-W02 from:other"),
        ("week 2020-W05 from:dair", "week 2020-W05 from:dair"),
        ("show 3", "show dair:2026-01-05#3"),
        ("related E31", "related paperdive:E31"),
        ("topic moe", "topic mixture-of-experts"),
        ("topic agents page:2", "topic agents page:2"),
        (
            "search until:month   sparse since:today from:DAIR",
            "search sparse from:dair since:2026-01-08 until:2026-01-08",
        ),
        ("help lookup search", "help search"),
    ],
)
def test_a_line_names_things_as_they_are_called(rich: Database, text: str, line: str) -> None:
    """Editions by week and source, papers by ref, days by date."""
    assert _asking(rich)(text).command == line


async def test_what_came_since_changes_no_line(filled: Database) -> None:
    """A newer edition is another answer to `latest`, and none to the line of the former."""
    app = _app(filled)
    latest, third = [await app.run_text(text, READER) for text in ("latest", "show 3")]
    newer = edition(entry(1, "Newer"), entry(2, "Two"), entry(3, "Three"), first_day=WEEK.last_day)
    await filled.write(take_in, newer)
    later = _app(filled, LATER)
    assert (await later.run_text("latest", READER)).command != latest.command
    for reply in (latest, third):
        assert (await later.run_text(_line(reply), READER)).blocks[0] == reply.blocks[0]


def test_an_answer_about_an_error_has_no_line(rich: Database) -> None:
    """A failed command may succeed later, so an error is no answer to repeat."""
    for text in ("show", "week soon", "search ?!", "topic robotics"):
        assert _asking(rich)(text).command is None


_QUERY = st.lists(
    st.sampled_from(
        ["agents", "sparse", "part", "Attention,", '"part 3"', '"', "-survey", "from:from:dair",
         'since:"', "topic: agents", "page:2", "  ", "zebra", "ruotign", "since:2026", "until:x"]
    ),
    min_size=1,
    max_size=4,
).map(" ".join)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=_QUERY, since=st.sampled_from([None, "2025", "last month", "today"]))
def test_a_typed_query_has_a_line_too(rich: Database, query: str, since: str | None) -> None:
    """Words that came apart from the other arguments are asked again as a line of text."""
    given = {"query": query} | ({"since": since} if since else {})
    reply = asyncio.run(_app(rich).run(Call(SEARCH, given), READER))
    if not reply.failed:
        again = _asking(rich, LATER)(_line(reply))
        assert (again.blocks, again.command) == (reply.blocks, reply.command)


def test_a_line_is_no_longer_than_a_button_carries(rich: Database) -> None:
    """A longer one is refused in a sentence, whether it came as text or apart."""
    words = "a" * LONGEST_COMMAND_STRING
    refused = "That is 1,007 characters long; a command may have 1,000."
    app = _app(rich)
    for reply in (
        asyncio.run(answered(app, f"search {words}", READER)),
        asyncio.run(app.run(Call(SEARCH, {"query": words}), READER)),
    ):
        assert refused in str(reply.blocks[0])
