"""Serve fake platforms of many workspaces with thousands of channels.

They enforce the published limits, answer after a realistic latency, and count messages.
"""

import asyncio
import json
import math
import time
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from time import perf_counter
from typing import Any

from aiohttp import web

from store.records import Channel, Workspace
from tests.benchmarks.platforms import limits
from tests.benchmarks.platforms.discord import (
    MEMBER,
    MESSAGE,
    PLACE,
    READER,
    SERVER,
    FakeDiscord,
    as_json,
)
from tests.benchmarks.platforms.limits import Limiter
from tests.benchmarks.platforms.server import FakePlatform
from tests.benchmarks.platforms.slack import FakeSlack

# From the sending of a request to its answer, in the platform's own time.
_LATENCY = 0.1
# Enough for all that is posted at once to a workspace that has less than a hundred channels.
_ADMINISTRATOR = "8"


@dataclass(slots=True)
class Posts:
    """The number of messages of each channel, and the time of each message in s."""

    channels: Counter[str] = field(default_factory=Counter)
    times: list[float] = field(default_factory=list)

    def came(self, channel: str) -> None:
        """Count a message."""
        self.channels[channel] += 1
        self.times.append(perf_counter())

    @property
    def rate(self) -> float:
        """Return the messages a second from the first to the last."""
        return (len(self.times) - 1) / (self.times[-1] - self.times[0])


class ManyWorkspaces(FakePlatform):
    """A platform of many workspaces.

    Args:
        workspaces: how many.
        channels: how many all of them have together.
        speed: how many times as fast as the real one's its time runs; `inf` where it neither
            refuses anything nor takes its time.
    """

    name = ""

    def __init__(self, workspaces: int, channels: int, speed: float) -> None:
        super().__init__()
        self.places = [self.place(number, number % workspaces) for number in range(channels)]
        self.posts = Posts()
        self.requests = 0
        self.limiter = Limiter(speed)
        self.speed = speed
        self._workspaces = workspaces
        self._messages = count(1)

    @property
    @abstractmethod
    def allowed_rate(self) -> float:
        """Return the messages a second that its limits allow."""

    @abstractmethod
    def place(self, number: int, workspace: int) -> Channel:
        """Return the channel of a number, in the workspace of a number."""

    @property
    def with_one_post(self) -> int:
        """Return the number of channels with one message."""
        return sum(number == 1 for number in self.posts.channels.values())

    @property
    def without_post(self) -> int:
        """Return the number of channels without a message."""
        return len(self.places) - len(self.posts.channels)

    async def accept(self, channel: str) -> int:
        """Accept a message after a realistic latency and return its number."""
        self.posts.came(channel)
        await asyncio.sleep(_LATENCY / self.speed)
        return next(self._messages)


class ManySlackWorkspaces(ManyWorkspaces, FakeSlack):
    """A Slack whose workspaces have all installed the bot, each with a token of its own."""

    name = "slack"

    @property
    def allowed_rate(self) -> float:
        """Return the messages a second that all its workspaces allow."""
        return self._workspaces * limits.SLACK_WORKSPACE.rate * self.speed

    def place(self, number: int, workspace: int) -> Channel:
        """Return a channel; users send commands in the first workspace."""
        return Channel(Workspace(self.name, f"T{workspace + 1}"), f"C{number + 1}")

    def routes(self) -> Iterable[web.RouteDef]:
        """Serve posts too."""
        asked = web.get("/api/chat.getPermalink", self._linked)
        return (web.post("/api/chat.postMessage", self._post), asked, *super().routes())

    def response(self, method: str, request: web.Request) -> dict[str, Any]:
        """Return the response of a method, with the workspace of the token."""
        self.requests += 1
        if method == "auth.test":
            own = {"team_id": _team(request), "url": f"http://{self.address}/"}
            return {**super().response(method, request), **own}
        return super().response(method, request) if method == "users.info" else {}

    async def _linked(self, request: web.Request) -> web.Response:
        self.requests += 1
        where = f"archives/{request.query['channel']}/p{request.query['message_ts']}"
        link = f"http://{_team(request)}.{self.address}/{where}"
        return web.json_response({"ok": True, "permalink": link})

    async def _post(self, request: web.Request) -> web.Response:
        self.requests += 1
        body, team = await request.read(), _team(request)
        channel = str(json.loads(body)["channel"])
        wait = self.limiter.refuses((team, limits.SLACK_WORKSPACE), (channel, limits.SLACK_CHANNEL))
        if wait is not None:
            refusal = {"ok": False, "error": "ratelimited"}
            after = {"Retry-After": str(math.ceil(wait))}
            return web.json_response(refusal, status=429, headers=after)
        ts = f"{int(time.time())}.{await self.accept(channel):06}"
        head = json.dumps({"ok": True, "channel": channel, "ts": ts})
        # The message comes back with the answer, as Slack has it.
        text = b'%s, "message": %s}' % (head[:-1].encode(), body)
        return web.Response(body=text, content_type="application/json")


class ManyDiscordServers(ManyWorkspaces, FakeDiscord):
    """A Discord whose servers the bot is in, as their administrator."""

    name = "discord"
    _first_server = 100
    _first_channel = 100_000

    @property
    def allowed_rate(self) -> float:
        """Return the messages a second that it allows a bot."""
        return limits.DISCORD_BOT.rate * self.speed

    def place(self, number: int, workspace: int) -> Channel:
        """Return a channel."""
        server = Workspace(self.name, str(self._first_server + workspace))
        return Channel(server, str(self._first_channel + number))

    def routes(self) -> Iterable[web.RouteDef]:
        """Serve posts, servers and channels too."""
        return (
            web.post("/api/v10/channels/{channel}/messages", self._post),
            web.get("/api/v10/channels/{channel}", self._channel),
            web.get("/api/v10/users/@me/guilds", self._guilds),
            *super().routes(),
        )

    @cached_property
    def servers(self) -> list[dict[str, Any]]:
        """Return the server where users send commands, and the others with their channels."""
        channels: dict[str, list[dict[str, Any]]] = {}
        for each in self.places:
            channel = _channel(each.external_id, each.workspace.external_id)
            channels.setdefault(each.workspace.external_id, []).append(channel)
        return [SERVER, *(_server(server, rooms) for server, rooms in channels.items())]

    async def _guilds(self, request: web.Request) -> web.Response:
        after = int(request.query.get("after", "0"))
        most = int(request.query.get("limit", "200"))
        known = sorted(self.servers, key=lambda each: int(each["id"]))
        listed = [{"id": each["id"], "name": each["name"]} for each in known]
        return as_json([each for each in listed if int(each["id"]) > after][:most])

    async def _channel(self, request: web.Request) -> web.Response:
        self.requests += 1
        own, channel = request.match_info["channel"], None
        wait = self.limiter.refuses(("bot", limits.DISCORD_BOT))
        if wait is not None:
            return _too_many(wait, is_global=True)
        channel = self.places[int(own) - self._first_channel]
        await asyncio.sleep(_LATENCY / self.speed)
        return as_json(_channel(own, channel.workspace.external_id))

    async def _post(self, request: web.Request) -> web.Response:
        self.requests += 1
        body, channel = await request.read(), request.match_info["channel"]
        buckets = ("bot", limits.DISCORD_BOT), (channel, limits.DISCORD_CHANNEL)
        wait = self.limiter.refuses(*buckets)
        if wait is not None:
            return _too_many(wait, is_global=not self.limiter.left(*buckets[0]))
        answer = web.Response(
            body=_made(await self.accept(channel), channel, body), content_type="application/json"
        )
        answer.headers.update(self._limits(channel))
        return answer

    def _limits(self, channel: str) -> dict[str, str]:
        limit = limits.DISCORD_CHANNEL
        return {
            "X-RateLimit-Bucket": "messages",
            "X-RateLimit-Limit": str(limit.most),
            "X-RateLimit-Remaining": str(self.limiter.left(channel, limit)),
            "X-RateLimit-Reset-After": f"{limit.seconds / self.speed:.3f}",
        }


def _team(request: web.Request) -> str:
    return request.headers["Authorization"].removeprefix("Bearer xoxb-")


def _server(server: str, rooms: Sequence[dict[str, Any]]) -> dict[str, Any]:
    everyone = {"id": server, "name": "@everyone", "permissions": _ADMINISTRATOR, "position": 0}
    own = {"id": server, "name": f"Server {server}", "owner_id": READER}
    return {**SERVER, **own, "roles": [everyone], "channels": rooms, "members": [MEMBER]}


def _channel(channel: str, server: str) -> dict[str, Any]:
    own = {"id": channel, "name": f"papers-{channel}", "guild_id": server}
    return {**PLACE, **own, "permission_overwrites": []}


def _too_many(wait: float, *, is_global: bool) -> web.Response:
    said = {"message": "You are being rate limited.", "retry_after": wait, "global": is_global}
    answer = as_json(said)
    answer.set_status(429)
    # Without this the library takes it for a ban: https://github.com/Rapptz/discord.py
    answer.headers["Via"] = "1.1 small"
    answer.headers["Retry-After"] = str(math.ceil(wait))
    answer.headers["X-RateLimit-Scope"] = "global" if is_global else "user"
    if is_global:
        answer.headers["X-RateLimit-Global"] = "true"
    return answer


def _made(message: int, channel: str, body: bytes) -> bytes:
    """Return a message as Discord gives it back: what was sent, and what it is beside."""
    own = {"id": str(message + 1_000_000), "channel_id": channel, "type": 0}
    about: dict[str, Any] = {**MESSAGE, **own}
    # Of a name that stands twice the last counts; nothing of a post's is among these.
    beside = json.dumps(about if b'"content"' in body else {"content": "", **about})
    return body.rstrip()[:-1] + b", " + beside[1:].encode()
