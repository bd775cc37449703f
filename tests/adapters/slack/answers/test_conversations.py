"""Conversations in channels and direct messages."""

import asyncio
from collections.abc import Iterator

import pytest
from sqlalchemy import Engine

from bot.commands.handlers import COMMANDS
from bot.commands.types import Command, Context, Group
from bot.replies.blocks import Reply, Text
from store.database import Database
from tests.adapters.slack.connected_bot import running, variables_for
from tests.fakes.slack import Drop, FakeSlack, Message, RateLimited, ServerError


async def _slow(_context: Context) -> Reply:
    await asyncio.sleep(1.2)
    return Reply((Text("Here at last."),))


SLOW = Command("slow", Group.LOOKUP, "Takes its time", _slow, examples=("slow",))


def texts(messages: list[Message]) -> list[str]:
    """Return the first lines of the messages that a user sees."""
    return [message.text.splitlines()[0] for message in messages]


def examples() -> Iterator[str]:
    """Yield every example of every command that this store can answer.

    Pictures are drawn behind the acknowledgement.
    """
    left_out = ("week last", "week 3", "trends")
    for command in COMMANDS:
        yield from (each for each in command.examples if not each.startswith(left_out))


async def test_a_search_is_answered_in_the_acknowledgement(
    stocked: Database, transport: str
) -> None:
    """Only the user sees the results at once."""
    async with FakeSlack() as slack, running(stocked, slack, variables_for(slack, transport)):
        ack = await slack.command("search attention")
        assert ack.acked
        assert ack.message is not None
        assert (ack.message.ephemeral_for, slack.response_url_uses) == ("U1", [])
        assert "Sparse Attention" in ack.message.text
        assert slack.seen("U2") == []


async def test_buttons_lead_on_after_a_restart_and_on_another_replica(stocked: Database) -> None:
    """A button carries its command, so any replica answers it."""
    async with FakeSlack() as slack:
        async with running(stocked, slack):
            ack = await slack.command("latest")
        async with running(stocked, slack):
            assert ack.message is not None
            await slack.click(ack.message, "Details 2")
            shown = await slack.settled(lambda: slack.seen()[1:])
            assert texts(shown) == ["A Survey of Agents"]
            assert shown[0].ephemeral_for == "U1"


async def test_a_page_turns_in_place_and_details_stand_below(stocked: Database) -> None:
    """Previous changes the list itself, and the list stays where a paper of it is opened."""
    async with FakeSlack() as slack, running(stocked, slack):
        answer = await slack.ask("latest")
        await slack.click(answer, "Previous")
        await slack.settled(lambda: "December 29" in slack.seen()[0].text or slack.seen()[0].edited)
        assert len(slack.seen()) == 1
        await slack.click(slack.seen()[0], "Details 2")
        await slack.settled(lambda: len(slack.seen()) == 2)
        assert texts(slack.seen())[1] == "Sparse Rewards"


async def test_sharing_posts_the_answer_and_names_the_user(stocked: Database) -> None:
    """Everybody sees what one saw alone, and whose doing it is; shared it can't be shared again."""
    async with FakeSlack() as slack, running(stocked, slack):
        answer = await slack.ask("show 1", channel="C2")
        await slack.click(answer, "Share")
        [shared] = await slack.settled(lambda: slack.seen("U2", "C2"))
        assert shared.ephemeral_for is None
        assert "Sparse Attention" in shared.text
        assert "U1" in str(shared.blocks)
        assert "Share" not in shared.buttons
        await slack.settled(lambda: slack.seen("U1", "C2") == [shared])


async def test_everybody_may_turn_the_pages_of_a_shared_answer(stocked: Database) -> None:
    """Another user's button is answered to that user alone, and the shared message stays."""
    async with FakeSlack() as slack, running(stocked, slack):
        answer = await slack.ask("latest")
        await slack.click(answer, "Share")
        [shared] = await slack.settled(lambda: slack.seen("U2"))
        await slack.click(shared, "Previous", user="U2")
        await slack.settled(lambda: len(slack.seen("U2")) == 2)
        assert slack.seen("U1") == [shared]
        assert not shared.edited


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


async def test_a_redelivered_command_gets_the_same_answer(
    stocked: Database, transport: str
) -> None:
    """Both acknowledgements of a redelivered command hold the answer."""
    async with FakeSlack() as slack, running(stocked, slack, variables_for(slack, transport)):
        first = await slack.command("random")
        again = await slack.repeat(first)
        assert first.payload is not None
        assert again.payload == first.payload


async def test_a_slow_command_is_acknowledged_in_a_second_and_answered_later(
    stocked: Database, transport: str
) -> None:
    """After a second the acknowledgement goes out empty, and the answer comes once, later."""
    async with (
        FakeSlack() as slack,
        running(stocked, slack, variables_for(slack, transport), more=(SLOW,)),
    ):
        ack = await slack.command("slow")
        assert (ack.acked, ack.payload) == (True, None)
        repeated = asyncio.create_task(slack.repeat(ack))
        [answer] = await slack.settled(slack.seen)
        assert (answer.text, answer.ephemeral_for) == ("Here at last.", "U1")
        await repeated
        assert len(slack.response_url_uses) == 1


async def test_an_answer_that_slack_drops_is_not_sent_again(stocked: Database) -> None:
    """A lost connection leaves it open whether the answer arrived; a second one could double it."""
    async with FakeSlack() as slack, running(stocked, slack):
        ack = await slack.command("latest")
        slack.fail("response_url", Drop())
        assert ack.message is not None
        await slack.click(ack.message, "Share")
        await slack.settled(lambda: len(slack.response_url_uses) >= 2)
        assert texts(slack.seen("U2")) == texts(slack.seen("U2"))[:1]
        assert "Slack broke off while the answer was being shared." in slack.seen("U1")[-1].text


async def test_a_rate_limit_is_waited_out(stocked: Database) -> None:
    """A rate-limited answer is sent once, after the time that Slack asks for."""
    async with FakeSlack() as slack, running(stocked, slack):
        slack.fail("chat.postEphemeral", RateLimited(after=1))
        await slack.mention("latest")
        await slack.settled(lambda: len(slack.seen()) == 2, seconds=4)
        assert len(slack.calls("chat.postEphemeral")) == 2


async def test_a_mention_gets_an_ephemeral_answer(stocked: Database) -> None:
    """The answer is in the channel, or in the thread of the mention, for the user alone."""
    async with FakeSlack() as slack, running(stocked, slack):
        root = slack.say("What is new?", user="U2")
        await slack.mention("latest", thread_ts=root.ts)
        await slack.settled(lambda: len(slack.seen("U1")) == 3)
        assert (slack.seen("U1")[-1].thread_ts, len(slack.seen("U2"))) == (root.ts, 2)
        await slack.mention("search attention")
        await slack.settled(lambda: len(slack.seen("U1")) == 5)
        assert slack.seen("U1")[-1].thread_ts is None


async def test_an_event_that_comes_again_is_answered_once(
    stocked: Database, transport: str
) -> None:
    """Slack repeats an event that it believes lost: the second changes and shows nothing."""
    async with FakeSlack() as slack, running(stocked, slack, variables_for(slack, transport)):
        ack = await slack.mention("latest")
        await slack.settled(lambda: len(slack.seen()) == 2)
        again = await slack.repeat(ack)
        assert again.acked
        await slack.mention("search attention")
        await slack.settled(lambda: len(slack.seen()) == 4)
        assert len(slack.calls("chat.postEphemeral")) == 2


async def test_a_direct_message_is_a_command(stocked: Database) -> None:
    """It is answered by a plain message, which has no Share button, and the bot not by itself."""
    async with FakeSlack() as slack, running(stocked, slack):
        await slack.direct_message("search “sparse attention”")
        await slack.settled(lambda: len(slack.seen("U1", "D1")) == 2)
        answer = slack.seen("U1", "D1")[-1]
        assert answer.ephemeral_for is None
        assert "Sparse Attention" in answer.text
        assert "Share" not in answer.buttons
        await slack.click(answer, "Details 1")
        await slack.settled(lambda: len(slack.seen("U1", "D1")) == 3)
        assert slack.seen("U1", "D1")[-1].text.startswith("Sparse Attention")


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
        await slack.mention("latest")
        await slack.settled(lambda: len(slack.seen()) == 2)
        slack.teams["T1"].channels["C1"].members.discard("UBOT1")
        slack.teams["T1"].scopes.discard("chat:write.public")
        await slack.event(
            {"type": "app_mention", "user": "U1", "channel": "C1", "text": "<@UBOT1> latest"}
        )
        [answer] = await slack.settled(lambda: slack.seen("U1", "D1"))
        assert answer.text.startswith("Broadsheet is not in that channel.")
        assert "/invite @Broadsheet" in answer.text


async def test_a_server_error_ends_in_a_log_line(
    stocked: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """A server error of Slack is logged and doesn't affect the next answer."""
    async with FakeSlack() as slack, running(stocked, slack):
        slack.fail("chat.postEphemeral", ServerError())
        await slack.mention("latest")
        await slack.settled(lambda: "request_failed" in caplog.text)
        await slack.ask("latest")


async def test_an_answer_that_slack_fails_at_is_sent_once_more(stocked: Database) -> None:
    """A person who waits gets the answer, though Slack's server failed at it the first time."""
    async with FakeSlack() as slack, running(stocked, slack, more=(SLOW,)):
        slack.fail("response_url", ServerError())
        await slack.command("slow")
        [answer] = await slack.settled(slack.seen)
        assert answer.text == "Here at last."


async def test_requests_in_flight_are_answered_before_the_end(stocked: Database) -> None:
    """A process that is stopped finishes its requests, then disconnects."""
    async with FakeSlack() as slack:
        async with running(stocked, slack, more=(SLOW,)):
            asked = asyncio.create_task(slack.command("slow"))
            await asyncio.sleep(0.1)
        assert (await asked).acked
        assert texts(slack.seen()) == ["Here at last."]


async def test_admins_alone_settle_things_where_that_is_wanted(stocked: Database) -> None:
    """Other users are refused, and their help leaves the command out."""
    variables = {"BROADSHEET_SLACK_MANAGERS": "admins"}
    async with FakeSlack() as slack, running(stocked, slack, variables_for(slack, **variables)):
        slack.add_user(slack.teams["T1"], "U2", admin=True)
        mine = await slack.command("settings unfurls off", user="U1")
        theirs = await slack.command("settings unfurls off", user="U2")
        assert mine.message is not None
        assert theirs.message is not None
        assert mine.message.text.startswith("settings is for managers.")
        assert "Managers are the admins of the workspace." in mine.message.text
        assert "unfurls" in theirs.message.text
        shown = await slack.ask("help", user="U1")
        assert "settings" not in shown.text


async def test_the_user_is_told_of_a_store_error(stocked: Database) -> None:
    """The user is told why an acknowledged button had no effect."""
    async with FakeSlack() as slack, running(stocked, slack):
        ack = await slack.command("latest")
        await stocked.run(_lose_claims)
        assert ack.message is not None
        await slack.click(ack.message, "Details 1")
        await slack.settled(lambda: len(slack.seen()) == 2)
        assert slack.seen()[-1].text.startswith("Something went wrong.")


def _lose_claims(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE request_claim")
