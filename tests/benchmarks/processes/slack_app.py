"""Answer `/papers` with two letters, as a Bolt app: the floor of an acknowledgement.

    python -m tests.benchmarks.processes.slack_app API_URL

Bolt and its Socket Mode handler as their documents show them, with the two choices that the
product made too: it does not poll for the acknowledgement (`process_before_response`), and
it says itself whose token it has (`authorize`).
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable

from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_sdk.web.async_client import AsyncWebClient

ANSWER = "ok"


async def _run(api_url: str) -> None:
    app = AsyncApp(
        client=AsyncWebClient(base_url=api_url),
        authorize=_authorize,
        process_before_response=True,
    )
    app.command("/papers")(_answer)
    handler = AsyncSocketModeHandler(app, "xapp-1")
    await handler.connect_async()  # type: ignore[no-untyped-call] # Bolt's is
    await asyncio.Event().wait()  # until a signal ends the process


async def _authorize(enterprise_id: str | None, team_id: str | None) -> AuthorizeResult:
    return AuthorizeResult(
        enterprise_id=enterprise_id,
        team_id=team_id,
        bot_token="xoxb-1",  # noqa: S106 - opens nothing
        bot_id="B1",
        bot_user_id="U1",
    )


async def _answer(ack: Callable[[str], Awaitable[object]]) -> None:
    await ack(ANSWER)


if __name__ == "__main__":
    asyncio.run(_run(*sys.argv[1:]))
