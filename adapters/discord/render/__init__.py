"""Replies as Discord's components, within every limit, cut by meaning.

An answer too long for one message has several parts; the buttons between them ask the same
again, so a part is made anew each time and nothing is kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import discord
from discord import ui

from adapters.common.layout.blocks import pieces_of
from adapters.common.layout.frame import shown_part
from adapters.common.layout.menus import in_fewest
from adapters.discord.render.buttons import ButtonAction
from adapters.discord.render.controls import Controls
from adapters.discord.render.elements import Element, Words, files_in
from adapters.discord.render.embeds import embed_of, rows_of
from adapters.discord.render.files import sendable, to_attach
from adapters.discord.render.frame import Asked, Frame
from adapters.discord.render.measure import MEASURE
from adapters.discord.render.messages import view_of
from adapters.discord.render.packing import Item, items_of
from bot.replies.blocks import File, Level, Notice, Reply, Visibility

__all__ = [
    "APOLOGY", "Rendered", "RenderedEmbeds", "apology", "preview", "render_embeds",
    "render_message",
]  # fmt: skip

APOLOGY = "Something went wrong while this answer was laid out. It has been logged."
_BRAND, _AMBER, _RED = 0x3E63DD, 0xE2A336, 0xE5484D
# https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-response-object-interaction-callback-type
_MESSAGE = 4


@dataclass(frozen=True, slots=True)
class Rendered:
    """What one message holds.

    The view is finished, so the client keeps nothing of it and it may be sent any number of
    times. `parts` is how many there are of the reply, this being one of them; `kept` are the
    lines that ids hold by digest only: whoever sends it first keeps them in the store. `files`
    are those that the view refers to; they are sent along.
    """

    view: ui.LayoutView
    parts: int
    kept: tuple[str, ...]
    files: tuple[File, ...] = ()


@dataclass(frozen=True, slots=True)
class RenderedEmbeds:
    """The same for where components v2 are refused."""

    embeds: list[discord.Embed]
    view: ui.View
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
    ways: Sequence[tuple[str, ButtonAction]] = (),
) -> Rendered:
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
        ways: more buttons for the last row; a press's own key gives way to `key`.
    """
    elements, parts = _laid(reply, Asked(part, share, shared_by, key, ways))
    controls = Controls(key)
    view = view_of(elements, _colour(reply), controls)
    return Rendered(view, parts, controls.kept, files_in(elements))


def render_embeds(  # noqa: PLR0913 - as above
    reply: Reply,
    part: int = 1,
    *,
    share: bool = False,
    shared_by: int | None = None,
    key: str = "",
    ways: Sequence[tuple[str, ButtonAction]] = (),
) -> RenderedEmbeds:
    """Return the same part as `render_message` does, as an embed with rows of buttons."""
    elements, parts = _laid(reply, Asked(part, share, shared_by, key, ways))
    controls = Controls(key)
    view = rows_of(elements, controls)
    embed = embed_of(elements, _colour(reply))
    return RenderedEmbeds([embed], view, parts, controls.kept, files_in(elements))


def apology() -> Rendered:
    """Return what to say where rendering itself failed."""
    return Rendered(view_of([Words(APOLOGY)], _RED, Controls("")), 1, ())


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


def _laid(reply: Reply, asked: Asked) -> tuple[list[Element], int]:
    frame = Frame.of(reply, MEASURE)

    def parts_of(each: Reply) -> list[list[Item]]:
        pieces = pieces_of(each, MEASURE)
        # What is posted to channels has its files as words: it is laid out once for all of them.
        items = list(items_of(pieces, selects=not reply.failed, attach=not asked.key))
        return frame.parts(items, len(asked.ways))

    parts = in_fewest(sendable(reply), parts_of)
    shown = shown_part(parts, asked.part)
    if not reply.is_sharable:
        asked = asked.unshared()
    return frame.elements(shown, asked), shown.parts


def _colour(reply: Reply) -> int:
    """Return the colour at the side: that of the worst notice where an error is answered."""
    if not reply.failed:
        return _BRAND
    levels = {block.level for block in reply.blocks if isinstance(block, Notice)}
    return _AMBER if levels and Level.ERROR not in levels else _RED
