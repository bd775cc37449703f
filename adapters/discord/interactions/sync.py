"""Registering the commands with Discord, where it holds others.

https://docs.discord.com/developers/interactions/application-commands#bulk-overwrite-global-application-commands
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from discord import app_commands

Json = Mapping[str, Any]

# What Discord gives a command of its own accord, and the older word for contexts.
_NOT_OURS = frozenset({"id", "application_id", "guild_id", "version", "dm_permission"})
_SETS = frozenset({"channel_types", "contexts", "integration_types"})  # numbers in any order


async def sync(tree: app_commands.CommandTree[Any]) -> bool:
    """Register the commands if Discord holds others, and return whether it did.

    Raises:
        discord.DiscordException: as the library, whatever Discord answers.
    """
    if same(await wanted(tree), await registered(tree)):
        return False
    await tree.sync()
    return True


async def wanted(tree: app_commands.CommandTree[Any]) -> list[Json]:
    """Return what a tree registers, in all languages that its translator has, if it has one."""
    commands = tree.get_commands()
    if tree.translator is None:
        return [command.to_dict(tree) for command in commands]
    return [await command.get_translated_payload(tree, tree.translator) for command in commands]


def same(ours: Iterable[Json], held: Iterable[Json]) -> bool:
    """Tell whether Discord holds the commands as we declare them.

    The order of commands does not matter, nor what is left out on one side and empty on the
    other; the order of options is what people see.
    """
    return _by_name(ours) == _by_name(held)


def _by_name(commands: Iterable[Json]) -> dict[tuple[int, str], Any]:
    return {(each.get("type", 1), each["name"]): _declared(each) for each in commands}


def _declared(part: Json) -> dict[str, Any]:
    """Return what is declared of a command or of a part of one, without what says nothing."""
    found = {key: _value(key, value) for key, value in part.items() if key not in _NOT_OURS}
    return {key: value for key, value in found.items() if not _is_empty(value)}


def _value(key: str, value: object) -> object:
    if isinstance(value, Mapping):
        return _declared(value)
    if not isinstance(value, list):
        return value
    if key in _SETS:
        return sorted(value)
    return [_declared(each) if isinstance(each, Mapping) else each for each in value]


def _is_empty(value: object) -> bool:
    # A smallest value of 0 says something.
    return value is None or value is False or (isinstance(value, str | list | dict) and not value)


async def registered(tree: app_commands.CommandTree[Any]) -> list[Json]:
    """Return what Discord holds.

    Its list leaves translations out, so that commands which have any are registered at every
    start; Discord counts only commands that are new to it.

    Raises:
        discord.DiscordException: as the library, whatever Discord answers.
    """
    return [_as_json(command) for command in await tree.fetch_commands()]


def _as_json(command: app_commands.AppCommand) -> Json:
    permissions = command.default_member_permissions
    known = command.to_dict()
    return {
        **known,
        "nsfw": command.nsfw,
        "default_member_permissions": None if permissions is None else permissions.value,
        "contexts": _places(known["contexts"]),
        "integration_types": _places(known["integration_types"]),
    }


def _places(read: Sequence[int] | None) -> list[int] | None:
    """Return where a command is installed or used.

    Of these numbers of Discord's the library (2.7.1, `flags.ArrayFlags`) reads each one too low
    and so loses 0, which is servers: that a command is there has to be assumed.
    """
    return None if read is None else [0, *(number + 1 for number in read)]
