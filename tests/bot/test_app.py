"""The façade: permissions and unhandled errors."""

import asyncio
import logging
import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bot.actor import Actor, Role
from bot.commands.handlers import COMMANDS
from bot.commands.types import PRESSED, TYPED, Call, Command, Context, Group, LineOrigin
from bot.replies.blocks import Actions, Choices, Pager, PaperList, Reply, Text
from bot.replies.paper_actions import without_votes
from bot.replies.plain_text import plain_text
from store.database import Database
from store.errors import StoreBusy
from tests.bot.conftest import READER, answered, bot_of

OPERATOR = replace(READER, role=Role.OPERATOR, channel="C1")


async def _break(_context: Context) -> Reply:
    raise RuntimeError("secret token xoxb-1")


async def _busy(_context: Context) -> Reply:
    raise StoreBusy


async def _manage(_context: Context) -> Reply:
    return Reply((Text("managed"),))


BREAK = Command("break", Group.LOOKUP, "Breaks", _break)
BUSY = Command("busy", Group.LOOKUP, "Is busy", _busy)
MANAGE = Command("manage", Group.CHANNEL, "Manages", _manage, role=Role.MANAGER)


def _ask(
    database: Database,
    text: str,
    origin: LineOrigin = TYPED,
    actor: Actor = READER,
    more: Sequence[Command] = (),
) -> Reply:
    app = bot_of(database, commands=(*COMMANDS, *more))
    return asyncio.run(answered(app, text, actor, origin))


def test_an_unforeseen_error_is_logged_and_never_shown(
    filled: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """The user gets a reference; the log has it, with the traceback."""
    with caplog.at_level(logging.ERROR):
        text = plain_text(_ask(filled, "break", more=[BREAK]))
    reference = re.search(r"Something went wrong \(ref ([0-9a-f]{4})\)", text)
    assert reference
    assert "xoxb" not in text
    [record] = caplog.records
    assert (record.message, record.__dict__["ref"]) == ("command_failed", reference[1])
    assert "xoxb-1" in str(record.exc_info)


def test_a_busy_store_says_so(filled: Database) -> None:
    """An error that passes is answered in its own words."""
    assert "Try again in a moment" in plain_text(_ask(filled, "busy", more=[BUSY]))


@pytest.mark.parametrize("line", ["manage", "channel manage", "manage a b c", "/papers manage"])
def test_what_one_may_not_use_is_refused_by_its_name(filled: Database, line: str) -> None:
    """A reader who presses a manager's button, or types it, is told for whom that is."""
    refused = _ask(filled, line, actor=replace(READER, channel="C1"), more=[MANAGE])
    assert refused.failed
    assert plain_text(refused).splitlines() == ["manage is for managers."]


def test_help_lists_what_one_may_use(filled: Database) -> None:
    """A reader does not see a manager's command; an operator sees and runs it."""
    assert "manage" not in plain_text(_ask(filled, "help", more=[MANAGE]))
    assert plain_text(_ask(filled, "channel manage", actor=OPERATOR, more=[MANAGE])) == "managed"
    assert "manage" in plain_text(_ask(filled, "help", actor=OPERATOR, more=[MANAGE]))


@pytest.mark.parametrize("role", Role)
async def test_where_the_bot_is_not_its_channel_commands_say_so(
    filled: Database, role: Role
) -> None:
    """Typed or by options, the first error is that the bot has not joined."""
    app = bot_of(filled, commands=(*COMMANDS, MANAGE))
    asker = replace(READER, role=role, joined=False)
    expected = [
        "Broadsheet is not a member here, so it can post nothing here.",
        "In a server or a workspace whoever manages that can add it.",
    ]
    for reply in (
        await app.run(Call(MANAGE, {}), asker),
        await app.run_text("manage", asker),
        await app.run_text("channel settings zone UTC", asker),
    ):
        assert reply.failed
        assert plain_text(reply).splitlines() == expected


async def test_where_the_bot_is_not_its_lookups_work(filled: Database) -> None:
    """Only channels and votes are missing; what is about those is not completed either."""
    app = bot_of(filled, commands=(*COMMANDS, MANAGE))
    asker = replace(OPERATOR, joined=False)
    latest = await app.run_text("latest", OPERATOR)
    assert await app.run_text("latest", asker) == without_votes(latest)
    helped = [plain_text(await app.run_text("help", each)) for each in (asker, OPERATOR)]
    assert ["manage" in text for text in helped] == [False, True]
    assert await app.complete("mana", asker) == []


async def test_typed_options_are_checked_too(filled: Database) -> None:
    """A command that arrives by name and not as text meets the same rule."""
    app = bot_of(filled, commands=(MANAGE,))
    reply = await app.run(
        Call(MANAGE, {}), replace(READER, channel="C1", managers="Managers wear hats.")
    )
    assert plain_text(reply) == "manage is for managers.\nManagers wear hats."


@pytest.mark.parametrize("role", Role)
async def test_where_no_channel_is_that_is_what_is_said(filled: Database, role: Role) -> None:
    """Typed as a command or in other words: the line to type in a channel, for every role."""
    app, actor = bot_of(filled), replace(READER, role=role)
    typed = await app.run_text("subscribe friday", actor)
    assert plain_text(typed).splitlines()[:2] == [
        "That is done in a channel. Type there:", "/papers subscribe friday",
    ]  # fmt: skip
    assert typed.blocks == (await app.run_text("post it every friday", actor)).blocks
    looked = await app.run_text("preview", actor)
    assert looked.blocks == (await app.run_text("show me a preview", actor)).blocks
    refused = plain_text(await app.run_text("subscribe blurbday", actor))
    assert "subscribe is about a channel, and there is none here." in refused


_TYPED = st.one_of(
    st.text(),
    st.builds(
        " ".join,
        st.lists(
            st.sampled_from(
                [*(command.name for command in COMMANDS), "lookup", "/papers", "from:dair",
                 "from:", 'since:"', "until:2026-13", "topic:rag", "page:2", "page:0", "3", "#1",
                 "E31", "e99", "2601.00003", "dair:2026-01-05#3", "2026-W02", "2026-W99",
                 "last week", "-", '"', "routing", "sparse", "\0", "\ud800", "🥇", "a" * 300]
            ),
            max_size=5,
        ),
    ),
)  # fmt: skip


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(text=_TYPED)
def test_any_line_whatever_gets_an_answer(filled: Database, text: str) -> None:
    """No text ends in an unhandled error, and every answer has words."""
    said = plain_text(_ask(filled, text))
    assert said.strip()
    assert "Something went wrong" not in said


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(text=_TYPED)
@example(text="ALER")
@example(text="alert")
@example(text="alert mamba")
@example(text="alert author:bengio")
@example(text="alert 2401.99999")
@example(text="alert 2601.00003")
@example(text="alert mamba since:2025")
@example(text="alert topic:agent")
@example(text="unalert")
@example(text="tell me about new papers on mamba")
@example(text="search")
@example(text="search page:0")
@example(text="search ?! page:0")
@example(text="top 0 page:2")
@example(text="week page:2")
def test_any_button_leads_somewhere(filled: Database, text: str) -> None:
    """Every command that an answer offers is one that is answered, not refused."""
    reply = _ask(filled, text)
    refused = [line for line in _offered(reply) if _ask(filled, line, PRESSED).failed]
    assert refused == []


@pytest.mark.parametrize("line", ["unsave", "note", "vote", "dismiss", "save", "show", "related"])
@pytest.mark.parametrize("seen", ["search sparse", "topic rag"])
def test_an_example_counts_in_the_list_seen_last(filled: Database, seen: str, line: str) -> None:
    """A short list seen last has no third paper, so the example `unsave 3` is not offered then."""
    actor = replace(READER, user=f"{seen} {line}", channel="C1")
    _ask(filled, seen, actor=actor)
    offered = _offered(_ask(filled, line, actor=actor))
    refused = [each for each in offered if _ask(filled, each, PRESSED, actor).failed]
    assert refused == []


def test_what_is_offered_has_no_other_fault(filled: Database) -> None:
    """Of two arguments that can't be read the first is mended and the other left out."""
    reply = _ask(filled, "search routing since:0 until:0 page:2")
    assert reply.failed
    assert "search routing since:2026" in _offered(reply)
    assert not any("until" in line or "page" in line for line in _offered(reply))


def _offered(reply: Reply) -> list[str]:
    found = []
    for block in reply.blocks:
        match block:
            case Actions():
                found += [button.command for button in block.buttons]
            case Pager():
                found += [command for command in (block.previous, block.next) if command]
            case Choices():
                found += [button.command for button in block.options]
            case PaperList():
                found += [f"show {paper.ref}" for paper in block.papers]
    return found


@pytest.mark.parametrize(
    "text", ["show a:\ud800", "show \0", "\ud800", "search \ud800x", "week \0"]
)
def test_signs_that_no_database_stores_get_an_answer(filled: Database, text: str) -> None:
    """A lone surrogate or a NUL is a blank, in what is asked and in what is printed."""
    said = plain_text(_ask(filled, text))
    assert "Something went wrong" not in said
    said.encode()


async def test_typed_options_may_hold_such_signs_too(
    filled: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """Arguments that stand apart and beginnings that are completed are read alike."""
    show = next(command for command in COMMANDS if command.name == "show")
    app = bot_of(filled)
    said = plain_text(await app.run(Call(show, {"paper": "a:\ud800"}), READER))
    assert "Something went wrong" not in said
    assert await app.complete("show \ud800zebra", READER) == []
    assert await app.options(show.params[0], "\0zebra", READER) == []
    assert caplog.records == []
