"""Registering the commands with Discord if they differ, with their names in other languages.

https://docs.discord.com/developers/interactions/application-commands#bulk-overwrite-global-application-commands
https://docs.discord.com/developers/interactions/application-commands#localization
"""

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import discord
from discord import app_commands
from discord.http import Route

Json = Mapping[str, Any]

# The fields that are declared; Discord adds ids, versions and deprecated names.
_COMPARED = frozenset(
    {
        "type", "name", "name_localizations", "description", "description_localizations",
        "default_member_permissions", "contexts", "integration_types", "nsfw", "options",
        "required", "autocomplete", "choices", "value", "channel_types", "min_value", "max_value",
        "min_length", "max_length",
    }
)  # fmt: skip
_SETS = frozenset({"channel_types", "contexts", "integration_types"})  # numbers in any order


async def sync(tree: app_commands.CommandTree[Any]) -> bool:
    """Register the commands if Discord has others; return whether that was needed.

    Raises:
        discord.DiscordException: if a call fails.
    """
    client, commands = tree.client, local_commands(tree)
    if is_same(commands, await registered_commands(client)):
        return False
    # The library's own `sync` would send them in English.
    await client.http.bulk_upsert_global_commands(_application(client), payload=commands)
    return True


def local_commands(tree: app_commands.CommandTree[Any]) -> list[dict[str, Any]]:
    """Return the commands of a tree as they are registered, in all languages."""
    return [localised(command.to_dict(tree)) for command in tree.get_commands()]


def is_same(local: Iterable[Json], remote: Iterable[Json]) -> bool:
    """Tell whether Discord has the commands as they are declared.

    The order of commands does not matter, nor a field missing on one side and empty on the other.
    The order of options matters, because users see it.
    """
    return _by_name(local) == _by_name(remote)


def _by_name(commands: Iterable[Json]) -> dict[tuple[int, str], Any]:
    return {(each.get("type", 1), each["name"]): _normalized(each) for each in commands}


def _normalized(part: Json) -> dict[str, Any]:
    """Return a command or a part of one with its declared fields, without empty ones."""
    found = {key: _value(key, value) for key, value in part.items() if key in _COMPARED}
    return {key: value for key, value in found.items() if not _is_empty(value)}


def _value(key: str, value: object) -> object:
    if key == "default_member_permissions" and isinstance(value, int):
        return str(value)  # as Discord returns them
    if not isinstance(value, list):
        return value
    if key in _SETS:
        return sorted(value)
    return [_normalized(each) if isinstance(each, Mapping) else each for each in value]


def _is_empty(value: object) -> bool:
    # A min_value of 0 is not empty.
    return value is None or value is False or (isinstance(value, str | list | dict) and not value)


async def registered_commands(client: discord.Client) -> list[Json]:
    """Return the commands that Discord has, in all languages, which the library leaves out.

    https://docs.discord.com/developers/interactions/application-commands#get-global-application-commands

    Raises:
        discord.DiscordException: if a call fails.
    """
    path = "/applications/{application_id}/commands"
    route = Route("GET", path, application_id=_application(client))
    found: list[Json] = await client.http.request(route, params={"with_localizations": "true"})
    return found


def _application(client: discord.Client) -> int:
    """Return the application's id, which a client knows from its login on."""
    if client.application_id is None:
        raise discord.MissingApplicationID
    return client.application_id


_SUBCOMMAND, _GROUP = 1, 2
_SAME = {"es-419": "es-ES"}


@cache
def tables() -> Mapping[str, Json]:
    """Return the tables of `localisations.toml` by locale; its head says how they read."""
    found = tomllib.loads(files(__package__).joinpath("localisations.toml").read_text("utf-8"))
    return found | {locale: found[same] for locale, same in _SAME.items()}


def localised(part: Json, command: str | None = None) -> dict[str, Any]:
    """Return the payload of a command, or of an option of `command`, in all languages.

    What a language has no words for stays in English there.
    """
    name, kind = part["name"], part.get("type")
    is_option = command is not None and kind not in (_SUBCOMMAND, _GROUP)
    keys = (f"{command} {name}", name) if is_option else (name,)
    texts = _texts("options" if is_option else "commands", keys)
    localisations = {
        "name_localizations": {locale: named for locale, (named, _) in texts.items()},
        "description_localizations": {locale: says for locale, (_, says) in texts.items() if says},
    }
    made = {**part, **{field: found for field, found in localisations.items() if found}}
    if "options" in part:
        made["options"] = [localised(each, name) for each in part["options"]]
    return made


def _texts(kind: str, keys: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the name and the description by locale, of the first key that a locale has."""
    known = {locale: table[kind] for locale, table in tables().items()}
    found = {
        locale: next((texts[key] for key in keys if key in texts), None)
        for locale, texts in known.items()
    }
    return {locale: texts for locale, texts in found.items() if texts}
