"""A bot of the Slack SDK's clients, which checks the fake Slack."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web
from slack_sdk.errors import SlackApiError
from slack_sdk.signature import SignatureVerifier
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.async_client import AsyncBaseSocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.socket_mode.response import SocketModeResponse
from slack_sdk.web.async_client import AsyncWebClient

from tests.fakes.slack import FakeSlack, Message

Answer = Callable[[str, dict[str, Any]], dict[str, Any] | None]

BUTTON = {
    "type": "button",
    "action_id": "run-1",
    "value": "1 latest",
    "text": {"type": "plain_text", "text": "Next"},
}
ROW = {"type": "actions", "elements": [BUTTON]}
SECTION = {"type": "section", "text": {"type": "plain_text", "text": "Papers"}}
CONTENT: dict[str, Any] = {"text": "Papers", "blocks": [SECTION, ROW]}
QUERY = {"type": "plain_text_input", "action_id": "words"}
LABEL = {"type": "plain_text", "text": "Words"}
MODAL = {
    "type": "modal",
    "callback_id": "search",
    "title": {"type": "plain_text", "text": "Search"},
    "submit": {"type": "plain_text", "text": "Search"},
    "blocks": [{"type": "input", "block_id": "query", "label": LABEL, "element": QUERY}],
}


def nothing(_: str, __: dict[str, Any]) -> None:
    """Acknowledge without a body."""


def client(slack: FakeSlack, token: str = "xoxb-1") -> AsyncWebClient:  # noqa: S107 - the fake's
    """Return the SDK's client with a bot token, without retries."""
    return AsyncWebClient(token, base_url=slack.api_url, retry_handlers=[])


@asynccontextmanager
async def socket(
    slack: FakeSlack, answer: Answer = nothing, received: list[dict[str, Any]] | None = None
) -> AsyncIterator[SocketModeClient]:
    """Connect the SDK's socket client, which acknowledges everything."""

    async def listen(client: AsyncBaseSocketModeClient, request: SocketModeRequest) -> None:
        if received is not None:
            received.append(request.payload)
        payload = answer(request.type, request.payload)
        await client.send_socket_mode_response(SocketModeResponse(request.envelope_id, payload))

    web_client = client(slack)
    connection = SocketModeClient(slack.app_token, web_client=web_client, ping_interval=0.2)
    connection.socket_mode_request_listeners.append(listen)
    already = len(slack.sockets.open)
    await connection.connect()  # type: ignore[no-untyped-call] # the SDK leaves it open
    try:
        await slack.connected(already + 1)
        yield connection
    finally:
        await connection.close()  # type: ignore[no-untyped-call] # the same


@asynccontextmanager
async def bot_server(slack: FakeSlack, answer: Answer = nothing) -> AsyncIterator[list[int]]:
    """Serve a bot by HTTP that checks signatures; yield the statuses of its responses."""
    verifier = SignatureVerifier(slack.signing_secret)
    statuses: list[int] = []

    async def handle(request: web.Request) -> web.Response:
        body = await request.read()
        try:
            valid = verifier.is_valid_request(body, dict(request.headers))
        except ValueError:
            valid = False
        statuses.append(200 if valid else 401)
        if not valid:
            return web.Response(status=401)
        form = dict(await request.post())
        payload = json.loads(str(form.get("payload", "null"))) or form
        found = answer("http", payload or await request.json())
        return web.json_response(found) if found else web.Response()

    async with serving(web.post("/slack/events", handle)) as url:
        slack.deliver_to(url)
        yield statuses


@asynccontextmanager
async def serving(*routes: web.RouteDef) -> AsyncIterator[str]:
    """Serve routes and yield their URL."""
    app = web.Application()
    app.add_routes(routes)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


async def error_of(call: Any) -> str:
    """Return the error of a call of the Web API."""
    with pytest.raises(SlackApiError) as caught:
        await call
    return str(caught.value.response["error"])


async def public_message(slack: FakeSlack) -> Message:
    """Post a message of the bot in C1 and return it."""
    await client(slack).chat_postMessage(channel="C1", **CONTENT)
    return slack.seen()[-1]
