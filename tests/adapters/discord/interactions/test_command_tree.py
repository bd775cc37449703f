"""The registered commands."""

from typing import Any

import pytest

from adapters.discord.interactions.command_tree import payload
from bot.commands.handlers import COMMANDS
from bot.commands.types import Command, Group
from tests.adapters.discord.interactions.sample_commands import (
    COMMAND_PARAMS,
    command,
    param,
    sample_command,
)
from tests.fakes.discord.rules.commands import command_size
from tests.fakes.discord.rules.messages import problems
from tests.fakes.discord.rules.openapi import openapi_problems

# https://docs.discord.com/developers/interactions/application-commands
MOST_CHILDREN = 20
MOST_CHARACTERS = 8000
LONGEST_SUMMARY = 100
TEXT, NUMBER, CHANNEL = 3, 4, 7


def whole_table() -> list[Command]:
    """Return all commands, those that are still to come with the longest summaries."""
    known = {each.name: each for each in COMMANDS}
    return [
        known.get(name) or sample_command(name, group, "x" * LONGEST_SUMMARY)
        for group, commands in COMMAND_PARAMS.items()
        for name in commands
    ]


def test_a_command_is_registered_as_it_is_declared() -> None:
    """Names, summaries and options are the declaration's, whatever Python thinks of the names."""
    declared = command("find", Group.LOOKUP, param("not", "Leave these out"), param("interaction"))
    [papers, _] = payload([declared])
    assert [_in_english(each) for each in papers["options"]] == [
        {
            "type": 1,
            "name": "find",
            "description": "What it does",
            "options": [
                {
                    "type": TEXT,
                    "name": name,
                    "description": summary,
                    "required": False,
                    "autocomplete": True,
                }
                for name, summary in (("not", "Leave these out"), ("interaction", "What it is"))
            ],
        }
    ]


def test_options_are_asked_for_by_their_kind() -> None:
    """A number is an integer; a channel is one that can be posted to; neither completes itself."""
    [papers, _] = payload([sample_command("subscribe", Group.CHANNEL, "Weekly posts")])
    options = papers["options"][0]["options"][0]["options"]
    odd = [option for option in options if option["type"] != TEXT]
    assert [(option["name"], option["type"]) for option in odd] == [
        ("channel", CHANNEL),
        ("size", NUMBER),
    ]
    assert odd[0]["channel_types"] == [0, 5, 15, 11, 12, 10]
    assert not any(option.get("autocomplete") for option in odd)


def test_a_number_is_held_to_its_bounds() -> None:
    """Discord refuses what the command would refuse, while it is typed."""
    options = {each["name"]: each for each in _options(payload(COMMANDS)[0])}
    size = options["size"]
    assert (size["type"], size["min_value"], size["max_value"]) == (NUMBER, 1, 25)


def test_required_options_come_first() -> None:
    """Discord refuses an optional option before a required one, however they are declared."""
    options = param("source"), param("paper", required=True), param("topic")
    [papers, _] = payload([command("show", Group.LOOKUP, *options)])
    asked = [(each["name"], each["required"]) for each in papers["options"][0]["options"]]
    assert asked == [("paper", True), ("source", False), ("topic", False)]


def test_lookups_are_children_and_the_rest_stands_in_groups() -> None:
    """A group holds its commands under its own name, and one without commands is not there."""
    [papers, _] = payload(
        [
            command("latest", Group.LOOKUP),
            command("settings", Group.CHANNEL),
            command("help", Group.LOOKUP),
        ]
    )
    assert [(each["name"], each["type"]) for each in papers["options"]] == [
        ("latest", 1),
        ("channel", 2),
        ("help", 1),
    ]
    assert papers["options"][1]["description"] == "In a channel"
    assert [each["name"] for each in papers["options"][1]["options"]] == ["settings"]


def test_all_can_be_used_everywhere() -> None:
    """Servers and people may install it, and it is there in servers and direct messages."""
    for made in payload(COMMANDS):
        assert made["integration_types"] == [0, 1]
        assert made["contexts"] == [0, 1, 2]
        assert made["default_member_permissions"] is None
    assert [(each["name"], each["type"]) for each in payload(COMMANDS)] == [
        ("papers", 1),
        ("Look up papers", 3),
    ]


def test_every_command_has_the_promised_name_options_and_group() -> None:
    """The declared commands have the documented options, and help describes each."""
    for each in COMMANDS:
        shown = tuple(param.name for param in each.shown)
        assert (each.name, shown) == (each.name, COMMAND_PARAMS[each.group].get(each.name, ()))


def test_what_is_for_buttons_is_no_option() -> None:
    """A hidden parameter, such as the page, is not an option."""
    names = {option["name"] for option in _options(payload(COMMANDS)[0])}
    assert "query" in names
    assert "page" not in names


@pytest.mark.parametrize("commands", [list(COMMANDS), whole_table()], ids=["now", "in the end"])
def test_discord_takes_the_commands(commands: list[Command]) -> None:
    """They keep every limit of Discord's, today and with all commands that are to come."""
    made = payload(commands)
    assert len(made[0]["options"]) <= MOST_CHILDREN
    assert command_size(made[0]) <= MOST_CHARACTERS
    assert problems(made, "commands") == []
    assert openapi_problems("PUT", "/applications/{application_id}/commands", made) == []


def _in_english(part: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in part.items() if not name.endswith("_localizations")}
    return kept | {"options": [*map(_in_english, part["options"])]} if "options" in part else kept


def _options(part: dict[str, Any]) -> list[dict[str, Any]]:
    inner = part.get("options", [])
    return [*inner, *(option for each in inner for option in _options(each))]
