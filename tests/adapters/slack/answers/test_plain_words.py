"""Plain words in Slack: read in direct messages, below the slash command and in mentions."""

from typing import Any

import pytest

from store.database import Database
from tests.adapters.slack.connected_bot import running
from tests.fakes.slack import FakeSlack, Message

CONVERSATION = (
    ("<https://arxiv.org/abs/2601.00003>", "Read as: /papers show dair:2026-01-05#3"),
    ("anything on attention?", "Read as: /papers search attention"),
    ("2", "Read as: /papers show dair:2026-01-05#2"),
    ("vote for it", "Read as: /papers vote dair:2026-01-05#2"),
    ("thanks!", "You're welcome!"),
)


async def test_a_direct_message_is_read_as_a_person_wrote_it(stocked: Database) -> None:
    """An address is shown, other words are searched for, and a number is that hit."""
    async with FakeSlack() as slack, running(stocked, slack):
        for line, said in CONVERSATION:
            assert said in (await _answer_to(slack, line)).text, line


async def test_a_slash_command_and_a_mention_are_read_so_too(stocked: Database) -> None:
    """Only their user sees the answer; the list that was seen there goes on in both."""
    async with FakeSlack() as slack, running(stocked, slack):
        answer = await slack.ask("what's new this week?")
        assert answer.text.startswith("Read as: /papers latest")
        assert answer.ephemeral_for == "U1"
        await slack.mention("tell me more about the third one")
        [*_, card] = await slack.settled(
            lambda: [each for each in slack.seen("U1", "C1") if "Routing Experts" in each.text][1:]
        )
        assert card.text.startswith("Read as: /papers show dair:2026-01-05#3")
        assert card.ephemeral_for == "U1"


@pytest.mark.parametrize(
    "more",
    [
        {"subtype": "file_share", "files": [{"id": "F1"}]},
        {"subtype": "thread_broadcast", "root": {"ts": "1.0"}},
        {"subtype": "me_message"},
    ],
    ids=["file", "broadcast", "me"],
)
async def test_a_direct_message_is_answered_whatever_comes_with_it(
    stocked: Database, more: dict[str, Any]
) -> None:
    """A file, the channel too, and `/me` change nothing; a file alone asks nothing."""
    async with FakeSlack() as slack, running(stocked, slack):
        await slack.direct_message("", **more)
        await slack.direct_message("latest", subtype="message_changed")
        await slack.direct_message("search “attention” —experts", **more)
        await slack.settled(lambda: _answers(slack))
        [answer] = _answers(slack)
        assert "attention" in answer.text.splitlines()[0]


def _answers(slack: FakeSlack) -> list[Message]:
    return [each for each in slack.seen("U1", "D1") if each.user != "U1"]


async def _answer_to(slack: FakeSlack, line: str) -> Message:
    before = len(_answers(slack))
    await slack.direct_message(line)
    await slack.settled(lambda: len(_answers(slack)) > before)
    return _answers(slack)[-1]
