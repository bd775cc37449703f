"""The interaction data of application commands.

Only registered commands and options can be entered.
https://docs.discord.com/developers/interactions/application-commands
"""

from collections.abc import Mapping
from typing import Any

from tests.fakes.discord.records import KINDS, Channel
from tests.fakes.discord.rules.commands import GROUP, SUBCOMMAND
from tests.fakes.discord.rules.components import Json

STRING, INTEGER, BOOLEAN, CHANNEL, NUMBER = 3, 4, 5, 7, 10
CHAT_INPUT, MESSAGE_MENU = 1, 3
_TYPES: dict[int, tuple[type, ...]] = {
    STRING: (str,),
    INTEGER: (int,),
    BOOLEAN: (bool,),
    NUMBER: (int, float),
    CHANNEL: (Channel,),
}


def command_data(
    commands: list[Json], words: str, values: Mapping[str, Any], focused: str | None = None
) -> Json:
    """Return the interaction data of a subcommand of `/papers` with options.

    Args:
        commands: the registered commands.
        words: `latest` or, in a group, `channel settings`.
        values: the values of options by name.
        focused: the option of an autocomplete request, whose value may be incomplete.

    Raises:
        AssertionError: if no user could enter that.
    """
    root = next(each for each in commands if each["type"] == CHAT_INPUT)
    path, found = [root], root
    for word in words.split():
        inside = {each["name"]: each for each in found.get("options", [])}
        assert word in inside, f"/{root['name']} {words} was never registered"
        found = inside[word]
        path.append(found)
    assert len(path) == 1 or found["type"] == SUBCOMMAND, f"{words} is no command"
    offered = {each["name"]: each for each in found.get("options", [])}
    assert values.keys() <= offered.keys(), (
        f"{words} has no options {values.keys() - offered.keys()}"
    )
    missing = [
        name for name, each in offered.items() if each.get("required") and name not in values
    ]
    assert focused or not missing, f"{words} needs {missing}"
    options = [_option(offered[name], value, focused) for name, value in values.items()]
    for step in reversed(path[1:]):
        assert step["type"] in (SUBCOMMAND, GROUP)
        options = [{"name": step["name"], "type": step["type"], "options": options}]
    known = {"id": root["id"], "name": root["name"], "type": CHAT_INPUT, "options": options}
    return {**known, "resolved": {"channels": _channels(values)}}


def message_command(commands: list[Json], name: str | None) -> Json:
    """Return the message command of a name, or the only one.

    Raises:
        AssertionError: if there is none.
    """
    menus = [each for each in commands if each["type"] == MESSAGE_MENU]
    found = [each for each in menus if name in (None, each["name"])]
    assert len(found) == 1, f"the menu of a message has {[each['name'] for each in menus]}"
    return found[0]


def _option(option: Json, value: Any, focused: str | None) -> Json:
    kind, name = option["type"], option["name"]
    if name == focused:
        assert option.get("autocomplete"), f"{name} does not complete itself"
        return {"name": name, "type": kind, "value": str(value), "focused": True}
    right = isinstance(value, _TYPES[kind]) and (kind == BOOLEAN or not isinstance(value, bool))
    assert right, f"{name} takes no {value!r}"
    choices = [each["value"] for each in option.get("choices") or []]
    assert not choices or value in choices, f"{name} is one of {choices}, no {value!r}"
    if kind == CHANNEL:
        kinds = option.get("channel_types")
        assert not kinds or KINDS[value.kind] in kinds, f"{name} offers no {value.kind}"
        return {"name": name, "type": kind, "value": str(value.id)}
    _bounds(
        option, len(value) if kind == STRING else value, "length" if kind == STRING else "value"
    )
    return {"name": name, "type": kind, "value": value}


def _bounds(option: Json, size: float, of: str) -> None:
    least, most = option.get(f"min_{of}"), option.get(f"max_{of}")
    assert least is None or size >= least, f"{option['name']} is at least {least}"
    assert most is None or size <= most, f"{option['name']} is at most {most}"


def _channels(values: Mapping[str, Any]) -> Json:
    named = [value for value in values.values() if isinstance(value, Channel)]
    return {str(channel.id): channel.as_json(permissions=0) for channel in named}
