"""Socket Mode: one WebSocket connection, reopened whenever it is lost.

https://docs.slack.dev/apis/events-api/using-socket-mode
"""

import asyncio
import json
import logging
import time
from collections.abc import Callable
from http import HTTPStatus

from slack_bolt.adapter.socket_mode.internals import build_headers
from slack_bolt.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.async_client import AsyncBaseSocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest

from adapters.common.tasks import Pauses, Tasks
from adapters.slack.api.client import Api
from adapters.slack.api.library_logs import quiet_logger
from adapters.slack.connection.bolt_app import set_context
from bot.errors import NotAllowed, PlatformError, Rejected, RetryLater, SendError
from bot.operations.health import Condition, State
from bot.operations.metrics import Metrics

# The client considers a connection lost after four silent intervals.
_PING_SECONDS = 5
_POLL_SECONDS = 0.25
# How long the client itself may try to reconnect, while idle and while connecting. It would retry
# the same URL for ever.
_IDLE_SECONDS = 1.0
_CONNECTING_SECONDS = 20.0
_LONGEST_PAUSE = 30.0
_CLOSE_SECONDS = 1.0
_log = logging.getLogger(__name__)


class SocketConnection:
    """A connection to Slack that reconnects.

    Args:
        app: dispatches requests to listeners.
        api: the Web API.
        token: the app-level token.
        metrics: counts connections.
        seconds: a monotonic clock.
    """

    def __init__(
        self,
        app: AsyncApp,
        api: Api,
        token: str,
        metrics: Metrics,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app = app
        self._api = api
        self._token = token
        self._metrics = metrics
        self._seconds = seconds
        self._tasks = Tasks()
        self._url: str | None = None
        self._condition = Condition(State.STARTING, "The connection to Slack is being made.")

    async def start(self) -> None:
        """Connect; if Slack is unreachable, retry in the background.

        Raises:
            PlatformError: if Slack refuses the token.
        """
        try:
            self._url = await self._open_url()
        except (NotAllowed, Rejected) as error:
            raise PlatformError(
                f"Slack refuses SLACK_APP_TOKEN ({error.code}).",
                "Copy the app-level token (xapp-…, with the scope connections:write) once more.",
            ) from error
        except SendError as error:
            self._lost(error.sentence)
        self._tasks.start(self._keep_connected(), "slack-socket")

    async def stop(self) -> None:
        """Disconnect."""
        await self._tasks.finish(0)

    def condition(self) -> Condition:
        """Return the state of the connection."""
        return self._condition

    async def _open_url(self) -> str:
        data = await self._api.call(None, "apps.connections.open", app_token=self._token)
        return str(data["url"])

    async def _keep_connected(self) -> None:
        """Connect, and reconnect for ever."""
        pauses = Pauses(longest=_LONGEST_PAUSE)
        while True:
            after = None
            try:
                url, self._url = self._url or await self._open_url(), None
                if await self._connect(url):
                    pauses.reset()
            except SendError as error:
                self._lost(error.sentence)
                after = error.after if isinstance(error, RetryLater) else None
            await pauses.wait(after)

    async def _connect(self, url: str) -> bool:
        """Connect, and return once the connection is lost whether there was one."""
        client = SocketModeClient(
            self._token,
            logger=quiet_logger("slack_sdk.socket_mode"),
            web_client=self._api.client,
            ping_interval=_PING_SECONDS,
        )
        client.wss_uri = url
        client.socket_mode_request_listeners.append(self._handle)
        connecting = asyncio.create_task(_connect_client(client), name="slack-connect")
        try:
            return await self._watch(client, connecting)
        finally:
            connecting.cancel()
            await _close(client)

    async def _handle(self, client: AsyncBaseSocketModeClient, request: SocketModeRequest) -> None:
        """Dispatch a request, and acknowledge it with the app's response."""
        arrived = time.monotonic()
        headers = build_headers(request)
        bolt_request = AsyncBoltRequest(mode="socket_mode", body=request.payload, headers=headers)
        set_context(bolt_request, arrived)
        response = await self._app.async_dispatch(bolt_request)
        if response.status == HTTPStatus.OK:
            await client.send_message(acknowledgement(request.envelope_id, response))

    async def _watch(self, client: SocketModeClient, connecting: asyncio.Task[None]) -> bool:
        """Poll the connection, and return once it is lost whether there was one."""
        last_connected, was_connected = self._seconds(), False
        while True:
            if await client.is_connected():
                last_connected, was_connected = self._seconds(), True
                self._connected()
            else:
                is_connecting = not connecting.done() or client.connect_operation_lock.locked()
                limit = _CONNECTING_SECONDS if is_connecting else _IDLE_SECONDS
                if self._seconds() - last_connected > limit:
                    self._lost("Slack's socket can't be connected to.")
                    return was_connected
                if was_connected:
                    self._lost("The connection to Slack was lost and is being made anew.")
            if connecting.done():
                await asyncio.sleep(_POLL_SECONDS)
            else:
                await asyncio.wait({connecting}, timeout=_POLL_SECONDS)

    def _connected(self) -> None:
        if self._condition.state is not State.OK:
            _log.info("slack_connected")
            self._metrics.connected("slack", up=True)
        self._condition = Condition(State.OK)

    def _lost(self, sentence: str) -> None:
        if self._condition.state is State.OK:
            _log.warning("slack_disconnected", extra={"reason": sentence})
            self._metrics.connected("slack", up=False)
        self._condition = Condition(State.FAILING, sentence)


def acknowledgement(envelope_id: str, response: BoltResponse) -> str:
    """Return the message that acknowledges an envelope with an app's response.

    A JSON body goes in unparsed: parsing and dumping it, as Bolt does, takes as long as answering.
    https://docs.slack.dev/apis/events-api/using-socket-mode#acknowledge
    """
    id_json = json.dumps(envelope_id)
    if not response.body:
        return f'{{"envelope_id":{id_json}}}'
    content_type = response.headers.get("content-type", [""])[0]
    is_json = content_type.startswith("application/json")
    payload = response.body if is_json else json.dumps({"text": response.body})
    return f'{{"envelope_id":{id_json},"payload":{payload}}}'


async def _connect_client(client: SocketModeClient) -> None:
    await client.connect()  # type: ignore[no-untyped-call] # the SDK's is


async def _close(client: SocketModeClient) -> None:
    """Disconnect; cancel the client's tasks if Slack doesn't answer in time."""
    try:
        async with asyncio.timeout(_CLOSE_SECONDS):
            await client.close()  # type: ignore[no-untyped-call] # the SDK's is
    except TimeoutError:
        for task in (
            client.message_processor,
            client.current_session_monitor,
            client.message_receiver,
        ):
            if task is not None:
                task.cancel()
        await client.aiohttp_client_session.close()
