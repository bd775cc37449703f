"""Serve a minimal fake Slack, to which an app connects over Socket Mode.

https://docs.slack.dev/apis/events-api/using-socket-mode
"""

import json
import re
from collections.abc import Iterable
from contextlib import suppress
from time import perf_counter
from typing import Any

from aiohttp import web

from tests.benchmarks.platforms.server import FakePlatform

_NAME = re.compile(r'"envelope_id": ?"([^"]*)"')
_TEAM, _BOT, _USER = "T1", "U1", "U2"
_RESPONSES: dict[str, dict[str, Any]] = {
    "auth.test": {"team_id": _TEAM, "user_id": _BOT, "bot_id": "B1"},
    "users.info": {"user": {"id": _USER, "tz": "Europe/Berlin"}},
}


class FakeSlack(FakePlatform):
    """A Slack with one workspace, where a user sends `/papers` commands."""

    @property
    def api_url(self) -> str:
        """The base of its Web API, ending in a slash."""
        return f"http://{self.address}/api/"

    def routes(self) -> Iterable[web.RouteDef]:
        """Serve the API, late answers and a socket."""
        return (
            web.post("/api/{method}", self._call),
            web.post("/response", _accept_late_answer),
            web.get("/socket", self._serve),
        )

    def event(self, number: int, command: str) -> tuple[str, str]:
        """Return the id of an envelope and the envelope."""
        name = f"e{number}"
        return name, json.dumps(self._envelope(name, command))

    def _envelope(self, name: str, command: str) -> dict[str, Any]:
        return {
            "envelope_id": name,
            "type": "slash_commands",
            "accepts_response_payload": True,
            "payload": {
                "token": "verification",
                "team_id": _TEAM,
                "team_domain": "example",
                "channel_id": "C1",
                "channel_name": "papers",
                "user_id": _USER,
                "user_name": "reader",
                "command": "/papers",
                "text": command,
                "api_app_id": "A1",
                "is_enterprise_install": "false",
                "response_url": f"http://{self.address}/response",
                "trigger_id": f"trigger.{name}",  # else they were one, delivered again
            },
        }

    def response(self, method: str, _request: web.Request) -> dict[str, Any]:
        """Return the response of a method without its `ok`."""
        return _RESPONSES[method]

    async def _call(self, request: web.Request) -> web.Response:
        method = request.match_info["method"]
        if method == "apps.connections.open":
            return web.json_response({"ok": True, "url": f"ws://{self.address}/socket"})
        return web.json_response({"ok": True, **self.response(method, request)})

    async def _serve(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_str(json.dumps({"type": "hello", "num_connections": 1}))
        self.hold(socket)
        with suppress(ConnectionError):  # it broke off, as an app that is ended does
            async for message in socket:
                came = perf_counter()
                if found := _NAME.search(message.data):
                    self.answered(found[1], came, message.data)
        return socket


async def _accept_late_answer(_request: web.Request) -> web.Response:
    """Take an answer that was too late for its acknowledgement."""
    return web.Response(text="ok")
