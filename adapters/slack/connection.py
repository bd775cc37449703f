"""The ways of Slack's requests: Bolt's app, and HTTP or a WebSocket connection to it.

The connection of Socket Mode is reopened whenever it is lost. Bolt's app is made through its
documented interface only.
https://docs.slack.dev/apis/events-api/using-socket-mode
https://docs.slack.dev/authentication/verifying-requests-from-slack
"""

import asyncio
import json
import logging
import re
import time
from collections.abc import Callable
from http import HTTPStatus

from aiohttp import web
from pydantic import SecretStr
from slack_bolt.adapter.aiohttp import to_aiohttp_response
from slack_bolt.adapter.socket_mode.internals import build_headers
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.authorization.async_authorize import AsyncAuthorize
from slack_bolt.context.async_context import AsyncBoltContext
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.signature import SignatureVerifier
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.async_client import AsyncBaseSocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.web.async_client import AsyncWebClient

from adapters.common.tasks import Pauses, Tasks
from adapters.slack.api.client import Api, quiet_logger
from adapters.slack.api.tokens import Authorizations
from adapters.slack.requests.payloads import place_of
from adapters.slack.settings import EVENTS_PATH
from bot.errors import NotAllowed, PlatformError, Rejected, RetryLater, SendError
from bot.operations.health import Condition, State
from bot.operations.metrics import Metrics
from store.errors import StoreError

# The key in a request's context for the monotonic time when it arrived.
ARRIVED = "arrived"
_AUTHORIZE_SECONDS = 0.8  # of the one second within which a command is acknowledged
_NOT_INSTALLED = (
    "Broadsheet is not installed in this workspace any more. An owner of the workspace can"
    " install it again."
)
# The SDK raises errors on headers of any other format.
_SIGNATURE_HEADERS = {
    "X-Slack-Request-Timestamp": re.compile(r"[0-9]{1,12}"),
    "X-Slack-Signature": re.compile(r"v0=[0-9a-f]{64}"),
}
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


def make_app(
    client: AsyncWebClient, signing_secret: SecretStr | None, authorizations: Authorizations
) -> AsyncApp:
    """Return an app that acknowledges a request as soon as its listener does.

    Without `process_before_response` Bolt polls for the acknowledgement every ten milliseconds;
    without `authorize` it reads client ids from the environment.

    Args:
        client: the client for Bolt's own calls.
        signing_secret: verifies requests over HTTP; `None` for Socket Mode.
        authorizations: the tokens of workspaces.
    """
    return AsyncApp(
        name="broadsheet",
        logger=quiet_logger("slack_bolt"),
        client=client,
        signing_secret=signing_secret.get_secret_value() if signing_secret else "",
        authorize=_Authorize(authorizations),  # type: ignore[arg-type] # Bolt accepts an AsyncAuthorize too
        process_before_response=True,
        user_facing_authorize_error_message=_NOT_INSTALLED,
    )


def set_context(request: AsyncBoltRequest, arrived: float) -> None:
    """Tell listeners when a request arrived, and Bolt which installation it is for.

    Args:
        request: the request.
        arrived: the monotonic time.
    """
    place = place_of(request.body)
    request.context[ARRIVED] = arrived
    request.context["enterprise_id"], request.context["team_id"] = place.enterprise, place.team


class _Authorize(AsyncAuthorize):
    """Authorizes requests from the store; Bolt's own way calls Slack for each."""

    def __init__(self, authorizations: Authorizations) -> None:
        super().__init__()  # type: ignore[no-untyped-call] # Bolt's is
        self._authorizations = authorizations

    async def __call__(  # noqa: PLR0913 - Bolt's own arguments
        self,
        *,
        context: AsyncBoltContext,  # noqa: ARG002 - the same
        enterprise_id: str | None,
        team_id: str | None,
        user_id: str | None,
        actor_enterprise_id: str | None = None,  # noqa: ARG002 - the same
        actor_team_id: str | None = None,  # noqa: ARG002 - the same
        actor_user_id: str | None = None,  # noqa: ARG002 - the same
    ) -> AuthorizeResult | None:
        """Return the authorization of a workspace, `None` where the bot is not installed."""
        try:
            async with asyncio.timeout(_AUTHORIZE_SECONDS):
                found = await self._authorizations.find(enterprise_id, team_id)
        except (TimeoutError, StoreError):
            # The responder looks it up again and tells the user of an error; Bolt would not.
            return AuthorizeResult(enterprise_id=enterprise_id, team_id=team_id, user_id=user_id)
        if found is None:
            return None
        return AuthorizeResult(
            enterprise_id=enterprise_id,
            team_id=team_id,
            user_id=user_id,
            bot_token=found.bot_token,
            bot_id=found.bot_id,
            bot_user_id=found.bot_user_id,
        )


def events_route(app: AsyncApp, signing_secret: SecretStr) -> web.RouteDef:
    """Return the route of slash commands, interactions and events, signed by Slack."""
    verifier = SignatureVerifier(signing_secret.get_secret_value())

    async def handle(request: web.Request) -> web.Response:
        arrived = time.monotonic()
        body = await request.read()
        if not _is_signed(verifier, request, body):
            raise web.HTTPUnauthorized(text="The request is not signed.")
        bolt_request = _bolt_request(request, body, arrived)
        return await to_aiohttp_response(await _dispatch(app, bolt_request))

    return web.post(EVENTS_PATH, handle)


def _is_signed(verifier: SignatureVerifier, request: web.Request, body: bytes) -> bool:
    signature_headers = []
    for name, pattern in _SIGNATURE_HEADERS.items():
        values = request.headers.getall(name, [])
        if len(values) != 1 or not pattern.fullmatch(values[0]):
            return False
        signature_headers += values
    timestamp, signature = signature_headers
    try:
        return verifier.is_valid(body, timestamp, signature)
    except UnicodeDecodeError:
        return False  # Slack sends UTF-8


def _bolt_request(request: web.Request, body: bytes, arrived: float) -> AsyncBoltRequest:
    """Return a request as Bolt's, with the monotonic time when it arrived.

    Raises:
        web.HTTPBadRequest: where the body does not have the documented format.
    """
    try:
        # Bolt parses the body here, and assumes that each member has its documented type.
        bolt_request = AsyncBoltRequest(
            body=body.decode(),
            query=request.query_string,
            headers={name: [value] for name, value in request.headers.items()},
        )
        set_context(bolt_request, arrived)
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise web.HTTPBadRequest(text="The request can't be read.") from error
    return bolt_request


async def _dispatch(app: AsyncApp, request: AsyncBoltRequest) -> BoltResponse:
    """Return the response of a listener, or 400 where it or Bolt fails over a malformed payload.

    Slack treats 400 and 500 alike.
    """
    try:
        response = await app.async_dispatch(request)
    except Exception:  # noqa: BLE001 - a payload can fail anywhere in Bolt
        # Bolt's own error handler fails over the same payload.
        _log.exception("slack_request_failed")
        return BoltResponse(status=HTTPStatus.BAD_REQUEST.value)
    if response.status >= HTTPStatus.INTERNAL_SERVER_ERROR:  # Bolt has logged the error
        return BoltResponse(status=HTTPStatus.BAD_REQUEST.value)
    return response


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
