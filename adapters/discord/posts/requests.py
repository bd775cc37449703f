"""Requests whose bodies are written already, made by the library's own client.

It keeps its limits, its repeats and its errors; it would only write the same once more.
"""

from collections.abc import Mapping
from typing import Any

import discord
from aiohttp import BytesPayload
from discord.http import Route

from adapters.discord.posts.drafts import Draft


async def create_message(client: discord.Client, channel: int, draft: Draft, key: str) -> int:
    """Send a draft to a channel, once for its key; return the message's id.

    https://docs.discord.com/developers/resources/message#create-message
    """
    route = Route("POST", "/channels/{channel_id}/messages", channel_id=channel)
    made = await _asked(client, route, draft.to_create(key))
    return int(made["id"])


async def create_post(
    client: discord.Client,
    forum: discord.ForumChannel,
    draft: Draft,
    key: str,
    thread: dict[str, object],
) -> int:
    """Open a thread in a forum with a draft; return its id, which its first message has too.

    https://docs.discord.com/developers/resources/channel#start-thread-in-forum-or-media-channel
    """
    thread = {**thread, "auto_archive_duration": forum.default_auto_archive_duration}
    route = Route("POST", "/channels/{channel_id}/threads", channel_id=forum.id)
    body = draft.to_open(key, thread)
    # As the library has it: the message stands in a field of its own.
    made = await _asked(client, route, body, params={"use_nested_fields": 1})
    return int(made["id"])


async def edit_message(
    client: discord.Client, channel: int, message: int, draft: Draft, key: str
) -> None:
    """Put a draft in the place of a message.

    https://docs.discord.com/developers/resources/message#edit-message
    """
    route = Route(
        "PATCH",
        "/channels/{channel_id}/messages/{message_id}",
        channel_id=channel,
        message_id=message,
    )
    await _asked(client, route, draft.to_edit(key))


async def create_thread(
    client: discord.Client, channel: int, message: int, name: str, minutes: int | None
) -> int:
    """Open a thread below a message, closed after so many minutes of silence; return its id.

    Without them Discord has a time of its own.
    https://docs.discord.com/developers/resources/channel#start-thread-from-message
    """
    route = Route(
        "POST",
        "/channels/{channel_id}/messages/{message_id}/threads",
        channel_id=channel,
        message_id=message,
    )
    closed = {"auto_archive_duration": minutes} if minutes else {}
    made = await client.http.request(route, json={"name": name, **closed})
    return int(made["id"])


async def _asked(
    client: discord.Client, route: Route, body: bytes, params: Mapping[str, int] | None = None
) -> Any:  # noqa: ANN401 - JSON
    payload = BytesPayload(body, content_type="application/json")
    return await client.http.request(route, data=payload, params=params)
