"""The stages on which the channel clients of all platforms are tested."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol

from adapters.discord.posts.channel_client import DiscordChannelClient
from bot.posting.ports import ChannelClient
from store.records import Channel, Workspace
from tests.adapters.discord.post_senders import CREATE, POST, poster_for
from tests.adapters.slack.posts.messages import WORKSPACE, posting
from tests.fakes import slack as slacks
from tests.fakes.discord import Channel as Room
from tests.fakes.discord import Drop, FakeDiscord, Permission, Server
from tests.fakes.discord import Message as DiscordMessage
from tests.fakes.slack import FakeSlack

# As often as a client may try one message by itself.
_ATTEMPTS = 6


@dataclass(frozen=True, slots=True)
class Seen:
    """A message as people see it; `thread` is the one that it stands in, if any."""

    id: str
    text: str
    thread: str | None = None
    edited: bool = False
    pings: bool = False


class Stage(Protocol):
    """A platform with a channel client, a channel that it can post to, and a person.

    `kind` is the platform's word for what the channel is, if it has any.
    """

    client: ChannelClient
    channel: Channel
    person: str
    kind: str | None

    def lose(self, *, stored: bool, root: bool = False) -> None:
        """Let the answers to the next message be lost, after it was stored or before.

        It is the `root` of a post, or else a reply or what a person is told.
        """

    def seen(self) -> list[Seen]:
        """Return the bot's messages in the channel and its threads, in order."""

    def notices(self) -> list[str]:
        """Return the private notices to the person."""

    def remove(self, message: str) -> None:
        """Let somebody remove a message of the channel's."""

    def close(self) -> None:
        """Close the channel to the bot."""


class InSlack:
    """A channel of a workspace."""

    person = "U1"
    channel = Channel(WORKSPACE, "C1")
    kind: str | None = None

    def __init__(self, slack: FakeSlack, poster: ChannelClient) -> None:
        self.client = poster
        self._slack = slack

    def lose(self, *, stored: bool, root: bool = False) -> None:
        """Let the answer to the next message be lost."""
        del root
        self._slack.fail("chat.postMessage", slacks.Drop(stored=stored))

    def seen(self) -> list[Seen]:
        """Return the bot's messages in the channel and its threads."""
        return [
            Seen(
                each.ts,
                f"{each.text} {each.blocks}",
                each.thread_ts,
                each.edited,
                _mentions({"type": "mrkdwn", "text": each.text}) or _mentions(each.blocks),
            )
            for each in self._slack.seen()
        ]

    def notices(self) -> list[str]:
        """Return the notices to the person."""
        return [each.text for each in self._slack.seen(self.person, "D1")]

    def remove(self, message: str) -> None:
        """Let somebody remove a message."""
        [found] = [each for each in self._slack.seen() if each.ts == message]
        found.deleted = True

    def close(self) -> None:
        """Take the bot out of the channel."""
        team = self._slack.teams["T1"]
        team.channels["C1"].members.discard(team.bot_user)


class InDiscord:
    """A channel of a server, or a forum."""

    def __init__(
        self, fake: FakeDiscord, poster: ChannelClient, server: Server, room: Room
    ) -> None:
        person = server.add_member("ann")
        self.client = poster
        self.channel = Channel(Workspace("discord", str(server.id)), str(room.id))
        self.person = str(person.id)
        self.kind: str | None = {"announcement": "news"}.get(room.kind, room.kind)
        self._fake = fake
        self._server = server
        self._room = room
        self._dm = person.dm

    def lose(self, *, stored: bool, root: bool = False) -> None:
        """Let the answers to the next message be lost, however often it is tried."""
        request = CREATE if root and self._room.kind == "forum" else POST
        self._fake.fail(request, Drop(stored=stored), times=_ATTEMPTS)

    def seen(self) -> list[Seen]:
        """Return the bot's messages in the channel and its threads."""
        threads = list(self._fake.threads_of(self._room))
        return [_seen(each, self._room) for room in (self._room, *threads) for each in room.posts]

    def notices(self) -> list[str]:
        """Return the notices to the person."""
        return [each.text for each in self._dm.posts]

    def remove(self, message: str) -> None:
        """Let somebody remove a message."""
        rooms = (self._room, *self._fake.threads_of(self._room))
        [found] = [each for room in rooms for each in room.posts if str(each.id) == message]
        found.deleted = True

    def close(self) -> None:
        """Take away the permission to see the channel."""
        self._server.forbid_bot(self._room, Permission.VIEW_CHANNEL)


def _mentions(value: object) -> bool:
    """Tell whether Slack reads a mention in a value: only some texts have signs with a meaning."""
    if isinstance(value, list):
        return any(map(_mentions, value))
    if not isinstance(value, dict):
        return False
    kind, text = value.get("type"), value.get("text")
    if kind == "mrkdwn":
        return any(sign in str(text) for sign in ("<!", "<@"))
    return kind in {"broadcast", "user", "usergroup"} or any(map(_mentions, value.values()))


def _seen(message: DiscordMessage, room: Room) -> Seen:
    thread = None if message.channel is room else str(message.channel.id)
    pings = message.allowed_mentions is None or bool(message.allowed_mentions["parse"])
    return Seen(str(message.id), message.text, thread, message.edited, pings)


@asynccontextmanager
async def in_slack() -> AsyncIterator[Stage]:
    """Give a channel in Slack."""
    async with posting() as (slack, poster):
        yield InSlack(slack, poster)


@asynccontextmanager
async def in_discord(kind: str, *, gateway: bool = True) -> AsyncIterator[Stage]:
    """Give a channel in Discord, to a process that is connected to the gateway or is not."""
    async with FakeDiscord() as fake:
        server = fake.add_guild()
        room = server.add_channel("papers", kind=kind)
        async with poster_for(fake, gateway=gateway) as made:
            yield InDiscord(fake, DiscordChannelClient(made.sender), server, room)
