"""A request of the REST API: who makes it, what it carries, how it is refused.

https://docs.discord.com/developers/reference
https://docs.discord.com/developers/topics/opcodes-and-status-codes
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.fakes.discord.judging_components import Json
from tests.fakes.discord.world import World

INVALID_FORM = 50035
# What the state of the world forbids is no mistake of the bot's.
_NO_MISTAKE = frozenset(
    {10003, 10007, 10008, 10013, 40033, 40060, 40067, 50001, 50007, 50013, 50083, 160004, 160005}
)


class Refused(Exception):
    """An answer that is an error."""

    def __init__(self, status: int, code: int, message: str, why: str = "") -> None:
        super().__init__(message)
        self.status, self.code, self.why = status, code, why or message
        self.answer: Json = {"message": message, "code": code}


@dataclass(eq=False, slots=True)
class Call:
    """One request as it came, and how it went: `code` is `None` where it was carried out."""

    method: str
    path: str
    parameters: dict[str, str]
    query: dict[str, str]
    body: Any
    authorization: str
    at: float
    status: int = 0
    code: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Its method and path, by which faults and tests know it."""
        return f"{self.method} {self.path}"

    def number(self, name: str) -> int:
        """Return an id of its path.

        Raises:
            Refused: where it is none.
        """
        value = self.parameters[name]
        if not value.isdigit():
            raise Refused(400, INVALID_FORM, "Invalid Form Body", f"{name} is {value}")
        return int(value)


Handler = Callable[[World, Call], Json | list[Json] | None]
Table = dict[tuple[str, str], Handler]


async def read_call(request: web.Request, path: str, at: float) -> Call:
    """Return a request with its body."""
    text = await request.text()
    try:
        body = json.loads(text) if text and request.content_type == "application/json" else None
    except ValueError:
        body = None
    authorization = request.headers.get("Authorization", "")
    parameters, query = dict(request.match_info), dict(request.query)
    return Call(
        request.method, path, parameters, query, body, authorization, at, headers=request.headers
    )


def carry_out(world: World, call: Call, handler: Handler) -> Json | list[Json] | None:
    """Return the answer to a request, `None` where there is nothing to say.

    Raises:
        Refused: with Discord's words for what is wrong.
    """
    try:
        _check(world, call)
        return handler(world, call)
    except Refused as refused:
        if refused.code not in _NO_MISTAKE:
            world.refuse(call.name, refused.code, refused.why, call.body)
        raise


def judged(world: World, payload: Any, kind: str) -> None:
    """Let a payload pass.

    Raises:
        Refused: where Discord would not take it.
    """
    if wrong := world.wrong(payload, kind):
        raise Refused(400, INVALID_FORM, "Invalid Form Body", "; ".join(wrong))


def _check(world: World, call: Call) -> None:
    own_token = call.path.startswith(("/webhooks/", "/interactions/"))
    if not own_token and call.authorization != f"Bot {world.token}":
        raise Refused(401, 0, "401: Unauthorized")
    if call.method == "GET":
        return
    if call.body is None and call.headers.get("Content-Length", "0") != "0":
        raise Refused(400, 50109, "The request body contains invalid JSON.")
    if wrong := world.wrong_body(call.method, call.path, call.body):
        raise Refused(400, INVALID_FORM, "Invalid Form Body", "; ".join(wrong))
