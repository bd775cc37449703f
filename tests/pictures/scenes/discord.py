"""Scenes in Discord: the real client against the fake of its servers."""

from collections.abc import AsyncIterator
from dataclasses import replace

from bot.commands.handlers import COMMANDS
from bot.commands.parser import parse
from bot.commands.types import Call, Kind
from store.database import Database
from tests.adapters.common.delivery_worker import sending
from tests.adapters.discord.connected_bot import running
from tests.fakes.discord import FakeDiscord, Interaction, Permission
from tests.fakes.discord import Message as Sent
from tests.fakes.discord.records import Channel
from tests.pictures.scenes.posts import alerts_sent, all_sent, digest_sent
from tests.pictures.scenes.records import Attachment, Message, Scene, View
from tests.pictures.table import PICTURES, Picture, Platform, Way

_OPENS = "Show the answer"
_BEFOREHAND = (
    "save 2510.04618",
    "save 2506.15841",
    "save 2401.05566",
    "vote 2510.04871",
    "vote 2510.18234",
)


async def scenes(database: Database) -> AsyncIterator[Scene]:
    """Give the scenes of the table, in its order."""
    async with (
        FakeDiscord(validating=False) as discord,
        running(database, discord) as platform,
        sending(database, "discord", platform.channel_client),
    ):
        taken = _Discord(discord, database)
        for line in _BEFOREHAND:
            await taken.asks(line)
        for picture in PICTURES:
            if Platform.DISCORD in picture.platforms:
                yield await taken.scene(picture)
        await platform.drain()


class _Discord:
    def __init__(self, discord: FakeDiscord, database: Database) -> None:
        self._discord, self._database = discord, database
        guild = self._guild = discord.add_guild("Reading group")
        self._channel = guild.add_channel("reading-group")
        self._ann = guild.add_member("ann", permissions=Permission.MANAGE_GUILD)

    async def scene(self, picture: Picture) -> Scene:
        """Return the scene of a picture.

        Raises:
            ValueError: for App Home, which Discord has not.
        """
        shown: tuple[Message | View, ...]
        match picture.way:
            case Way.ASKED:
                shown = (await self._asked(picture.line),)
            case Way.POSTED:
                shown = await self._posted(picture.line)
            case Way.FORM:
                shown = (await self._form(picture),)
            case Way.DIRECT:
                shown = (await self._asked(picture.line, direct=True),)
            case Way.ALERTED | Way.DIGEST:
                shown = await self._told(picture)
            case Way.TALK:
                shown = await self._talk(picture.line, self._ann.dm)
            case Way.ROOM:
                shown = await self._talk(picture.line, self._guild.add_channel("papers"))
            case Way.HOME:
                raise ValueError("Discord has no App Home")
        channels = {str(each.id): each.name for each in self._guild.channels.values()}
        names = {**channels, str(self._ann.id): "ann", str(self._discord.bot.id): "Broadsheet"}
        return Scene(picture.name, Platform.DISCORD, shown, names)

    async def asks(self, line: str, *, direct: bool = False) -> Interaction:
        """Type a command by its options, and wait for the answer."""
        call = parse(line, COMMANDS)
        channel = self._ann.dm if direct else self._channel
        asked = await self._ann.asks(channel, call.command.path, **_options(call))
        return await asked.answered()

    async def _asked(self, line: str, *, direct: bool = False) -> Message:
        answer = (await self.asks(line, direct=direct)).message
        call = parse(line, COMMANDS)
        words = [f"{name}: {text}" for name, text in call.arguments.items()]
        return _message(answer, typed=" ".join((f"/papers {call.command.path}", *words)))

    async def _told(self, picture: Picture) -> tuple[Message, ...]:
        """Return what comes in direct messages by a command that was typed there."""
        await self.asks(picture.line, direct=True)
        if picture.way is Way.ALERTED:
            await alerts_sent(self._database)
        else:
            await digest_sent(self._database)
        return (_message(self._ann.dm.posts[-1]),)

    async def _talk(self, lines: str, place: Channel) -> tuple[Message, ...]:
        """Return the answers to lines, which in a channel begin with a mention of the bot."""
        shown: list[Message] = []
        answer: Sent | None = None
        for line in lines.split("\n"):
            before = len(place.posts)
            if answer and line.startswith("["):
                pressed = await self._ann.presses(answer, line.strip("[]"))
                answer = (await pressed.answered()).message
                shown.append(replace(_message(answer), pressed=line.strip("[]")))
                continue
            is_direct = place is self._ann.dm
            said = line if is_direct else f"<@{self._discord.bot.id}> {line}"
            self._ann.says(place, said)
            await self._discord.settled(lambda: len(place.posts) == before + 2)  # noqa: B023
            answer = place.posts[-1]
            if not is_direct:  # there the answer is shown to one person, at a press
                answer = (await (await self._ann.presses(answer, _OPENS)).answered()).message
            shown.append(replace(_message(answer), said=said))
        return tuple(shown)

    async def _posted(self, layout: str) -> tuple[Message, ...]:
        """Return a post in a channel of its own."""
        room = self._guild.add_channel(f"papers-{layout}")
        await self._ann.asks(room, "channel subscribe", zone="UTC", layout=layout)
        await self._ann.asks(room, "channel deliver")
        await all_sent(self._database)
        root, *others = room.posts
        thread = root.thread
        replies = thread.posts if thread else []
        places = (thread.name if thread and not number else "" for number in range(len(replies)))
        return (
            _message(root, replies=len(replies)),
            *map(_message, others),
            *(_message(each, place=place) for each, place in zip(replies, places, strict=True)),
        )

    async def _form(self, picture: Picture) -> View:
        answer = await self.asks(picture.line)
        pressed = await self._ann.presses(answer.message, picture.button)
        return View(pressed.modal.payload)


def _options(call: Call) -> dict[str, str | int]:
    """Return the arguments of a call as the options of its command are typed."""
    numbers = {each.name for each in call.command.params if each.type.kind is Kind.NUMBER}
    return {name: int(text) if name in numbers else text for name, text in call.arguments.items()}


def _message(sent: Sent, *, typed: str = "", place: str = "", replies: int = 0) -> Message:
    files = tuple(
        Attachment(each.name, "image/png", each.data, each.description or "")
        for each in sent.attachments
    )
    return Message(
        sent.as_json(),
        typed=typed,
        alone=sent.ephemeral,
        place=place,
        replies=replies,
        edited=sent.edited,
        files=files,
    )
