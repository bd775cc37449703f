"""Slack as its people have it: the real client against a fake, in one channel."""

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any

from adapters.common.layout.elements import Effect
from adapters.slack.render.buttons import read_action
from bot.actor import Actor, Role
from bot.replies.blocks import File, Reply
from bot.replies.wording import count, moment
from store.database import Database
from tests.adapters.slack.connected_bot import running, variables_for
from tests.adapters.slack.render.visible_text import shown_words
from tests.adapters.slack.surfaces.modal_helpers import entered
from tests.contracts.driver import Chat, KnownChannels, Part
from tests.contracts.facts import Way, seen
from tests.fakes.slack import Ack, FakeSlack, Message, View
from tests.fakes.slack.records import buttons, elements

_ZONE = "Europe/Berlin"
_CHANNEL = "C1"
_USERS = {Role.READER: "U1", Role.MANAGER: "U2"}


class InSlack(Chat):
    """A channel of a workspace in which admins alone settle things."""

    name = "slack"
    ornaments = re.compile("[.·:]")

    def __init__(self, slack: FakeSlack) -> None:
        self._slack = slack
        self._user = ""
        self._ack: Ack
        self._shown: Message | View
        self._form: View

    def actor(self, role: Role) -> Actor:
        """Return somebody whose profile has a zone, as in Slack."""
        somebody = Actor(self.name, "elsewhere", "somebody", role, zone=_ZONE, channel=_CHANNEL)
        known = KnownChannels(_CHANNEL, self._slack.teams["T1"].channels[_CHANNEL].name)
        return replace(somebody, owns=role is Role.MANAGER, channels=known)

    def can_type(self, line: str) -> bool:
        """Tell that anything can be typed."""
        return bool(line)

    def told(self, at: datetime) -> str:
        """Return an instant in words, in the zone of the asker's profile."""
        return moment(at, _ZONE)

    def enclosed(self, file: File) -> str:
        """Return where a file comes to, as no message to one person holds one."""
        kind = "picture" if file.media_type.startswith("image/") else "file"
        return f"The {kind} {file.name} comes in a direct message from Broadsheet."

    def own_ways(self, reply: Reply) -> frozenset[str]:
        """Return Share, which a window has not: it is nobody else's place."""
        in_window = isinstance(self._shown, View)
        return frozenset() if in_window else super().own_ways(reply)

    async def typed(self, line: str, role: Role) -> None:
        """Type `/papers …`."""
        self._user = _USERS[role]
        before = self._slack.seen(self._user)
        self._ack = await self._slack.command(line, self._user)
        assert self._ack.acked
        self._shown = self._ack.message or await self._next(before)
        assert self._shown.ephemeral_for == self._user

    async def typed_alone(self, line: str, role: Role) -> None:
        """Type `/papers …` to the bot."""
        self._user = _USERS[role]
        self._shown = await self._slack.ask(line, self._user, f"D{self._user[1:]}")

    async def pressed(self, label: str) -> None:
        """ButtonAction a button; its answer comes where it stands, or below that.

        A form is submitted as it opens, and then the window is at hand, with the answer.
        """
        if self._opens_form(label):
            await self._submitted(label)
        elif isinstance(self._shown, View):
            await self._pressed_in_window(self._shown, label)
        else:
            await self._pressed_in_message(self._shown, label)

    async def _pressed_in_message(self, message: Message, label: str) -> None:
        """The answer comes through the response URL, perhaps in the message's place."""
        before, uses = self._slack.seen(self._user), len(self._slack.response_url_uses)
        menus = [name for name, options in message.menus.items() if label in options]
        if menus and label not in message.buttons:
            await self._slack.choose(message, menus[0], label, self._user)
        else:
            await self._slack.click(message, label, self._user)
        await self._slack.settled(lambda: len(self._slack.response_url_uses) > uses)
        added = [message for message in self._slack.seen(self._user) if message not in before]
        self._shown = added[-1] if added else message

    async def _pressed_in_window(self, window: View, label: str) -> None:
        seen = window.hash
        await self._slack.click(window, label, self._user)
        await self._slack.settled(lambda: window.hash != seen)

    def _opens_form(self, label: str) -> bool:
        ways = (_way(element) for _, element in buttons(self._shown.blocks))
        return any(way.form for way in ways if way.label == label)

    async def _submitted(self, label: str) -> None:
        await self.opens(label)
        await self.submits()
        assert not _asks(self._form)

    async def opens(self, label: str) -> dict[str, str]:
        """Press a button that opens a window, or the form in the window at hand."""
        before = self._slack.modals(self._user)
        await self._slack.click(self._shown, label, self._user)
        if isinstance(self._shown, View):
            self._form = self._shown
            await self._slack.settled(lambda: _asks(self._form))
        else:
            [self._form] = await self._slack.settled(lambda: self._forms_since(before))
        return _held(self._form)

    async def submits(self, **values: str) -> str:
        """Submit the window; what is wrong is told at its fields, or below them."""
        self._form.errors = {}
        assert (await self._slack.submit(self._form, {**values})).acked
        await self._slack.settled(lambda: not _looks(self._form))
        self._shown = self._form
        below = (text for block in self._form.blocks for text in _texts(block))
        return seen("".join([*self._form.errors.values(), *below]))

    async def corrects(self) -> dict[str, str]:
        """The window is open still."""
        assert _asks(self._form)
        return _held(self._form)

    def _forms_since(self, before: list[View]) -> list[View]:
        """Return the forms that were opened since some windows were open."""
        opened = self._slack.modals(self._user)
        return [each for each in opened if each not in before and _asks(each)]

    async def repeat(self) -> None:
        """Bring the last command once more."""
        again = await self._slack.repeat(self._ack)
        assert again.acked

    async def part(self) -> Part:
        """Return what the blocks of the message or the window show."""
        texts = (text for block in self._shown.blocks for text in _texts(block))
        found = [way for _, each in elements(self._shown.blocks) for way in _ways(each)]
        return Part(tuple(texts), tuple(found))

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


def _ways(element: dict[str, Any]) -> list[Way]:
    """Return what an element asks; the options of a menu are buttons to their readers."""
    if element["type"] == "static_select":
        action = {"action_id": element["action_id"]}
        ways = [_way({**action, **option}) for option in element["options"]]
        details = element["placeholder"]["text"].startswith("Details")
        return [replace(way, label=None) for way in ways] if details else ways
    if element["type"] == "overflow":
        return list(_ways_beside(element))
    return [_way(element)] if element["type"] == "button" else []


def _ways_beside(overflow: dict[str, Any]) -> Iterator[Way]:
    """Give what the menu beside a paper offers; related papers stand there alone."""
    for option in overflow["options"]:
        way = _way({"action_id": overflow["action_id"], **option})
        if not (way.command or "").startswith("related "):
            yield replace(way, label=None)


def _way(button: dict[str, Any]) -> Way:
    press = read_action(button)
    line = press.command if press else None
    return Way(button["text"]["text"], line, press is not None and press.effect is Effect.FORM)


def _held(form: View) -> dict[str, str]:
    """Return what stands in the fields of a form."""
    asked = (block["element"]["action_id"] for block in form.blocks if block["type"] == "input")
    return dict.fromkeys(asked, "") | entered(form)


def _asks(window: View) -> bool:
    """Tell whether a window has a form."""
    return any(block["type"] == "input" for block in window.blocks)


def _looks(window: View) -> bool:
    """Tell whether a window says that its answer is not ready."""
    return "Looking…" in " ".join(text for block in window.blocks for text in _texts(block))


def _texts(block: dict[str, Any]) -> Iterator[str]:
    """Give what a block says, each text with where it leads; buttons are no text."""
    match block["type"]:
        case "header":
            yield block["text"]["text"]
        case "context":
            yield from (element["text"] for element in block["elements"])
        case "rich_text":
            yield "".join(map(_said, block["elements"]))
        case "section":
            yield shown_words(block["text"]["text"])
        case "table":
            headings, *rows = block["rows"]
            yield from (_row_said(headings, row) for row in rows)
        case kind:
            assert kind in {"actions", "divider", "input"}, block


def _row_said(headings: list[dict[str, Any]], row: list[dict[str, Any]]) -> str:
    """Return a row of a table with its headings; those of votes and of papers say no more."""
    first, *others = (_said(cell) for cell in row)
    named = [*zip([each["text"] for each in headings[1:]], others, strict=True)]
    votes = "".join(
        count(int(said), "vote") for heading, said in named if heading == "Votes" and said != "–"
    )
    found = [(heading, said) for heading, said in named if said != "–" and heading != "Votes"]
    if headings[0]["text"] == "Paper":
        return f"{first} {' · '.join(f'{source} {rank}' for source, rank in found)} {votes}"
    told = (said if heading == "Title" else f"{heading}: {said}" for heading, said in found)
    return f"{first} {' '.join(told)}"


def _said(element: dict[str, Any]) -> str:
    if "elements" in element:
        return "".join(map(_said, element["elements"])) + "\n"
    if element["type"] == "link" and element["text"] != element["url"]:
        return f"{element['text']} {element['url']} "
    return str(element.get("text", ""))
