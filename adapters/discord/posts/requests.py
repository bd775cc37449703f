"""Messages rendered for posting, and the API calls that create and edit them."""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import Any

import discord
from discord import ui
from discord.http import Route, handle_message_parameters

from adapters.discord.channels.resolver import MessageableChannel
from adapters.discord.render import render_embeds, render_message
from bot.replies.blocks import Reply


@dataclass(frozen=True, slots=True)
class Draft:
    """A part of a reply, rendered as a message that is not sent yet.

    Attributes:
        key: the idempotency key, in the ids of its buttons and in its nonce.
        parts: how many parts the reply has in this form.
        kept: the command strings that its buttons refer to by digest only.
        view: its components.
        embeds: its embeds, `None` for a message of components v2.
    """

    key: str
    parts: int
    kept: tuple[str, ...]
    view: ui.LayoutView | ui.View
    embeds: list[discord.Embed] | None = None

    def content(self) -> dict[str, Any]:
        """Return the content as arguments of the library's `send` and `create_thread`.

        The message's own embeds are not suppressed, which would hide them.
        """
        mentions = discord.AllowedMentions.none()
        if self.embeds is None:
            return {"view": self.view, "suppress_embeds": True, "allowed_mentions": mentions}
        return {"view": self.view, "embeds": self.embeds, "allowed_mentions": mentions}


def draft_of(reply: Reply, key: str, part: int = 1, *, embeds: bool = False) -> Draft:
    """Return a part of a reply, from 1, rendered as components or as embeds."""
    if embeds:
        shown = render_embeds(reply, part, key=key)
        return Draft(key, shown.parts, shown.kept, shown.view, shown.embeds)
    rendered = render_message(reply, part, key=key)
    return Draft(key, rendered.parts, rendered.kept, rendered.view)


async def create_message(
    channel: MessageableChannel | discord.PartialMessageable, draft: Draft
) -> int:
    """Send a message once for its key and return its id.

    Discord recognizes a repeat by the nonce, which the library enforces.
    https://docs.discord.com/developers/resources/message#create-message
    """
    message = await channel.send(**draft.content(), nonce=draft.key)
    return int(message.id)


async def create_forum_post(
    forum: discord.ForumChannel, draft: Draft, name: str, tags: Sequence[discord.ForumTag]
) -> int:
    """Open a thread in a forum and return its id, which is also its first message's.

    https://docs.discord.com/developers/resources/channel#start-thread-in-forum-or-media-channel
    """
    opened = await forum.create_thread(name=name, applied_tags=tags, **draft.content())
    return opened.thread.id


async def edit_message(client: discord.Client, channel: int, message: int, draft: Draft) -> None:
    """Replace the content of a message.

    The library's `edit` sets no flags, and Discord removes those that an edit leaves out. A
    message sent as embeds takes components only without them.
    https://docs.discord.com/developers/resources/message#edit-message
    """
    is_v2 = draft.embeds is None
    flags = discord.MessageFlags(suppress_embeds=True) if is_v2 else discord.utils.MISSING
    with handle_message_parameters(
        content=None,
        embeds=draft.embeds or [],
        view=draft.view,
        flags=flags,
        allowed_mentions=discord.AllowedMentions.none(),
    ) as params:
        await client.http.edit_message(channel, message, params=params)


def create_thread(
    client: discord.Client, channel: int, message: int, name: str, minutes: int | None
) -> Awaitable[object]:
    """Open a thread below a message, archived after some minutes of inactivity.

    Without `minutes` the channel's own default applies, which the library would replace by a day.
    https://docs.discord.com/developers/resources/channel#start-thread-from-message
    """
    route = Route(
        "POST",
        "/channels/{channel_id}/messages/{message_id}/threads",
        channel_id=channel,
        message_id=message,
    )
    archived = {"auto_archive_duration": minutes} if minutes else {}
    return client.http.request(route, json={"name": name, **archived})
