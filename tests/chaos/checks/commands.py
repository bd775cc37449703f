"""What people ask meanwhile: each question is acknowledged in time, each change is made once."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from random import Random

from aiohttp import web

from store.database import Session
from store.posting.subscriptions import list_subscriptions
from store.records import Channel, Subscription, Workspace
from tests.chaos.setup import Stage
from tests.chaos.workers.processes import Worker
from tests.chaos.workers.worker import TERM
from tests.fakes.discord import Channel as Room
from tests.fakes.discord import Permission
from tests.fakes.discord.interactions import Interaction
from tests.fakes.slack import Ack, Message

# What the platforms wait.
_PATIENCE = 3.0
# A worker that has just come to itself may not have noticed yet.
_SETTLED = 3.0
# For as long, a change may be on its way.
_MADE_SECONDS = 6.0
# An edition that nobody brings: what is ordered here is never owed.
_SOURCE = "hf-daily"
# The button of an answer about an order that takes it back.
_UNDO = "Undo"


@dataclass(frozen=True, slots=True)
class Heard:
    """A question as its platform saw it.

    `by` is whoever could have heard it, `seconds` how long it took, `None` without an answer.
    """

    platform: str
    words: str
    by: tuple[Worker, ...]
    seconds: float | None

    def is_due(self, settled: float) -> bool:
        """Tell whether somebody was well all the while, and for a moment before."""
        took = _PATIENCE if self.seconds is None else self.seconds
        return any(each.well_for() > took + settled for each in self.by)


@dataclass
class Asked:
    """What came of all questions."""

    counted: Counter[str] = field(default_factory=Counter)
    longest: dict[str, float] = field(default_factory=dict)
    complaints: list[str] = field(default_factory=list)

    def take(self, heard: Heard, settled: float = _SETTLED) -> None:
        """Take in how a question went, right after it did."""
        self.counted[f"{heard.platform} asked"] += 1
        if heard.seconds is not None:
            self.counted[f"{heard.platform} heard"] += 1
        if not heard.is_due(settled):
            return
        self.counted[f"{heard.platform} due"] += 1
        if heard.seconds is None or heard.seconds > _PATIENCE:
            who = " and ".join(str(each.number) for each in heard.by)
            self.complaints.append(
                f"{heard.platform}: {heard.words!r} was not acknowledged by worker {who}"
            )
            return
        longest = self.longest.get(heard.platform, 0.0)
        self.longest[heard.platform] = max(longest, heard.seconds)


# What the other end of each of Slack's sockets calls Slack.
Hosts = Mapping[web.WebSocketResponse, str]


async def ask_slack(stage: Stage, asked: Asked, chance: Random) -> None:
    """Ask in Slack, about once a second, until all is over."""
    slack, team = stage.slack, stage.slack.teams["T1"]
    for number in count():
        await asyncio.sleep(chance.uniform(0.7, 1.3))
        if stage.over.is_set():
            return
        if not slack.sockets.open:
            continue
        if number % 4:
            await _said_in_slack(stage, asked, "latest", "C1")
            continue
        name = f"C{9000 + number}"
        slack.add_channel(team, name, members={"U1", team.bot_user})
        there = Channel(Workspace("slack", team.id), name)
        order = f"subscribe UTC from:{_SOURCE}"
        doubled, moves = chance.random() < 0.5, _moves(stage)
        first = await _said_in_slack(stage, asked, order, name, doubled=doubled)

        async def again(ack: Ack = first) -> None:
            await slack.repeat(ack, late=True)

        async def taken_back(name: str = name, ack: Ack = first) -> None:
            if ack.message and _UNDO in ack.message.buttons:
                await _pressed_in_slack(stage, asked, ack.message)
            else:
                await _said_in_slack(stage, asked, "unsubscribe", name)

        await _changed(stage, asked, there, moves, taken_back=taken_back, again=again)


async def ask_discord(stage: Stage, asked: Asked, chance: Random) -> None:
    """Ask in Discord, about once a second, until all is over."""
    bob = stage.server.add_member("bob", permissions=Permission.MANAGE_GUILD)
    hall = stage.server.add_channel("hall")
    for number in count():
        await asyncio.sleep(chance.uniform(0.7, 1.3))
        if stage.over.is_set():
            return
        # Nobody is offered commands before they were registered.
        if not stage.discord.commands or not stage.discord.gateway.open:
            continue
        if number % 4:
            await _said_in_discord(stage, asked, bob.asks(hall, "latest"), "latest")
            continue
        room: Room = stage.server.add_channel(f"spare-{number}")
        there = Channel(Workspace("discord", str(stage.server.id)), str(room.id))
        moves = _moves(stage)
        order = bob.asks(room, "channel subscribe", zone="UTC", source=_SOURCE)
        first = await _said_in_discord(stage, asked, order, "subscribe")

        async def again(first: Interaction = first) -> None:
            await stage.discord.repeat(first)

        async def taken_back(room: Room = room, first: Interaction = first) -> None:
            answer = first.original
            if answer and _UNDO in answer.buttons:
                await _said_in_discord(stage, asked, bob.presses(answer, _UNDO), _UNDO)
            else:
                told = bob.asks(room, "channel unsubscribe")
                await _said_in_discord(stage, asked, told, "unsubscribe")

        await _changed(stage, asked, there, moves, taken_back=taken_back, again=again)


async def _said_in_slack(
    stage: Stage, asked: Asked, words: str, channel: str, *, doubled: bool = False
) -> Ack:
    """Type a command; `doubled` it is brought by two sockets at once."""
    slack, hosts = stage.slack, _hosts(stage)
    delivery = slack.command_delivery(words, "U1", channel, "T1")
    acks = [slack.deliver(delivery) for _ in range(1 + doubled)]
    first, *_ = done = await asyncio.gather(*acks)
    for ack in done:
        asked.take(_heard(stage, words, ack, hosts))
    return first


async def _pressed_in_slack(stage: Stage, asked: Asked, message: Message) -> None:
    """Press the button that takes an order back."""
    hosts = _hosts(stage)
    asked.take(_heard(stage, _UNDO, await stage.slack.click(message, _UNDO), hosts))


def _hosts(stage: Stage) -> Hosts:
    return {socket: request.host for socket, request in stage.slack.sockets.open.items()}


def _heard(stage: Stage, words: str, ack: Ack, hosts: Hosts) -> Heard:
    worker = stage.by_host(hosts.get(ack.socket, "")) if ack.socket else None
    return Heard("slack", words, (worker,) if worker else (), ack.seconds if ack.acked else None)


async def _said_in_discord(
    stage: Stage, asked: Asked, doing: Awaitable[Interaction], words: str
) -> Interaction:
    """Do something; all who are connected hear of it."""
    loop, open_now = asyncio.get_running_loop(), stage.discord.gateway.open
    hosts = [session.request.host for session in open_now if session.request]
    began = loop.time()
    done = await doing
    seconds = None if done.error else loop.time() - began
    by = tuple(worker for host in hosts if (worker := stage.by_host(host)))
    # Whoever holds the gateway may be about to lose it, for as long as a lease lasts.
    asked.take(Heard("discord", words, by, seconds), _SETTLED + TERM.expiry)
    return done


async def _changed(  # noqa: PLR0913 - a change is what it is made of, and what it is told to
    stage: Stage,
    asked: Asked,
    there: Channel,
    moves: list[int] | None,
    *,
    taken_back: Callable[[], Awaitable[None]],
    again: Callable[[], Awaitable[None]],
) -> None:
    """See an order through: given once, taken back once, and not given again by a repeat.

    `moves` is how often the clocks had been moved when it was asked for.
    """
    if not await _comes(stage, there, 1):
        return
    await taken_back()
    if not await _comes(stage, there, 0):
        return
    await again()
    asked.counted["repeats"] += 1
    await asyncio.sleep(1)
    standing = len(await _standing(stage, there))
    # By a clock that moved by days meanwhile the first time is too long ago.
    if standing and moves is not None and _moves(stage) == moves:
        platform, channel = there.workspace.platform, there.external_id
        asked.complaints.append(f"{platform}: a repeat in {channel} was carried out again")


async def _comes(stage: Stage, there: Channel, number: int) -> bool:
    """Tell whether a channel gets so many orders in time."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_MADE_SECONDS):
            while len(await _standing(stage, there)) != number:  # noqa: ASYNC110 - a store has no event
                await asyncio.sleep(0.3)
        return True
    return False


async def _standing(stage: Stage, there: Channel) -> list[Subscription]:
    return await stage.patiently(lambda: stage.database.read(_orders_in, there))


def _orders_in(session: Session, there: Channel) -> list[Subscription]:
    known = list_subscriptions(session)
    return [each for each in known if each.channel == there and each.cancelled_at is None]


def _moves(stage: Stage) -> list[int] | None:
    """Return how often each clock was moved, `None` while one is behind by days."""
    hands = [worker.hands for worker in stage.workers]
    return None if any(each.is_back for each in hands) else [each.moves for each in hands]


def doubles(orders: list[Subscription], ours: set[int]) -> list[str]:
    """Return the spare channels that have an order twice, a sentence each. Pure."""
    there = Counter(
        (each.channel.workspace.platform, each.channel.external_id)
        for each in orders
        if each.id not in ours and each.cancelled_at is None
    )
    return [
        f"{platform}: {channel} has its order {number} times"
        for (platform, channel), number in sorted(there.items())
        if number > 1
    ]
