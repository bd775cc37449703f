"""The checks of application commands.

https://docs.discord.com/developers/interactions/application-commands
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.fakes.discord.rules.components import Json, length

SUBCOMMAND, GROUP = 1, 2
_CHAT_INPUT = 1
_MOST = {_CHAT_INPUT: 100, 2: 5, 3: 5}
_OPTIONS = 25
_CHOICES = 25
_SIZE = 8000


def commands_problems(commands: list[Json]) -> Iterator[str]:
    """Yield the problems of the commands of one scope."""
    kinds = Counter(command.get("type", _CHAT_INPUT) for command in commands)
    yield from (f"{count} commands of type {k}" for k, count in kinds.items() if count > _MOST[k])
    yield from _twice([(each.get("type", _CHAT_INPUT), each["name"]) for each in commands])
    for command in commands:
        if command.get("type", _CHAT_INPUT) == _CHAT_INPUT:
            yield from _option_problems(command, depth=0)
            if (size := command_size(command)) > _SIZE:
                yield f"{command['name']} holds {size} characters, of {_SIZE}"
        else:
            yield from length("a command's name", command["name"].strip(), 1, 32)
            if command.get("description") or command.get("options"):
                yield f"{command['name']} has a description or options, being in a context menu"


def command_size(command: Json) -> int:
    """Return the number of characters that count, of each text in its longest localization."""
    own = sum(_longest(command, name) for name in ("name", "description"))
    choices = sum(
        _longest(choice, "name") + len(str(choice["value"]))
        for choice in command.get("choices", [])
    )
    return own + choices + sum(command_size(option) for option in command.get("options", []))


def _longest(thing: Json, name: str) -> int:
    languages = (thing.get(f"{name}_localizations") or {}).values()
    return max(len(text) for text in (thing.get(name) or "", *languages))


def _option_problems(option: Json, depth: int) -> Iterator[str]:
    name, inner = option["name"], option.get("options") or []
    for text in (name, *(option.get("name_localizations") or {}).values()):
        if not _is_name(text):
            yield f"{text!r} is no name of a command or option"
    for text in (
        option.get("description"),
        *(option.get("description_localizations") or {}).values(),
    ):
        yield from length(f"the description of {name}", (text or "").strip(), 1, 100)
    if len(inner) > _OPTIONS:
        yield f"{name} has {len(inner)} options, of {_OPTIONS}"
    if len(option.get("choices") or []) > _CHOICES:
        yield f"{name} has {len(option['choices'])} choices, of {_CHOICES}"
    if option.get("choices") and option.get("autocomplete"):
        yield f"{name} has choices and autocomplete"
    yield from _twice([each["name"] for each in inner])
    yield from _order_problems(option, inner, depth)
    for each in inner:
        yield from _option_problems(each, depth + 1)


def _order_problems(option: Json, inner: list[Json], depth: int) -> Iterator[str]:
    name, kind = option["name"], option.get("type")
    children = [each["type"] in (SUBCOMMAND, GROUP) for each in inner]
    if any(children) and not all(children):
        yield f"{name} has subcommands beside options"
    if any(each["type"] == GROUP for each in inner) and depth > 0:
        yield f"{name} has a group, being one"
    if any(children) and depth > 0 and kind != GROUP:
        yield f"{name} has subcommands, being one"
    required = [bool(each.get("required")) for each in inner]
    if required != sorted(required, reverse=True):
        yield f"{name} has an optional option before a required one"


def _is_name(text: str) -> bool:
    fits = 1 <= len(text) <= 32 and text == text.lower()
    return fits and all(sign.isalnum() or sign in "-_'" for sign in text)


def _twice(names: list[Any]) -> Iterator[str]:
    yield from (f"{name} stands twice" for name, count in Counter(names).items() if count > 1)
