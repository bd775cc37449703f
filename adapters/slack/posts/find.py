"""A search for the bot's own messages by the key in their metadata.

It settles whether a message arrived whose response was lost.
https://docs.slack.dev/messaging/message-metadata
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from adapters.slack.api.rate_limits import RateLimitedApi
from adapters.slack.api.tokens import Authorization
from bot.cache import Cache
from bot.errors import Gone, OutcomeUnknown, RetryLater

_EVENT_TYPE = "broadsheet_post"
# The sender's clock may differ from Slack's by this much.
_MARGIN = timedelta(minutes=5)
# https://docs.slack.dev/reference/methods/conversations.history; an app distributed outside of
# Slack's marketplace gets 15 at most, once a minute.
_PAGE = 200
_MAX_PAGES = 25
_MAX_CACHED = 256


def key_metadata(key: str) -> dict[str, Any]:
    """Return the metadata that holds a message's key, which no user sees."""
    return {"event_type": _EVENT_TYPE, "event_payload": {"key": key}}


class MessageFinder:
    """Finds messages by their keys.

    A search that a rate limit interrupts goes on from its page next time.

    Args:
        limited: the Web API within its rate limits.
    """

    def __init__(self, limited: RateLimitedApi) -> None:
        self._limited = limited
        self._cursors: Cache[tuple[str, str, str], str | None] = Cache(_MAX_CACHED)

    async def in_channel(
        self, authorization: Authorization, channel: str, key: str, since: datetime
    ) -> dict[str, Any] | None:
        """Return the message with a key in a channel, `None` if there is none.

        Raises:
            OutcomeUnknown: where too many messages were posted since.
            SendError: where the channel can't be read, now or ever.
            StoreError: where the store can't hand out a slot.
        """
        return await self._find(authorization, "conversations.history", key, since, channel=channel)

    async def in_thread(
        self, authorization: Authorization, channel: str, root: str, key: str, since: datetime
    ) -> dict[str, Any] | None:
        """Return the reply with a key in a thread.

        If the thread's first message was deleted, Slack may have posted the reply in the channel.

        Raises:
            SendError: as `in_channel`.
            StoreError: as `in_channel`.
        """
        try:
            return await self._find(
                authorization, "conversations.replies", key, since, channel=channel, ts=root
            )
        except Gone as error:
            if error.code != "thread_not_found":
                raise
            return await self.in_channel(authorization, channel, key, since)

    async def _find(
        self,
        authorization: Authorization,
        method: str,
        key: str,
        since: datetime,
        **where: str,
    ) -> dict[str, Any] | None:
        oldest = f"{(since - _MARGIN).timestamp():.6f}"
        search = (method, oldest, key)
        cursor = self._cursors.get(search)
        self._cursors.remove(search)
        for _ in range(_MAX_PAGES):
            try:
                page = await self._limited.call_idempotent(
                    authorization,
                    method,
                    limit=_PAGE,
                    include_all_metadata=True,
                    cursor=cursor,
                    oldest=oldest,
                    **where,
                )
            except RetryLater as error:
                if error.code != "invalid_cursor":
                    self._cursors.put(search, cursor)
                raise
            for message in page["messages"]:
                if _is_own(message, authorization) and _key(message) == key:
                    return dict(message)
            cursor = (page.get("response_metadata") or {}).get("next_cursor")
            if not cursor:
                return None
        raise OutcomeUnknown(
            "Too much was said there since, to find a post again.", "See if it is there."
        )


def _is_own(message: Mapping[str, Any], authorization: Authorization) -> bool:
    """Tell whether the bot itself posted a message; other apps may copy a key.

    A reinstalled app keeps its user id and may get another bot id.
    """
    if not authorization.bot_user_id:
        return bool(message.get("bot_id"))
    is_user = authorization.bot_user_id == message.get("user")
    return is_user or authorization.bot_id == message.get("bot_id")


def _key(message: Mapping[str, Any]) -> str | None:
    metadata = message.get("metadata") or {}
    if metadata.get("event_type") != _EVENT_TYPE:
        return None
    key: str | None = (metadata.get("event_payload") or {}).get("key")
    return key
