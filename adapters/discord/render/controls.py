"""Buttons and selects of one message, each with an id of its own. Pure but for counting them."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import discord
from discord import ui

from adapters.common.layout.elements import ButtonElement, MenuElement
from adapters.common.layout.pieces import MenuPick
from adapters.discord.render.buttons import (
    LONGEST_LABEL,
    ComponentAction,
    ComponentVerb,
    custom_id,
    is_kept,
    packed,
)


class Controls:
    """Makes them for the post of this key, and knows the lines that ids hold by digest only."""

    def __init__(self, key: str) -> None:
        self._key = key
        self._numbers = count(1)
        self._kept: dict[str, None] = {}

    @property
    def kept(self) -> tuple[str, ...]:
        """The lines that have to be kept."""
        return tuple(self._kept)

    def button(self, element: ButtonElement) -> ui.Button[Any]:
        """Return a button."""
        label = element.label
        action = ComponentAction(
            ComponentVerb[element.effect.name], element.command, element.part, by=element.by
        )
        return ui.Button(
            label=label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1]}…",
            custom_id=self._id(action),
        )

    def select(self, menu: MenuElement) -> ui.Select[Any]:
        """Return a select."""
        return ui.Select(
            custom_id=self._id(ComponentAction(ComponentVerb.PICK, "")),
            placeholder=menu.placeholder,
            options=self._options(menu.options),
        )

    def _options(self, picks: Sequence[MenuPick]) -> list[discord.SelectOption]:
        values = [self._noted(pick.command, packed(pick.command)) for pick in picks]
        return [
            discord.SelectOption(label=pick.label, value=value)
            for pick, value in zip(picks, values, strict=True)
        ]

    def _id(self, action: ComponentAction) -> str:
        keyed = replace(action, key=self._key)
        return self._noted(action.command, custom_id(keyed, next(self._numbers)))

    def _noted(self, line: str, packed_line: str) -> str:
        """Remember a line whose digest stands for it."""
        if is_kept(packed_line, line):
            self._kept[line] = None
        return packed_line
