"""Parts of replies, laid out for sending: once for all channels that get the same. Pure.

What a post says is the same wherever it goes, but for its key, which stands in the ids of its
buttons and in its nonce. So it is laid out and written as JSON once, and the key put in.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import discord
from discord.http import handle_message_parameters

from adapters.discord.render import render_embeds, render_message
from bot.cache import Cache, Identity
from bot.replies.blocks import Reply

# Of an id as JSON has it: in a text its quotes would be escaped.
_ID = b'"custom_id":'
# A sign that stands for nothing, in place of each of a key's; in an id it counts as one.
_SIGN = "\ue000"
# At one time all channels get a few posts, of some messages each.
_MOST_KEPT = 256


@dataclass(frozen=True, slots=True)
class Draft:
    """A message that is not sent yet, for whichever key of a length.

    Attributes:
        around: the fields of the message, as JSON without the braces around them, as they stand
            around the keys.
        parts: how many parts the reply has in this form.
        kept: the lines that its buttons hold by digest only.
        embeds: whether it is made of embeds instead of components.
        whole: what makes the message, as it stands around the keys.
    """

    around: tuple[bytes, ...]
    parts: int
    kept: tuple[str, ...]
    embeds: bool
    whole: tuple[bytes, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Put the nonce before the fields: by it Discord tells a repeat."""
        *most, last = self.around
        first, *rest = (*most, last + b"}")
        nonce = b'{"nonce":"', b'","enforce_nonce":true,' + first
        object.__setattr__(self, "whole", (*nonce, *rest))

    def to_create(self, key: str) -> bytes:
        """Return what makes the message, once for its key.

        https://docs.discord.com/developers/resources/message#create-message
        """
        return key.encode().join(self.whole)

    def to_open(self, key: str, thread: Mapping[str, object]) -> bytes:
        """Return what makes it the first message of a forum's thread with these other fields.

        https://docs.discord.com/developers/resources/channel#start-thread-in-forum-or-media-channel
        """
        return b'%b,"message":{%b}}' % (_json(thread)[:-1], key.encode().join(self.around))

    def to_edit(self, key: str) -> bytes:
        """Return what puts it in the place of another.

        What was sent as embeds takes components only without them. Flags are sent together, and
        those that an edit leaves out are taken away:
        https://docs.discord.com/developers/resources/message#edit-message
        """
        emptied = b'"content":null,' if self.embeds else b'"content":null,"embeds":[],'
        return b"{%b%b}" % (emptied, key.encode().join(self.around))


class Drafts:
    """Drafts of replies; the last ones are remembered."""

    def __init__(self) -> None:
        self._drafts: Cache[tuple[Identity[Reply], int, int, bool], Draft] = Cache(_MOST_KEPT)

    def of(self, reply: Reply, key: str, part: int = 1, *, embeds: bool = False) -> Draft:
        """Return a part of a reply, from 1, as components or as embeds, for this key."""
        name = (Identity(reply), part, len(key), embeds)
        if known := self._drafts.get(name):
            return known
        draft = _shared(reply, part, len(key), embeds=embeds)
        if draft is None:
            return draft_of(reply, key, part, embeds=embeds)
        self._drafts.put(name, draft)
        return draft


def draft_of(reply: Reply, key: str, part: int = 1, *, embeds: bool = False) -> Draft:
    """Return a part of a reply, laid out for this key alone."""
    written, parts, kept = _as_embeds(reply, part, key) if embeds else _written(reply, part, key)
    return Draft((_json(written)[1:-1],), parts, kept, embeds)


def _shared(reply: Reply, part: int, length: int, *, embeds: bool) -> Draft | None:
    """Return the draft for keys of a length, `None` where what is said looks like one itself."""
    stands_in = _SIGN * length
    draft = draft_of(reply, stands_in, part, embeds=embeds)
    (fields,) = draft.around
    around = tuple(fields.split(_json(stands_in)[1:-1]))
    return replace(draft, around=around) if len(around) - 1 == fields.count(_ID) else None


def _written(reply: Reply, part: int, key: str) -> tuple[dict[str, Any], int, tuple[str, ...]]:
    rendered = render_message(reply, part, key=key)
    flags = discord.MessageFlags(suppress_embeds=True)
    return _fields(view=rendered.view, flags=flags), rendered.parts, rendered.kept


def _as_embeds(reply: Reply, part: int, key: str) -> tuple[dict[str, Any], int, tuple[str, ...]]:
    """Return a part as embeds; they are not suppressed, which would hide them."""
    rendered = render_embeds(reply, part, key=key)
    fields = _fields(view=rendered.view, embeds=rendered.embeds)
    return fields, rendered.parts, rendered.kept


def _fields(**given: Any) -> dict[str, Any]:  # noqa: ANN401 - the library's own
    # The library leaves the client's own setting out of edits that change no plain text.
    mentions = discord.AllowedMentions.none()
    with handle_message_parameters(**given, allowed_mentions=mentions) as params:
        return dict(params.payload or {})


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
