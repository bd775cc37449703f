"""Parts as components."""

from collections.abc import Sequence
from typing import Any

import discord
from discord import ui

from adapters.common.layout.elements import (
    Attached,
    ButtonElement,
    ButtonRow,
    Divider,
    Element,
    Menus,
    Rows,
    Words,
)
from adapters.common.layout.papers import TELLS
from adapters.discord.render.controls import Controls
from adapters.discord.render.files import described, is_picture, reference
from adapters.discord.render.markdown import text_of
from bot.replies.blocks import File


def view_of(elements: Sequence[Element], colour: int, controls: Controls) -> ui.LayoutView:
    """Return elements as a finished view: the client keeps nothing of it when it is sent."""
    items = [item for element in elements for item in _items(element, controls)]
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.Container(*items, accent_colour=colour))
    view.stop()
    return view


def _items(element: Element, controls: Controls) -> list[ui.Item[Any]]:
    match element:
        case Words(pieces, button):
            text = ui.TextDisplay[Any](text_of(pieces))
            return [ui.Section(text, accessory=controls.button(_brief(button))) if button else text]
        case ButtonRow(buttons):
            return [ui.ActionRow(*[controls.button(button) for button in buttons])]
        case Menus(menus):
            return [ui.ActionRow(controls.select(menu)) for menu in menus]
        case Divider():
            return [ui.Separator()]
        case Rows():  # no limits of Discord allow one
            return []
        case Attached(file):
            return [_shown(file)]


def _shown(file: File) -> ui.Item[Any]:
    if not is_picture(file):
        return ui.File(reference(file))
    return ui.MediaGallery(discord.MediaGalleryItem(reference(file), description=described(file)))


def _brief(button: ButtonElement) -> ButtonElement:
    """Return a button without what tells it from others: its paper's name stands beside it."""
    return button._replace(label=button.label.partition(TELLS)[0])
