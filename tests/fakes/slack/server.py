"""The HTTP server of the fake Slack, on a free port."""

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self, TypeVar

import aiohttp
from aiohttp import web

from tests.fakes.faults import Drop, Fault, Faults, Late, RateLimited, ServerError, Slow
from tests.fakes.slack.records import Json, Message
from tests.fakes.slack.transport import response_urls
from tests.fakes.slack.transport.oauth import OAuthPages
from tests.fakes.slack.web_api import files
from tests.fakes.slack.web_api.calls import ApiError, Call, Refuse, carry_out, read_call
from tests.fakes.slack.web_api.limits import Limits
from tests.fakes.slack.web_api.methods import METHODS

T = TypeVar("T")
# Of a request body that is read before it is checked.
_LARGEST = 64 * 2**20


class FakeSlack(OAuthPages):
    """A fake Slack with the workspace `T1`, which runs until the block ends.

    The end of the block asserts that no payload was refused, unless `expect_refusals` is set.
    `faults` may be a queue that adds faults of its own. With `limits` the published rate limits
    hold.
    """

    def __init__(self, faults: Faults | None = None) -> None:
        super().__init__()
        self.expect_refusals = False
        self.limits: Limits | None = None
        self.response_url_uses: list[Json] = []
        self._calls: list[Call] = []
        self._faults = faults or Faults()
        self._echoes: set[asyncio.Task[Any]] = set()
        self.add_team("T1")

    @property
    def api_url(self) -> str:
        """The base URL of the Web API."""
        return f"{self.url}/api/"

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=_LARGEST)
        app.router.add_route("*", "/api/{method}", self._api)
        app.router.add_post("/response/{key}", self._response_url)
        app.router.add_post("/upload/{key}", self._upload)
        app.router.add_get("/link/", self._socket)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        self.client = aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, _: object, __: TracebackType | None
    ) -> None:
        for task in self._echoes:
            task.cancel()
        await asyncio.gather(*self._echoes, return_exceptions=True)
        await self.client.close()
        await self.disconnect(warning=False)
        await self._runner.cleanup()
        if kind is None and not self.expect_refusals:
            assert self.refused == []

    def fail(self, name: str, fault: Fault, times: int = 1) -> None:
        """Set the fault of the next calls of a method, `response_url`, `upload` or `websocket`."""
        self._faults.add(name, fault, times)

    def calls(self, method: str | None = None) -> list[Call]:
        """Return the calls of the Web API so far, of one method or all."""
        return [call for call in self._calls if method in (None, call.method)]

    async def connected(self, number: int = 1) -> None:
        """Wait until that many sockets are open."""
        await self.settled(lambda: len(self.sockets.open) == number)

    async def ask(
        self, text: str = "", user: str = "U1", channel: str = "C1", team: str = "T1"
    ) -> Message:
        """Run the command `/papers` and return the answer, which may follow the acknowledgement.

        On a busy machine any answer may be later than the bot waits before it acknowledges.
        """
        delivery = self.command_delivery(text, user, channel, team)
        hook = self.hooks[delivery.payload["response_url"].rpartition("/")[2]]
        ack = await self.deliver(delivery)
        assert ack.acked, text
        if ack.message is None:
            await self.settled(lambda: hook.message)
        assert hook.message
        return hook.message

    async def settled(self, predicate: Callable[[], T], seconds: float = 15) -> T:
        """Wait until a predicate is true, and return its value.

        Raises:
            AssertionError: with all messages and calls, after a timeout.
        """
        for _ in range(int(seconds * 100)):
            if found := predicate():
                return found
            await asyncio.sleep(0.01)
        messages = [
            (message.channel, message.ephemeral_for, message.text)
            for team in self.teams.values()
            for channel in team.channels.values()
            for message in channel.messages
        ]
        calls = [(call.method, call.error) for call in self._calls]
        raise AssertionError(f"not settled: {messages=} {calls=} {self.refused=}")

    async def _api(self, request: web.Request) -> web.StreamResponse:
        call = await read_call(request, self.now)
        self._calls.append(call)
        fault = self._limited(call) or self._faults.take(call.method, call.host)
        if failure := await _before(fault):
            call.error = type(fault).__name__
            return await _after(fault, request, failure)
        try:
            answer = carry_out(self, call, METHODS.get(call.method))
        except ApiError as refused:
            answer = refused.answer
            call.error = answer["error"]
        if call.posted:
            self._echo(call.posted)
        scopes = ",".join(sorted(call.team.scopes)) if call.teams else ""
        response = web.json_response(answer, headers={"x-oauth-scopes": scopes})
        return await _after(fault, request, response)

    def _limited(self, call: Call) -> RateLimited | None:
        """Return the fault of a call over a rate limit."""
        if self.limits is None:
            return None
        call.teams = [team for team in self.teams.values() if team.bot_token == call.token]
        workspace = call.team.id if call.teams else ""
        after = self.limits.refusal(call, workspace, self.now)
        return RateLimited(after) if after is not None else None

    async def _response_url(self, request: web.Request) -> web.StreamResponse:
        fault = self._faults.take("response_url")
        if failure := await _before(fault):
            return await _after(fault, request, failure)
        payload = await request.json()
        self.response_url_uses.append(payload)
        status, answer = response_urls.use(self, request.match_info["key"], payload)
        return await _after(fault, request, web.json_response(answer, status=status))

    async def _upload(self, request: web.Request) -> web.StreamResponse:
        fault = self._faults.take("upload")
        if failure := await _before(fault):
            return await _after(fault, request, failure)
        status, text = files.receive(self, request.match_info["key"], await request.read())
        return await _after(fault, request, web.Response(status=status, text=text))

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        return await _before(self._faults.take("websocket")) or await self.sockets.serve(request)

    def _echo(self, message: Message) -> None:
        """Send the bot the event of its own direct message."""
        team = self.teams[message.team]
        if team.channels[message.channel].direct and "im:history" in team.scopes:
            event = {**message.as_json(), "channel_type": "im"}
            task = asyncio.create_task(self._sent(message, event))
            self._echoes.add(task)
            task.add_done_callback(self._echoes.discard)


async def _before(fault: Fault | None) -> web.Response | None:
    """Return the response of a call that is not carried out, or wait for a slow one."""
    match fault:
        case RateLimited(after=seconds):
            limited = {"ok": False, "error": "ratelimited"}
            return web.json_response(limited, status=429, headers={"Retry-After": str(seconds)})
        case ServerError(status=status, stored=False):
            return _failure(status)
        case Drop(stored=False):
            return _failure(500)
        case Refuse(error=error):
            return web.json_response({"ok": False, "error": error})
        case Slow(seconds=pause):
            await asyncio.sleep(pause)
    return None


async def _after(fault: Fault | None, request: web.Request, answer: web.Response) -> web.Response:
    """Return the response of a call that was carried out, or lose it."""
    match fault:
        case ServerError(status=status, stored=True):
            return _failure(status)
        case Late(seconds=pause):
            await asyncio.sleep(pause)
        case Drop() if request.transport:
            request.transport.abort()
    return answer


def _failure(status: int) -> web.Response:
    return web.Response(text="<html>Oh no</html>", content_type="text/html", status=status)
