"""Where messages open in a browser."""

import asyncio
import time
from collections.abc import Callable

from adapters.slack.api.client import Api
from adapters.slack.api.tokens import Authorized
from bot.cache import Cache
from bot.errors import SendError

# How long nobody asks again where Slack did not tell.
_FAILED_SECONDS = 60.0
_MOST_KEPT = 4096


class Links:
    """The addresses of messages; Slack is asked for one in each workspace, which tells the others.

    Args:
        api: Slack.
        seconds: a clock that only goes forward, in seconds.
    """

    def __init__(self, api: Api, seconds: Callable[[], float] = time.monotonic) -> None:
        self._api = api
        self._asked: Cache[str, asyncio.Task[str]] = Cache(_MOST_KEPT, _age, seconds)

    async def base(self, spoken: Authorized, channel: str, ts: str) -> str:
        """Return how the addresses of a workspace begin, `` where Slack does not tell.

        It is told by a message that stands there, whatever comes of the question.
        """
        if spoken.url:
            return spoken.url
        asking = self._asked.compute(
            spoken.workspace,
            lambda: asyncio.create_task(self._ask(spoken, channel, ts), name="permalink"),
        )
        # Others wait for it too, so that it goes on where one of them is cut short.
        return await asyncio.shield(asking)

    async def _ask(self, spoken: Authorized, channel: str, ts: str) -> str:
        try:
            answer = await self._api.ask(
                spoken.bot_token, "chat.getPermalink", channel=channel, message_ts=ts
            )
        except SendError:
            return ""
        base, found, _ = str(answer.get("permalink") or "").partition("archives/")
        return base if found else ""


def _age(asking: asyncio.Task[str]) -> float | None:
    return _FAILED_SECONDS if asking.done() and not asking.result() else None


def permalink(base: str, channel: str, ts: str, thread: str | None) -> str:
    """Return where a message opens: https://docs.slack.dev/reference/methods/chat.getPermalink."""
    link = f"{base}archives/{channel}/p{ts.replace('.', '')}"
    return f"{link}?thread_ts={thread}&cid={channel}" if thread else link
