"""Lines and values that people type are read as they were meant."""

import asyncio
from dataclasses import replace

import pytest

from bot.commands.handlers import COMMANDS
from bot.commands.parser import command_string, parse
from bot.commands.typed_lines import arguments_as_meant
from bot.commands.types import PRESSED, Call
from bot.replies.plain_text import plain_text
from store.database import Database
from tests.bot.conftest import READER, answered, bot_of

SEARCH, NOTE = (next(each for each in COMMANDS if each.name == name) for name in ("search", "note"))


@pytest.mark.parametrize(
    ("typed", "ran"),
    [
        ("search attention —experts", "search attention -experts"),
        ("search “multi head” −experts", 'search "multi head" -experts'),
        ("`search attention`", "search attention"),
        ("search attention from: dair", "search attention from:dair"),
        ("search attention from： “dair”", "search attention from:dair"),
        (
            "search attention topic: agents since: 2025",
            "search attention topic:agents since:2025-01-01",
        ),
        ("latest from: dair", "latest from:dair"),
        ("show E31.", "show paperdive:E31"),
        ("show 2601.00003.", "show dair:2026-01-05#3"),
        ("show 2601.00003。", "show dair:2026-01-05#3"),
        ("2601.00003.", "show dair:2026-01-05#3"),
        ("show dair:2026-01-05#3.", "show dair:2026-01-05#3"),
        ("show 2026-01-05#3,", "show dair:2026-01-05#3"),
        ("show https://arxiv.org/abs/2601.00003.", "show dair:2026-01-05#3"),
        ("what’s new", "latest"),
        ("—help", "help"),
        ("`/papers search attention`", "search attention"),
        ("related E31.", "related paperdive:E31"),
        ("Search attention…", "search attention"),
        ("latest.", "latest"),
        ("Brief: 5", "brief 5"),
        ("Ask: who wrote it?", "ask who wrote it?"),
        ("search attention since : 2025", "search attention since:2025-01-01"),
        ("search attention since:2025, from:dair", "search attention from:dair since:2025-01-01"),
        ("search attention, since:2025; from:dair.", "search attention from:dair since:2025-01-01"),
        ("search attention from:`dair`", "search attention from:dair"),
        ("search attention topic:agents…", "search attention topic:agents"),
        ("search attention 🔥", "search attention"),
        ("search attention :fire:", "search attention"),
        ("search <:moe:123456> attention", "search attention"),
        ("top agents 🚀", "top topic:agents"),
        ("top 2025, agents.", "top 2025 topic:agents"),
        ("top by:votes.", "top by:votes"),
        ("week “jan 5, 2026”", "week 2026-W02"),
        ("week last week.", "week 2026-W46"),
        ("latest from dair.", "latest from:dair"),
        ("trends agents, rag.", "trends agents,retrieval"),
        ("show dair: 2026-01-05 #3", "show dair:2026-01-05#3"),
        ("show Dair:2026-01-05#3", "show dair:2026-01-05#3"),
        ("Broadsheet, search attention", "search attention"),
        ("@broadsheet search attention", "search attention"),
        ("/papers: search attention", "search attention"),
        ("/ latest", "latest"),
        ("> search attention", "search attention"),
        ("• search attention", "search attention"),
        ("— search attention", "search attention"),
        ("/papers what’s new?", "latest"),
        ("/papers help me", "help"),
    ],
)
def test_a_typed_line_is_read_as_meant(filled: Database, typed: str, ran: str) -> None:
    """Signs that a keyboard or an editor made, and blanks behind colons, change nothing."""
    reply = asyncio.run(answered(bot_of(filled), typed, READER))
    assert reply.ran == ran, plain_text(reply)


@pytest.mark.parametrize(
    "typed",
    [
        'search "the end, so 🔥"',
        "search c++",
        "search what is attention?",
        "ask who wrote it?",
        "search 10% of 3:30",
    ],
)
def test_what_says_something_stays(filled: Database, typed: str) -> None:
    """Phrases, questions and signs without words are no slips."""
    assert asyncio.run(answered(bot_of(filled), typed, READER)).ran == typed


def test_many_pictures_are_each_looked_at_once() -> None:
    """What stands behind them makes no other readings of them."""
    typed = " " + "\U0001f1e6" * 126 + ")x" * 126
    assert arguments_as_meant(SEARCH, typed) == typed


def test_what_a_button_carries_is_taken_as_it_is(filled: Database) -> None:
    """A command string of the bot's own is read by its very signs."""
    reply = asyncio.run(answered(bot_of(filled), "search from: dair", READER, PRESSED))
    assert reply.command == "search from: dair"


def test_the_fields_of_a_form_are_typed(filled: Database) -> None:
    """Options and fields are read as lines are."""
    call = Call(SEARCH, {"query": "“multi head” —experts", "source": "\u200bｄａｉｒ."})
    reply = asyncio.run(bot_of(filled).run(call, READER))
    assert reply.ran == 'search "multi head" -experts from:dair'


@pytest.mark.parametrize("between", [",", ", ", "; ", " & ", " and ", ", and ", " + "])
def test_several_papers_have_any_sign_between_them(filled: Database, between: str) -> None:
    """None of the ids is dropped."""
    line = f"save E31{between}2601.00003"
    reply = asyncio.run(answered(bot_of(filled), line, READER))
    assert reply.ran == "save paperdive:E31,dair:2026-01-05#3", plain_text(reply)


@pytest.mark.parametrize(
    ("query", "others", "ran"),
    [
        ("attention since: 2025", {}, "search attention since:2025-01-01"),
        ("topic:agents", {}, "search topic:agents"),
        ("attention, from:dair.", {"topic": "“agents”"}, "search attention topic:agents from:dair"),
        ("attention 🔥", {"source": "from: dair,"}, "search attention from:dair"),
        ("attention —experts :fire:", {}, "search attention -experts"),
        ('"the topic: agents"', {}, 'search "the topic: agents"'),
        ("attention since :2025", {}, "search attention since :2025"),
    ],
)
def test_a_field_of_words_is_read_as_a_line_is(
    filled: Database, query: str, others: dict[str, str], ran: str
) -> None:
    """Filters that were typed with the words filter, as in text."""
    reply = asyncio.run(bot_of(filled).run(Call(SEARCH, {"query": query, **others}), READER))
    assert reply.ran == ran, plain_text(reply)


def test_a_filter_that_is_typed_and_chosen_is_said(filled: Database) -> None:
    """Two values of one filter are an error in words, as in text."""
    call = Call(SEARCH, {"query": "attention since:2025", "since": "2024"})
    reply = asyncio.run(bot_of(filled).run(call, READER))
    assert "since: is given twice." in plain_text(reply)


@pytest.mark.parametrize(
    "typed",
    [
        "note 3 see “this” —really： it’s `fine`",
        "ｎｏｔｅ　３　see “this” —really： it’s `fine`",
        "list note paper：“2026-01-05#3” see “this” —really： it’s `fine`",
    ],
)
def test_the_words_of_a_note_stay_as_typed(filled: Database, typed: str) -> None:
    """What a reader writes of a paper keeps its signs, however the command was typed."""
    words = "see “this” —really： it’s `fine`"
    app, person = bot_of(filled), replace(READER, remembers=True)
    asyncio.run(answered(app, "save 2026-01-05#3", person))
    reply = asyncio.run(answered(app, typed, person))
    assert words in plain_text(reply) or words in (reply.ran or ""), plain_text(reply)
    asyncio.run(app.run(Call(NOTE, {"paper": "2026-01-05#3", "text": words}), person))
    assert words in plain_text(asyncio.run(answered(app, "saved", person)))


@pytest.mark.parametrize("query", ["from:dair", "topic:topic:x", "a since:2025 b", "topic: agents"])
def test_words_that_look_like_a_filter_can_be_typed_again(query: str) -> None:
    """A command string that was shown means the same to whoever types it."""
    line = command_string(SEARCH, {"query": query.replace(": ", ":")})
    assert set(parse(line, COMMANDS, typed=True).arguments) == {"query"}
    assert parse(line, COMMANDS, typed=True).arguments == parse(line, COMMANDS).arguments


def test_a_phrase_keeps_what_looks_like_a_filter() -> None:
    """A blank behind a colon in quotation marks is one."""
    call = parse('search "the topic: agents" from: dair', COMMANDS, typed=True)
    assert call.arguments == {"query": '"the topic: agents"', "source": "dair"}
