"""The options of a command: their types and their autocomplete choices.

https://docs.discord.com/developers/interactions/application-commands#application-command-object-application-command-option-structure
"""

import logging
from collections.abc import Sequence
from typing import Any

import discord
from discord import AppCommandOptionType, ChannelType, app_commands

from adapters.discord.interactions.listener import listener_of
from bot.commands.params.papers import LISTED_OR_ANY, LISTED_PAPERS, PAPER, PAPERS
from bot.commands.types import Command, Kind, Param
from bot.errors import Option

_log = logging.getLogger(__name__)
# https://docs.discord.com/developers/interactions/application-commands#application-command-object-application-command-option-choice-structure
MAX_CHOICES = 25
MAX_CHOICE_LENGTH = 100
_PAPERS = (PAPER, PAPERS, LISTED_PAPERS, LISTED_OR_ANY)
_MAX_KEPT_TAIL = 40  # what is kept behind a cut: the source of a paper behind its title
# The types that can be posted to.
CHANNEL_TYPES = (
    ChannelType.text,
    ChannelType.news,
    ChannelType.forum,
    ChannelType.public_thread,
    ChannelType.private_thread,
    ChannelType.news_thread,
)


def transformer(command: Command, param: Param) -> "app_commands.Transformer[Any]":
    """Return the transformer of a parameter; its values are text whatever the option type."""
    if param.type.kind is Kind.NUMBER:
        return _Number(param.type.least, param.type.most)
    if param.type.kind is Kind.CHANNEL:
        return _Channel()
    return _Text(command, param)


def choices(param: Param, prefix: str, options: Sequence[Option]) -> list[app_commands.Choice[str]]:
    """Return the autocomplete choices of a parameter.

    Free text is itself the first choice, which Enter takes. A value too long for a choice is left
    out, because a cut one would be another value.
    """
    typed = [Option(prefix.strip())] if param.type.free else []
    by_value = {each.value: each for each in (*typed, *options)}
    usable = [
        each
        for each in by_value.values()
        if each.value.strip() and len(each.value) <= MAX_CHOICE_LENGTH
    ]
    return [
        app_commands.Choice(name=_label(param, each), value=each.value)
        for each in usable[:MAX_CHOICES]
    ]


def _label(param: Param, option: Option) -> str:
    """Return the label of a choice; that of a paper is without its ref."""
    if param.type in _PAPERS:
        return _cut(option.label) or _cut(option.value)
    return _cut(" · ".join(filter(None, (option.value, option.label))))


def _cut(text: str) -> str:
    """Shorten a text; a short part behind its last dot is kept."""
    text = " ".join(text.split())
    if len(text) <= MAX_CHOICE_LENGTH:
        return text
    head, dot, tail = text.rpartition(" · ")
    if not dot or len(tail) > _MAX_KEPT_TAIL:
        head, dot, tail = text, "", ""
    return f"{head[: MAX_CHOICE_LENGTH - len(dot) - len(tail) - 1].rstrip()}…{dot}{tail}"


class _Text(app_commands.Transformer[Any]):
    """A text option with autocomplete."""

    def __init__(self, command: Command, param: Param) -> None:
        self._command = command
        self._param = param

    async def transform(self, _interaction: discord.Interaction[Any], value: str, /) -> str:
        return value

    async def autocomplete(
        self, interaction: discord.Interaction[Any], value: float | str, /
    ) -> list[app_commands.Choice[Any]]:
        try:
            prefix, listener = str(value), listener_of(interaction)
            found = await listener.on_autocomplete(interaction, self._command, self._param, prefix)
            return [*choices(self._param, prefix, found)]
        except Exception:  # noqa: BLE001 - autocomplete can't report an error to the user
            _log.exception("completion_failed", extra={"command": self._command.name})
            return []


class _Number(app_commands.Transformer[Any]):
    """An integer option, whose bounds Discord itself checks."""

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
    """A channel option, with the types that can be posted to."""

    @property
    def type(self) -> AppCommandOptionType:
        return AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[ChannelType]:
        return list(CHANNEL_TYPES)

    async def transform(
        self, _interaction: discord.Interaction[Any], value: discord.abc.Snowflake, /
    ) -> str:
        return str(value.id)
