"""A Slack so small that it hardly costs anything: one app connects to it and is sent commands.

It judges nothing and says as little as an app needs to connect by Socket Mode, for what is
measured is the app: https://docs.slack.dev/apis/events-api/using-socket-mode
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from itertools import count
from time import perf_counter
from typing import Any

from aiohttp import web

_CONNECT_SECONDS = 60.0
_ANSWER_SECONDS = 30.0
_NAME = re.compile(r'"envelope_id": ?"([^"]*)"')
_TEAM, _BOT, _USER = "T1", "U1", "U2"
_TELLS: dict[str, dict[str, Any]] = {
    "auth.test": {"team_id": _TEAM, "user_id": _BOT, "bot_id": "B1"},
    "users.info": {"user": {"id": _USER, "tz": "Europe/Berlin"}},
}


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """What acknowledged an envelope, as it came, and how many ms after it was sent."""

    milliseconds: float
    text: str

    @property
    def payload(self) -> dict[str, Any]:
        """What the acknowledgement holds; nothing where it is empty."""
        payload: dict[str, Any] = json.loads(self.text).get("payload") or {}
        return payload


class SmallSlack:
    """A Slack with one workspace and one person, who sends commands."""

    def __init__(self) -> None:
        self._address = ""
        self._socket: web.WebSocketResponse | None = None
        self._connected = asyncio.Event()
        self._waiting: dict[str, asyncio.Future[tuple[float, str]]] = {}
        self._numbers = count(1)

    @property
    def api_url(self) -> str:
        """The base of its Web API, ending in a slash."""
        return f"http://{self._address}/api/"

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Listen on a free port."""
        app = web.Application()
        app.add_routes(
            [
                web.post("/api/{method}", self._call),
                web.post("/response", _nod),
                web.get("/socket", self._hold),
            ]
        )
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            host, port = runner.addresses[0][:2]
            self._address = f"{host}:{port}"
            yield
        finally:
            await runner.cleanup()

    async def connected(self) -> None:
        """Wait until the app is connected.

        Raises:
            TimeoutError: if it does not connect.
        """
        async with asyncio.timeout(_CONNECT_SECONDS):
            await self._connected.wait()

    async def send(self, command: str) -> Acknowledged:
        """Send a slash command and wait for its acknowledgement.

        Raises:
            TimeoutError: if none comes.
        """
        if self._socket is None:
            raise RuntimeError("no app is connected")
        name = f"e{next(self._numbers)}"
        envelope = json.dumps(self._envelope(name, command))
        waiting = self._waiting[name] = asyncio.get_running_loop().create_future()
        sent = perf_counter()
        await self._socket.send_str(envelope)
        async with asyncio.timeout(_ANSWER_SECONDS):
            came, text = await waiting
        return Acknowledged(1000 * (came - sent), text)

    def _envelope(self, name: str, command: str) -> dict[str, Any]:
        word, _, text = command.partition(" ")
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
                "command": word,
                "text": text,
                "api_app_id": "A1",
                "is_enterprise_install": "false",
                "response_url": f"http://{self._address}/response",
                "trigger_id": f"trigger.{name}",  # else they were one, delivered again
            },
        }

    async def _call(self, request: web.Request) -> web.Response:
        method = request.match_info["method"]
        if method == "apps.connections.open":
            return web.json_response({"ok": True, "url": f"ws://{self._address}/socket"})
        return web.json_response({"ok": True, **_TELLS[method]})

    async def _hold(self, request: web.Request) -> web.WebSocketResponse:
        self._socket = socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_str(json.dumps({"type": "hello", "num_connections": 1}))
        self._connected.set()
        with suppress(ConnectionError):  # it broke off, as an app that is ended does
            async for message in socket:
                came = perf_counter()
                if found := _NAME.search(message.data):
                    self._waiting.pop(found[1]).set_result((came, message.data))
        return socket


async def _nod(_request: web.Request) -> web.Response:
    """Take an answer that was too late for its acknowledgement."""
    return web.Response(text="ok")
