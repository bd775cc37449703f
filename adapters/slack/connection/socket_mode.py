"""Socket Mode: one connection that is kept up, and says how it is.

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

from adapters.common.tasks import Tasks
from adapters.slack.api.client import Api
from adapters.slack.api.library_logs import quiet_logger
from adapters.slack.connection.bolt_app import ARRIVED
from bot.errors import NotAllowed, PlatformError, Rejected, RetryLater, SendError
from bot.operations.health import Condition, State
from bot.operations.metrics import Metrics

# How often the client pings; silence for four times as long is a lost connection.
_PING_SECONDS = 5
_LOOK_SECONDS = 0.25
# As long as a lost connection is left to the client, which is not at it, or is: it would try
# one and the same address for ever.
_IDLE_SECONDS = 1.0
_BUSY_SECONDS = 20.0
_LONGEST_PAUSE = 30.0
_CLOSE_SECONDS = 1.0
_log = logging.getLogger(__name__)


class SocketConnection:
    """A connection to Slack that is made anew whenever it is lost.

    Args:
        app: what requests are handed to.
        api: Slack's Web API.
        token: the app-level token.
        metrics: told of connections.
        seconds: a clock that only goes forward, in seconds.
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
        self._address: str | None = None
        self._condition = Condition(State.STARTING, "The connection to Slack is being made.")

    async def start(self) -> None:
        """Connect; where Slack can't be reached, go on trying.

        Raises:
            PlatformError: if Slack does not take the token.
        """
        try:
            self._address = await self._ask_address()
        except (NotAllowed, Rejected) as error:
            raise PlatformError(
                f"Slack refuses SLACK_APP_TOKEN ({error.code}).",
                "Copy the app-level token (xapp-…, with the scope connections:write) once more.",
            ) from error
        except SendError as error:
            self._lost(error.sentence)
        self._tasks.start(self._keep_up(), "slack-socket")

    async def stop(self) -> None:
        """Disconnect."""
        await self._tasks.finish(0)

    def condition(self) -> Condition:
        """Say how the connection is."""
        return self._condition

    async def _ask_address(self) -> str:
        answer = await self._api.call(None, "apps.connections.open", app_token=self._token)
        return str(answer["url"])

    async def _keep_up(self) -> None:
        """Connect and look after the connection, for ever."""
        pause = _IDLE_SECONDS
        while True:
            try:
                address, self._address = self._address or await self._ask_address(), None
                if await self._hold(address):
                    pause = _IDLE_SECONDS
            except SendError as error:
                self._lost(error.sentence)
                asked = error.after if isinstance(error, RetryLater) and error.after else 0
                pause = max(asked, min(2 * pause, _LONGEST_PAUSE))
            await asyncio.sleep(pause)

    async def _hold(self, address: str) -> bool:
        """Hold a connection until it is lost for good; return whether there was one."""
        client = SocketModeClient(
            self._token,
            logger=quiet_logger("slack_sdk.socket_mode"),
            web_client=self._api.quick,
            ping_interval=_PING_SECONDS,
        )
        client.wss_uri = address
        client.socket_mode_request_listeners.append(self._handle)
        connecting = asyncio.create_task(_connect(client), name="slack-connect")
        try:
            return await self._watch(client, connecting)
        finally:
            connecting.cancel()
            await _close(client)

    async def _handle(self, client: AsyncBaseSocketModeClient, request: SocketModeRequest) -> None:
        """Hand a request to the app, and acknowledge it with what the app says."""
        arrived = {ARRIVED: time.monotonic()}
        headers = build_headers(request)
        response = await self._app.async_dispatch(
            AsyncBoltRequest(
                mode="socket_mode", body=request.payload, headers=headers, context=arrived
            )
        )
        if response.status == HTTPStatus.OK:
            await client.send_message(acknowledgement(request.envelope_id, response))

    async def _watch(self, client: SocketModeClient, connecting: asyncio.Task[None]) -> bool:
        seen, was_there = self._seconds(), False
        while True:
            if await client.is_connected():
                seen, was_there = self._seconds(), True
                self._found()
            else:
                busy = not connecting.done() or client.connect_operation_lock.locked()
                if self._seconds() - seen > (_BUSY_SECONDS if busy else _IDLE_SECONDS):
                    self._lost("Slack's socket can't be connected to.")
                    return was_there
                if was_there:
                    self._lost("The connection to Slack was lost and is being made anew.")
            if connecting.done():
                await asyncio.sleep(_LOOK_SECONDS)
            else:
                await asyncio.wait({connecting}, timeout=_LOOK_SECONDS)

    def _found(self) -> None:
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
    """Return the message that acknowledges an envelope with what an app answered.

    The answer is JSON already and goes in as it is; Bolt's own handler reads it and writes it
    anew, which takes as long as to find it.
    https://docs.slack.dev/apis/events-api/using-socket-mode#acknowledge
    """
    name = json.dumps(envelope_id)
    if not response.body:
        return f'{{"envelope_id":{name}}}'
    kind = response.headers.get("content-type", [""])[0]
    is_json = kind.startswith("application/json")
    payload = response.body if is_json else json.dumps({"text": response.body})
    return f'{{"envelope_id":{name},"payload":{payload}}}'


async def _connect(client: SocketModeClient) -> None:
    await client.connect()  # type: ignore[no-untyped-call] # the SDK's is


async def _close(client: SocketModeClient) -> None:
    """Disconnect; who is not there any more can't be waited for."""
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
