"""Messages rendered for posting, and the API calls that create and edit them."""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import Any

import discord
from discord import ui
from discord.http import Route, handle_message_parameters

from adapters.discord.api.calls import once
from adapters.discord.channels.resolver import MessageableChannel
from adapters.discord.render import render_message
from bot.replies.blocks import Reply


@dataclass(frozen=True, slots=True)
class PostDraft:
    """A reply, rendered as a message that is not sent yet.

    Attributes:
        key: the idempotency key, in the ids of its buttons and in its nonce.
        kept: the command strings that its buttons refer to by digest only.
        view: its components.
    """

    key: str
    kept: tuple[str, ...]
    view: ui.LayoutView

    def content(self) -> dict[str, Any]:
        """Return the content as arguments of the library's `send` and `create_thread`."""
        mentions = discord.AllowedMentions.none()
        return {"view": self.view, "suppress_embeds": True, "allowed_mentions": mentions}


def draft_of(reply: Reply, key: str) -> PostDraft:
    """Return a reply, rendered."""
    rendered = render_message(reply, key=key)
    return PostDraft(key, rendered.kept, rendered.view)


async def create_message(
    channel: MessageableChannel | discord.PartialMessageable, draft: PostDraft
) -> int:
    """Send a message once for its key and return its id.

    Discord recognizes a repeat by the nonce, which the library enforces.
    https://docs.discord.com/developers/resources/message#create-message
    """
    message = await channel.send(**draft.content(), nonce=draft.key)
    return int(message.id)


async def create_forum_post(
    forum: discord.ForumChannel, draft: PostDraft, name: str, tags: Sequence[discord.ForumTag]
) -> int:
    """Open a thread in a forum and return its id, which is also its first message's.

    https://docs.discord.com/developers/resources/channel#start-thread-in-forum-or-media-channel
    """
    with once():
        opened = await forum.create_thread(name=name, applied_tags=tags, **draft.content())
    return opened.thread.id


async def edit_message(
    client: discord.Client, channel: int, message: int, draft: PostDraft
) -> None:
    """Replace the content of a message.

    The library's `edit` sets no flags, and Discord removes those that an edit leaves out. An older
    version may have sent it as embeds: it takes components only without them.
    https://docs.discord.com/developers/resources/message#edit-message
    """
    with handle_message_parameters(
        content=None,
        embeds=[],
        view=draft.view,
        flags=discord.MessageFlags(suppress_embeds=True),
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
