"""Where messages open in a browser."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable

from adapters.slack.api import Api
from adapters.slack.installations import Authorized
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
        self._seconds = seconds
        self._asked: OrderedDict[str, tuple[float, asyncio.Task[str]]] = OrderedDict()

    async def base(self, spoken: Authorized, channel: str, ts: str) -> str:
        """Return how the addresses of a workspace begin, `` where Slack does not tell.

        It is told by a message that stands there, whatever comes of the question.
        """
        if spoken.url:
            return spoken.url
        key, now = spoken.workspace, self._seconds()
        at, asking = self._asked.get(key, (now, None))
        failed = asking is not None and asking.done() and not asking.result()
        if asking is None or (failed and now >= at + _FAILED_SECONDS):
            asking = asyncio.create_task(self._ask(spoken, channel, ts), name="permalink")
            self._keep(key, now, asking)
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

    def _keep(self, key: str, now: float, asking: asyncio.Task[str]) -> None:
        self._asked[key] = now, asking
        self._asked.move_to_end(key)
        if len(self._asked) > _MOST_KEPT:
            self._asked.popitem(last=False)


def permalink(base: str, channel: str, ts: str, thread: str | None) -> str:
    """Return where a message opens: https://docs.slack.dev/reference/methods/chat.getPermalink."""
    link = f"{base}archives/{channel}/p{ts.replace('.', '')}"
    return f"{link}?thread_ts={thread}&cid={channel}" if thread else link
