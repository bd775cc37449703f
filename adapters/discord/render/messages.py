"""Parts as components v2."""

from collections.abc import Sequence
from typing import Any

import discord
from discord import ui

from adapters.common.layout.papers import TELLS
from adapters.discord.render.controls import Controls
from adapters.discord.render.elements import (
    Attached,
    Beside,
    Divider,
    Element,
    Picks,
    Row,
    Way,
    Words,
)
from adapters.discord.render.files import described, is_picture, reference
from bot.replies.blocks import File


def view_of(elements: Sequence[Element], colour: int, controls: Controls) -> ui.LayoutView:
    """Return elements as a finished view: the client keeps nothing of it when it is sent."""
    items = [_item(element, controls) for element in elements]
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.Container(*items, accent_colour=colour))
    view.stop()
    return view


def _item(element: Element, controls: Controls) -> ui.Item[Any]:
    match element:
        case Words(text):
            return ui.TextDisplay(text)
        case Beside(text, way):
            return ui.Section(ui.TextDisplay(text), accessory=controls.button(_brief(way)))
        case Row(ways):
            return ui.ActionRow(*[controls.button(way) for way in ways])
        case Picks():
            return ui.ActionRow(controls.select(element))
        case Divider():
            return ui.Separator()
        case Attached(file):
            return _shown(file)


def _shown(file: File) -> ui.Item[Any]:
    if not is_picture(file):
        return ui.File(reference(file))
    return ui.MediaGallery(discord.MediaGalleryItem(reference(file), description=described(file)))


def _brief(way: Way) -> Way:
    """Return a button without what tells it from others: its paper's name stands beside it."""
    label, press = way
    return label.partition(TELLS)[0], press
