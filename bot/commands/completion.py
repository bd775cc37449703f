"""How a line may go on: names of commands first, then what the argument at its end may be."""

import re
from collections.abc import Sequence

from bot.commands.parser import (
    LONGEST_RUN,
    Head,
    argument_pattern,
    finds_by_looks,
    parse,
    read_head,
)
from bot.commands.types import Command, Completion, Context, Param
from bot.errors import UserError

# As many as Discord's autocomplete and any screen can show.
# https://docs.discord.com/developers/interactions/application-commands#autocomplete
MOST = 25

_LAST_WORD = re.compile(r"\S*$")
# A named argument at the end of a line, its value perhaps begun: `from:da`, `since:"last `.
_LAST_NAMED = re.compile(r'(?<!\S)(?P<key>[a-z]+):(?P<value>"[^"]*|[^\s"]*)$', re.IGNORECASE)


async def complete_line(
    text: str, commands: Sequence[Command], context: Context
) -> list[Completion]:
    """Return how a line may go on at its end, best first.

    Every one makes a line that can be answered, or is the name of a command that still needs
    an argument.
    """
    before = text[: _last_word(text)].strip().lower()
    if not before or any(command.group == before for command in commands):
        return _names(text, commands)
    head = read_head(text, commands)
    return await _arguments(text, head, head.command, context) if head.command else []


def _names(text: str, commands: Sequence[Command]) -> list[Completion]:
    """Offer commands by the beginning of their name."""
    start = _last_word(text)
    typed = text[start:].lower()
    slash = "/" if typed.startswith("/") else ""
    return [
        Completion(start, slash + command.name, command.summary)
        for command in commands
        if command.name.startswith(typed.removeprefix("/"))
    ]


async def _arguments(text: str, head: Head, command: Command, context: Context) -> list[Completion]:
    given = _given(command, text[head.end :])
    named = _LAST_NAMED.search(text, head.end)
    for param in command.shown:
        if named and named["key"].lower() in param.keys:
            return [] if param.name in given else await _values_of(named, param, context)
    found: list[Completion] = []
    free = [param for param in command.placed if param.name not in given]
    if finds_by_looks(command):
        found += await _looked_for(text, head, command, context)
    elif free:
        found += await _placed(text, head, command, free[0], context)
    return (found + await _keys(text, command, given, context))[:MOST]


def _given(command: Command, rest: str) -> set[str]:
    """Return the names of the arguments that stand named before the last word of a line."""
    before = rest[: _last_word(rest)]
    keys = {match["key"].lower() for match in argument_pattern(command).finditer(before)}
    return {param.name for param in command.params if keys.intersection(param.keys)}


async def _values_of(named: re.Match[str], param: Param, context: Context) -> list[Completion]:
    options = await param.type.complete(named["value"].lstrip('"'), context)
    start = named.start("value")
    return [Completion(start, _quoted(option.value), option.label) for option in options[:MOST]]


async def _placed(
    text: str, head: Head, command: Command, param: Param, context: Context
) -> list[Completion]:
    """Complete an argument that takes the rest of the line behind the named ones."""
    ends = [found.end() for found in argument_pattern(command).finditer(text, head.end)]
    start = max([head.end, *ends])
    start += len(text[start:]) - len(text[start:].lstrip())
    options = await param.type.complete(text[start:], context)
    return [Completion(start, option.value, option.label) for option in options[:MOST]]


async def _looked_for(
    text: str, head: Head, command: Command, context: Context
) -> list[Completion]:
    """Complete arguments that are found by their looks: each that the last few words may begin.

    An offer stands only where the line would be read so.
    """
    found: dict[str, Completion] = {}
    for start in _starts(text, head, command):
        before = text[head.end : start]
        for param in await _free(command, before, context):
            for option in await param.type.complete(text[start:], context):
                if _reads(command, before + option.value).get(param.name) == option.value:
                    line = Completion(start, option.value, option.label)
                    found.setdefault(text[:start] + option.value, line)
    return list(found.values())[:MOST]


def _starts(text: str, head: Head, command: Command) -> list[int]:
    """Return where an argument at the end of a line may begin: the last few words, longest first.

    None reaches over a named argument. Behind a blank nothing is begun yet.
    """
    if text[-1:].isspace() or head.end == len(text):
        return [len(text)]
    named = [found.end() for found in argument_pattern(command).finditer(text, head.end)]
    words = re.finditer(r"\S+", text[max([head.end, *named]) :])
    return [max([head.end, *named]) + word.start() for word in words][-LONGEST_RUN:]


async def _free(command: Command, before: str, context: Context) -> list[Param]:
    """Return the arguments by their place that what stands before leaves, none if that is wrong."""
    given = _reads(command, before)
    try:
        for param in command.placed:
            if param.name in given:
                await param.type.read(given[param.name], context)
    except UserError:
        return []
    return [param for param in command.placed if param.name not in given]


def _reads(command: Command, rest: str) -> dict[str, str]:
    """Return the arguments that a line would have, none where it can't be read."""
    try:
        return parse(f"{command.name} {rest}", [command]).arguments
    except UserError:
        return {}


async def _keys(text: str, command: Command, given: set[str], context: Context) -> list[Completion]:
    """Offer a named argument, with its first few values, once its key is begun."""
    start = _last_word(text)
    typed = text[start:].lower()
    if not typed:
        return []
    found = []
    for param in command.shown:
        if param.key and param.name not in given and f"{param.key}:".startswith(typed):
            for option in (await param.type.complete("", context))[:5]:
                line = f"{param.key}:{_quoted(option.value)}"
                found.append(Completion(start, line, option.label))
    return found


def _last_word(text: str) -> int:
    found = _LAST_WORD.search(text)
    return found.start() if found else len(text)


def _quoted(value: str) -> str:
    return f'"{value}"' if " " in value else value
