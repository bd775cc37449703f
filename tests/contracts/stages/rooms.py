"""A room of each chat platform, in which people ask, press and see, and the bot posts."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from adapters.discord.platform import DiscordPlatform
from adapters.slack.platform import SlackPlatform
from bot.commands.handlers import COMMANDS
from bot.commands.parser import parse
from bot.commands.types import Command, Kind
from bot.posting.ports import ChannelClient, Message
from store.database import Database
from store.records import Channel, Layout, Workspace
from tests.adapters.common.delivery_worker import sending, until
from tests.adapters.discord.connected_bot import running as running_in_discord
from tests.adapters.slack.connected_bot import running as running_in_slack
from tests.adapters.slack.connected_bot import variables_for as slack_variables
from tests.bot.posting.digest.editions import posted
from tests.fakes.discord import FakeDiscord, Permission, Person
from tests.fakes.discord import Message as DiscordMessage
from tests.fakes.slack import FakeSlack


class Room(ABC):
    """A channel with Ann, who may order posts, and Bob; each also has direct messages.

    Args:
        client: posts in it.
        channel: as the store knows it.
    """

    def __init__(self, client: ChannelClient, channel: Channel) -> None:
        self.client = client
        self.channel = channel

    @abstractmethod
    async def ask(self, who: str, line: str, *, alone: bool = False) -> Any:
        """Let somebody type a command, there or in direct messages; return the answer."""

    @abstractmethod
    async def say(self, who: str, line: str) -> Any:
        """Let somebody ask there in words of their own; return the answer, which is theirs."""

    @abstractmethod
    async def write(self, who: str, line: str) -> Any:
        """Let somebody write a direct message; return the answer."""

    @abstractmethod
    async def look_up(self, who: str, text: str) -> str:
        """Let somebody write a message and look up what it links; return what is shown."""

    @abstractmethod
    async def press(self, who: str, message: Any, label: str) -> None:
        """Let somebody press a button of a message."""

    @abstractmethod
    async def pick(self, who: str, message: Any, does: str, number: int, title: str) -> None:
        """Let somebody have `Save` or `Vote` do something to a paper of a message."""

    @abstractmethod
    def sees(self, who: str) -> list[Any]:
        """Return what somebody sees in the channel, in order."""

    @abstractmethod
    def is_for(self, message: Any) -> str | None:
        """Return who alone sees a message, `None` where everybody does."""

    @abstractmethod
    def all_of(self, message: Any) -> str:
        """Return all that a message says, boxes included."""

    @abstractmethod
    def files(self, who: str) -> list[bytes]:
        """Return the files that somebody sees in the channel and in direct messages."""

    def open_to_all(self) -> list[Any]:
        """Return what everybody sees in the channel."""
        return [each for each in self.sees("bob") if self.is_for(each) is None]

    async def answer(self, who: str, does: Callable[[], Any]) -> Any:
        """Do something, and return the message that somebody sees more after it."""
        before = self.sees(who)
        await does()
        await until(lambda: len(self.sees(who)) > len(before))
        [added] = [each for each in self.sees(who) if each not in before]
        return added

    async def pressed(self, who: str, message: Any, label: str) -> Any:
        """Let somebody press a button; return the message that comes of it."""
        return await self.answer(who, lambda: self.press(who, message, label))

    async def picked(self, who: str, message: Any, does: str, number: int, title: str) -> Any:
        """Let somebody use a menu; return the message that comes of it."""
        return await self.answer(who, lambda: self.pick(who, message, does, number, title))

    async def post(self, layout: Layout) -> Any:
        """Post the edition that is stored, and return the last message."""
        for number, reply in enumerate(posted(layout, self.client.fits)):
            key = f"key{number}"
            await self.client.send(Message(self.channel, key, reply, kind="text"))
        return self.open_to_all()[-1]

    async def delivered(self) -> Any:
        """Order posts and have the newest edition posted as one message, which is returned."""
        await self.ask("ann", "subscribe zone:UTC layout:compact")
        before = len(self.open_to_all())
        await self.ask("ann", "deliver")
        await until(lambda: len(self.open_to_all()) > before)
        return self.open_to_all()[-1]


class InSlack(Room):
    """A channel of a workspace."""

    _users = {"ann": "U1", "bob": "U2"}  # noqa: RUF012 - nobody changes it

    def __init__(self, slack: FakeSlack, client: ChannelClient) -> None:
        super().__init__(client, Channel(Workspace("slack", "T1"), "C1"))
        self._slack = slack

    async def ask(self, who: str, line: str, *, alone: bool = False) -> Any:
        """Type `/papers …`, or write a direct message."""
        return await (self.write(who, line) if alone else self._slack.ask(line, self._users[who]))

    async def say(self, who: str, line: str) -> Any:
        """Type it behind `/papers`."""
        return await self.ask(who, line)

    async def write(self, who: str, line: str) -> Any:
        """Write to the bot, which answers below that."""
        user = self._users[who]
        seen = len(self._directs(user))
        await self._slack.direct_message(line, user)
        await self._slack.settled(lambda: len(self._directs(user)) == seen + 2)
        return self._directs(user)[-1]

    async def look_up(self, who: str, text: str) -> str:
        """Choose the shortcut on the message, and close the window that it opens."""
        user = self._users[who]
        await self._slack.message_shortcut("lookup", self._slack.say(text, user), user)
        [window] = await self._slack.settled(lambda: self._slack.modals(user))
        await self._slack.settled(lambda: "Looking…" not in str(window.blocks))
        self._slack.stacks.clear()
        return str(window.blocks)

    async def press(self, who: str, message: Any, label: str) -> None:
        """Press it."""
        await self._slack.click(message, label, self._users[who])

    async def pick(self, who: str, message: Any, does: str, number: int, title: str) -> None:
        """Choose from the menu below a list or beside a paper, or press what is below its card."""
        menus = [menu for menu in message.menus if menu.startswith(f"{does} ")]
        if menus:
            await self._slack.choose(message, menus[0], f"{number}. {title}", self._users[who])
        elif does in message.buttons:
            await self.press(who, message, f"{does} {title}")
        else:
            await self.press(who, message, f"{does} {number}")

    def sees(self, who: str) -> list[Any]:
        """Return what is in the channel for them."""
        return list(self._slack.seen(self._users[who]))

    def is_for(self, message: Any) -> str | None:
        """Return whom an ephemeral message is for."""
        names = {user: who for who, user in self._users.items()}
        return names.get(message.ephemeral_for)

    def all_of(self, message: Any) -> str:
        """Return its blocks."""
        return str(message.blocks)

    def files(self, who: str) -> list[bytes]:
        """Return what was uploaded for them."""
        seen = [*self.sees(who), *self._directs(self._users[who])]
        return [file.data for message in seen for file in message.files]

    def _directs(self, user: str) -> list[Any]:
        return list(self._slack.seen(user, f"D{user[1:]}"))


class InDiscord(Room):
    """A channel of a server."""

    def __init__(
        self, discord: FakeDiscord, client: ChannelClient, more: Sequence[Command] = ()
    ) -> None:
        server = discord.add_guild("G")
        self._discord = discord
        self._commands = (*COMMANDS, *more)
        self._room = server.add_channel("papers")
        super().__init__(client, Channel(Workspace("discord", str(server.id)), str(self._room.id)))
        self._people: dict[str, Person] = {
            "ann": server.add_member("ann", permissions=Permission.MANAGE_GUILD),
            "bob": server.add_member("bob"),
        }

    async def ask(self, who: str, line: str, *, alone: bool = False) -> Any:
        """Type a command by its options."""
        call, person = parse(line, self._commands), self._people[who]
        kinds = {param.name: param.type.kind for param in call.command.params}
        options = {
            name: int(text) if kinds[name] is Kind.NUMBER else text
            for name, text in call.arguments.items()
        }
        place = person.dm if alone else self._room
        asked = await person.asks(place, call.command.path, **options)
        return (await asked.answered()).message

    async def say(self, who: str, line: str) -> Any:
        """Mention the bot, and press what it offers."""
        person, before = self._people[who], len(self._room.posts)
        person.says(self._room, f"<@{self._discord.bot.id}> {line}")
        await self._discord.settled(lambda: len(self._room.posts) == before + 2)
        offered = self._room.posts[-1]
        pressed = await person.presses(offered, next(iter(offered.buttons)))
        return (await pressed.answered()).message

    async def write(self, who: str, line: str) -> Any:
        """Write to the bot."""
        person = self._people[who]
        before = len(person.dm.posts)
        person.says(person.dm, line)
        await self._discord.settled(lambda: len(person.dm.posts) == before + 2)
        return person.dm.posts[-1]

    async def look_up(self, who: str, text: str) -> str:
        """Run the command of the message."""
        person = self._people[who]
        found = await person.looks_up(person.says(self._room, text))
        return str((await found.answered()).message.text)

    async def press(self, who: str, message: Any, label: str) -> None:
        """Press it."""
        await self._people[who].presses(message, label)

    async def pick(self, who: str, message: Any, does: str, number: int, title: str) -> None:
        """Choose from the menu below a list, or press what is below a card."""
        menus = [each for each in message.selects if each["placeholder"].startswith(f"{does} ")]
        if not menus:
            await self.press(who, message, does)
            return
        label = f"{number}. {title}"
        [value] = [each["value"] for each in menus[0]["options"] if each["label"] == label]
        await self._people[who].chooses(message, value)

    def sees(self, who: str) -> list[DiscordMessage]:
        """Return what is in the channel for them."""
        return list(self._people[who].sees(self._room))

    def is_for(self, message: Any) -> str | None:
        """Return whom an ephemeral message is for."""
        names = {person.user.id: who for who, person in self._people.items()}
        return names[message.ephemeral_for.id] if message.ephemeral_for else None

    def all_of(self, message: Any) -> str:
        """Return its texts."""
        return "\n".join(message.texts)

    def files(self, who: str) -> list[bytes]:
        """Return what is attached to what they see."""
        seen = [*self.sees(who), *self._people[who].sees(self._people[who].dm)]
        return [file.data for message in seen for file in message.attachments]


@asynccontextmanager
async def in_slack(
    database: Database,
    more: Sequence[Command] = (),
    *,
    welcomes: bool = False,
    strict: bool = False,
) -> AsyncIterator[Room]:
    """Connect a bot that posts, with `more` commands; with `welcomes` it greets who is new.

    Where it is `strict`, Ann alone may order posts.
    """
    async with FakeSlack() as slack:
        slack.add_user(slack.teams["T1"], "U1", admin=True)
        managers = {"BROADSHEET_SLACK_MANAGERS": "admins"} if strict else {}
        variables = slack_variables(slack, **managers)
        run = running_in_slack(database, slack, variables, more, welcomes=welcomes)
        async with run as (platform, _), sending(database, "slack", _client(platform)):
            yield InSlack(slack, _client(platform))


@asynccontextmanager
async def in_discord(
    database: Database,
    more: Sequence[Command] = (),
    *,
    welcomes: bool = False,
    strict: bool = True,  # noqa: ARG001 - there it always is
) -> AsyncIterator[Room]:
    """Connect a bot as in Slack."""
    async with (
        FakeDiscord() as discord,
        running_in_discord(database, discord, more, welcomes=welcomes) as platform,
    ):
        client = _client(platform)
        async with sending(database, "discord", client):
            yield InDiscord(discord, client, more)


def _client(platform: SlackPlatform | DiscordPlatform) -> ChannelClient:
    return platform.channel_client
