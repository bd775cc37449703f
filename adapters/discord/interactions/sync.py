"""Registering the commands with Discord if they differ.

https://docs.discord.com/developers/interactions/application-commands#bulk-overwrite-global-application-commands
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from discord import app_commands

Json = Mapping[str, Any]

# Fields that Discord adds to a command, and the deprecated name of contexts.
_IGNORED = frozenset({"id", "application_id", "guild_id", "version", "dm_permission"})
_SETS = frozenset({"channel_types", "contexts", "integration_types"})  # numbers in any order


async def sync(tree: app_commands.CommandTree[Any]) -> bool:
    """Register the commands if Discord has others; return whether that was needed.

    Raises:
        discord.DiscordException: if a call fails.
    """
    if is_same(await local_commands(tree), await registered_commands(tree)):
        return False
    await tree.sync()
    return True


async def local_commands(tree: app_commands.CommandTree[Any]) -> list[Json]:
    """Return the payload that a tree registers, with its translations if it has a translator."""
    commands = tree.get_commands()
    if tree.translator is None:
        return [command.to_dict(tree) for command in commands]
    return [await command.get_translated_payload(tree, tree.translator) for command in commands]


def is_same(local: Iterable[Json], remote: Iterable[Json]) -> bool:
    """Tell whether Discord has the commands as they are declared.

    The order of commands does not matter, nor a field missing on one side and empty on the other.
    The order of options matters, because users see it.
    """
    return _by_name(local) == _by_name(remote)


def _by_name(commands: Iterable[Json]) -> dict[tuple[int, str], Any]:
    return {(each.get("type", 1), each["name"]): _normalized(each) for each in commands}


def _normalized(part: Json) -> dict[str, Any]:
    """Return a command or a part of one without ignored and empty fields."""
    found = {key: _value(key, value) for key, value in part.items() if key not in _IGNORED}
    return {key: value for key, value in found.items() if not _is_empty(value)}


def _value(key: str, value: object) -> object:
    if isinstance(value, Mapping):
        return _normalized(value)
    if not isinstance(value, list):
        return value
    if key in _SETS:
        return sorted(value)
    return [_normalized(each) if isinstance(each, Mapping) else each for each in value]


def _is_empty(value: object) -> bool:
    # A min_value of 0 is not empty.
    return value is None or value is False or (isinstance(value, str | list | dict) and not value)


async def registered_commands(tree: app_commands.CommandTree[Any]) -> list[Json]:
    """Return the commands that Discord has.

    The list has no translations, so translated commands are registered at every start; Discord's
    limit counts only new commands.

    Raises:
        discord.DiscordException: if a call fails.
    """
    return [_as_json(command) for command in await tree.fetch_commands()]


def _as_json(command: app_commands.AppCommand) -> Json:
    permissions = command.default_member_permissions
    fields = command.to_dict()
    return {
        **fields,
        "nsfw": command.nsfw,
        "default_member_permissions": None if permissions is None else permissions.value,
        "contexts": _repaired(fields["contexts"]),
        "integration_types": _repaired(fields["integration_types"]),
    }


def _repaired(numbers: Sequence[int] | None) -> list[int] | None:
    """Return contexts or installation types as Discord numbers them.

    The library (2.7.1, `flags.ArrayFlags`) reads each number one too low and so loses 0, which
    is servers; it is assumed to be there.
    """
    return None if numbers is None else [0, *(number + 1 for number in numbers)]
