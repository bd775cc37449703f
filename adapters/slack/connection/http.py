"""HTTP mode: the route for Slack's requests.

https://docs.slack.dev/authentication/verifying-requests-from-slack
"""

import logging
import re
import time
from http import HTTPStatus

from aiohttp import web
from pydantic import SecretStr
from slack_bolt.adapter.aiohttp import to_aiohttp_response
from slack_bolt.async_app import AsyncApp, AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.signature import SignatureVerifier

from adapters.slack.connection.bolt_app import set_context
from adapters.slack.settings import EVENTS_PATH

_log = logging.getLogger(__name__)

# The SDK raises errors on headers of any other format.
_SIGNATURE_HEADERS = {
    "X-Slack-Request-Timestamp": re.compile(r"[0-9]{1,12}"),
    "X-Slack-Signature": re.compile(r"v0=[0-9a-f]{64}"),
}


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
