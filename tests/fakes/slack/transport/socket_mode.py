"""The server of Socket Mode, which sends each envelope over one of the connections.

https://docs.slack.dev/apis/events-api/using-socket-mode
"""

import asyncio
import itertools
import json

from aiohttp import WSMsgType, web

from tests.fakes.slack.records import Json
from tests.fakes.slack.state import World

_Awaited = tuple[web.WebSocketResponse, str, asyncio.Future[Json | None]]


class Sockets:
    """The open connections, the oldest first."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.open: dict[web.WebSocketResponse, web.Request] = {}
        self._awaited: list[_Awaited] = []
        self._turns = itertools.count()

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Serve a connection until either side closes it."""
        ticket = request.query.get("ticket", "")
        if self._world.refuse_sockets or ticket not in self._world.tickets:
            return web.Response(status=503)
        self._world.tickets.remove(ticket)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        self.open[socket] = request
        await socket.send_json({"type": "hello", "num_connections": len(self.open)})
        try:
            async for message in socket:
                if message.type == WSMsgType.TEXT:
                    self._take(socket, json.loads(message.data))
        finally:
            self.open.pop(socket, None)
        return socket

    def choose(self, avoid: web.WebSocketResponse | None) -> web.WebSocketResponse | None:
        """Return the next connection in turn, another than one to avoid."""
        candidates = [socket for socket in self.open if socket is not avoid]
        return candidates[next(self._turns) % len(candidates)] if candidates else None

    async def request(
        self, socket: web.WebSocketResponse, envelope: Json, seconds: float
    ) -> Json | None:
        """Send an envelope and return the payload of its acknowledgement.

        Raises:
            TimeoutError: without an acknowledgement in time.
            ConnectionError: if the connection is closed.
        """
        answer: asyncio.Future[Json | None] = asyncio.Future()
        self._awaited.append((socket, envelope["envelope_id"], answer))
        await socket.send_json(envelope)
        return await asyncio.wait_for(answer, seconds)

    async def disconnect(self, *, warning: bool) -> None:
        """Ask every client to reconnect, or close its connection without a warning."""
        for socket in list(self.open):
            if warning:
                await socket.send_json({"type": "disconnect", "reason": "refresh_requested"})
            else:
                await socket.close()

    async def cut(self) -> None:
        """Abort every connection."""
        for request in list(self.open.values()):
            if request.transport:
                request.transport.abort()
        self.open.clear()

    def _take(self, socket: web.WebSocketResponse, got: Json) -> None:
        self._awaited = [waiting for waiting in self._awaited if not waiting[2].done()]
        for asked, envelope_id, answer in self._awaited:
            if asked is socket and envelope_id == got.get("envelope_id"):
                answer.set_result(got.get("payload"))
                return
