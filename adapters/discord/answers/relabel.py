"""New labels for the buttons of a posted message."""

from collections.abc import Sequence
from typing import Any

import discord
from discord import ui

from adapters.discord.render.buttons import digest, kept_digest, read_id
from bot.replies.blocks import Button


def relabelled(
    message: discord.Message | None, buttons: Sequence[Button]
) -> ui.LayoutView | ui.View | None:
    """Return the components of a message whose buttons take the labels of `buttons`.

    Buttons correspond by their commands. Return `None` if no button does.

    Args:
        message: the message with the pressed button.
        buttons: the buttons with new labels.
    """
    if message is None:
        return None
    view_class: Any = ui.LayoutView if message.flags.components_v2 else ui.View
    view: ui.LayoutView | ui.View = view_class.from_message(message, timeout=None)
    view.stop()  # the client forgets it
    found = False
    for item in view.walk_children():
        button = _new_button(item, buttons)
        if button is not None and isinstance(item, ui.Button):
            item.label, found = button.label, True
    return view if found else None


def _new_button(item: ui.Item[Any], buttons: Sequence[Button]) -> Button | None:
    action = read_id(getattr(item, "custom_id", None) or "")
    if action is None:
        return None
    command, kept = action.command, kept_digest(action.command)
    same = (each for each in buttons if each.command == command or digest(each.command) == kept)
    return next(same, None)
