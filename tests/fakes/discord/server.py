"""The HTTP server of the fake Discord, on a free port."""

import asyncio
import json
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self, TypeVar

from aiohttp import web

from tests.fakes.discord.gateway import Gateway, Op
from tests.fakes.discord.guild import Server
from tests.fakes.discord.identities import User
from tests.fakes.discord.interactions import Interaction
from tests.fakes.discord.rest.application import APP
from tests.fakes.discord.rest.channels import CHANNELS
from tests.fakes.discord.rest.interactions import INTERACTIONS
from tests.fakes.discord.rest.limits import Limits
from tests.fakes.discord.rest.requests import ApiError, Call, Handler, Refuse, carry_out, read_call
from tests.fakes.discord.state import World
from tests.fakes.discord.users.users import Person
from tests.fakes.faults import Drop, Fault, Faults, Late, RateLimited, ServerError, Slow

T = TypeVar("T")
_ROUTES = {**APP, **CHANNELS, **INTERACTIONS}
# Of a request body that is read before it is checked.
_LARGEST = 64 * 2**20


class FakeDiscord(World):
    """A fake Discord without a guild, which runs until the block ends.

    The end of the block asserts that no payload was refused, unless `expect_refusals` is set.
    `faults` may be a queue that adds faults of its own. With `limits` the documented rate limits
    hold.
    """

    def __init__(self, *, validating: bool = True, faults: Faults | None = None) -> None:
        super().__init__()
        self.validating = validating
        self.expect_refusals = False
        self.limits: Limits | None = None
        self.gateway = Gateway(self)
        self.dispatch = self.gateway.dispatch
        self.on_message = self.gateway.dispatch_message
        self.people: dict[int, Person] = {}
        self._calls: list[Call] = []
        self._faults = faults or Faults()

    @property
    def api_url(self) -> str:
        """The base URL of the REST API."""
        return f"{self.url}/api/v10"

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=_LARGEST)
        for (method, path), handler in _ROUTES.items():
            app.router.add_route(method, f"/api/v10{path}", self._answering(path, handler))
        app.router.add_get("/gateway/", self._gateway)
        app.router.add_route("*", "/{anything:.*}", self._answering("", _unknown))
        self._runner = web.AppRunner(app, shutdown_timeout=0.1, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, _: object, __: TracebackType | None
    ) -> None:
        await self.gateway.close()
        await self._runner.cleanup()
        if kind is None and not self.expect_refusals:
            assert self.refused == [], self.refused

    def add_guild(self, name: str = "G", *, bot: bool = True) -> Server:
        """Add a guild, with or without the bot."""
        server = Server.create(self, self.gateway, self.people, name)
        self.guilds[server.id] = server
        if bot:
            server.add_bot()
        return server

    def add_person(
        self, name: str, *, locale: str = "en-US", installed: bool = False, closed: bool = False
    ) -> Person:
        """Add a person outside all guilds; a `closed` one accepts no direct messages."""
        user = User(self.next_id(), name, locale, installed=installed, closed=closed)
        self.users[user.id] = user
        self.people[user.id] = Person(self, self.gateway, user)
        return self.people[user.id]

    def fail(self, name: str, fault: Fault, times: int = 1) -> None:
        """Set the fault of the next requests of a method and path, or connections to `gateway`."""
        known = name == "gateway" or tuple(name.split(" ", 1)) in _ROUTES
        assert known, f"no request is called {name}"
        self._faults.add(name, fault, times)

    def calls(self, name: str | None = None) -> list[Call]:
        """Return the requests so far, or those of a method and path."""
        return [call for call in self._calls if name in (None, call.name)]

    async def repeat(self, interaction: Interaction) -> Interaction:
        """Send the same interaction again, and wait a moment for its response."""
        before, guild = interaction.attempts, interaction.channel.guild
        self.dispatch("INTERACTION_CREATE", interaction.payload, guild.id if guild else 0)
        for _ in range(50):
            if interaction.attempts > before:
                break
            await asyncio.sleep(0.01)
        return interaction

    async def connected(self, number: int = 1) -> None:
        """Wait until that many shards are connected and have read their first events."""
        await self.settled(lambda: len(self.gateway.open) == number and self.gateway.idle)
        await asyncio.sleep(0.05)

    async def cut(self) -> None:
        """Abort every connection to the gateway."""
        await self.gateway.cut()

    async def reconnect(self) -> None:
        """Ask every client to reconnect."""
        await self.gateway.send(Op.RECONNECT)

    async def invalidate(self) -> None:
        """Invalidate every session, so that the clients identify again."""
        open_before = self.gateway.open
        await self.gateway.send(Op.INVALID_SESSION, data=False)
        for session in open_before:
            self.gateway.sessions.pop(session.id, None)

    async def settled(self, predicate: Callable[[], T], seconds: float = 15) -> T:
        """Wait until a predicate is true, and return its value.

        Raises:
            AssertionError: with all messages and requests, after a timeout.
        """
        for _ in range(int(seconds * 100)):
            if found := predicate():
                return found
            await asyncio.sleep(0.01)
        messages = [(message.channel.name, message.texts) for message in self.sent()]
        requests = [(call.name, call.status, call.code) for call in self._calls]
        raise AssertionError(f"not settled: {messages=} {requests=} {self.refused=}")

    def _answering(self, path: str, handler: Handler) -> Callable[[web.Request], Any]:
        async def answer(request: web.Request) -> web.StreamResponse:
            call = await read_call(request, path or request.path, self.now)
            self._calls.append(call)
            limited = self.limits.check(call) if self.limits else None
            fault = limited or self._faults.take(call.name, request.host)
            early = await _before(fault)
            response = early or _done(self, call, handler)
            if isinstance(fault, ServerError) and fault.stored:
                response = _failure(fault.status)
            call.status = response.status
            if self.limits:
                response.headers.update(self.limits.headers(call))
            if isinstance(fault, Late):
                await asyncio.sleep(fault.seconds)
            if isinstance(fault, Drop) and request.transport:
                request.transport.abort()
            return response

        return answer

    async def _gateway(self, request: web.Request) -> web.StreamResponse:
        return await _before(self._faults.take("gateway")) or await self.gateway.serve(request)


def _done(world: World, call: Call, handler: Handler) -> web.Response:
    """Carry out a request and return its response."""
    try:
        answer = carry_out(world, call, handler)
    except ApiError as refused:
        call.code = refused.code
        return _json(refused.answer, refused.status)
    return web.Response(status=204) if answer is None else _json(answer)


def _unknown(_: World, call: Call) -> None:
    raise ApiError(404, 0, "404: Not Found", f"{call.method} {call.path}")


async def _before(fault: Fault | None) -> web.Response | None:
    """Return the response of a request that is not carried out, or wait for a slow one."""
    match fault:
        case RateLimited(after=seconds, is_global=is_global):
            words = "You are being rate limited."
            limited = {"message": words, "retry_after": seconds, "global": is_global, "code": 0}
            scope = "global" if is_global else "user"
            # Without Via the library takes the response for a ban by Cloudflare.
            headers = {"Via": "1.1 google", "Retry-After": str(seconds), "X-RateLimit-Scope": scope}
            more = {"X-RateLimit-Global": "true"} if is_global else {}
            return _json(limited, 429, headers | more)
        case ServerError(status=status, stored=False):
            return _failure(status)
        case Drop(stored=False):
            return _failure(500)
        case Refuse(status=status, code=code, message=message):
            return _json({"message": message, "code": code}, status)
        case Slow(seconds=pause):
            await asyncio.sleep(pause)
    return None


def _failure(status: int) -> web.Response:
    if status == web.HTTPInternalServerError.status_code:
        return _json({"message": "500: Internal Server Error", "code": 0}, status)
    return web.Response(text="<html>Oh no</html>", content_type="text/html", status=status)


def _json(answer: object, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """Return a JSON response without a charset, which the library would not recognise."""
    body = json.dumps(answer).encode()
    return web.Response(body=body, content_type="application/json", status=status, headers=headers)
