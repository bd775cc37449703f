"""The listener to interactions, and the buttons and selects that reach it.

They work in every process at any time: their id holds all that they mean.
"""

import re
from dataclasses import replace
from typing import Any, Protocol, Self, cast

import discord
from discord import ui

from adapters.discord.render.buttons import (
    BUTTON_ID,
    SELECT_ID,
    ComponentAction,
    read_id,
)
from bot.commands.types import Command, Param
from bot.errors import Option

_Interaction = discord.Interaction[Any]


class InteractionListener(Protocol):
    """A listener to interactions of all types; a client has it as `listener`."""

    async def on_command(
        self, interaction: _Interaction, command: Command, arguments: dict[str, str]
    ) -> None:
        """Handle a slash command with its arguments by name."""

    async def on_message_command(self, interaction: _Interaction, message: discord.Message) -> None:
        """Handle the message command, which looks up the papers of a message."""

    async def on_autocomplete(
        self, interaction: _Interaction, command: Command, param: Param, prefix: str
    ) -> list[Option]:
        """Return the completions of an argument's prefix, best first."""

    async def on_component(self, interaction: _Interaction, action: ComponentAction) -> None:
        """Handle a pressed button, or an option chosen from a select."""

    async def on_modal_submit(self, interaction: _Interaction) -> None:
        """Handle a submitted modal."""

    async def on_unknown_id(self, interaction: _Interaction) -> None:
        """Handle a component with an unknown id."""


def listener_of(interaction: _Interaction) -> InteractionListener:
    """Return the listener of the client that got an interaction."""
    return cast("InteractionListener", interaction.client.listener)


class ActionButton(ui.DynamicItem[ui.Button[Any]], template=BUTTON_ID):
    """A button with one of our ids."""

    @classmethod
    async def from_custom_id(
        cls, _interaction: _Interaction, item: ui.Item[Any], _match: re.Match[str], /
    ) -> Self:
        """Return the button of an interaction."""
        return cls(cast("ui.Button[Any]", item))

    async def callback(self, interaction: _Interaction) -> None:
        """Pass the button's action to the listener."""
        action = read_id(self.custom_id)
        if action is not None:
            await listener_of(interaction).on_component(interaction, action)


class ActionSelect(ui.DynamicItem[ui.Select[Any]], template=SELECT_ID):
    """A select with one of our ids, whose values are command strings."""

    @classmethod
    async def from_custom_id(
        cls, _interaction: _Interaction, item: ui.Item[Any], _match: re.Match[str], /
    ) -> Self:
        """Return the select of an interaction."""
        return cls(cast("ui.Select[Any]", item))

    async def callback(self, interaction: _Interaction) -> None:
        """Pass the chosen value to the listener, as a button with that command."""
        action, data = read_id(self.custom_id), dict(interaction.data or {})
        # The library drops them when Discord also sends `resolved`, even empty.
        values = cast("list[str]", data.get("values") or ())
        if action is not None and values:
            chosen = replace(action, command=values[0])
            await listener_of(interaction).on_component(interaction, chosen)


ITEMS = (ActionButton, ActionSelect)


def has_known_id(interaction: _Interaction) -> bool:
    """Tell whether the component of an interaction has one of our ids."""
    return read_id(str(dict(interaction.data or {}).get("custom_id", ""))) is not None
