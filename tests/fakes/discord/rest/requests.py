"""Requests of the REST API: their tokens, bodies and error responses.

https://docs.discord.com/developers/reference
https://docs.discord.com/developers/topics/opcodes-and-status-codes
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from aiohttp import web

from tests.fakes.discord.rest.attachments import (
    MOST_BYTES,
    Upload,
    attach_uploads,
    uploads_problems,
)
from tests.fakes.discord.rules.components import Json
from tests.fakes.discord.state import World
from tests.fakes.faults import Fault

INVALID_FORM = 50035
# The errors that depend on the state are no mistakes of the bot.
_NO_MISTAKE = frozenset(
    {
        10003,
        10007,
        10008,
        10013,
        40033,
        40060,
        40067,
        50001,
        50007,
        50013,
        50083,
        160002,
        160004,
        160005,
    }
)


class ApiError(Exception):
    """An error response."""

    def __init__(self, status: int, code: int, message: str, why: str = "") -> None:
        super().__init__(message)
        self.status, self.code, self.why = status, code, why or message
        self.answer: Json = {"message": message, "code": code}


@dataclass(frozen=True, slots=True)
class Refuse(Fault):
    """A fault that is an error response."""

    status: int
    code: int
    message: str = "refused on purpose"


@dataclass(eq=False, slots=True)
class Call:
    """A request of the REST API; `code` is `None` if it was carried out."""

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
    files: dict[str, Upload] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The method and path template."""
        return f"{self.method} {self.path}"

    def number(self, name: str) -> int:
        """Return an id of the path.

        Raises:
            ApiError: if it is no number.
        """
        value = self.parameters[name]
        if not value.isdigit():
            raise ApiError(400, INVALID_FORM, "Invalid Form Body", f"{name} is {value}")
        return int(value)


Handler = Callable[[World, Call], Json | list[Json] | None]
Table = dict[tuple[str, str], Handler]


async def read_call(request: web.Request, path: str, at: float) -> Call:
    """Return the call of a request, with its body."""
    body, files = await _read_body(request)
    authorization = request.headers.get("Authorization", "")
    parameters, query = dict(request.match_info), dict(request.query)
    whole = Call(request.method, path, parameters, query, body, authorization, at)
    return replace(whole, headers=request.headers, files=files)


async def _read_body(request: web.Request) -> tuple[Any, dict[str, Upload]]:
    """Return a JSON body, and the uploads of a multipart form.

    https://docs.discord.com/developers/reference#uploading-files
    """
    files: dict[str, Upload] = {}
    kind, text = request.content_type, ""
    if kind == "multipart/form-data":
        form = await request.post()
        part = form.get("payload_json", "")
        text = part.decode() if isinstance(part, bytes | bytearray) else str(part)
        for name, value in form.items():
            if isinstance(value, web.FileField):
                files[name] = Upload(value.filename, value.file.read())
    elif kind == "application/json":
        text = await request.text()
    else:
        await request.read()
    try:
        return (json.loads(text) if text else None), files
    except ValueError:
        return None, files


def carry_out(world: World, call: Call, handler: Handler) -> Json | list[Json] | None:
    """Carry out a request and return its response, `None` for an empty one.

    Raises:
        ApiError: with the error of Discord.
    """
    try:
        _check(world, call)
        attach_uploads(call.body, call.files)
        return handler(world, call)
    except ApiError as refused:
        if refused.code not in _NO_MISTAKE:
            world.refuse(call.name, refused.code, refused.why, call.body)
        raise


def check_payload(world: World, payload: Any, kind: str) -> None:
    """Check a payload.

    Raises:
        ApiError: if Discord would refuse it.
    """
    if wrong := world.payload_problems(payload, kind):
        raise ApiError(400, INVALID_FORM, "Invalid Form Body", "; ".join(wrong))


def _check(world: World, call: Call) -> None:
    own_token = call.path.startswith(("/webhooks/", "/interactions/"))
    if not own_token and call.authorization != f"Bot {world.token}":
        raise ApiError(401, 0, "401: Unauthorized")
    if call.method == "GET":
        return
    if call.body is None and call.headers.get("Content-Length", "0") != "0":
        raise ApiError(400, 50109, "The request body contains invalid JSON.")
    if sum(len(each.data) for each in call.files.values()) > MOST_BYTES:
        raise ApiError(413, 40005, "Request entity too large")
    wrong = world.body_problems(call.method, call.path, call.body)
    if wrong := [*wrong, *uploads_problems(call.body, call.files)]:
        raise ApiError(400, INVALID_FORM, "Invalid Form Body", "; ".join(wrong))
