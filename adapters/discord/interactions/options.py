"""Options: an argument of a command as Discord asks for it and completes it.

https://docs.discord.com/developers/interactions/application-commands#application-command-object-application-command-option-structure
"""

import logging
from collections.abc import Sequence
from typing import Any, Protocol

import discord
from discord import AppCommandOptionType, ChannelType, app_commands

from bot.commands.params.papers import LISTED, LISTED_OR_ANY, PAPER
from bot.commands.types import Command, Kind, Param
from bot.errors import Option

_log = logging.getLogger(__name__)
# https://docs.discord.com/developers/interactions/application-commands#application-command-object-application-command-option-choice-structure
MOST_CHOICES = 25
LONGEST_CHOICE = 100
_PAPERS = (PAPER, LISTED, LISTED_OR_ANY)
_SHORT = 40  # what may be kept behind a cut: the place of a paper behind its title
# Those that can be posted to.
CHANNELS = (
    ChannelType.text,
    ChannelType.news,
    ChannelType.forum,
    ChannelType.public_thread,
    ChannelType.private_thread,
    ChannelType.news_thread,
)


class Completes(Protocol):
    """What knows how arguments may go on."""

    async def completing(
        self,
        interaction: discord.Interaction[Any],
        command: Command,
        param: Param,
        beginning: str,
    ) -> list[Option]:
        """Return what an argument may be, given its beginning, best first."""


def option(command: Command, param: Param, completes: Completes) -> "app_commands.Transformer[Any]":
    """Return how an argument is asked for; whichever its kind, it arrives as text."""
    if param.type.kind is Kind.NUMBER:
        return _Number(param.type.least, param.type.most)
    if param.type.kind is Kind.CHANNEL:
        return _Channel()
    return _Text(command, param, completes)


def choices(
    param: Param, beginning: str, options: Sequence[Option]
) -> list[app_commands.Choice[str]]:
    """Return what Discord offers of what an argument may be.

    Plain words are offered as they were typed before all else, since Enter takes the first
    choice. A value too long for a choice is left out, for cut it would be another one.
    """
    typed = [Option(beginning.strip())] if param.type.free else []
    values = {each.value: each for each in (*typed, *options)}
    offered = [
        each for each in values.values() if each.value.strip() and len(each.value) <= LONGEST_CHOICE
    ]
    return [
        app_commands.Choice(name=_name(param, each), value=each.value)
        for each in offered[:MOST_CHOICES]
    ]


def _name(param: Param, option: Option) -> str:
    """Return what is read of a choice; the ref of a paper is no word for people."""
    if param.type in _PAPERS:
        return _cut(option.label) or _cut(option.value)
    return _cut(" · ".join(filter(None, (option.value, option.label))))


def _cut(text: str) -> str:
    """Cut a long text; what stands behind its last dot is kept where that is short."""
    text = " ".join(text.split())
    if len(text) <= LONGEST_CHOICE:
        return text
    head, dot, tail = text.rpartition(" · ")
    if not dot or len(tail) > _SHORT:
        head, dot, tail = text, "", ""
    return f"{head[: LONGEST_CHOICE - len(dot) - len(tail) - 1].rstrip()}…{dot}{tail}"


class _Text(app_commands.Transformer[Any]):
    """An argument that is typed and completes itself."""

    def __init__(self, command: Command, param: Param, completes: Completes) -> None:
        self._command = command
        self._param = param
        self._completes = completes

    async def transform(self, _interaction: discord.Interaction[Any], value: str, /) -> str:
        return value

    async def autocomplete(
        self, interaction: discord.Interaction[Any], value: float | str, /
    ) -> list[app_commands.Choice[Any]]:
        try:
            beginning = str(value)
            found = await self._completes.completing(
                interaction, self._command, self._param, beginning
            )
            return [*choices(self._param, beginning, found)]
        except Exception:  # noqa: BLE001 - whoever is typing is told of no error: there is no way to
            _log.exception("completion_failed", extra={"command": self._command.name})
            return []


class _Number(app_commands.Transformer[Any]):
    """A whole number, which Discord itself holds to its bounds."""

    def __init__(self, least: int | None, most: int | None) -> None:
        self._least = least
        self._most = most

    @property
    def type(self) -> AppCommandOptionType:
        return AppCommandOptionType.integer

    @property
    def min_value(self) -> int | None:
        return self._least

    @property
    def max_value(self) -> int | None:
        return self._most

    async def transform(self, _interaction: discord.Interaction[Any], value: int, /) -> str:
        return str(value)


class _Channel(app_commands.Transformer[Any]):
    """A channel that can be posted to, of which Discord tells the id."""

    @property
    def type(self) -> AppCommandOptionType:
        return AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[ChannelType]:
        return list(CHANNELS)

    async def transform(
        self, _interaction: discord.Interaction[Any], value: discord.abc.Snowflake, /
    ) -> str:
        return str(value.id)
