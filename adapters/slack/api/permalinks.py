"""The permalinks of messages, built from one `chat.getPermalink` call a workspace."""

import asyncio
import time
from collections.abc import Callable

from adapters.slack.api.client import Api
from adapters.slack.api.tokens import Authorization
from bot.cache import Cache
from bot.errors import SendError

_FAILED_SECONDS = 60.0  # before a failed call is repeated
_MAX_CACHED = 4096


class Permalinks:
    """The base URLs of workspaces' permalinks, cached.

    Args:
        api: the Web API.
        seconds: a monotonic clock.
    """

    def __init__(self, api: Api, seconds: Callable[[], float] = time.monotonic) -> None:
        self._api = api
        self._calls: Cache[str, asyncio.Task[str]] = Cache(_MAX_CACHED, _max_age, seconds)

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
    return _FAILED_SECONDS if call.done() and not call.result() else None


def permalink(base_url: str, channel: str, ts: str, thread: str | None) -> str:
    """Return a message's URL: https://docs.slack.dev/reference/methods/chat.getPermalink."""
    link = f"{base_url}archives/{channel}/p{ts.replace('.', '')}"
    return f"{link}?thread_ts={thread}&cid={channel}" if thread else link
