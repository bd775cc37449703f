"""A wish that can't be met is answered so, and is never searched for."""

import pytest

from bot.commands.plain_words.not_offered import NotOffered
from bot.commands.plain_words.reader import read
from bot.replies.blocks import Actions, Level, Notice
from tests.bot.commands.plain_words.test_readings import FACTS
from tests.bot.conftest import Ask


@pytest.mark.parametrize(
    "line",
    [
        "reminders for agents that forget",
        "remind me what lora is",
        "compare rag and long context",
        "translation of rare languages",
        "rate distortion theory",
        "email classification",
        "papers about writing tweets",
        "who wrote this",
        "message passing",
        "calendar agents",
        "email me when something on rag comes out",
        "send the weekly papers to #ml every monday",
        "models that make things up",
        "peer review by language models",
        "why are transformers ranked by perplexity in so many papers",
    ],
)
def test_what_only_looks_like_such_a_wish_is_read_as_before(line: str) -> None:
    """A subject that has the words of such a wish stays one."""
    assert not isinstance(read(line, FACTS), NotOffered)


def test_the_answer_says_what_there_is_instead(ask: Ask) -> None:
    """It is no error: it names what is not done, and offers commands that can be run."""
    ask("latest")
    reply = ask("compare 1 and 2")

    assert not reply.failed
    assert reply.blocks[0] == Notice(
        Level.INFO,
        "Papers are not compared with each other.",
        "Here is each of them, and what is related to the first.",
    )
    [row] = [each for each in reply.blocks if isinstance(each, Actions)]
    commands = [each.command for each in row.buttons]
    assert commands == ["show 1", "show 2", "related 1"]
    assert not [line for line in commands if ask(line).failed]


def test_commands_about_a_paper_are_offered_only_of_one_that_was_named(ask: Ask) -> None:
    """A wish about words, and not about the list seen last, gets no button that shows them."""
    reply = ask("translate attention is all you need into german")

    [row] = [each for each in reply.blocks if isinstance(each, Actions)]
    assert [each.command for each in row.buttons] == ["help"]
