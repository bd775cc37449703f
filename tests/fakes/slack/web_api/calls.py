"""A call of the Web API: who calls, whether they may, and whether the arguments make sense.

https://docs.slack.dev/apis/web-api/
"""

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass, field

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
    """An answer whose `ok` is false."""

    def __init__(self, error: str, **facts: str) -> None:
        super().__init__(error)
        self.answer: Json = {"ok": False, "error": error, **facts}


@dataclass(frozen=True, slots=True)
class Refuse(Fault):
    """A fault that is an error response, `ok` being false."""

    error: str


@dataclass(eq=False, slots=True)
class Call:
    """One call as it came, and how it went: `error` is `None` where it was carried out.

    `host` is by what name and port it reached Slack, which may be another's in between.
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
        """The workspace meant: named, or the one that has the channel, or the only one."""
        named = [team for team in self.teams if team.id == self.arguments.get("team_id")]
        channel = self.arguments.get("channel")
        having = [team for team in self.teams if channel in team.channels]
        return [*named, *having, *self.teams][0]


@dataclass(frozen=True, slots=True)
class Method:
    """What a method does, which scope it needs, which arguments it must and may have."""

    run: Callable[[World, Call], Json]
    scope: str = ""
    must: str = ""
    may: str = ""
    caller: str = "bot"


async def read_call(request: web.Request, at: float) -> Call:
    """Return a call from its query, form or JSON body."""
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
    """Return the answer to a call.

    Raises:
        ApiError: with Slack's word for what is wrong.
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
    """Let nobody go on who lacks a scope.

    Raises:
        ApiError: where it is lacking.
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
    """Refuse what is missing, of the wrong kind, or (stricter than Slack) of no effect."""
    must, may = set(method.must.split()), {*method.may.split(), "team_id"}
    wrong = [f"{name} is missing" for name in must if call.arguments.get(name) in (None, "")]
    wrong += [f"{name} is no argument" for name in call.arguments.keys() - must - may]
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
    """Return what a form's or a query's text stands for."""
    text = str(value)
    if name in _BOOLEANS:
        return text in ("1", "true", "True")
    return json.loads(text) if name in _LISTS | _OBJECTS else text
