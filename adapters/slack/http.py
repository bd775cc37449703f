"""HTTP mode: the address that Slack sends its requests to.

https://docs.slack.dev/authentication/verifying-requests-from-slack
"""

import time

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.async_app import AsyncApp

from adapters.slack.bolt import ARRIVED
from adapters.slack.settings import EVENTS_PATH

_TIMESTAMP = "X-Slack-Request-Timestamp"


def events_route(app: AsyncApp) -> web.RouteDef:
    """Return the route of slash commands, interactions and events, signed by Slack."""

    async def handle(request: web.Request) -> web.Response:
        arrived = time.monotonic()
        # The SDK takes the header for a whole number and breaks on anything else.
        if not request.headers.get(_TIMESTAMP, "").isdecimal():
            raise web.HTTPUnauthorized(text="The request is not signed.")
        try:
            bolt_request = await to_bolt_request(request)
        except (UnicodeDecodeError, ValueError) as error:
            raise web.HTTPBadRequest(text="The request can't be read.") from error
        bolt_request.context[ARRIVED] = arrived
        return await to_aiohttp_response(await app.async_dispatch(bolt_request))

    return web.post(EVENTS_PATH, handle)
