"""Parts as embeds with rows below them, for where components v2 are refused."""

from collections.abc import Sequence

import discord
from discord import ui

from adapters.common.layout.elements import Attached, ButtonRow, Element, Menus, Words, rows_of
from adapters.common.layout.menus import PLACEHOLDER
from adapters.discord.render.controls import Controls
from adapters.discord.render.files import is_picture, reference
from adapters.discord.render.limits import LIMITS
from adapters.discord.render.markdown import text_of


def embed_of(elements: Sequence[Element], colour: int) -> discord.Embed:
    """Return the texts of elements as an embed, which Discord wants to have some.

    The first picture stands in it; other files stand above it by themselves.
    """
    texts = [text_of(element.pieces) for element in elements if isinstance(element, Words)]
    embed = discord.Embed(description="\n\n".join(texts) or PLACEHOLDER, colour=colour)
    attached = [element.file for element in elements if isinstance(element, Attached)]
    return embed.set_image(url=next(map(reference, filter(is_picture, attached)), None))


def rows_below(elements: Sequence[Element], controls: Controls) -> ui.View:
    """Return the buttons of elements as a finished view, those beside texts first.

    These say here what they are about.
    """
    bare = [each.button for each in elements if isinstance(each, Words) and each.button]
    beside = [each._replace(label=each.aloud or each.label) for each in bare]
    view, row = ui.View(timeout=None), 0
    for element in (*rows_of(beside, LIMITS), *elements):
        match element:
            case ButtonRow(buttons):
                for button in buttons:
                    view.add_item(controls.button(button, row))
                row += 1
            case Menus(menus):
                for menu in menus:
                    view.add_item(controls.select(menu, row))
                    row += 1
            case _:
                continue
    view.stop()
    return view
