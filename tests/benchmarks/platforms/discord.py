"""Serve a minimal fake Discord, to which an app connects over the gateway.

https://docs.discord.com/developers/events/gateway
"""

import json
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property
from time import perf_counter
from typing import Any

from aiohttp import web

from tests.benchmarks.platforms.server import FakePlatform

Json = dict[str, Any]

_DISPATCH, _HEARTBEAT, _IDENTIFY, _HELLO, _HEARTBEAT_ACK = 0, 1, 2, 10, 11
# https://docs.discord.com/developers/interactions/application-commands
_SUBCOMMAND, _STRING = 1, 3
_APP, _GUILD, _CHANNEL, READER, _COMMAND = "1", "2", "3", "4", "5"
BOT: Json = {"id": _APP, "username": "bot", "discriminator": "0", "avatar": None, "bot": True}
_USER: Json = {"id": READER, "username": "reader", "discriminator": "0", "avatar": None}
MEMBER: Json = {
    "user": BOT,
    "roles": [],
    "joined_at": "2026-01-05T09:00:00+00:00",
    "deaf": False,
    "mute": False,
    "flags": 0,
}
_READER = {**MEMBER, "user": _USER, "permissions": "2147483648"}  # to use commands
PLACE: Json = {"id": _CHANNEL, "type": 0, "name": "papers", "position": 0, "guild_id": _GUILD}
SERVER: Json = {
    "id": _GUILD,
    "name": "Example",
    "owner_id": READER,
    "roles": [{"id": _GUILD, "name": "@everyone", "permissions": "0", "position": 0}],
    "channels": [PLACE],
    "threads": [],
    "emojis": [],
    "features": [],
    "member_count": 2,
}
_RESPONSES: dict[str, Json | list[Json]] = {
    "users/@me": BOT,
    "users/@me/guilds": [],
    "oauth2/applications/@me": {
        "id": _APP,
        "name": "bot",
        "description": "",
        "icon": None,
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "",
        "owner": _USER,
    },
}
# What a message has beside its id, channel, text and type.
MESSAGE: Json = {
    "author": BOT,
    "timestamp": "2026-01-05T09:00:00+00:00",
    "edited_timestamp": None,
    "tts": False,
    "mention_everyone": False,
    "mentions": [],
    "mention_roles": [],
    "attachments": [],
    "embeds": [],
    "pinned": False,
}
_EPOCH = 1_420_070_400_000  # ms; https://docs.discord.com/developers/reference#snowflakes


class FakeDiscord(FakePlatform):
    """A Discord with one server, where a user sends `/papers` commands."""

    def __init__(self) -> None:
        super().__init__()
        self._commands: list[Json] = []

    @property
    def api_url(self) -> str:
        """The base of its REST API."""
        return f"http://{self.address}/api/v10"

    def routes(self) -> Iterable[web.RouteDef]:
        """Serve the API, answers to interactions and a gateway."""
        return (
            web.get("/api/v10/gateway/bot", self._gateway),
            web.get("/api/v10/applications/{app}/commands", self._listed),
            web.put("/api/v10/applications/{app}/commands", self._overwritten),
            web.post("/api/v10/interactions/{id}/{token}/callback", self._called_back),
            web.post("/api/v10/webhooks/{app}/{token}", _followed_up),
            web.get("/api/v10/{path:.*}", _respond),
            web.get("/gateway/", self._serve),
        )

    def event(self, number: int, command: str) -> tuple[str, str]:
        """Return the token of an interaction and the interaction, made now."""
        name = f"i{number}"
        interaction = {
            "id": str((int(1000 * time.time()) - _EPOCH) << 22 | number % (1 << 22)),
            "token": name,
            "version": 1,
            "application_id": _APP,
            "type": 2,
            "context": 0,
            "data": {
                "id": _COMMAND,
                "name": "papers",
                "type": 1,
                "options": [_subcommand(command)],
            },
            "guild_id": _GUILD,
            "guild": {"id": _GUILD, "features": [], "locale": "en-US"},
            "channel_id": _CHANNEL,
            "channel": PLACE,
            "member": _READER,
            "locale": "en-US",
            "guild_locale": "en-US",
            "app_permissions": "2147483648",
            "entitlements": [],
            "authorizing_integration_owners": {"0": _GUILD},
            "attachment_size_limit": 10_485_760,
        }
        sequence = number + 1 + len(self.servers)
        return name, _dispatch("INTERACTION_CREATE", sequence, interaction)

    @cached_property
    def servers(self) -> list[Json]:
        """Return the servers that the bot is in."""
        return [SERVER]

    async def _gateway(self, _request: web.Request) -> web.Response:
        limit = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
        address = f"ws://{self.address}/gateway/"
        return as_json({"url": address, "shards": 1, "session_start_limit": limit})

    async def _listed(self, _request: web.Request) -> web.Response:
        return as_json(self._commands)

    async def _overwritten(self, request: web.Request) -> web.Response:
        known = {"description": "", "id": _COMMAND, "application_id": _APP, "version": "1"}
        self._commands = [{**known, **each} for each in await request.json()]
        return as_json(self._commands)

    async def _called_back(self, request: web.Request) -> web.Response:
        text = await request.text()
        came = perf_counter()
        self.answered(request.match_info["token"], came, text)
        return as_json(_made(request.match_info["id"], json.loads(text)))

    async def _serve(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_str(json.dumps({"op": _HELLO, "d": {"heartbeat_interval": 41_250}}))
        with suppress(ConnectionError):  # it broke off, as an app that is ended does
            async for message in socket:
                match json.loads(message.data)["op"]:
                    case int(op) if op == _HEARTBEAT:
                        await socket.send_str(json.dumps({"op": _HEARTBEAT_ACK}))
                    case int(op) if op == _IDENTIFY:
                        await self._welcome(socket)
        return socket

    async def _welcome(self, socket: web.WebSocketResponse) -> None:
        ready = {
            "v": 10,
            "user": BOT,
            "guilds": [{"id": each["id"], "unavailable": True} for each in self.servers],
            "session_id": "s1",
            "resume_gateway_url": f"ws://{self.address}/gateway/",
            "shard": [0, 1],
            "application": {"id": _APP, "flags": 0},
        }
        await socket.send_str(_dispatch("READY", 1, ready))
        for number, server in enumerate(self.servers, 2):
            await socket.send_str(_dispatch("GUILD_CREATE", number, server))
        self.hold(socket)


def _subcommand(command: str) -> Json:
    """Return a command string as an option; `search` has its words as an option of its own."""
    name, _, words = command.partition(" ")
    options = [{"name": "query", "type": _STRING, "value": words}] if words else []
    return {"name": name, "type": _SUBCOMMAND, "options": options}


async def _followed_up(request: web.Request) -> web.Response:
    """Take what follows an answer: the welcome, once."""
    return as_json(_message(request.match_info["token"], await request.json()))


async def _respond(request: web.Request) -> web.Response:
    return as_json(_RESPONSES[request.match_info["path"]])


def _dispatch(event: str, sequence: int, data: Json) -> str:
    return json.dumps({"op": _DISPATCH, "t": event, "s": sequence, "d": data})


def as_json(answer: object) -> web.Response:
    """Return an answer as Discord gives it."""
    # The library takes nothing else for JSON, not even with a charset.
    return web.Response(body=json.dumps(answer).encode(), content_type="application/json")


def _made(interaction: str, answer: Json) -> Json:
    """Return the response to an answer: the message as Discord returns it."""
    about = {"id": interaction, "type": 2, "response_message_id": interaction}
    message = _message(interaction, answer["data"])
    return {"interaction": about, "resource": {"type": answer["type"], "message": message}}


def _message(number: str, content: Json) -> Json:
    told = {"content": "", "components": [], **content}
    return {**told, **MESSAGE, "id": number, "channel_id": _CHANNEL, "type": 20}
