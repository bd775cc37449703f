"""The client that posts to channels: it sends, finds and edits messages, and notifies users.

A message is looked for by the key in its metadata, which settles whether one arrived whose response
was lost: https://docs.slack.dev/messaging/message-metadata
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from adapters.slack.api.client import Api
from adapters.slack.api.rate_limits import RateLimitedApi
from adapters.slack.api.thread_titles import ThreadTitles, title_of
from adapters.slack.api.tokens import Authorization
from adapters.slack.render import message, render_message
from bot.cache import Cache
from bot.coordination.rate_limiter import RateLimit
from bot.errors import Gone, OutcomeUnknown, RetryLater, SendError, TokenRevoked
from bot.posting.ports import Message, PostedMessage
from bot.replies.blocks import Reply
from store.records import Channel, Workspace

_EVENT_TYPE = "broadsheet_post"
# The sender's clock may differ from Slack's by this much.
_MARGIN = timedelta(minutes=5)
# https://docs.slack.dev/reference/methods/conversations.history; an app distributed outside of
# Slack's marketplace gets 15 at most, once a minute.
_PAGE = 200
_MAX_PAGES = 25
_MOST_FOUND = 256
_PERMALINK_FAILED_SECONDS = 60.0  # before a failed call for the base of permalinks is repeated
_MOST_WORKSPACES = 4096


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
        self._cursors: Cache[tuple[str, str, str], str | None] = Cache(_MOST_FOUND)

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
            for found in page["messages"]:
                if _is_own(found, authorization) and _key(found) == key:
                    return dict(found)
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


class Permalinks:
    """The base URLs of workspaces' permalinks, cached, by one `chat.getPermalink` call for each.

    Args:
        api: the Web API.
        seconds: a monotonic clock.
    """

    def __init__(self, api: Api, seconds: Callable[[], float] = time.monotonic) -> None:
        self._api = api
        self._calls: Cache[str, asyncio.Task[str]] = Cache(_MOST_WORKSPACES, _max_age, seconds)

    async def base_url(self, authorization: Authorization, channel: str, ts: str) -> str:
        """Return a workspace's base URL, empty where Slack fails.

        Any message that exists there, by `channel` and `ts`, serves to ask for it.
        """
        if authorization.url:
            return authorization.url
        call = self._calls.compute(
            authorization.workspace,
            lambda: asyncio.create_task(self._ask(authorization, channel, ts), name="permalink"),
        )
        # Several posts wait for one call, so a cancelled post must not cancel it.
        return await asyncio.shield(call)

    async def _ask(self, authorization: Authorization, channel: str, ts: str) -> str:
        try:
            data = await self._api.call_idempotent(
                authorization.bot_token, "chat.getPermalink", channel=channel, message_ts=ts
            )
        except SendError:
            return ""
        base, found, _ = str(data.get("permalink") or "").partition("archives/")
        return base if found else ""


def _max_age(call: asyncio.Task[str]) -> float | None:
    return _PERMALINK_FAILED_SECONDS if call.done() and not call.result() else None


def permalink(base_url: str, channel: str, ts: str, thread: str | None) -> str:
    """Return a message's URL: https://docs.slack.dev/reference/methods/chat.getPermalink."""
    link = f"{base_url}archives/{channel}/p{ts.replace('.', '')}"
    return f"{link}?thread_ts={thread}&cid={channel}" if thread else link


FindAuthorization = Callable[[str], Awaitable[Authorization | None]]
_MAX_CACHED = 64
_log = logging.getLogger(__name__)


class SlackChannelClient:
    """Posts to channels, as `bot.posting.ports.ChannelClient`.

    Args:
        limited: the Web API within its rate limits.
        titles: titles the threads that direct messages begin.
        find_authorization: returns the authorization of a workspace by its id.
    """

    def __init__(
        self, limited: RateLimitedApi, titles: ThreadTitles, find_authorization: FindAuthorization
    ) -> None:
        self._limited = limited
        self._titles = titles
        self._find_authorization = find_authorization
        self._finder = MessageFinder(limited)
        self._permalinks = Permalinks(limited.api)
        # An edition goes to many channels.
        self._render = lru_cache(_MAX_CACHED)(render_message)

    def rate_limits(self, channel: Channel) -> tuple[RateLimit, ...]:
        """Return the rate limits that a message to a channel counts towards."""
        return self._limited.limits.of_message(channel.workspace.external_id, channel.external_id)

    def now(self) -> datetime:
        """Return the time of Slack's servers."""
        return self._limited.api.time.now()

    def fits(self, reply: Reply) -> bool:
        """Tell whether a reply fits into one message."""
        return self._render(reply).parts == 1

    async def send(self, message: Message) -> PostedMessage:
        """Send a message once; the caller has acquired its slot.

        Raises:
            OutcomeUnknown: where it may have arrived, because the response is lost.
            SendError: where it did not arrive.
            StoreError: where the store can't return the workspace's token.
        """
        authorization = await self._authorization(message.channel.workspace)
        thread = _root_ts(message) if message.threaded else None
        payload = self._payload(message.channel.external_id, message.key, message.reply)
        if thread:
            payload["thread_ts"] = thread
        data = await self._limited.post(authorization, payload)
        return await self._posted(authorization, message, str(data["channel"]), str(data["ts"]))

    async def find(self, message: Message, since: datetime) -> PostedMessage | None:
        """Look for a sent message by its key, from some minutes before `since` on.

        Raises:
            OutcomeUnknown: where too many messages were posted since.
            SendError: where the channel can't be read, now or ever.
            StoreError: as `send`.
        """
        authorization = await self._authorization(message.channel.workspace)
        channel = message.channel.external_id
        if message.threaded:
            root = _root_ts(message)
            found = await self._finder.in_thread(authorization, channel, root, message.key, since)
        else:
            found = await self._finder.in_channel(authorization, channel, message.key, since)
        if found is None:
            return None
        return await self._posted(authorization, message, channel, str(found["ts"]))

    async def edit(self, posted: PostedMessage, message: Message) -> None:
        """Replace a posted message; Slack notifies nobody of an edit.

        Raises:
            Gone: where it no longer exists.
            SendError: where Slack refuses the edit.
            StoreError: as `send`.
        """
        if posted.message is None:
            raise Gone("That message is no longer there.", code="message_not_found")
        authorization = await self._authorization(message.channel.workspace)
        rendered = self._render(message.reply)
        await self._limited.call_idempotent(
            authorization,
            "chat.update",
            channel=posted.place,
            ts=posted.message,
            metadata=key_metadata(message.key),
            text=rendered.text,
            blocks=rendered.blocks,
        )

    async def notify_user(
        self, workspace: Workspace, user: str, reply: Reply, key: str, since: datetime | None
    ) -> None:
        """Send a direct message to a user, unless it is found there from `since` on.

        If it can never be looked for, it is sent again: twice is better than not at all.

        Raises:
            SendError: where it did not arrive, or may not have.
            StoreError: as `send`.
        """
        authorization = await self._authorization(workspace)
        if since is not None and await self._was_notified(authorization, user, key, since):
            return
        sent = await self._limited.wait_and_post(authorization, self._payload(user, key, reply))
        self._titles.set(authorization, str(sent["channel"]), str(sent["ts"]), title_of(reply))

    async def _was_notified(
        self, authorization: Authorization, user: str, key: str, since: datetime
    ) -> bool:
        try:
            data = await self._limited.call_idempotent(
                authorization, "conversations.open", users=user
            )
            channel = str(data["channel"]["id"])
            return await self._finder.in_channel(authorization, channel, key, since) is not None
        except (RetryLater, TokenRevoked):
            raise
        except SendError as error:
            _log.warning("notice_not_looked_for", extra={"reason": error.sentence})
            return False

    def _payload(self, channel: str, key: str, reply: Reply) -> dict[str, Any]:
        """Return the arguments of `chat.postMessage`."""
        return {
            "channel": channel,
            "metadata": key_metadata(key),
            **message(self._render(reply)),
        }

    async def _posted(
        self, authorization: Authorization, message: Message, channel: str, ts: str
    ) -> PostedMessage:
        root = message.root
        if root and not authorization.url:
            base = root.url.partition("archives/")[0]
        else:
            base = await self._permalinks.base_url(authorization, channel, ts)
        if root is None and channel.startswith("D"):
            # Also where it is found again: whether it was titled is not recorded.
            self._titles.set(authorization, channel, ts, message.title)
        thread = _root_ts(message) if message.threaded else None
        return PostedMessage(channel, ts, permalink(base, channel, ts, thread) if base else "")

    async def _authorization(self, workspace: Workspace) -> Authorization:
        """Return the authorization of a workspace.

        Raises:
            TokenRevoked: where the bot is not installed.
            RetryLater: where Slack has to be asked and does not answer.
            StoreError: where the store fails.
        """
        found = await self._find_authorization(workspace.external_id)
        if found is None:
            raise TokenRevoked(
                "Broadsheet is not installed in that workspace.",
                "An owner of the workspace installs it again.",
            )
        return found


def _root_ts(message: Message) -> str:
    """Return the `ts` of the message that starts the thread.

    Raises:
        Gone: where it no longer exists.
    """
    if message.root is None or message.root.message is None:
        raise Gone("The message that begins the thread is no longer there.")
    return message.root.message
