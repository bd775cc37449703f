"""Buttons and selects that work whoever made them and whenever: all they mean is in their id."""

import re
from typing import Any, Protocol, Self, cast

import discord
from discord import ui

from adapters.discord.render.buttons import BUTTON_ID, SELECT_ID, Press, Verb, read_id

_Interaction = discord.Interaction[Any]


class PressHandler(Protocol):
    """What presses are handed to."""

    async def pressed(self, interaction: _Interaction, press: Press) -> None:
        """Somebody pressed a button, or chose from a select."""


class PressedButton(ui.DynamicItem[ui.Button[Any]], template=BUTTON_ID):
    """A button that was pressed."""

    @classmethod
    async def from_custom_id(
        cls, _interaction: _Interaction, item: ui.Item[Any], _match: re.Match[str], /
    ) -> Self:
        """Return the button that has an id of ours."""
        return cls(cast("ui.Button[Any]", item))

    async def callback(self, interaction: _Interaction) -> None:
        """Hand the press on."""
        press = read_id(self.custom_id)
        if press is not None:
            await _handler(interaction).pressed(interaction, press)


class ChosenSelect(ui.DynamicItem[ui.Select[Any]], template=SELECT_ID):
    """A select from which something was chosen: the command of that is pressed."""

    @classmethod
    async def from_custom_id(
        cls, _interaction: _Interaction, item: ui.Item[Any], _match: re.Match[str], /
    ) -> Self:
        """Return the select that has an id of ours."""
        return cls(cast("ui.Select[Any]", item))

    async def callback(self, interaction: _Interaction) -> None:
        """Hand the choice on as a press."""
        press, data = read_id(self.custom_id), dict(interaction.data or {})
        # The library takes them for none where Discord sends `resolved` too, if empty.
        values = cast("list[str]", data.get("values") or ())
        if press is not None and values:
            chosen = Press(Verb.RUN, values[0], key=press.key)
            await _handler(interaction).pressed(interaction, chosen)


ITEMS = (PressedButton, ChosenSelect)


def is_ours(interaction: _Interaction) -> bool:
    """Tell whether what was pressed has an id that means something."""
    return read_id(str(dict(interaction.data or {}).get("custom_id", ""))) is not None


def _handler(interaction: _Interaction) -> PressHandler:
    return cast("PressHandler", interaction.client.hears)
