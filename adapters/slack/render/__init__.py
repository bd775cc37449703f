"""Replies as Block Kit: plain dictionaries within every limit, cut by meaning. Pure.

An answer too long for one message has several parts; the buttons between them ask the same
again, so a part is made anew each time and nothing is kept.
"""

from dataclasses import dataclass, replace
from typing import Any

from adapters.common.layout.parts import ReplyPart, lay_out
from adapters.slack.render.blocks import blocks_of, rich
from adapters.slack.render.blocks import shared_by as shared_by_block
from adapters.slack.render.files import (
    FileLocation,
    file_location,
    sent_files,
    upload_form,
    with_file_notes,
)
from adapters.slack.render.limits import LIMITS
from adapters.slack.render.mrkdwn import escaped, fallback_text
from bot.replies.blocks import Reply, Visibility

__all__ = [
    "FileLocation", "Rendered", "acknowledgement", "apology", "escaped", "message", "preview",
    "render_message", "render_view",
]  # fmt: skip

_APOLOGY = "Something went wrong while this answer was laid out. It has been logged."


@dataclass(frozen=True, slots=True)
class Rendered:
    """The content of one message: `text` says in mrkdwn all that the blocks show.

    `parts` is how many there are of the reply, this being one of them.
    """

    text: str
    blocks: list[dict[str, Any]]
    parts: int


def render_message(
    reply: Reply,
    part: int = 1,
    *,
    share: bool = False,
    shared_by: str | None = None,
    files: FileLocation | None = None,
) -> Rendered:
    """Return a part of a reply, the nearest where there is no such part, as a message.

    Args:
        reply: what was answered.
        part: which part of it, from 1.
        share: whether a button posts it to the channel; errors, what is private and what
            can't be asked again have none in any case.
        shared_by: the Slack id of the person who posts it to the channel.
        files: where its files are to be found, which it then says; else they are told in words.
    """
    reply = with_file_notes(reply, files) if files else reply
    # The files that are left then are those that are drawn.
    parts = lay_out(reply, LIMITS, attach=files is FileLocation.CHART)
    return _rendered(parts.part(part), share=share and reply.is_sharable, shared_by=shared_by)


def render_view(
    reply: Reply, part: int = 1, *, most_blocks: int, files: FileLocation = FileLocation.NOWHERE
) -> Rendered:
    """Return a part of a reply for a modal or the App Home, in at most so many blocks.

    `files` is where its files are to be found: no view holds one.
    """
    shown = with_file_notes(reply, files)
    room = LIMITS.message._replace(elements=most_blocks)
    limits = replace(LIMITS, message=room, most_columns=0)  # no view holds a table
    return _rendered(lay_out(shown, limits).part(part))


def apology() -> Rendered:
    """Return what to say where rendering itself failed."""
    return Rendered(_APOLOGY, [rich([{"type": "text", "text": _APOLOGY}])], 1)


def message(rendered: Rendered) -> dict[str, Any]:
    """Return what a message is sent as: no address in it gets a preview."""
    return {
        "text": rendered.text,
        "blocks": rendered.blocks,
        "unfurl_links": False,
        "unfurl_media": False,
    }


def acknowledgement(rendered: Rendered, visibility: Visibility) -> dict[str, Any]:
    """Return what answers a slash command, in its acknowledgement or through its response URL."""
    in_channel = visibility is Visibility.CHANNEL
    return {
        "response_type": "in_channel" if in_channel else "ephemeral",
        **message(rendered),
    }


def preview(reply: Reply) -> dict[str, Any]:
    """Return what a slash command would be answered with, and what begins each upload."""
    private = reply.visibility is Visibility.PRIVATE
    files = file_location(reply)
    shown = acknowledgement(render_message(reply, share=private, files=files), reply.visibility)
    uploads = [upload_form(file) for file in sent_files(reply, files)]
    return {**shown, "files": uploads} if uploads else shown


def _rendered(part: ReplyPart, *, share: bool = False, shared_by: str | None = None) -> Rendered:
    blocks = blocks_of(part.elements(share=share), shared_by)
    if shared_by:
        blocks.append(shared_by_block(shared_by, part.frame.command))
    return Rendered(fallback_text(part, is_shared=shared_by is not None), blocks, part.of)
