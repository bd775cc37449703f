"""The comparison and registration of commands."""

import copy
from collections.abc import Callable
from typing import Any

import discord
import pytest
from discord import app_commands

from adapters.discord.interactions.command_tree import payload
from adapters.discord.interactions.sync import is_same, local_commands, sync, tables
from bot.commands.handlers import COMMANDS
from bot.commands.types import Command
from tests.adapters.discord.recorded_client import (
    ListeningClient,
    RecordingListener,
    logged_in,
    tree_of,
)
from tests.fakes.discord import FakeDiscord, Refuse

# https://docs.discord.com/developers/interactions/application-commands#application-command-object-application-command-structure
_DEFAULTS: tuple[tuple[str, Any], ...] = (
    ("required", False),
    ("autocomplete", False),
    ("options", []),
)


def new_tree(*commands: Command) -> app_commands.CommandTree[Any]:
    """Return a tree that knows some commands and is connected to nothing."""
    client = ListeningClient(intents=discord.Intents.none())
    return tree_of(client, RecordingListener(), *commands)


def as_held(commands: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return commands as Discord returns them: with ids, in another order."""
    held = [
        {
            **_given_back(each),
            "id": str(number),
            "application_id": "7",
            "version": str(number + 1),
            "dm_permission": True,
            "default_member_permissions": None,
            "contexts": each["contexts"][::-1],
        }
        for number, each in enumerate(commands, start=1000)
    ]
    return held[::-1]


def _given_back(part: dict[str, Any]) -> dict[str, Any]:
    """Return a command without empty fields, its keys in another order."""
    said = {key: value for key, value in reversed(part.items()) if (key, value) not in _DEFAULTS}
    if "options" in said:
        said["options"] = [_given_back(each) for each in said["options"]]
    return said


def test_what_discord_fills_in_is_no_difference() -> None:
    """Ids, versions, defaults and the order of keys and commands do not matter."""
    assert is_same(payload(COMMANDS), as_held(payload(COMMANDS)))


def _describe(papers: dict[str, Any]) -> None:
    papers["options"][0]["description"] += "!"


def _drop_option(papers: dict[str, Any]) -> None:
    papers["options"][0]["options"].pop()


def _drop_command(papers: dict[str, Any]) -> None:
    papers["options"].pop()


def _demand(papers: dict[str, Any]) -> None:
    papers["options"][0]["options"][0]["required"] = True


def _let_no_one_complete(papers: dict[str, Any]) -> None:
    del papers["options"][0]["options"][0]["autocomplete"]


def _reorder(papers: dict[str, Any]) -> None:
    papers["options"].reverse()


def _in_servers_only(papers: dict[str, Any]) -> None:
    papers["integration_types"] = [0]


def _not_in_direct_messages(papers: dict[str, Any]) -> None:
    papers["contexts"] = [0]


def _never_told_where(papers: dict[str, Any]) -> None:
    papers["contexts"] = None


def _for_managers(papers: dict[str, Any]) -> None:
    papers["default_member_permissions"] = 32


def _in_danish(papers: dict[str, Any]) -> None:
    papers["description_localizations"] = {"da": "Slå op"}


def _rename(papers: dict[str, Any]) -> None:
    papers["name"] = "articles"


@pytest.mark.parametrize(
    "change",
    [
        _describe,
        _drop_option,
        _drop_command,
        _demand,
        _let_no_one_complete,
        _reorder,
        _in_servers_only,
        _not_in_direct_messages,
        _never_told_where,
        _for_managers,
        _in_danish,
        _rename,
    ],
)
def test_whatever_is_declared_is_compared(change: Callable[[dict[str, Any]], None]) -> None:
    """A command that differs in anything that people see or may do is another."""
    held = as_held(copy.deepcopy(payload(COMMANDS)))
    [papers] = [each for each in held if each["name"] == "papers"]
    change(papers)
    assert not is_same(payload(COMMANDS), held)


def test_a_command_too_few_or_too_many_is_a_difference() -> None:
    """A missing or an extra command is registered anew."""
    made = payload(COMMANDS)
    assert not is_same(made, as_held(made)[1:])
    assert not is_same(made, [])
    assert not is_same(made, [*as_held(made), {"id": "1", "type": 1, "name": "papers2"}])
    # A command and a menu may have one name.
    assert not is_same(made, [*as_held(made), {"id": "1", "type": 2, "name": "papers"}])


def test_a_smallest_value_of_zero_is_no_default() -> None:
    """Only what is left out, empty or false says nothing."""
    option = {"name": "size", "type": 4, "description": "How many"}
    found = [{"name": "papers", "options": [{**option, "min_value": least}]} for least in (0, None)]
    assert not is_same(found[:1], found[1:])


def test_what_is_registered_is_what_is_printed() -> None:
    """`broadsheet discord commands` shows the very commands of a running bot."""
    assert local_commands(new_tree(*COMMANDS)) == payload(COMMANDS)


PUT = "PUT /applications/{application_id}/commands"


async def _started(fake: FakeDiscord, *commands: Command) -> bool:
    """Return whether a start with some commands registers them."""
    async with logged_in(fake) as client:
        return await sync(tree_of(client, RecordingListener(), *commands))


async def test_a_start_registers_what_discord_does_not_hold() -> None:
    """The first start registers, the next leaves all alone, and one with other commands doesn't."""
    async with FakeDiscord() as fake:
        assert [await _started(fake, *COMMANDS) for _ in range(3)] == [True, False, False]
        assert len(fake.calls(PUT)) == 1
        assert await _started(fake, *COMMANDS[1:])
        assert [each["name"] for each in fake.commands] == ["papers", "Look up papers"]
        assert not await _started(fake, *COMMANDS[1:])


async def test_a_start_undoes_what_was_changed() -> None:
    """A start registers commands that differ in Discord."""
    changes: tuple[tuple[str, Any], ...] = (
        ("contexts", [0]),
        ("contexts", [0, 1]),
        ("contexts", None),
        ("integration_types", [0]),
        ("description", "Another"),
        ("nsfw", True),
        ("default_member_permissions", "32"),
    )
    async with FakeDiscord() as fake:
        await _started(fake, *COMMANDS)
        for name, value in changes:
            before = fake.commands[0][name]
            fake.commands[0][name] = value
            assert await _started(fake, *COMMANDS), name
            assert fake.commands[0][name] == before


async def test_every_language_is_registered() -> None:
    """A start sends the localisations, and registers anew where Discord has others."""
    async with FakeDiscord() as fake:
        await _started(fake, *COMMANDS)
        assert fake.commands[0]["description_localizations"].keys() == tables().keys()
        fake.commands[0]["options"][0]["name_localizations"]["de"] = "anders"
        assert await _started(fake, *COMMANDS)
        assert not await _started(fake, *COMMANDS)


async def test_a_refusal_is_raised() -> None:
    """The caller learns that the commands were not registered."""
    async with FakeDiscord() as fake:
        fake.fail(PUT, Refuse(400, 30034))
        with pytest.raises(discord.HTTPException):
            await _started(fake, *COMMANDS)
