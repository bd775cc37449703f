"""Several topics as one argument: by words, by commas, completed at the end."""

import asyncio

import pytest

from bot.app import Broadsheet
from bot.commands.handlers.trends import TRENDS
from bot.commands.params.topics_and_sources import MOST
from bot.domain.topics import all_topics
from bot.errors import UserError
from store.database import Database
from tests.bot.conftest import READER, FixedClock
from tests.bot.member_channels import bot_over

[TOPICS, _] = TRENDS.params


@pytest.fixture
def app(filled: Database) -> Broadsheet:
    """Return a bot over the store with three editions."""
    return bot_over(filled, FixedClock())


def _read(app: Broadsheet, text: str) -> tuple[str, ...]:
    _, values = asyncio.run(app.read_text(f"trends {text}", READER))
    found: tuple[str, ...] = values["topics"]
    return found


@pytest.mark.parametrize(
    ("text", "topics"),
    [
        ("agents", ("agents",)),
        ("agents reasoning", ("agents", "reasoning")),
        ("agents,reasoning", ("agents", "reasoning")),
        (" agents ,, rag ", ("agents", "retrieval")),
        ("tool use, moe agents", ("tool-use", "mixture-of-experts", "agents")),
        ("agents llm as a judge tool use", ("agents", "evaluation", "tool-use")),
        ("Mixture of Experts mixture-of-experts", ("mixture-of-experts",)),
        ("reinforcement learning", ("reinforcement-learning",)),
        ("topics:agents,code", ("agents", "code")),
    ],
)
def test_topics_are_read_by_words_and_commas(
    app: Broadsheet, text: str, topics: tuple[str, ...]
) -> None:
    """The longest name counts, whatever it is called; each topic is listed once."""
    assert _read(app, text) == topics


def test_all_names_of_all_topics_can_be_read(app: Broadsheet) -> None:
    """Beside others too: none has more words than are looked for together."""
    for topic in all_topics():
        for name in (topic.slug, topic.title, *topic.aliases):
            assert set(_read(app, f"{name} 3d")) == {topic.slug, "3d"}


@pytest.mark.parametrize(
    ("text", "sentence", "lines"),
    [
        (
            "agnts reasoning",
            "There is no topic 'agnts'.",
            ["trends agents,reasoning", "search agnts"],
        ),
        ("rag, agnts", "There is no topic 'agnts'.", ["trends retrieval,agents", "search agnts"]),
        ("xyzzy", "There is no topic 'xyzzy'.", ["search xyzzy"]),
        ("code xyzzy", "There is no topic 'xyzzy'.", ["trends code", "search xyzzy"]),
        (",", "Nothing is named.", []),
    ],
)
def test_what_names_no_topic_is_said_with_the_nearest(
    app: Broadsheet, text: str, sentence: str, lines: list[str]
) -> None:
    """The suggestion is a whole command string, with the topics that were read, or a search."""
    with pytest.raises(UserError) as told:
        _read(app, text)
    assert sentence in told.value.sentence
    assert [each.command for each in told.value.suggestions] == lines


def test_more_topics_than_can_be_told_apart_are_refused(app: Broadsheet) -> None:
    """The first five are offered."""
    slugs = [topic.slug for topic in all_topics()]
    assert len(_read(app, " ".join(slugs[:MOST]))) == MOST
    with pytest.raises(UserError) as told:
        _read(app, " ".join(slugs[: MOST + 1]))
    assert f"That is {MOST + 1} topics." in told.value.sentence
    assert [each.command for each in told.value.suggestions] == [f"trends {','.join(slugs[:MOST])}"]


@pytest.mark.parametrize(
    ("beginning", "values"),
    [
        ("ag", ["agents"]),
        ("surveys,ag", ["surveys,agents"]),
        ("surveys ag", ["surveys,agents"]),
        ("agents, ag", []),
        ("nonsense,ag", []),
    ],
)
def test_the_last_topic_is_completed(app: Broadsheet, beginning: str, values: list[str]) -> None:
    """The topics before it stay, and none is offered again; after a wrong one nothing is."""
    options = asyncio.run(app.options(TOPICS, beginning, READER))
    assert [option.value for option in options] == values


def test_a_list_goes_on_behind_a_comma_or_a_blank(app: Broadsheet) -> None:
    """All other topics that papers have are offered."""
    [first, *others] = asyncio.run(app.options(TOPICS, "", READER))
    for sign in (",", ", ", " "):
        options = asyncio.run(app.options(TOPICS, f"{first.value}{sign}", READER))
        assert [each.value for each in options] == [f"{first.value},{o.value}" for o in others]
