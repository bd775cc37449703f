"""What may have arrived: when it is looked for, and what is known of what is found."""

import asyncio
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.posting.ports import Message, PostedMessage
from store.database import Database
from store.records import DeliveryState, Layout
from tests.bot.posting.delivery.setup import DUE, QUICK, Stage, papers, until
from tests.fakes.channel_client import ChannelMessage, Fault, MemoryChannelClient

pytestmark = pytest.mark.on_sqlite


@dataclass
class JumpingClock:
    """A machine's clock that somebody sets."""

    ahead: timedelta = timedelta()

    def now(self) -> datetime:
        """Return the time that it shows."""
        return datetime.now(UTC) + self.ahead


@dataclass
class LateClient(MemoryChannelClient):
    """Takes its first message only after nobody waits for the answer any more.

    The machine's clock jumps when that has been noted.
    """

    wall: JumpingClock = field(default_factory=JumpingClock)
    jump: timedelta = timedelta()
    takes: float = QUICK.send + QUICK.lease * 3 / 4
    arriving: asyncio.Task[None] | None = None

    async def send(self, message: Message) -> PostedMessage:
        """Keep a message, the first one late."""
        if self.arriving:
            return await super().send(message)
        self.arriving = asyncio.create_task(self._arrive(message))
        return await asyncio.Event().wait()  # type: ignore[return-value] # it never returns

    async def _arrive(self, message: Message) -> None:
        await asyncio.sleep(self.takes - QUICK.lease / 2)
        self.wall.ahead = self.jump
        await asyncio.sleep(QUICK.lease / 2)
        self.messages.append(ChannelMessage(message, "late", datetime.now(UTC)))


@pytest.mark.parametrize("hours", [0.0, 0.5, 3.0, -3.0])
async def test_what_may_still_arrive_is_awaited_whatever_the_clock_does(
    database: Database, hours: float
) -> None:
    """Looked for before its lease has run out it would be missed, and stand there twice."""
    wall = JumpingClock()
    client = LateClient(wall=wall, jump=timedelta(hours=hours))
    stage = Stage(database, client=client, wall=wall)
    await stage.due()
    async with stage.sending():
        await stage.until(DeliveryState.SENT)
    assert client.arriving
    await client.arriving
    assert [each.id for each in client.messages] == ["late"]


async def test_a_message_that_comes_after_the_lease_of_a_crashed_process_stands_once(
    database: Database,
) -> None:
    """Its call may have lasted on for as long as one may after the claim that noted it."""
    client = LateClient(takes=QUICK.lease + QUICK.send / 2)
    stage = Stage(database, client=client)
    await stage.due()
    async with stage.sending():
        await until(lambda: client.arriving is not None)
    async with stage.sending():
        await stage.until(DeliveryState.SENT)
    assert client.arriving
    await client.arriving
    assert [each.id for each in client.messages] == ["late"]


@pytest.mark.parametrize("number", range(4))
async def test_what_is_found_is_corrected_where_the_edition_changed_since(
    database: Database, number: int
) -> None:
    """A message that was sent before a correction, and is found after it, says the old words."""
    stage = Stage(database)
    stage.client.faults.extend([*[None] * number, Fault.STUCK_AFTER])
    await stage.due(Layout.THREAD)
    async with stage.sending():
        while len(stage.client.messages) <= number:
            stage.client.reached.clear()
            await stage.client.reached.wait()
    mended = [replace(each, title=f"{each.title}, corrected") for each in papers(3)]
    await stage.takes_in(*mended, at=DUE + timedelta(hours=1))
    async with stage.sending():
        await stage.until(
            DeliveryState.SENT,
            lambda _: all("corrected" in each.text for each in stage.client.messages),
        )
    assert len(stage.client.messages) == 4
