"""A message that all see, its buttons under other names."""

from collections.abc import Sequence
from typing import Any

import discord
from discord import ui

from adapters.discord.render.buttons import digest, kept_digest, read_id
from bot.replies.blocks import Button


def with_names(
    message: discord.Message | None, buttons: Sequence[Button]
) -> ui.LayoutView | ui.View | None:
    """Return the components of a message, its buttons called as those that type the same.

    `None` where it has no such button.
    """
    if message is None:
        return None
    form: Any = ui.LayoutView if message.flags.components_v2 else ui.View
    view: ui.LayoutView | ui.View = form.from_message(message, timeout=None)
    view.stop()  # so that the client keeps nothing of it
    found = False
    for item in view.walk_children():
        button = _of(item, buttons)
        if button is not None and isinstance(item, ui.Button):
            item.label, found = button.label, True
    return view if found else None


def _of(item: ui.Item[Any], buttons: Sequence[Button]) -> Button | None:
    press = read_id(getattr(item, "custom_id", None) or "")
    if press is None:
        return None
    kept = kept_digest(press.line)
    typing = (
        each for each in buttons if each.command == press.line or digest(each.command) == kept
    )
    return next(typing, None)
