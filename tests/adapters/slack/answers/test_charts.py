"""An answer shows its chart to the asker alone; where Slack refuses it the picture comes."""

import pytest

from bot.commands.types import Command, Context, Group
from bot.replies.blocks import Actions, Button, Reply
from store.database import Database
from tests.adapters.slack.connected_bot import running
from tests.fakes.slack import FakeSlack, Message
from tests.file_replies import DRAWN, PICTURE

_TO_COME = "The picture trends.png comes in a direct message from Broadsheet."


async def _offer(_context: Context) -> Reply:
    return Reply((Actions((Button("Plot it", "plot"),)),), command="offer")


_OFFER = Command("offer", Group.LOOKUP, "Has a button", _offer, examples=("offer",))


def _has_chart(message: Message) -> bool:
    return any(block["type"] == "data_visualization" for block in message.blocks)


async def _with_files(slack: FakeSlack, user: str, channel: str) -> Message:
    def found() -> list[Message]:
        return [each for each in slack.seen(user, channel) if each.files]

    [message] = await slack.settled(found)
    return message


async def _answered(slack: FakeSlack, way: str) -> Message:
    """Ask for the plot in a way, and return the answer."""
    if way == "command":
        return await slack.ask("plot")
    if way == "mention":
        await slack.mention("plot")
    else:
        await slack.click(await slack.ask("offer"), "Plot it")

    def found() -> list[Message]:
        return [each for each in slack.seen() if "9 papers in the last." in each.text]

    [answer] = await slack.settled(found)
    return answer


_WAYS = pytest.mark.parametrize("way", ["command", "mention", "button"])


@_WAYS
async def test_the_asker_alone_sees_the_chart(stocked: Database, way: str) -> None:
    """The chart stands where the user asked; the picture is for whom the answer is shared with."""
    async with FakeSlack() as slack, running(stocked, slack, more=[DRAWN, _OFFER]):
        answer = await _answered(slack, way)
        assert answer.ephemeral_for == "U1"
        assert _has_chart(answer)
        assert _TO_COME not in answer.text
        await slack.click(answer, "Share")
        shared = await _with_files(slack, "U2", "C1")
        assert shared.files[0].data == PICTURE.data
        assert not any(map(_has_chart, slack.seen("U2")))
        assert slack.seen(channel="D1") == []


@_WAYS
async def test_a_refused_chart_gives_way_to_the_picture(stocked: Database, way: str) -> None:
    """Where Slack takes no chart the answer comes without it, and its picture as a message."""
    async with FakeSlack() as slack, running(stocked, slack, more=[DRAWN, _OFFER]):
        slack.draws_charts = False
        answer = await _answered(slack, way)
        assert answer.ephemeral_for == "U1"
        assert _TO_COME in answer.text
        assert (await _with_files(slack, "U1", "D1")).files[0].data == PICTURE.data


async def test_a_chart_comes_once(stocked: Database) -> None:
    """It follows an empty acknowledgement, which shows a refusal; a redelivery brings no other."""
    async with FakeSlack() as slack:
        async with running(stocked, slack, more=[DRAWN]):
            ack = await slack.command("plot")
            assert ack.message is None
            await slack.repeat(ack)
            await slack.settled(slack.seen)
        assert len(slack.seen()) == 1


async def test_direct_messages_have_the_picture(stocked: Database) -> None:
    """In a direct message the picture itself follows."""
    async with FakeSlack() as slack, running(stocked, slack, more=[DRAWN]):
        await slack.direct_message("plot")
        await _with_files(slack, "U1", "D1")
        assert not any(map(_has_chart, slack.seen(channel="D1")))
