"""Votes show in the posts of their workspace, where these stand."""

import asyncio
from contextlib import AsyncExitStack
from datetime import timedelta

import pytest

from bot.accounts import Votes
from bot.clock import SystemClock
from bot.posting.ports import Message
from bot.replies.blocks import Actions, Button, PaperCard, PaperList, Reply
from store.database import Database
from store.records import DeliveryState, Layout, Person
from tests.bot.posting.delivery.setup import Stage, channel, until
from tests.conftest import on_postgres
from tests.fakes.channel_client import Fault, MemoryChannelClient
from tests.store.readers.votes import OURS, counted, turns

pytestmark = pytest.mark.on_sqlite

FIRST, SECOND = "dair:2026-01-05#1", "dair:2026-01-05#2"
MINUTE = timedelta(minutes=1)
VOTERS = 15


def _votes(reply: Reply) -> dict[str, int]:
    """Return the votes that a message tells for its papers, by ref."""
    shown: dict[str, int] = {}
    for block in reply.blocks:
        if isinstance(block, PaperList):
            shown |= {each.ref: each.votes for each in block.papers}
        if isinstance(block, PaperCard):
            shown[block.ref] = block.votes
    return {ref: votes for ref, votes in shown.items() if votes}


def _labels(reply: Reply) -> dict[str, str]:
    """Return the labels of a message's buttons that vote, by ref."""
    blocks = [block for block in reply.blocks if isinstance(block, Actions)]
    buttons: list[Button] = [button for block in blocks for button in block.buttons]
    voting = (each for each in buttons if each.command.startswith("vote "))
    return {each.command.removeprefix("vote "): each.label for each in voting}


def _refs(reply: Reply) -> set[str]:
    """Return the refs of the papers that a message shows."""
    lists = [block for block in reply.blocks if isinstance(block, PaperList)]
    cards = {block.ref for block in reply.blocks if isinstance(block, PaperCard)}
    return cards | {paper.ref for each in lists for paper in each.papers}


async def _votes_now(stage: Stage, name: str, ref: str) -> None:
    """Have somebody vote, as the command does it, a while ago: what shows it is ready by now."""
    ago = SystemClock().now() - MINUTE
    await Votes(stage.database).toggle(Person(OURS, name), OURS, ref, None, ago)
    stage.wake_up.notify()


async def _shows(client: MemoryChannelClient, expected: dict[str, int], *messages: int) -> None:
    """Wait until some of the messages that stand, by their place, show just these votes."""
    await until(lambda: all(_shown(client)[each] == expected for each in messages))


def _shown(client: MemoryChannelClient) -> list[dict[str, int]]:
    return [_votes(each.message.reply) for each in client.messages]


@pytest.mark.parametrize("layout", [Layout.COMPACT, Layout.FULL])
async def test_a_vote_shows_where_the_paper_stands(database: Database, layout: Layout) -> None:
    """The message is edited in place, soon and by itself; withdrawn, it is as it was."""
    stage = Stage(database)
    await stage.sent(layout)
    [before] = stage.client.messages
    async with stage.sending():
        await _votes_now(stage, "ann", SECOND)
        await _shows(stage.client, {SECOND: 1}, 0)
        await _votes_now(stage, "ann", SECOND)
        await _shows(stage.client, {}, 0)
    [after] = stage.client.messages
    assert after.message.reply == before.message.reply
    assert after.edits == 2


async def test_of_a_thread_only_what_shows_the_paper_is_edited(database: Database) -> None:
    """That is its list and the paper's reply, whose button tells the votes too."""
    stage = Stage(database)
    await stage.sent(Layout.THREAD)
    async with stage.sending():
        await _votes_now(stage, "ann", SECOND)
        await _shows(stage.client, {SECOND: 1}, 0, 2)
    assert [each.edits for each in stage.client.messages] == [1, 0, 1, 0]
    assert _labels(stage.client.messages[2].message.reply) == {SECOND: "Vote (1)"}
    assert _labels(stage.client.messages[1].message.reply) == {FIRST: "Vote"}


async def test_a_first_post_shows_the_votes_of_its_workspace(database: Database) -> None:
    """A paper may have votes before it is posted; another workspace's are not told."""
    stage = Stage(database)
    await stage.takes_in()
    await stage.ordered()
    await stage.ordered(channel=channel("C2", "T2"))
    await turns(database, "ann", FIRST)
    await stage.tick()
    async with stage.sending():
        await stage.stands(2)
        await stage.until(DeliveryState.SENT, lambda each: each.id == 2)
    shown = {
        each.message.channel.workspace.external_id: _votes(each.message.reply)
        for each in stage.client.messages
    }
    assert shown == {"T1": {FIRST: 1}, "T2": {}}
    assert stage.client.calls.count("edit") == 0


async def test_a_correction_keeps_the_votes(database: Database) -> None:
    """What an import changes is put right with the votes that are there."""
    stage = Stage(database)
    await stage.sent()
    async with stage.sending():
        await _votes_now(stage, "ann", FIRST)
        await _shows(stage.client, {FIRST: 1}, 0)
        await stage.corrects()
        await stage.tick()
        await until(lambda: "corrected" in stage.client.messages[0].text)
    assert _votes(stage.client.messages[0].message.reply) == {FIRST: 1}


async def test_what_may_have_been_sent_without_a_vote_is_edited(database: Database) -> None:
    """A message found after a crash is not taken for what would be sent by then."""
    stage = Stage(database)
    stage.client.faults.append(Fault.STUCK_AFTER)
    await stage.due()
    async with stage.sending():
        await stage.stands(1)
    await _votes_now(stage, "ann", FIRST)
    async with stage.sending():
        await _shows(stage.client, {FIRST: 1}, 0)
    assert len(stage.client.messages) == 1


async def test_channels_get_one_post_where_nobody_voted(database: Database) -> None:
    """It is laid out once for all of them; where somebody did, once for that workspace."""
    stage = Stage(database)
    await stage.takes_in()
    places = [(team, f"{team}-{number}") for team in ("T1", "T2", "T3") for number in range(3)]
    for team, name in places:
        await stage.ordered(channel=channel(name, team))
    await turns(database, "ann", FIRST)
    await stage.tick()
    async with stage.sending():
        await stage.stands(len(places))
    replies = {id(each.message.reply) for each in stage.client.messages}
    voted = {id(each.message.reply) for each in stage.client.messages if _votes(each.message.reply)}
    assert (len(replies), len(voted)) == (2, 1)


@on_postgres
async def test_votes_of_many_at_once_converge(database_url: str) -> None:
    """From two processes that both send, what is stored, what is posted and answers agree.

    Votes are turned again and again while posts are sent and edited, and edits fail; in the end
    each voter's last word counts, once, in every message of the workspace and in no other's.
    """
    one, two = (Stage(Database(database_url)) for _ in range(2))
    client = two.client = one.client
    client.edit_faults.extend(
        [Fault.RATE_LIMITED, None, Fault.LOST_BEFORE, None, Fault.UNAVAILABLE]
    )
    # Each presses three times, in another order each time.
    turned = [each * 7 % VOTERS for each in range(VOTERS)]
    presses = [(each * factor) % VOTERS for factor in (1, 11, 13) for each in turned]
    async with AsyncExitStack() as stack:
        for stage in (one, two):
            stack.callback(stage.database.close)
            await stack.enter_async_context(stage.sending())
        await one.takes_in()
        for number, layout in enumerate([Layout.FULL, Layout.THREAD, Layout.THREAD]):
            await one.ordered(layout, channel=channel(f"C{number}"))
        await one.ordered(channel=channel("C9", "T2"))
        await one.tick()
        await asyncio.gather(
            *(
                _votes_now((one, two)[place % 2], f"u{each}", (FIRST, SECOND)[each % 3 == 0])
                for place, each in enumerate(presses)
            )
        )
        expected = {FIRST: VOTERS - VOTERS // 3, SECOND: VOTERS // 3}
        for stage in (one, two):
            assert await counted(stage.database) == expected
            assert await Votes(stage.database).of(OURS, expected) == expected
        await one.stands(1 + 4 + 4 + 1)
        await until(lambda: all(_agrees(each.message, expected) for each in client.messages))


def _agrees(message: Message, expected: dict[str, int]) -> bool:
    """Tell whether a message shows just these votes for its papers, and elsewhere none."""
    here = message.channel.workspace == OURS
    wanted = {ref: expected[ref] for ref in expected.keys() & _refs(message.reply) if here}
    return _votes(message.reply) == wanted
