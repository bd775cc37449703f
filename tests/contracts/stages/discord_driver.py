"""Discord as its people have it: the real client against a fake, in one server."""

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime

from adapters.common.layout.elements import Effect
from adapters.discord.render.buttons import kept_digest, read_id
from adapters.discord.render.limits import PAPERS_ON_PAGE
from bot.actor import Actor, Role
from bot.commands.handlers import COMMANDS
from bot.commands.parser import parse
from bot.commands.types import Kind, Param
from bot.errors import UserError
from bot.replies.blocks import File, Reply
from store.database import Database
from store.workspaces import command_strings
from tests.adapters.discord.connected_bot import running
from tests.adapters.discord.render.visible_text import read
from tests.contracts.driver import Chat, KnownChannels, Part
from tests.contracts.facts import Way, seen
from tests.fakes.discord import Channel, FakeDiscord, Interaction, Modal, Permission, Person, Server
from tests.fakes.discord.rules.components import BUTTON, INPUT, SELECT, TEXT, Json, walk


class InDiscord(Chat):
    """A channel of a server, in which one may manage the server and one may not."""

    name = "discord"
    ornaments = re.compile("[.·:\N{VARIATION SELECTOR-16}ℹ⚠❌]")
    own = Chat.own | {"Refine"}

    def __init__(self, discord: FakeDiscord, guild: Server, database: Database) -> None:
        self._discord = discord
        self._database = database
        self._channel = guild.add_channel("general")
        self._people = {
            Role.READER: guild.add_member("ann"),
            Role.MANAGER: guild.add_member("bob", permissions=Permission.MANAGE_GUILD),
        }
        self._person: Person
        self._typed: Interaction
        self._last: Interaction
        self._form: Modal

    def actor(self, role: Role) -> Actor:
        """Return somebody in a server, who gives arguments by their names."""
        here = str(self._channel.id)
        somebody = Actor(self.name, "elsewhere", "somebody", role, channel=here, by_name=True)
        known = KnownChannels(here, self._channel.name)
        return replace(
            somebody, owns=role is Role.MANAGER, channels=known, page_size=PAPERS_ON_PAGE
        )

    def can_type(self, line: str) -> bool:
        """Tell whether a line is a command of which nothing is hidden or left out.

        What was never registered can't be typed, nor sent without what it requires.
        """
        try:
            call = parse(line, COMMANDS)
        except UserError:
            return False
        required = {param.name for param in call.command.params if param.required}
        offered = {param.name for param in call.command.shown}
        return required <= call.arguments.keys() <= offered

    def told(self, at: datetime) -> str:
        """Return an instant as Discord tells it to each reader in two ways."""
        return f"{int(at.timestamp())} ({int(at.timestamp())})"

    def enclosed(self, file: File) -> str:
        """Return how a picture is described that stands in the message; a file shows its name."""
        return file.alt if file.media_type.startswith("image/") else ""

    def own_ways(self, reply: Reply) -> frozenset[str]:
        """Return Share, and the way to the form of a search."""
        refine = frozenset(("Refine",) if (reply.command or "").startswith("search ") else ())
        return super().own_ways(reply) | refine

    async def typed(self, line: str, role: Role) -> None:
        """Type a command by its options."""
        await self._type(line, role, self._channel)
        assert self._last.message.ephemeral_for is self._person.user

    async def typed_alone(self, line: str, role: Role) -> None:
        """Type it to the bot."""
        await self._type(line, role, self._people[role].dm)

    async def _type(self, line: str, role: Role, place: Channel) -> None:
        call = parse(line, COMMANDS)
        self._person = self._people[role]
        params = {param.name: param for param in call.command.params}
        options = {name: _typed(params[name], text) for name, text in call.arguments.items()}
        asked = await self._person.asks(place, call.command.path, **options)
        self._typed = self._last = await asked.answered()

    async def pressed(self, label: str) -> None:
        """Press a button, or choose the option of a select; a form is submitted as it opens."""
        message = self._last.message
        does = self._person.presses if label in message.buttons else self._person.chooses
        pressed = await does(message, label)
        if pressed.form:
            pressed = await self._person.submits(pressed.form)
        self._last = await pressed.answered()

    async def opens(self, label: str) -> dict[str, str]:
        """Press a button that opens a modal."""
        self._form = (await self._person.presses(self._last.message, label)).modal
        return {
            field["custom_id"]: _held(field)
            for field in (label["component"] for label in self._form.payload["components"])
        }

    async def submits(self, **entered: str) -> str:
        """Submit the modal; a message tells what is wrong, with a button that opens it again."""
        fields = {
            each["component"]["custom_id"]: each["component"]
            for each in self._form.payload["components"]
        }
        values = {name: _chosen(fields[name], text) for name, text in entered.items()}
        submitted = await self._person.submits(self._form, values)
        self._last = await submitted.answered()
        return seen("".join((await self.part()).texts))

    async def corrects(self) -> dict[str, str]:
        """Press the button that opens the modal again."""
        return await self.opens("Correct it")

    async def repeat(self) -> None:
        """Bring the last command once more."""
        await self._discord.repeat(self._typed)

    async def part(self) -> Part:
        """Return what the components of the message show."""
        message = self._last.message
        ways = [way for each in walk(message.components) for way in await self._ways(each)]
        texts = (text for each in walk(message.components) for text in _texts(each))
        return Part(tuple(texts), tuple(ways))

    async def _ways(self, component: Json) -> list[Way]:
        """Return what a component asks; the options of a select are buttons to their readers."""
        if component["type"] == SELECT:
            options = component["options"]
            return [Way(each["label"], await self._line(each["value"])) for each in options]
        if component["type"] != BUTTON:
            return []
        press = read_id(component["custom_id"])
        line = await self._line(press.command) if press else None
        label = component["label"] if component["label"] in self._last.message.buttons else None
        return [Way(label, line, press is not None and press.effect is Effect.FORM)]

    async def _line(self, line: str) -> str | None:
        """Return the line that an id holds, or that the store keeps under its digest."""
        digest = kept_digest(line)
        return line if digest is None else await self._database.read(command_strings.find, digest)


def _texts(component: Json) -> Iterator[str]:
    """Give what a component says, a picture by its description."""
    if component["type"] == TEXT:
        yield read(component["content"])
    for item in component.get("items", ()):
        yield item["description"]


def _held(field: Json) -> str:
    """Return what stands in a field of a modal."""
    chosen = [each["value"] for each in field.get("options", ()) if each.get("default")]
    picked = [str(each["id"]) for each in field.get("default_values") or ()]
    return field.get("value") or ",".join([*chosen, *picked])


def _chosen(field: Json, text: str) -> str | list[str]:
    """Return a text as it is entered into a field: several values of a menu, or what is typed."""
    return text if field["type"] == INPUT else [each for each in text.split(",") if each]


def _typed(param: Param, text: str) -> str | int:
    """Return the value of an option, as its kind is typed."""
    return int(text) if param.type.kind is Kind.NUMBER else text


@asynccontextmanager
async def in_discord(database: Database) -> AsyncIterator[InDiscord]:
    """Connect a bot over a store, for as long as the block lasts.

    Bodies are judged in the tests of the adapter, and that takes longer than all else here.
    """
    async with FakeDiscord(validating=False) as discord, running(database, discord):
        yield InDiscord(discord, discord.add_guild("G"), database)
