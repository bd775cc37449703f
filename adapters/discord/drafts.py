"""A part of a reply, laid out for sending: what the library's calls take. Pure."""

from dataclasses import dataclass, field
from typing import Any

import discord

from adapters.discord.render import render_embeds, render_message
from bot.replies import Reply


@dataclass(frozen=True, slots=True)
class Draft:
    """A message that is not sent yet.

    Attributes:
        contents: what it says, for sending and for editing.
        parts: how many parts the reply has in this form.
        kept: the lines that its buttons hold by digest only.
        flags: what only sending takes.
    """

    contents: dict[str, Any]
    parts: int
    kept: tuple[str, ...]
    flags: dict[str, Any] = field(default_factory=dict)


def as_components(reply: Reply, part: int, key: str) -> Draft:
    """Return a part of a reply as components."""
    rendered = render_message(reply, part, key=key)
    contents = _contents(view=rendered.view)
    return Draft(contents, rendered.parts, rendered.kept, {"suppress_embeds": True})


def as_embeds(reply: Reply, part: int, key: str) -> Draft:
    """Return a part of a reply as embeds; they are not suppressed, which would hide them."""
    rendered = render_embeds(reply, part, key=key)
    contents = _contents(view=rendered.view, embeds=rendered.embeds)
    return Draft(contents, rendered.parts, rendered.kept)


def _contents(**given: Any) -> dict[str, Any]:  # noqa: ANN401 - the library's own
    # The library leaves the client's own setting out of edits that change no plain text.
    return {**given, "allowed_mentions": discord.AllowedMentions.none()}
