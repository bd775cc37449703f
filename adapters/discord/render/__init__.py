"""Replies as Discord's components, within every limit, cut by meaning.

An answer too long for one message has several parts; the buttons between them ask the same
again, so a part is made anew each time and nothing is kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass
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
    faint,
)
from adapters.common.layout.papers import TELLS
from adapters.common.layout.parts import ReplyPart, lay_out
from adapters.common.layout.pieces import Span
from adapters.discord.render.buttons import Controls
from adapters.discord.render.files import described, is_picture, reference, sendable, to_attach
from adapters.discord.render.limits import LIMITS, MOST_COMPONENTS
from adapters.discord.render.markdown import text_of
from bot.replies.blocks import File, Level, Notice, Reply, Visibility

__all__ = ["APOLOGY", "RenderedMessage", "preview", "render_message"]

APOLOGY = "Something went wrong while this answer was laid out. It has been logged."
_OPEN = "Open for me"
# Opened from a reply that no command gives again.
_ANY_COMMAND = "help"
_BRAND, _AMBER, _RED = 0x3E63DD, 0xE2A336, 0xE5484D
# https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-response-object-interaction-callback-type
_MESSAGE = 4


@dataclass(frozen=True, slots=True)
class RenderedMessage:
    """The content of one message.

    The view is finished, so the client keeps nothing of it and it may be sent any number of
    times. `parts` is how many there are of the reply, this being one of them; `kept` are the
    lines that ids hold by digest only: whoever sends it first keeps them in the store. `files`
    are those that the view refers to; they are sent along.
    """

    view: ui.LayoutView
    parts: int
    kept: tuple[str, ...]
    files: tuple[File, ...] = ()


def render_message(  # noqa: PLR0913 - one reply, and how it is wanted
    reply: Reply,
    part: int = 1,
    *,
    share: bool = False,
    shared_by: int | None = None,
    key: str = "",
    buttons: Sequence[ButtonElement] = (),
) -> RenderedMessage:
    """Return a part of a reply, the nearest where there is no such part, as a message.

    Args:
        reply: what was answered.
        part: which part of it, from 1.
        share: whether a button posts it to the channel; errors, what is private and what
            can't be asked again have none in any case.
        shared_by: the Discord id of the person who posts it to the channel.
        key: the idempotency key of the post that this is a part of; it stands in every id, and
            in a button of its own where there is none. All parts of a post are there, so none
            leads to another.
        buttons: more buttons for the last row.
    """
    # A post has its files as words: it is laid out once for all channels.
    parts = lay_out(sendable(reply), LIMITS, attach=not key, buttons=len(buttons))
    found = parts.part(part)
    shown = found.elements(share=share and reply.is_sharable, buttons=buttons, reached=bool(key))
    if shared_by:
        shown.append(_shared_by(shared_by, found))
    if key and not any(map(_holds_key, shown)):
        opened = ButtonElement(_OPEN, found.frame.command_string or _ANY_COMMAND)
        shown.append(ButtonRow((opened,)))
    shown, controls = _within(shown), Controls(key)
    view = view_of(shown, _colour(reply), controls)
    files = tuple([element.file for element in shown if isinstance(element, Attached)])
    return RenderedMessage(view, found.of, controls.kept, files)


def preview(reply: Reply) -> dict[str, Any]:
    """Return what a slash command would be answered with."""
    private = reply.visibility is Visibility.PRIVATE
    flags = discord.MessageFlags(components_v2=True, suppress_embeds=True, ephemeral=private)
    rendered = render_message(reply, share=private)
    view: ui.view.BaseView = rendered.view
    attachments = [file.to_dict(number) for number, file in enumerate(to_attach(rendered.files))]
    data = {
        "flags": flags.value,
        "components": view.to_components(),
        "allowed_mentions": discord.AllowedMentions.none().to_dict(),
        **({"attachments": attachments} if attachments else {}),
    }
    return {"type": _MESSAGE, "data": data}


def _shared_by(user: int, part: ReplyPart) -> Words:
    command = f" · {part.frame.command}" if part.frame.command else ""
    mention = Span("Shared by "), Span("", user=str(user)), Span(command)
    return faint(*mention)


def _holds_key(element: Element) -> bool:
    """Tell whether the key of a post can stand in an element."""
    return isinstance(element, ButtonRow | Menus) or (
        isinstance(element, Words) and bool(element.button)
    )


def _within(elements: list[Element]) -> list[Element]:
    """Return elements, without the lines that only look well where all are too many."""
    if sum(map(_components, elements)) < MOST_COMPONENTS:  # the container is one more
        return elements
    return [element for element in elements if not isinstance(element, Divider)]


def _components(element: Element) -> int:
    match element:
        case Words(_, button):
            return 3 if button else 1
        case ButtonRow(buttons):
            return 1 + len(buttons)
        case Menus(menus):
            return 2 * len(menus)
        case Divider() | Attached() | Rows():  # of the last there is none
            return 1


def _colour(reply: Reply) -> int:
    """Return the colour at the side: that of the worst notice where an error is answered."""
    if not reply.failed:
        return _BRAND
    levels = {block.level for block in reply.blocks if isinstance(block, Notice)}
    return _AMBER if levels and Level.ERROR not in levels else _RED


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
