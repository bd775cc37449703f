"""Slack as its people have it: the real client against a fake, in one channel."""

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

from adapters.slack.buttons import read_press
from bot.command import Actor, Role
from bot.wording import moment
from store.database import Database
from tests.adapters.slack.running import running, variables_for
from tests.contracts.door import Chat, Part
from tests.contracts.facts import Way
from tests.fakes.slack import Ack, FakeSlack, Message
from tests.fakes.slack.records import buttons

_ZONE = "Europe/Berlin"
_USERS = {Role.READER: "U1", Role.MANAGER: "U2"}


class InSlack(Chat):
    """A channel of a workspace in which admins alone settle things."""

    name = "slack"
    ornaments = re.compile("[.·:]")

    def __init__(self, slack: FakeSlack) -> None:
        self._slack = slack
        self._user = ""
        self._ack: Ack
        self._message: Message

    def actor(self, role: Role) -> Actor:
        """Return somebody whose profile has a zone, as in Slack."""
        return Actor(self.name, "elsewhere", "somebody", role, zone=_ZONE, channel="there")

    def can_type(self, line: str) -> bool:
        """Tell that anything can be typed."""
        return bool(line)

    def told(self, at: datetime) -> str:
        """Return an instant in words, in the zone of the asker's profile."""
        return moment(at, _ZONE)

    async def typed(self, line: str, role: Role) -> None:
        """Type `/papers …`."""
        self._user = _USERS[role]
        before = self._slack.seen(self._user)
        self._ack = await self._slack.command(line, self._user)
        assert self._ack.acked
        self._message = self._ack.message or await self._next(before)
        assert self._message.ephemeral_for == self._user

    async def pressed(self, label: str) -> None:
        """Press a button; its answer comes through the response URL, perhaps in its place."""
        before, uses = self._slack.seen(self._user), len(self._slack.response_url_uses)
        await self._slack.click(self._message, label, self._user)
        await self._slack.settled(lambda: len(self._slack.response_url_uses) > uses)
        added = [message for message in self._slack.seen(self._user) if message not in before]
        self._message = added[-1] if added else self._message

    async def repeat(self) -> None:
        """Bring the last command once more."""
        again = await self._slack.repeat(self._ack)
        assert again.acked

    async def part(self) -> Part:
        """Return what the blocks of the message show."""
        texts = (text for block in self._message.blocks for text in _texts(block))
        found = (element for _, element in buttons(self._message.blocks))
        presses = ((element["text"]["text"], read_press(element)) for element in found)
        ways = (Way(label, press.line if press else None) for label, press in presses)
        return Part(tuple(texts), tuple(ways))

    async def _next(self, before: list[Message]) -> Message:
        def added() -> list[Message]:
            return [message for message in self._slack.seen(self._user) if message not in before]

        return (await self._slack.settled(added))[-1]


@asynccontextmanager
async def in_slack(database: Database) -> AsyncIterator[InSlack]:
    """Connect a bot over a store, for as long as the block lasts."""
    async with FakeSlack() as slack:
        slack.add_user(slack.teams["T1"], _USERS[Role.MANAGER], tz=_ZONE, admin=True)
        variables = variables_for(slack, BROADSHEET_SLACK_MANAGERS="admins")
        async with running(database, slack, variables):
            yield InSlack(slack)


def _texts(block: dict[str, Any]) -> Iterator[str]:
    """Give what a block says, each text with where it leads; buttons are no text."""
    match block["type"]:
        case "header":
            yield block["text"]["text"]
        case "context":
            yield from (element["text"] for element in block["elements"])
        case "rich_text":
            yield "".join(map(_said, block["elements"]))
        case kind:
            assert kind == "actions", block


def _said(element: dict[str, Any]) -> str:
    if "elements" in element:
        return "".join(map(_said, element["elements"])) + "\n"
    if element["type"] == "link":
        return f"{element['text']} {element['url']} "
    return str(element.get("text", ""))
