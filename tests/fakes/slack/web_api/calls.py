"""Calls of the Web API: their tokens, scopes and arguments.

https://docs.slack.dev/apis/web-api/
"""

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.fakes.faults import Fault
from tests.fakes.slack.records import Json, Message, Team
from tests.fakes.slack.state import World

_BOOLEANS = frozenset(
    {"unfurl_links", "unfurl_media", "mrkdwn", "include_all_metadata", "exclude_archived"}
)
_LISTS = frozenset({"blocks", "attachments", "files"})
_OBJECTS = frozenset({"view", "metadata", "unfurls"})


class ApiError(Exception):
    """An error response, `ok` being false."""

    def __init__(self, error: str, **facts: Any) -> None:
        super().__init__(error)
        self.answer: Json = {"ok": False, "error": error, **facts}


@dataclass(frozen=True, slots=True)
class Refuse(Fault):
    """A fault that is an error response, `ok` being false."""

    error: str


@dataclass(eq=False, slots=True)
class Call:
    """A call of the Web API; `error` is `None` if it was carried out.

    `host` is its Host header, which may be that of a proxy.
    """

    method: str
    arguments: Json
    token: str | None
    at: float
    teams: list[Team] = field(default_factory=list)
    basic: tuple[str, str] | None = None
    error: str | None = None
    posted: Message | None = None
    host: str = ""

    @property
    def team(self) -> Team:
        """The workspace that is named, or has the channel, or is the first."""
        named = [team for team in self.teams if team.id == self.arguments.get("team_id")]
        channel = self.arguments.get("channel") or self.arguments.get("channel_id")
        having = [team for team in self.teams if channel in team.channels]
        return [*named, *having, *self.teams][0]


@dataclass(frozen=True, slots=True)
class Method:
    """A method with its scope and its required and optional arguments."""

    run: Callable[[World, Call], Json]
    scope: str = ""
    required: str = ""
    optional: str = ""
    caller: str = "bot"


async def read_call(request: web.Request, at: float) -> Call:
    """Return the call of a request, from its query, form or JSON body."""
    arguments: Json = dict(request.query)
    if request.content_type == "application/json":
        arguments |= await request.json()
    else:
        arguments |= {str(name): value for name, value in (await request.post()).items()}
        arguments = {name: _read(name, value) for name, value in arguments.items()}
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    token = arguments.pop("token", None) or (secret if kind == "Bearer" else None)
    call = Call(request.match_info["method"], arguments, token, at, host=request.host)
    if kind == "Basic":
        user, _, password = base64.b64decode(secret).decode().partition(":")
        call.basic = (user, password)
    return call


def carry_out(world: World, call: Call, method: Method | None) -> Json:
    """Carry out a call and return its response.

    Raises:
        ApiError: with the error of Slack.
    """
    if method is None:
        raise ApiError(world.refuse(call.method, "unknown_method", "not known", call.arguments))
    if method.caller == "bot":
        call.teams = _teams(world, call.token)
        if method.scope:
            require(call, method.scope)
    _check_arguments(world, call, method)
    return {"ok": True, **method.run(world, call)}


def require(call: Call, scope: str) -> None:
    """Check that a call has a scope.

    Raises:
        ApiError: if the scope is missing.
    """
    granted = call.team.scopes
    if scope not in granted:
        raise ApiError("missing_scope", needed=scope, provided=",".join(sorted(granted)))


def _teams(world: World, token: str | None) -> list[Team]:
    if not token:
        raise ApiError("not_authed")
    if token in world.dead_tokens:
        raise ApiError(world.dead_tokens[token])
    teams = [t for t in world.teams.values() if t.installed and t.bot_token == token]
    if not teams:
        raise ApiError("not_allowed_token_type" if token == world.app_token else "invalid_auth")
    return teams


def _check_arguments(world: World, call: Call, method: Method) -> None:
    """Refuse arguments that are missing, of a wrong type or (stricter than Slack) unknown."""
    required, optional = set(method.required.split()), {*method.optional.split(), "team_id"}
    wrong = [f"{name} is missing" for name in required if call.arguments.get(name) in (None, "")]
    wrong += [f"{name} is no argument" for name in call.arguments.keys() - required - optional]
    wrong += [
        f"{name} is no {_kind(name).__name__}"
        for name, value in call.arguments.items()
        if value is not None and not isinstance(value, _kind(name))
    ]
    if wrong:
        why = "; ".join(wrong)
        raise ApiError(world.refuse(call.method, "invalid_arguments", why, call.arguments))


def _kind(name: str) -> type:
    if name in _BOOLEANS:
        return bool
    return list if name in _LISTS else dict if name in _OBJECTS else str


def _read(name: str, value: object) -> object:
    """Return the value of an argument of a form or a query."""
    text = str(value)
    if name in _BOOLEANS:
        return text in ("1", "true", "True")
    return json.loads(text) if name in _LISTS | _OBJECTS else text
