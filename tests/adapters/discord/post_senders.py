"""Post senders with the real client, a fake Discord and a fake clock."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import discord

from adapters.discord.api.calls import Calls, request_trace
from adapters.discord.api.rate_limits import GlobalRateLimit
from adapters.discord.channels.resolver import PostTarget
from adapters.discord.gateway.rest_client import set_base_url
from adapters.discord.posts.nonce_window import WINDOW, Seconds
from adapters.discord.posts.post_sender import PostSender
from bot.operations.metrics import Metrics
from bot.posting import ports
from bot.replies.blocks import Actions, Button, Reply, Text, Title
from store import records
from store.records import Workspace
from tests.fakes.discord import Channel, FakeDiscord, Message

POST = "POST /channels/{channel_id}/messages"
CREATE = "POST /channels/{channel_id}/threads"
PUBLISH = "POST /channels/{channel_id}/messages/{message_id}/crosspost"
EDIT = "PATCH /channels/{channel_id}/messages/{message_id}"
THREAD = "POST /channels/{channel_id}/messages/{message_id}/threads"
KEY = "4xVsRz-dT_k8Qw2mBn6yLp"
LONG_LINE = "search " + "mixture of experts " * 8

REPLY = Reply(
    (
        Title("Top AI papers"),
        Text("Ten papers of the week."),
        Actions((Button("Details 1", "show dair:2026-01-05#1"),)),
    ),
    command="latest",
)


@dataclass
class Poster:
    """A post sender with its client, its stored command strings and its pauses."""

    client: discord.Client
    sender: PostSender
    kept: list[str] = field(default_factory=list)
    slept: list[float] = field(default_factory=list)


@asynccontextmanager
async def poster_for(
    fake: FakeDiscord,
    *,
    gateway: bool = True,
    seconds: Seconds = time.monotonic,
    window: float = WINDOW,
    limit: GlobalRateLimit | None = None,
) -> AsyncIterator[Poster]:
    """Yield a post sender for the channels of a fake Discord.

    Args:
        fake: the fake Discord.
        gateway: whether it has the gateway, or only the REST API.
        seconds: its clock.
        window: the seconds until its deadline.
        limit: delays its requests; without it none are delayed.
    """
    client = discord.Client(
        intents=discord.Intents(guilds=True),
        http_trace=request_trace(limit),
        max_ratelimit_timeout=30,
    )
    kept: list[str] = []
    slept: list[float] = []

    async def keep(lines: tuple[str, ...]) -> None:
        kept.extend(lines)

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    sender = PostSender(
        lambda: client, Calls(Metrics()), keep, seconds=seconds, sleep=sleep, window=window
    )
    await set_base_url(fake.api_url, fake.token)
    async with client:
        await client.login(fake.token)
        connection = asyncio.create_task(client.connect()) if gateway else None
        if gateway:
            await fake.settled(lambda: len(client.guilds) == len(fake.guilds))
        yield Poster(client, sender, kept, slept)
    if connection:
        await connection


def target(channel: Channel) -> PostTarget:
    """Return a channel as a target."""
    return PostTarget(channel.id)


def place_of(posted: ports.PostedMessage) -> PostTarget:
    """Return the channel or thread of a post as a target."""
    return PostTarget(int(posted.place))


def posts(fake: FakeDiscord) -> list[Message]:
    """Return the public messages of the bot in all channels."""
    return [message for message in fake.sent() if not message.ephemeral]


def message_to(room: Channel, number: int = 1, kind: str | None = "text") -> ports.Message:
    """Return a message of a post to a channel whose type is stored."""
    assert room.guild
    channel = records.Channel(Workspace("discord", str(room.guild.id)), str(room.id))
    key = f"key-{room.id % 100_000}-{number}"
    return ports.Message(channel, key, REPLY, title="Week 2", kind=kind)
