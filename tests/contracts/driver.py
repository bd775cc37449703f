"""The driver of a platform, by which tests hold all platforms to one behaviour."""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.actor import Actor, ChannelInfo, ChannelList, Named, Role
from bot.errors import NotInChannel
from bot.posting.ports import DIRECT
from bot.replies.blocks import File, Reply
from store.records import Layout, Link
from tests.contracts.facts import (
    Fact,
    Facts,
    Shown,
    Way,
    differing_ways,
    is_called,
    missing_words,
    seen,
)

# What stands around the parts of an answer: which part it is, who shared it.
_FRAME = re.compile(r"Part \d+ of \d+|Shared by .*")


class ChatDriver(Protocol):
    """A driver that types commands and presses buttons as a user of a platform.

    Attributes:
        name: the platform's.
        roles: whom it knows.
        ornaments: what it puts between facts, which says nothing.
        menus: whether it shows the menus of papers.
        links: whether titles of listed papers lead to them.
    """

    name: str
    roles: frozenset[Role]
    ornaments: re.Pattern[str]
    menus: bool
    links: bool

    def actor(self, role: Role) -> Actor:
        """Return somebody like its people, in a workspace of their own."""

    def can_type(self, line: str) -> bool:
        """Tell whether somebody there can type this at all."""

    def told(self, at: datetime) -> str:
        """Return how an instant is told."""

    def enclosed(self, file: File) -> str:
        """Return what is said in the place of a file."""

    def own_ways(self, reply: Reply) -> frozenset[str]:
        """Return the labels that it adds to an answer, but for those between its parts."""

    async def ask(self, line: str, role: Role) -> Shown:
        """Let somebody type a command, and return what they see then."""

    async def press(self, label: str) -> Shown:
        """Let them press a button of what they see, and return what they see then."""

    async def repeat(self) -> None:
        """Bring the last command that was typed once more, if that can happen."""


def differences(driver: ChatDriver, facts: Facts, shown: Shown) -> list[str]:
    """Return in words all in which what is seen differs from the facts."""
    told = [words for said in facts.words if (words := _told(driver, said))]
    missing, between = missing_words(told, shown.words)
    lost, added = differing_ways(ways_at(driver, facts), shown.ways)
    besides = (_without_asides(driver, facts, words) for words in between)
    return [
        *(f"not said: {each}" for each in missing),
        *(f"said besides: {each}" for each in besides if each),
        # The menu that votes is left out where it would add a part.
        *(
            f"no way: {each}"
            for each in lost
            if not (each.command or "").startswith("vote in:words ")
        ),
        *(f"a way besides: {each}" for each in added),
    ]


def ways_at(driver: ChatDriver, facts: Facts) -> tuple[Way, ...]:
    """Return the ways on from an answer that a platform shows."""
    return (*facts.ways, *facts.picks) if driver.menus else facts.ways


def _told(driver: ChatDriver, said: Fact) -> str:
    match said:
        case Link():
            return seen(said.url) if driver.links else ""
        case str():
            return said
        case datetime():
            return seen(driver.told(said))
        case File():
            return seen(driver.enclosed(said))


def _without_asides(driver: ChatDriver, facts: Facts, words: str) -> str:
    for aside in sorted(facts.asides, key=len, reverse=True):
        words = words.replace(aside, " ") if aside else words
    return driver.ornaments.sub("", words).strip()


@dataclass(frozen=True, slots=True)
class KnownChannels:
    """The channels of somebody who is in one, into which the bot may post."""

    id: str
    name: str

    async def look(self, channel: str) -> ChannelInfo:
        """Return that channel.

        Raises:
            NotInChannel: for any other.
        """
        if channel != self.id:
            raise NotInChannel(f"There is no channel {channel} that you are in.")
        return ChannelInfo(self.id, self.name)

    async def enter(self, channel: ChannelInfo, layout: Layout) -> None:
        """Do nothing: the bot may."""

    async def direct(self) -> ChannelInfo:
        """Return the direct messages of a person."""
        return ChannelInfo("40", DIRECT, private=True, direct=True)

    async def known(self) -> ChannelList:
        """Return that channel."""
        return ChannelList([Named(self.id, self.name)])


@dataclass(frozen=True, slots=True)
class Part:
    """The texts and buttons of one message, in order."""

    texts: tuple[str, ...]
    ways: tuple[Way, ...]

    def label(self, wanted: str) -> str | None:
        """Return how a button is labelled here, `None` where there is none."""
        labels = (way.label or "" for way in self.ways)
        return next((label for label in labels if is_called(label, wanted)), None)


class Chat(ABC):
    """A driver of a platform that sends a long reply in several parts."""

    roles = frozenset((Role.READER, Role.MANAGER))
    own = frozenset(("Share", "More", "Back"))
    menus = True
    links = True

    @abstractmethod
    async def typed(self, line: str, role: Role) -> None:
        """Type a command and wait for the answer."""

    @abstractmethod
    async def typed_alone(self, line: str, role: Role) -> None:
        """Type a command in direct messages with the bot, and wait for the answer."""

    @abstractmethod
    async def pressed(self, label: str) -> None:
        """Press a button of the message at hand and wait for the answer."""

    @abstractmethod
    async def part(self) -> Part:
        """Return what the message at hand shows now."""

    @abstractmethod
    async def opens(self, label: str) -> dict[str, str]:
        """Press a button that opens a form, and return what stands in its fields."""

    @abstractmethod
    async def submits(self, **entered: str) -> str:
        """Submit the form at hand with what is entered into some fields; return what is said."""

    @abstractmethod
    async def corrects(self) -> dict[str, str]:
        """Return to a form that was refused, and what stands in its fields."""

    def own_ways(self, reply: Reply) -> frozenset[str]:
        """Return the labels that it adds to an answer, but for those between its parts."""
        return frozenset(("Share",) if reply.command and reply.is_sharable else ())

    async def ask(self, line: str, role: Role) -> Shown:
        """Let somebody type a command, and return what they see then."""
        await self.typed(line, role)
        return await self._whole()

    async def press(self, label: str) -> Shown:
        """Let them press a button, in whichever part it stands."""
        while (found := (await self.part()).label(label)) is None:
            await self.pressed("Back")
        await self.pressed(found)
        return await self._whole()

    async def _whole(self) -> Shown:
        """Press More until there is none."""
        parts = [await self.part()]
        while parts[-1].label("More"):
            await self.pressed("More")
            parts.append(await self.part())
        texts = [text for part in parts for text in _unframed(part, parts)]
        ways = [way for part in parts for way in part.ways]
        own = {way.label for way in ways} & self.own
        return Shown(
            seen("".join(texts)),
            tuple(way for way in ways if way.label not in self.own),
            frozenset(label for label in own if label not in (None, "More", "Back")),
            len(parts),
        )


def _unframed(part: Part, parts: Sequence[Part]) -> list[str]:
    """Return the texts of a part without what is said again around each."""
    texts = [text for text in part.texts if not _FRAME.fullmatch(text.strip())]
    again = part is not parts[0] and seen(parts[0].texts[0]).startswith(seen(texts[0].rstrip("…")))
    return texts[1:] if again else texts
