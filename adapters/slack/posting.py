"""Posts: sent once, found again, edited; and what a person is told in private."""

import logging
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any

from adapters.slack.api import Api
from adapters.slack.finding import Finder, marked
from adapters.slack.installations import Authorized
from adapters.slack.render import message as contents
from adapters.slack.render import render_message
from bot.errors import Gone, RetryLater, SendError, TokenLost
from bot.ports import Message, Posted
from bot.replies import Reply
from store.records import Workspace

Spoken = Callable[[str], Awaitable[Authorized | None]]
_log = logging.getLogger(__name__)


class SlackPoster:
    """Posts to channels.

    Args:
        api: Slack.
        spoken: returns how a workspace is spoken to, by its id.
    """

    # A message a second and channel: https://docs.slack.dev/apis/web-api/rate-limits
    gap = 1.0

    def __init__(self, api: Api, spoken: Spoken) -> None:
        self._api = api
        self._speaking = spoken
        self._finder = Finder(api)

    def now(self) -> datetime:
        """Return the time as Slack's servers tell it."""
        return self._api.time.now()

    def fits(self, reply: Reply) -> bool:
        """Tell whether one message holds a reply."""
        return render_message(reply).parts == 1

    async def send(self, message: Message) -> Posted:
        """Send a message, once; whether it arrived is not known where the answer is lost.

        Raises:
            Unclear: where it may have arrived.
            SendError: where it did not.
            StoreError: where the store can't say how to speak to the workspace.
        """
        spoken = await self._spoken(message.channel.workspace)
        where: dict[str, Any] = {"channel": message.channel.external_id}
        if message.threaded:
            where["thread_ts"] = _root(message)
        answer = await self._api.call(
            spoken.bot_token, "chat.postMessage", **where, **_said(message.reply, message.key)
        )
        return await self._posted(spoken, message, str(answer["channel"]), str(answer["ts"]))

    async def find(self, message: Message, since: datetime) -> Posted | None:
        """Look whether a message is there by its key, from some minutes before `since` on.

        Raises:
            Unclear: where too much was said since.
            SendError: where that can't be told, now or at all.
            StoreError: as `send`.
        """
        spoken = await self._spoken(message.channel.workspace)
        channel = message.channel.external_id
        if message.threaded:
            root = _root(message)
            found = await self._finder.in_thread(spoken, channel, root, message.key, since)
        else:
            found = await self._finder.in_channel(spoken, channel, message.key, since)
        return await self._posted(spoken, message, channel, str(found["ts"])) if found else None

    async def edit(self, posted: Posted, message: Message) -> None:
        """Put a message in the place of what was posted; Slack notifies nobody of that.

        Raises:
            Gone: where it is no longer there.
            SendError: where Slack does not take it.
            StoreError: as `send`.
        """
        if posted.message is None:
            raise Gone("That message is no longer there.", code="message_not_found")
        spoken = await self._spoken(message.channel.workspace)
        shown = render_message(message.reply)
        await self._api.ask(
            spoken.bot_token,
            "chat.update",
            channel=posted.place,
            ts=posted.message,
            text=shown.text,
            blocks=shown.blocks,
            metadata=marked(message.key),
        )

    async def tell(
        self, workspace: Workspace, user: str, reply: Reply, key: str, since: datetime | None
    ) -> None:
        """Tell a person something in a direct message.

        With `since` it is looked for first. Where that can never be told, it is sent once more
        rather than not at all.

        Raises:
            SendError: where it did not arrive, or nobody knows.
            StoreError: as `send`.
        """
        spoken = await self._spoken(workspace)
        if since is not None and await self._was_told(spoken, user, key, since):
            return
        await self._api.call(
            spoken.bot_token, "chat.postMessage", channel=user, **_said(reply, key)
        )

    async def _was_told(self, spoken: Authorized, user: str, key: str, since: datetime) -> bool:
        try:
            opened = await self._api.ask(spoken.bot_token, "conversations.open", users=user)
            direct = str(opened["channel"]["id"])
            return await self._finder.in_channel(spoken, direct, key, since) is not None
        except (RetryLater, TokenLost):
            raise
        except SendError as error:
            _log.warning("notice_not_looked_for", extra={"reason": error.sentence})
            return False

    async def _posted(self, spoken: Authorized, message: Message, channel: str, ts: str) -> Posted:
        base = spoken.url or (message.root.url.partition("archives/")[0] if message.root else "")
        if base:
            thread = _root(message) if message.threaded else None
            return Posted(channel, ts, _permalink(base, channel, ts, thread))
        if message.root:
            return Posted(channel, ts)
        return Posted(channel, ts, await self._asked_link(spoken, channel, ts))

    async def _asked_link(self, spoken: Authorized, channel: str, ts: str) -> str:
        """Return where a message opens; it stands there, whatever comes of the question."""
        try:
            answer = await self._api.ask(
                spoken.bot_token, "chat.getPermalink", channel=channel, message_ts=ts
            )
        except SendError:
            return ""
        return str(answer.get("permalink") or "")

    async def _spoken(self, workspace: Workspace) -> Authorized:
        """Return how a workspace is spoken to.

        Raises:
            TokenLost: where the bot is not installed there.
            RetryLater: where Slack has to be asked for that, and can't be.
            StoreError: where the store can't say.
        """
        found = await self._speaking(workspace.external_id)
        if found is None:
            raise TokenLost(
                "Broadsheet is not installed in that workspace.",
                "An owner of the workspace installs it again.",
            )
        return found


def _root(message: Message) -> str:
    """Return the message that a reply belongs to.

    Raises:
        Gone: where it is no longer there.
    """
    if message.root is None or message.root.message is None:
        raise Gone("The message that begins the thread is no longer there.")
    return message.root.message


def _said(reply: Reply, key: str) -> dict[str, Any]:
    return {**contents(render_message(reply)), "metadata": marked(key)}


def _permalink(base: str, channel: str, ts: str, thread: str | None) -> str:
    """Return where a message opens: https://docs.slack.dev/reference/methods/chat.getPermalink."""
    link = f"{base}archives/{channel}/p{ts.replace('.', '')}"
    return f"{link}?thread_ts={thread}&cid={channel}" if thread else link
