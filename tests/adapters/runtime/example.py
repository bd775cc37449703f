"""A platform for tests that records its calls."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from adapters.platform import Declaration, Services
from bot.operations.doctor_checks import Finding, Verdict
from bot.operations.health import Condition, State
from bot.replies.blocks import Reply
from store.records import Channel, KeptToken
from tests.fakes.channel_client import MemoryChannelClient


@dataclass
class Example:
    """A platform that records its calls and fails on request."""

    name: str
    calls: list[str]
    path: str | None = None
    open_error: Exception | None = None
    start_error: Exception | None = None
    drain_error: Exception | None = None
    stop_error: Exception | None = None
    may_start: asyncio.Event | None = None
    starts: asyncio.Event = field(default_factory=asyncio.Event)
    routes: list[web.RouteDef] = field(default_factory=list)
    posts: MemoryChannelClient = field(default_factory=MemoryChannelClient)

    def __post_init__(self) -> None:
        if self.path:
            self.routes.append(web.get(self.path, self._answer))

    async def start(self) -> None:
        """Start, after the event `may_start`, or fail."""
        self.calls.append(f"{self.name} starts")
        self.starts.set()
        if self.may_start:
            await self.may_start.wait()
        if self.start_error:
            raise self.start_error

    async def drain(self) -> None:
        """Drain, or fail."""
        self.calls.append(f"{self.name} drains")
        if self.drain_error:
            raise self.drain_error

    async def stop(self) -> None:
        """Stop, or fail."""
        self.calls.append(f"{self.name} stops")
        if self.stop_error:
            raise self.stop_error

    async def condition(self) -> Condition:
        """Return good health."""
        return Condition(State.OK)

    async def _answer(self, _request: web.Request) -> web.Response:
        return web.Response(text=self.name)

    def open(self, _parts: Services) -> "Example":
        """Open the platform, or fail."""
        self.calls.append(f"{self.name} is opened")
        if self.open_error:
            raise self.open_error
        return self

    @property
    def channel_client(self) -> MemoryChannelClient:
        """The client that posts into memory."""
        return self.posts

    @property
    def declaration(self) -> Declaration:
        """The declaration: the platform is configured if its name is a variable."""
        return Declaration(
            name=self.name,
            setting_names=(self.name.upper(),),
            is_configured=lambda variables: self.name.upper() in variables,
            open=self.open,
            preview=_preview,
            diagnose=_examine,
            setup_hint=f"{self.name} needs {self.name.upper()}.",
        )


def _preview(_reply: Reply) -> dict[str, Any]:
    return {}


async def _examine(
    variables: Mapping[str, str], channels: Sequence[Channel], tokens: Sequence[KeptToken]
) -> list[Finding]:
    return [
        Finding("example", Verdict.WELL, f"It was given {' and '.join(variables)}."),
        *(
            Finding("example", Verdict.NOTE, f"It posts to {each.external_id}.")
            for each in channels
        ),
        *(Finding("example", Verdict.NOTE, f"It speaks to {each.owner}.") for each in tokens),
    ]
