"""Requests for the application, its commands, guilds and direct message channels."""

from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.records import Channel, Guild
from tests.fakes.discord.rest.requests import ApiError, Call, Table, check_payload
from tests.fakes.discord.rules.components import Json
from tests.fakes.discord.state import World

_LOCALISED = ("name_localizations", "description_localizations")


def _me(world: World, _: Call) -> Json:
    return {**world.bot.as_json(), "verified": True, "mfa_enabled": False, "email": None}


def _application(world: World, _: Call) -> Json:
    owner = {**world.bot.as_json(), "id": "1", "username": "owner", "bot": False}
    known = {"id": str(world.application_id), "name": "Broadsheet", "description": "", "icon": None}
    state = {
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": 0,
    }
    types: Json = {"integration_types_config": {"0": {}, "1": {}}}
    return {
        **known,
        **state,
        **types,
        "owner": owner,
        "team": None,
        "rpc_origins": [],
        "summary": "",
        **world.app,
    }


def _gateway(world: World, call: Call) -> Json:
    limit = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
    url = f"ws://{call.headers['Host']}/gateway/"
    return {"url": url, "shards": world.shards, "session_start_limit": limit}


def _get_commands(world: World, call: Call) -> list[Json]:
    _own(world, call)
    whole = call.query.get("with_localizations") in ("true", "1")
    return world.commands if whole else [_without_languages(each) for each in world.commands]


def _get_guild_commands(world: World, call: Call) -> list[Json]:
    _own(world, call)
    return world.guild_commands.get(known_guild(world, call).id, [])


def _put_commands(world: World, call: Call) -> list[Json]:
    _own(world, call)
    check_payload(world, call.body, "commands")
    before = {(each["type"], each["name"]): each["id"] for each in world.commands}
    world.commands = [_registered(world, each, before) for each in call.body]
    return world.commands


def _registered(world: World, command: Json, before: dict[tuple[int, str], str]) -> Json:
    kind = command.get("type", 1)
    permissions = command.get("default_member_permissions")
    known = before.get((kind, command["name"])) or str(world.next_id())
    ids = {
        "id": known,
        "application_id": str(world.application_id),
        "version": str(world.next_id()),
    }
    defaults = {"description": "", "contexts": None, "integration_types": [0], "nsfw": False}
    needed = None if permissions is None else str(permissions)
    return {**defaults, **command, **ids, "type": kind, "default_member_permissions": needed}


def _without_languages(thing: Json) -> Json:
    """Return a command without localizations, which only `with_localizations` adds."""
    kept = {name: value for name, value in thing.items() if name not in _LOCALISED}
    for inner in ("options", "choices"):
        if inner in kept:
            kept[inner] = [_without_languages(each) for each in kept[inner]]
    return kept


def _own(world: World, call: Call) -> None:
    if call.number("application_id") != world.application_id:
        raise ApiError(403, 20012, "You are not authorized to perform this action on this app")


def _open_dm(world: World, call: Call) -> Json:
    user = world.users.get(int(call.body["recipient_id"]))
    if user is None or user.bot:
        raise ApiError(400, 50033, "Invalid Recipient(s)")
    return world.dm_with(user).as_json()


def _guilds(world: World, call: Call) -> list[Json]:
    after, limit = int(call.query.get("after", 0)), int(call.query.get("limit", 200))
    ours = sorted(each.id for each in world.guilds.values() if each.bot_in and each.id > after)
    return [world.guilds[each].partial_json() for each in ours[:limit]]


def _guild(world: World, call: Call) -> Json:
    return known_guild(world, call).partial_json()


def _guild_channels(world: World, call: Call) -> list[Json]:
    every = known_guild(world, call).channels.values()
    return [each.as_json() for each in every if not each.is_thread and not each.deleted]


def _member(world: World, call: Call) -> Json:
    member = known_guild(world, call).members.get(call.number("user_id"))
    if member is None:
        raise ApiError(404, 10007, "Unknown Member")
    return member.as_json()


def _active_threads(world: World, call: Call) -> Json:
    every = [each for each in known_guild(world, call).channels.values() if each.is_thread]
    seen = [each for each in every if world.bot_permissions(each) & Permission.VIEW_CHANNEL]
    return threads_json([each for each in seen if not each.archived])


def threads_json(threads: list[Channel]) -> Json:
    """Return the JSON of a list of threads, the newest first."""
    there = sorted((each for each in threads if not each.deleted), key=lambda each: -each.id)
    return {"threads": [each.as_json() for each in there], "members": [], "has_more": False}


def known_guild(world: World, call: Call) -> Guild:
    """Return the guild of a request.

    Raises:
        ApiError: if the bot is not in it.
    """
    guild = world.guilds.get(call.number("guild_id"))
    if guild is None:
        raise ApiError(404, 10004, "Unknown Guild")
    if not guild.bot_in:
        raise ApiError(403, 50001, "Missing Access")
    return guild


APP: Table = {
    ("GET", "/users/@me"): _me,
    ("GET", "/oauth2/applications/@me"): _application,
    ("GET", "/applications/@me"): _application,
    ("GET", "/gateway/bot"): _gateway,
    ("GET", "/applications/{application_id}/commands"): _get_commands,
    ("PUT", "/applications/{application_id}/commands"): _put_commands,
    ("GET", "/applications/{application_id}/guilds/{guild_id}/commands"): _get_guild_commands,
    ("POST", "/users/@me/channels"): _open_dm,
    ("GET", "/users/@me/guilds"): _guilds,
    ("GET", "/guilds/{guild_id}"): _guild,
    ("GET", "/guilds/{guild_id}/channels"): _guild_channels,
    ("GET", "/guilds/{guild_id}/members/{user_id}"): _member,
    ("GET", "/guilds/{guild_id}/threads/active"): _active_threads,
}
