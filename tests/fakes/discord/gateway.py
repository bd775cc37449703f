"""The server of the gateway, with sessions that outlive their connections.

https://docs.discord.com/developers/events/gateway
"""

import asyncio
import json
from dataclasses import dataclass, field
from enum import IntEnum

from aiohttp import WSCloseCode, WSMsgType, web

from tests.fakes.discord.message_events import event_json, intent_of, is_heard
from tests.fakes.discord.records import Message
from tests.fakes.discord.rules.components import Json
from tests.fakes.discord.state import World

_HEARTBEAT_MS = 41_250
_AUTHENTICATION_FAILED = 4004
_DISALLOWED_INTENTS = 4014
# The intents of members, presences and message content, which the app does not have.
_PRIVILEGED = 1 << 1 | 1 << 8 | 1 << 15
_ENDS_SESSION = (WSCloseCode.OK, WSCloseCode.GOING_AWAY)


class Op(IntEnum):
    """The opcode of a frame."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    RESUME = 6
    RECONNECT = 7
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


@dataclass(eq=False, slots=True)
class Session:
    """The session of one shard of a client, with all frames, connected or not."""

    id: str
    shard: int
    shards: int
    intents: int
    frames: list[str] = field(default_factory=list)
    socket: web.WebSocketResponse | None = None
    request: web.Request | None = None

    def receives(self, guild_id: int) -> bool:
        """Tell whether the shard receives the events of a guild (0: of none)."""
        return (guild_id >> 22) % self.shards == self.shard


class Gateway:
    """The gateway's sessions, with counts of IDENTIFY and RESUME."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.sessions: dict[str, Session] = {}
        self.identified = 0
        self.resumed = 0
        self._sending: set[asyncio.Task[None]] = set()

    @property
    def idle(self) -> bool:
        """Whether no frame is waiting to be sent."""
        return not self._sending

    @property
    def open(self) -> list[Session]:
        """The sessions with a connection."""
        return [session for session in self.sessions.values() if session.socket]

    def dispatch(self, event: str, data: Json, guild_id: int = 0) -> None:
        """Send an event to its shards; a disconnected one receives it on RESUME."""
        for session in list(self.sessions.values()):
            if session.receives(guild_id):
                self._dispatch(session, event, data)

    def dispatch_message(self, message: Message, event: str = "MESSAGE_CREATE") -> None:
        """Send an event of a message to the shards that have its intent."""
        bot, guild = self._world.bot, message.channel.guild
        if not is_heard(message, bot):
            return
        heard = event_json(message, bot, self._world.users)
        for session in list(self.sessions.values()):
            if session.receives(guild.id if guild else 0) and session.intents & intent_of(message):
                self._dispatch(session, event, heard)

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Serve a connection until either side closes it."""
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        hello = {"heartbeat_interval": _HEARTBEAT_MS, "_trace": []}
        await socket.send_json({"op": Op.HELLO, "d": hello, "s": None, "t": None})
        session: Session | None = None
        try:
            async for frame in socket:
                if frame.type == WSMsgType.TEXT:
                    session = await self._take(socket, request, json.loads(frame.data)) or session
        finally:
            if session and session.socket is socket:
                session.socket = None
                if socket.close_code in _ENDS_SESSION:
                    self.sessions.pop(session.id, None)
        return socket

    async def send(self, op: Op, data: object = None) -> None:
        """Send a frame to every connected client."""
        for session in self.open:
            if session.socket:
                await session.socket.send_json({"op": op, "d": data, "s": None, "t": None})

    async def cut(self) -> None:
        """Abort every connection; the sessions stay."""
        for session in self.open:
            session.socket = None
            if session.request and session.request.transport:
                session.request.transport.abort()

    async def close(self) -> None:
        """Cancel what is being sent, and abort every connection."""
        for task in self._sending:
            task.cancel()
        await asyncio.gather(*self._sending, return_exceptions=True)
        await self.cut()

    async def _take(
        self, socket: web.WebSocketResponse, request: web.Request, frame: Json
    ) -> Session | None:
        match frame["op"]:
            case Op.HEARTBEAT:
                await socket.send_json({"op": Op.HEARTBEAT_ACK, "d": None, "s": None, "t": None})
            case Op.IDENTIFY:
                return await self._identify(socket, request, frame["d"])
            case Op.RESUME:
                return await self._resume(socket, request, frame["d"])
        return None

    async def _identify(
        self, socket: web.WebSocketResponse, request: web.Request, data: Json
    ) -> Session | None:
        if data["token"] != self._world.token:
            await socket.close(code=_AUTHENTICATION_FAILED, message=b"Authentication failed.")
            return None
        if data["intents"] & _PRIVILEGED:
            await socket.close(code=_DISALLOWED_INTENTS, message=b"Disallowed intent(s).")
            return None
        shard, shards = data.get("shard") or (0, 1)
        session = Session(f"session-{next(self._world.numbers)}", shard, shards, data["intents"])
        self.sessions[session.id] = session
        session.socket, session.request = socket, request
        self.identified += 1
        self._dispatch(session, "READY", self._ready(session, request.host))
        for guild in self._world.guilds.values():
            if guild.bot_in and guild.available and session.receives(guild.id):
                self._dispatch(session, "GUILD_CREATE", guild.as_json(self._world.bot.id))
        return session

    def _ready(self, session: Session, host: str) -> Json:
        mine = [each for each in self._world.guilds.values() if session.receives(each.id)]
        guilds = [{"id": str(each.id), "unavailable": True} for each in mine if each.bot_in]
        url = f"ws://{host}/gateway/"
        known = {"v": 10, "user": self._world.bot.as_json(), "guilds": guilds}
        place = {"session_id": session.id, "resume_gateway_url": url, "session_type": "normal"}
        app = {"application": {"id": str(self._world.application_id), "flags": 0}}
        return {**known, **place, **app, "shard": [session.shard, session.shards], "_trace": []}

    async def _resume(
        self, socket: web.WebSocketResponse, request: web.Request, data: Json
    ) -> Session | None:
        session = self.sessions.get(data["session_id"])
        if session is None or data["token"] != self._world.token:
            await socket.send_json({"op": Op.INVALID_SESSION, "d": False, "s": None, "t": None})
            return None
        known = data["seq"] or 0
        while known < len(session.frames):  # more frames may be added meanwhile
            await socket.send_str(session.frames[known])
            known += 1
        session.socket, session.request = socket, request
        self.resumed += 1
        self._dispatch(session, "RESUMED", {"_trace": []})
        return session

    def _dispatch(self, session: Session, event: str, data: Json) -> None:
        sequence = len(session.frames) + 1
        text = json.dumps({"op": Op.DISPATCH, "t": event, "s": sequence, "d": data})
        session.frames.append(text)
        if session.socket:
            task = asyncio.ensure_future(_send(session.socket, text))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)


async def _send(socket: web.WebSocketResponse, text: str) -> None:
    """Send a frame; a lost one is sent again on RESUME."""
    try:
        await socket.send_str(text)
    except ConnectionError:
        return
