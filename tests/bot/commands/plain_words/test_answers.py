"""Plain words get an answer, teach a command, and change nothing by themselves."""

import asyncio
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bot.actor import Actor, Role
from bot.app import Broadsheet
from bot.commands.interpretation import aside_reply
from bot.commands.plain_words.away.evidence import all_wishes
from bot.commands.plain_words.languages.words import languages
from bot.commands.plain_words.phrases import all_rules
from bot.commands.plain_words.posts.wishes import post_wishes
from bot.commands.plain_words.reader import Courtesy
from bot.replies.blocks import Actions, Notice, Reply
from bot.replies.plain_text import plain_text
from store.database import Database
from store.posting import subscriptions
from store.readers import erasure
from store.records import Channel
from tests.bot.conftest import READER, bot_of, filled_store
from tests.conftest import few_examples

ASKER = replace(READER, platform="slack", channel="C1", role=Role.MANAGER)
_UTTERANCES = Path(__file__).parents[3] / "data" / "utterances.toml"
_EXAMPLES = [
    *(line for rule in all_rules() for line in rule.examples),
    *(line for language in languages() for line in language.examples),
    *(line for wish in (*all_wishes(), *post_wishes()) for line in wish.examples),
]
_LINES = [
    each["text"] for each in tomllib.loads(_UTTERANCES.read_text(encoding="utf-8"))["utterances"]
]
_WORDS = sorted({word for line in (*_EXAMPLES, *_LINES) for word in line.split()})
_ANY = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(_WORDS), max_size=12).map(" ".join),
    st.sampled_from([*_EXAMPLES, *_LINES]),
)


@pytest.fixture(scope="module")
def store(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """Return a store with two newsletters and a review, for all lines of a test."""
    yield from filled_store(sqlite_template, tmp_path_factory.mktemp("plain") / "store.db")


def _said(app: Broadsheet, text: str, asker: Actor = ASKER) -> Reply:
    async def answered() -> Reply:
        reply = await app.run_text(text, asker)
        await app.wait()
        return reply

    return asyncio.run(answered())


def _stored(database: Database) -> Any:
    """Return what is stored about the asker and the channel, without what an answer notes."""

    async def read() -> Any:
        facts = await database.read(erasure.facts, ASKER.person, alone=False)
        channel = Channel(ASKER.person.workspace, "C1")
        orders = await database.read(subscriptions.of_channel, channel)
        return replace(facts, lists=0, seen=0, briefs=0, welcomed=False), orders

    return asyncio.run(read())


@given(text=_ANY)
@example(text="?")
@example(text="\N{THUMBS UP SIGN}")
@settings(max_examples=few_examples(), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_line_gets_an_answer(store: Database, text: str) -> None:
    """Whatever is typed gets words, and never an error of the program."""
    reply = _said(bot_of(store), text)
    assert plain_text(reply).strip()
    assert "Something went wrong" not in plain_text(reply)


@given(text=_ANY)
@example(text="0 AUG1ST ARTICLE")
@settings(max_examples=few_examples(), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_command_that_a_line_is_read_as_reads_as_itself(store: Database, text: str) -> None:
    """The canonical command of every reading, typed, runs as that very command."""
    app = bot_of(store)
    ran = _said(app, text).ran
    if ran is not None:
        assert _said(app, ran).ran == ran


@given(text=st.sampled_from([*_EXAMPLES, *_LINES]).filter(lambda line: "save" not in line))
@settings(max_examples=few_examples(), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_line_of_plain_words_changes_anything(store: Database, text: str) -> None:
    """What would change something is shown with a button, and nothing has changed yet."""
    app = bot_of(store)
    _said(app, "latest")
    before = _stored(store)
    reply = _said(app, text)
    if reply.read_as is not None or reply.ran is None:
        assert _stored(store) == before


@pytest.mark.parametrize("asker", [ASKER, replace(READER, platform="terminal")])
@given(text=st.sampled_from(_EXAMPLES))
@settings(max_examples=few_examples(), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_question_has_the_button_that_does_it(store: Database, text: str, asker: Actor) -> None:
    """Where *Shall I do that?* is asked, the first button does more than to look."""
    reply = _said(bot_of(store), text, asker)
    if "Shall I do that?" in plain_text(reply):
        [row] = [block for block in reply.blocks if isinstance(block, Actions)]
        assert row.buttons[0].command != "latest"


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("vote for it", "vote dair:2026-01-05#1"),
        ("bookmark the second one", "save dair:2026-01-05#2"),
        ("stop posting here", "unsubscribe"),
        ("save", "save dair:2026-01-05#1"),
        ("nah, unsave", "unsave dair:2026-01-05#1"),
        ("vote for 2", "vote dair:2026-01-05#2"),
        ("remove the second", "unsave dair:2026-01-05#2"),
        ("save it under ssm", "save dair:2026-01-05#1 tag:ssm"),
        ("save 2 to thesis", "save dair:2026-01-05#2 tag:thesis"),
    ],
)
def test_a_change_is_shown_before_it_is_made(store: Database, line: str, shown: str) -> None:
    """The answer asks, names the command, and has it behind a button."""
    app = bot_of(store)
    _said(app, "latest")
    _said(app, "show 1")
    reply = _said(app, line)
    [question] = [block for block in reply.blocks if isinstance(block, Notice)]
    [row] = [block for block in reply.blocks if isinstance(block, Actions)]
    assert question.text == "Shall I do that?"
    assert row.buttons[0].command == shown
    assert reply.read_as == f"Read as: /papers {shown}"
    assert reply.ran is None


def test_an_answer_teaches_the_command(store: Database) -> None:
    """Above an answer to plain words stands the command; above one to a command nothing."""
    app = bot_of(store)
    assert _said(app, "what's new this week?").read_as == "Read as: /papers latest"
    assert _said(app, "latest").read_as is None


@pytest.mark.parametrize(
    "line",
    [
        "latest from:diar",
        "week banana from:dair",
        "settings zone:Mars/Phobos",
        "week",
        "topic page:x",
    ],
)
def test_a_command_that_was_named_and_misused_is_an_error(store: Database, line: str) -> None:
    """A named argument that can't be read, or none, is told as an error of that command."""
    assert _said(bot_of(store), line).failed


@pytest.mark.parametrize("line", ["7", "the ninth one", "hi", "thanks!", "more", "42 please"])
def test_a_choice_or_a_courtesy_is_no_error(store: Database, line: str) -> None:
    """A number that names nothing, a greeting and a page that is not there are no errors."""
    app = bot_of(store)
    _said(app, "latest")
    reply = _said(app, line)
    assert not reply.failed
    assert reply.ran is None


@pytest.mark.parametrize("line", ["show more results", "Show me some more results pls"])
def test_more_results_are_no_paper(store: Database, line: str) -> None:
    """Without a page to turn to that is said, and no paper is shown."""
    assert not _said(bot_of(store), line).ran


@pytest.mark.parametrize(
    ("line", "ran"),
    [
        ("related to 2", "related dair:2026-01-05#2"),
        ("any more like that", "related dair:2026-01-05#1"),
        ("show the abstract", "show dair:2026-01-05#1"),
        ("show my notes", "saved"),
        ("cite 2", "show dair:2026-01-05#2"),
        ("and the second too", "show dair:2026-01-05#2"),
    ],
)
def test_a_command_before_a_paper_of_the_list_is_about_that_paper(
    store: Database, line: str, ran: str
) -> None:
    """A small word between them makes it no title, and *any more* no wish to end the posts."""
    app = bot_of(store)
    for before in ("latest", "show 1"):
        _said(app, before)
    assert _said(app, line).ran == ran


@pytest.mark.parametrize("line", ["read it to me", "show these sorted by date"])
def test_a_wish_that_can_not_be_met_is_none_of_the_command_that_it_begins_with(
    store: Database, line: str
) -> None:
    """What is not done is said, and nothing is marked."""
    app = bot_of(store)
    for before in ("latest", "show 1"):
        _said(app, before)
    reply = _said(app, line)
    assert not reply.failed
    assert reply.ran is None


def test_words_that_name_no_paper_are_offered_as_a_search(store: Database) -> None:
    """They may stand in what is said of papers."""
    reply = _said(bot_of(store), "show zebras in the wild")
    rows = [each for each in reply.blocks if isinstance(each, Actions)]
    assert rows[0].buttons[-1].command == "search zebras in the wild"


@pytest.mark.parametrize("asker", [ASKER, READER], ids=["channel", "terminal"])
@pytest.mark.parametrize("line", ["pause tokens", "unsubscribe links in mails"])
def test_a_subject_that_begins_with_a_command_of_a_channel_may_be_searched_for(
    store: Database, line: str, asker: Actor
) -> None:
    """One word may be mistyped: that is an error of the command, and its last button searches."""
    reply = _said(bot_of(store), line, asker)
    rows = [each for each in reply.blocks if isinstance(each, Actions)]
    assert reply.failed
    assert rows[-1].buttons[-1].command == f"search {line}"


@pytest.mark.parametrize("asker", [ASKER, READER], ids=["channel", "terminal"])
def test_several_words_behind_a_command_of_a_channel_are_searched_for(
    store: Database, asker: Actor
) -> None:
    """No mistyped argument has several words that no post is told by."""
    assert not _said(bot_of(store), "resume screening bias llm", asker).failed


def test_the_first_reading_that_can_be_run_is_run(store: Database) -> None:
    """Words that name a paper show it; others are searched for."""
    app = bot_of(store)
    assert _said(app, "tell me about routing experts").ran == "show dair:2026-01-05#3"
    assert _said(app, "tell me about memory").ran == "search memory"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ok got it, that's all for today", Courtesy.THANKS),
        ("thanks for the mamba paper!", Courtesy.THANKS),
        ("nah I\u2019m good, maybe later", Courtesy.THANKS),
        ("Perfect, that's exactly what I was after. Thank you!", Courtesy.THANKS),
        ("Hey bot, hope you're doing well", Courtesy.GREETING),
        ("happy friday everyone", Courtesy.GREETING),
        ("lol that's hilarious", Courtesy.LAUGHTER),
        ("thanks, what's new?", None),
        ("great papers on agents", None),
        ("thanks for the papers on agents, show me mamba", None),
        ("good one on retrieval?", None),
        ("all good papers of June", None),
    ],
)
def test_idioms_are_courtesies_and_requests_beside_them_are_none(
    store: Database, line: str, said: Courtesy | None
) -> None:
    """A line is a courtesy if it has nothing beside the idioms and small words."""
    reply = _said(bot_of(store), line)
    shown = [kind for kind in Courtesy if aside_reply(kind).blocks[0] in reply.blocks]
    assert shown == ([said] if said else [])
