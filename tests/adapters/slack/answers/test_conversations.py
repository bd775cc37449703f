"""Requests that come again, calls that fail and places that the bot is not in."""

import asyncio
from typing import Any

import pytest

from bot.commands.types import Command, Context, Group
from bot.replies.blocks import Reply, Text
from store.database import Database
from tests.adapters.slack.connected_bot import running, variables_for
from tests.fakes.slack import FakeSlack, Message, RateLimited, ServerError
from tests.file_replies import DRAWN


async def _slow(_context: Context) -> Reply:
    await asyncio.sleep(1.2)
    return Reply((Text("Here at last."),))


SLOW = Command("slow", Group.LOOKUP, "Takes its time", _slow, examples=("slow",))


async def test_a_request_that_comes_again_is_answered_as_it_was(
    stocked: Database, transport: str
) -> None:
    """A command in its acknowledgement, a slow one and an event by nothing more than before."""
    async with (
        FakeSlack() as slack,
        running(stocked, slack, variables_for(slack, transport), more=(SLOW,)),
    ):
        first = await slack.command("random")
        assert first.message
        assert (first.message.ephemeral_for, slack.response_url_uses) == ("U1", [])
        assert (await slack.repeat(first)).payload == first.payload
        late = await slack.command("slow")
        assert (late.acked, late.payload) == (True, None)
        repeated = asyncio.create_task(slack.repeat(late))
        answer = (await slack.settled(lambda: slack.seen()[2:]))[0]
        assert (answer.text, answer.ephemeral_for) == ("Here at last.", "U1")
        await repeated
        assert len(slack.response_url_uses) == 1
        event = await slack.mention("latest")
        await slack.settled(lambda: len(slack.calls("chat.postEphemeral")) == 1)
        assert (await slack.repeat(event)).acked
        await slack.mention("search attention")
        await slack.settled(lambda: len(slack.calls("chat.postEphemeral")) == 2)


async def test_a_redelivered_button_is_answered_once(stocked: Database) -> None:
    """Slack may deliver a button again, to the same process or another one."""
    async with FakeSlack() as slack, running(stocked, slack), running(stocked, slack):
        await slack.connected(2)
        answer = await slack.ask("latest")
        pressed = await slack.click(answer, "Share")
        await slack.settled(lambda: slack.seen("U2"))
        await slack.repeat(pressed)
        await slack.repeat(pressed, late=True)
        await slack.command("latest")
        assert len(slack.seen("U2")) == 1


async def test_a_mention_gets_an_ephemeral_answer(
    stocked: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """The answer is in the channel, or in the thread of the mention, for the user alone.

    A rate limit is waited out; what Slack fails at is a line in the log, and no more.
    """
    async with FakeSlack() as slack, running(stocked, slack):
        root = slack.say("What is new?", user="U2")
        slack.fail("chat.postEphemeral", RateLimited(after=0))
        await slack.mention("latest", thread_ts=root.ts)
        await slack.settled(lambda: len(slack.seen("U1")) == 3)
        assert (slack.seen("U1")[-1].thread_ts, len(slack.seen("U2"))) == (root.ts, 2)
        await slack.mention("search attention")
        await slack.settled(lambda: len(slack.seen("U1")) == 5)
        assert slack.seen("U1")[-1].thread_ts is None
        slack.fail("chat.postEphemeral", ServerError())
        await slack.mention("latest")
        await slack.settled(lambda: "request_failed" in caplog.text)
        await slack.ask("latest")


async def test_a_slash_command_and_a_mention_are_read_as_plain_words_too(stocked: Database) -> None:
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


async def test_a_direct_message_is_answered_whatever_comes_with_it(stocked: Database) -> None:
    """A file, the channel too, and `/me` change nothing; a file alone asks nothing."""

    def answers() -> list[Message]:
        return [each for each in slack.seen("U1", "D1") if each.user != "U1"]

    async with FakeSlack() as slack, running(stocked, slack):
        kinds: tuple[dict[str, Any], ...] = (
            {"subtype": "file_share", "files": [{"id": "F1"}]},
            {"subtype": "thread_broadcast", "root": {"ts": "1.0"}},
            {"subtype": "me_message"},
        )
        for number, more in enumerate(kinds, start=1):
            await slack.direct_message("", **more)
            await slack.direct_message("latest", subtype="message_changed")
            await slack.direct_message("search “attention” —experts", **more)
            await slack.settled(lambda: len(answers()) == number)  # noqa: B023 - waited for here
            assert "attention" in answers()[-1].text.splitlines()[0]


async def test_two_people_ask_between_themselves(stocked: Database) -> None:
    """Answers in conversations without the bot are ephemeral, and can be shared there."""
    async with FakeSlack() as slack, running(stocked, slack):
        slack.add_channel(slack.teams["T1"], "D12", members={"U1", "U2"}, private=True)
        answer = await slack.ask("latest", channel="D12")
        await slack.click(answer, "Details 1")
        await slack.settled(lambda: len(slack.seen("U1", "D12")) == 2)
        await slack.click(slack.seen("U1", "D12")[-1], "Share")
        [shared] = await slack.settled(lambda: slack.seen("U2", "D12"))
        assert shared.text.startswith("Sparse Attention")


async def test_where_the_bot_may_not_answer_it_says_so_elsewhere(stocked: Database) -> None:
    """A mention that can't be answered there is answered in a direct message."""
    async with FakeSlack() as slack, running(stocked, slack):
        slack.teams["T1"].channels["C1"].members.discard("UBOT1")
        slack.teams["T1"].scopes.discard("chat:write.public")
        await slack.event(
            {"type": "app_mention", "user": "U1", "channel": "C1", "text": "<@UBOT1> latest"}
        )
        [answer] = await slack.settled(lambda: slack.seen("U1", "D1"))
        assert answer.text.startswith("Broadsheet is not in that channel.")
        assert "/invite @Broadsheet" in answer.text


async def test_an_answer_that_slack_fails_at_is_sent_once_more(stocked: Database) -> None:
    """A person who waits gets the answer, though Slack's server failed at it the first time."""
    async with FakeSlack() as slack, running(stocked, slack, more=(DRAWN,)):
        slack.fail("response_url", ServerError())
        assert (await slack.command("plot")).payload is None
        [answer] = await slack.settled(slack.seen)
        assert "9 papers in the last." in answer.text


async def test_requests_in_flight_are_answered_before_the_end(stocked: Database) -> None:
    """A process that is stopped finishes its requests, then disconnects."""
    async with FakeSlack() as slack:
        async with running(stocked, slack, more=(SLOW,)):
            asked = asyncio.create_task(slack.command("slow"))
            await asyncio.sleep(0.1)
        assert (await asked).acked
        assert [each.text for each in slack.seen()] == ["Here at last."]


async def test_the_user_is_told_of_a_store_error(stocked: Database) -> None:
    """The user is told why an acknowledged button had no effect."""
    async with FakeSlack() as slack, running(stocked, slack):
        answer = await slack.ask("latest")
        with stocked.engine.begin() as connection:
            connection.exec_driver_sql("DROP TABLE request_claim")
        await slack.click(answer, "Details 1")
        await slack.settled(lambda: len(slack.seen()) == 2)
        assert slack.seen()[-1].text.startswith("Something went wrong.")
