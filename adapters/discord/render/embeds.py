"""Parts as embeds with rows below them, for where components v2 are refused."""

from collections.abc import Sequence

import discord
from discord import ui

from adapters.discord.render.controls import Controls
from adapters.discord.render.elements import (
    PLACEHOLDER,
    Beside,
    Element,
    Picks,
    Row,
    Words,
    files_in,
)
from adapters.discord.render.files import is_picture, reference
from adapters.discord.render.limits import MOST_IN_ROW


def embed_of(elements: Sequence[Element], colour: int) -> discord.Embed:
    """Return the texts of elements as an embed, which Discord wants to have some.

    The first picture stands in it; other files stand above it by themselves.
    """
    texts = [element.text for element in elements if isinstance(element, Words | Beside)]
    embed = discord.Embed(description="\n\n".join(texts) or PLACEHOLDER, colour=colour)
    pictures = filter(is_picture, files_in(elements))
    return embed.set_image(url=next(map(reference, pictures), None))


def rows_of(elements: Sequence[Element], controls: Controls) -> ui.View:
    """Return the buttons of elements as a finished view, those beside texts first."""
    beside = [element.way for element in elements if isinstance(element, Beside)]
    places = range(0, len(beside), MOST_IN_ROW)
    rows: list[Row | Picks] = [Row(tuple(beside[at : at + MOST_IN_ROW])) for at in places]
    rows += [element for element in elements if isinstance(element, Row | Picks)]
    view = ui.View(timeout=None)
    for number, row in enumerate(rows):
        if isinstance(row, Picks):
            view.add_item(controls.select(row, number))
        else:
            for way in row.ways:
                view.add_item(controls.button(way, number))
    view.stop()
    return view
