"""Alerts in the command layer: asked as a person asks, read as a screen reader reads."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select
from sqlmodel import col

from bot.actor import Actor, Role
from bot.commands.handlers.alerts import ALERT, LIMITS
from bot.commands.types import Call
from bot.errors import UserError
from bot.replies.blocks import Reply
from bot.replies.plain_text import plain_text
from store import search
from store.database import Database, Session
from store.readers import alerts
from store.readers.alerts import AlertLimits, AlertQuery, NewAlert
from store.records import Channel, ChannelFacts, Person, Refusal, Workspace
from store.search import EVERYTHING
from store.tables.readers import AlertRow
from tests.bot.conftest import READER, FixedClock, answered, forgotten
from tests.bot.member_channels import Rooms, bot_over, manager, rooms
from tests.bot.replies.parts import pressed, titles

# A week after the newest edition of the filled store.
NOW = datetime(2026, 1, 18, 9, tzinfo=UTC)
ANN = replace(READER, platform="slack", workspace="T1", user="U1", channel="C1", channels=rooms())
BEN = replace(ANN, user="U2")
ELSEWHERE = replace(ANN, workspace="T2", channels=rooms())


def _ask(database: Database, text: str, actor: Actor = ANN, weeks: int = 0) -> Reply:
    clock = replace(FixedClock(), at=NOW + timedelta(weeks=weeks))
    return asyncio.run(answered(bot_over(database, clock), text, actor))


def _text(database: Database, text: str, actor: Actor = ANN, weeks: int = 0) -> str:
    return plain_text(_ask(database, text, actor, weeks))


def test_a_new_alert_shows_what_it_would_have_told_of(filled: Database) -> None:
    """It has the papers of the last eight weeks that match, none of before or of weeks ahead."""
    reply = _ask(filled, "alert sparse")
    assert [line for line in plain_text(reply).splitlines() if line][:2] == [
        "Alert 1: You get a direct message for each new paper that matches sparse.",
        "In the last eight weeks it would have told of 2 papers:",
    ]
    assert titles(reply) == ["Sparse Attention", "Sparse Rewards"]
    assert pressed(reply) == {"Stop this alert": "unalert 1", "Your alerts": "alerts"}
    late = _text(filled, "alert attention", weeks=8)
    assert "In the last eight weeks no paper matched it." in late
    # Weeks that were stored by a clock that was ahead, or by a document's mistake.
    early = _text(filled, "alert attention", weeks=-9)
    assert "In the last eight weeks no paper matched it." in early


def test_what_no_database_stores_is_a_blank_in_an_option(filled: Database) -> None:
    """An alert of words with such a character is kept and listed."""
    call = Call(ALERT, {"words": "sparse\x00attention \ud83d"})
    asyncio.run(bot_over(filled, FixedClock()).run(call, ANN))
    assert "sparse attention" in _text(filled, "alerts")


def test_the_same_alert_is_made_once(filled: Database) -> None:
    """However it is written, and whoever else has it."""
    _ask(filled, 'alert sparse author:"tri dao" topic:agents')
    again = _text(filled, 'alert sparse topic:agents author:"tri dao"')
    assert again.startswith("That is alert 1 already. You get a direct message")
    assert "'tri dao' yet" in again
    other = _text(filled, "alert sparse author:bengio")
    assert other.startswith("Alert 2: ")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("alert", "alert needs words, a topic or an author."),
        ("alert the of", "An alert needs a word, a phrase, an author or a topic"),
        ("alert -survey", "An alert needs a word, a phrase, an author or a topic"),
        ("alert from:dair", "An alert needs a word, a phrase, an author or a topic"),
        ("alert 2601.00003", "An alert tells of papers that are new, and that one has come."),
        ("alert " + "word " * 40, "That is too much for an alert."),
        ("alert topic:nothing-like-it", "nothing-like-it"),
        ("unalert 7", "You have no alert 7."),
        ("unalert seven", "I can't read 'seven' as the number of an alert."),
        ("unalert", "You have no alerts."),
    ],
)
def test_what_makes_no_alert_is_answered(filled: Database, line: str, sentence: str) -> None:
    """The answer says what is missing, and nothing is stored."""
    reply = _ask(filled, line)
    assert reply.failed
    assert sentence in plain_text(reply)
    assert asyncio.run(filled.read(alerts.of_person, ANN.person)) == []


@pytest.mark.parametrize(
    ("line", "sentence", "offered"),
    [
        ("alert mamba since:2025", "so since: has no place in it.", ["alert mamba"]),
        ("alert kites OR owls", "OR is none of them.", ["alert kites", "alert owls"]),
        ("alert me if mamba", "'me if' says nothing about them.", ["alert mamba"]),
        ("alert this channel about mamba", "A channel is told with in:", ["alert mamba"]),
        ("alert #ml about mamba", "A channel is told with in:", ["alert mamba"]),
        ("alert Everyone about mamba", "'Everyone about' says nothing", ["alert mamba"]),
        ("alert the team when mamba", "'the team when' says nothing", ["alert mamba"]),
    ],
)
def test_words_that_would_never_match_are_refused(
    filled: Database, line: str, sentence: str, offered: list[str]
) -> None:
    """The answer offers the alert that was meant, and none is made."""
    reply = _ask(filled, line)
    assert sentence in plain_text(reply)
    assert [*pressed(reply).values()] == offered
    assert _text(filled, "alerts").splitlines()[0] == "You have no alerts."


@pytest.mark.parametrize(
    "words",
    ["on-policy distillation", "US export rules", "me-too drugs", "group theory", "lab automation"],
)
def test_words_that_only_look_like_a_sentence_make_an_alert(filled: Database, words: str) -> None:
    """A compound and an acronym are words of papers."""
    assert f"new paper that matches {words}." in _text(filled, f"alert {words}")


def test_a_sentence_is_read_as_plain_words(filled: Database) -> None:
    """Typed behind the command's name it is confirmed like any plain words."""
    assert "Read as: /papers alert agents" in _text(filled, "alert me about agents")
    assert "Read as: /papers alert author:bengio" in _text(filled, "alert by bengio")


def test_alerts_are_listed_and_stopped(filled: Database) -> None:
    """Each with its number and since when; stopping one can be undone."""
    assert _text(filled, "alerts").splitlines()[0] == "You have no alerts."
    _ask(filled, "alert sparse -rewards")
    _ask(filled, "alert topic:agents")
    listed = _text(filled, "alerts")
    assert "1  sparse -rewards · tells you · since Jan 18, 2026" in listed
    assert "2  topic:agents · tells you · since Jan 18, 2026" in listed
    offered = _ask(filled, "unalert")
    assert pressed(offered) == {"1: sparse -rewards": "unalert 1", "2: topic:agents": "unalert 2"}
    stopped = _ask(filled, "unalert 1")
    assert "Alert 1 is stopped: sparse -rewards." in plain_text(stopped)
    assert pressed(stopped)["Undo"] == "alert sparse -rewards"
    assert "sparse" not in _text(filled, "alerts")


def test_nobody_sees_or_stops_the_alerts_of_others(filled: Database) -> None:
    """To others an alert is as one that is not there."""
    _ask(filled, "alert sparse")
    assert _text(filled, "alerts", BEN).splitlines()[0] == "You have no alerts."
    assert "You have no alert 1." in _text(filled, "unalert 1", BEN)
    assert "1  sparse" in _text(filled, "alerts")


def test_workspaces_are_apart(filled: Database) -> None:
    """The same alert of the same id elsewhere is another, which `forget` here leaves."""
    _ask(filled, "alert sparse")
    assert _text(filled, "alerts", ELSEWHERE).splitlines()[0] == "You have no alerts."
    assert "You have no alert 1." in _text(filled, "unalert 1", ELSEWHERE)
    assert "Alert 2: You get a direct message" in _text(filled, "alert sparse", ELSEWHERE)
    asyncio.run(forgotten(bot_over(filled, FixedClock()), ANN))
    assert _text(filled, "alerts").splitlines()[0] == "You have no alerts."
    assert "2  sparse" in _text(filled, "alerts", ELSEWHERE)


def test_a_channel_is_told_for_its_manager(filled: Database) -> None:
    """Readers are refused; managers list and stop those of the channel that they ask in."""
    refused = _text(filled, "alert sparse in:C1", replace(ANN, role=Role.READER))
    assert "Only managers have alerts told to a channel." in refused
    seen = rooms()
    made = _text(filled, "alert sparse in:C1", manager(seen))
    assert "Alert 1: #ml gets a message for each new paper that matches sparse." in made
    other = manager(seen, user="U9")
    assert "1  sparse · tells #ml · since Jan 18, 2026" in _text(filled, "alerts", other)
    assert "You have no alert 1." in _text(filled, "unalert 1", manager(seen, "C2", "U9"))
    stopped = _ask(filled, "unalert 1", other)
    assert pressed(stopped)["Undo"] == "alert sparse in:C1"


def test_where_no_direct_message_can_be_opened_that_is_said_at_once(filled: Database) -> None:
    """What the platform forbids is the answer; without a platform there is one to type there."""
    assert "type: /papers alert sparse" in _text(filled, "alert sparse", READER)
    closed = Rooms([], trouble=UserError("Your direct messages are closed.", "Open them."))
    reply = _ask(filled, "alert sparse", replace(ANN, channels=closed))
    assert (reply.failed, "Your direct messages are closed." in plain_text(reply)) == (True, True)
    assert asyncio.run(filled.read(alerts.of_person, ANN.person)) == []


def test_there_is_an_end_to_alerts(filled: Database) -> None:
    """Neither a person nor a workspace has more than so many, and the answer says so."""

    def fill(session: Session, person: str, most: int) -> None:
        place = Channel(Workspace("slack", "T1"), f"D-{person}")
        who = Person(Workspace("slack", "T1"), person)
        facts = ChannelFacts("the chat with Broadsheet", private=True, direct=True)
        for number in range(most):
            query = AlertQuery(f"word{number}", f"word{number}", EVERYTHING)
            wanted = NewAlert(who, place, facts, query, (f"word{number}",), NOW)
            alerts.add(session, wanted, AlertLimits(1000, 1000))

    asyncio.run(filled.write(fill, "U1", LIMITS.person))
    assert "You have 50 alerts, and no more are possible." in _text(filled, "alert sparse")
    asyncio.run(filled.write(fill, "U3", LIMITS.workspace - LIMITS.person))
    assert "This workspace has 200 alerts" in _text(filled, "alert sparse", BEN)
    assert "You get a direct message" in _text(filled, "alert sparse", ELSEWHERE)


def test_what_can_no_longer_be_told_is_said_in_the_next_answer(filled: Database) -> None:
    """Once, whatever is asked; the alert is refused until it is made again."""
    _ask(filled, "alert sparse")
    refusal = Refusal("You closed your direct messages.", "Open them.")
    asyncio.run(filled.write(alerts.refuse, _channel_of(filled), refusal))
    told = _text(filled, "latest")
    assert told.startswith("1 alert could not be told: sparse. You closed your direct messages.")
    assert "could not be told" not in _text(filled, "latest")
    assert "refused" in _text(filled, "alerts")
    assert _text(filled, "alert sparse").startswith("Alert 1: You get")
    assert "refused" not in _text(filled, "alerts")


def _channel_of(database: Database) -> int:
    query = select(col(AlertRow.channel_id))
    return asyncio.run(database.read(lambda session: session.connection().scalars(query).one()))


def test_an_alert_is_filed_under_words_that_papers_have(filled: Database) -> None:
    """What finds it is what a search for it finds."""
    _ask(filled, "alert routed experts")
    keys = asyncio.run(filled.read(lambda session: search.entry_keys(session, [1, 2, 3, 4, 5])))
    assert asyncio.run(filled.read(alerts.filed_under, keys)) == [1]


def test_a_misspelt_word_is_asked_about(filled: Database) -> None:
    """No stored paper has it, so the nearest word is offered; the alert is made all the same."""
    reply = _ask(filled, "alert atention")
    assert "No stored paper spells it 'atention' yet." in plain_text(reply)
    assert pressed(reply)["alert attention"] == "alert attention"
