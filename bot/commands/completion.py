"""Autocomplete: the names of commands, then the values of the last argument."""

import re
from collections.abc import Sequence
from dataclasses import replace

from bot.commands.params.arguments import place_loose
from bot.commands.parser import LONGEST_RUN, FirstWord, matches_by_look, parse, read_head
from bot.commands.typed_lines import argument_pattern
from bot.commands.types import Command, Completion, Context, Param
from bot.domain.typed_text import as_meant
from bot.errors import UserError

# As many as Discord's autocomplete and any screen can show.
# https://docs.discord.com/developers/interactions/application-commands#autocomplete
MOST = 25
_MOST_TYPED = 40  # letters of a last word that are looked through

_LAST_WORD = re.compile(r"\S*$")
# A named argument at the end, its value perhaps begun: `from:da`, `since:"last `.
_LAST_NAMED = re.compile(r'(?<!\S)(?P<key>[a-z]+):\s*(?P<value>"[^"]*|[^\s"]*)$', re.IGNORECASE)


async def complete_text(
    text: str, commands: Sequence[Command], context: Context
) -> list[Completion]:
    """Return completions of the end of a text, best first.

    With each, the text can be answered, or is the name of a command that needs an argument. What
    is typed is read as it was meant; where that has other signs, a completion may replace all.
    """
    meant = as_meant(text)
    found = await _complete(meant, commands, context)
    if meant == text:
        return found
    starts = {each.start: _in_typed(text, meant[: each.start]) for each in found}
    return [
        replace(each, start=0, text=meant[: each.start] + each.text)
        if (start := starts[each.start]) is None
        else replace(each, start=start)
        for each in found
    ]


def _in_typed(text: str, before: str) -> int | None:
    """Return where a typed text goes on behind what was meant before, `None` without a place."""
    words = before.split()
    places = range(len(text), max(-1, len(text) - _MOST_TYPED), -1)
    return next((each for each in places if as_meant(text[:each]).split() == words), None)


async def _complete(text: str, commands: Sequence[Command], context: Context) -> list[Completion]:
    """Complete the end of a text of plain signs."""
    before = text[: _last_word(text)].strip().lower()
    if not before or any(command.group == before for command in commands):
        return _names(text, commands)
    head = read_head(text, commands)
    return await _arguments(text, head, head.command, context) if head.command else []


def _names(text: str, commands: Sequence[Command]) -> list[Completion]:
    """Complete the name of a command."""
    start = _last_word(text)
    typed = text[start:].lower()
    slash = "/" if typed.startswith("/") else ""
    return [
        Completion(start, slash + command.name, command.summary)
        for command in commands
        if command.name.startswith(typed.removeprefix("/"))
    ]


async def _arguments(
    text: str, head: FirstWord, command: Command, context: Context
) -> list[Completion]:
    named = _LAST_NAMED.search(text, head.end)
    before = text[head.end : named.start() if named else _last_word(text)]
    present = _named_before(command, text[head.end : named.start() if named else None])
    for param in command.shown:
        if named and named["key"].lower() in param.keys:
            is_free = param.name not in present and await _has_places(command, before, context)
            return await _values_of(named, param, context) if is_free else []
    found: list[Completion] = []
    free = [param for param in command.placed if param.name not in present]
    if matches_by_look(command):
        found += await _matched_by_look(text, head, command, context)
    elif free:
        found += await _positional(text, head, command, free[0], context)
    keys = await _keys(text, command, present, context)
    if keys and await _has_places(command, before, context):
        found += keys
    return found[:MOST]


async def _has_places(command: Command, before: str, context: Context) -> bool:
    """Tell whether each word of the text before is in some argument's place."""
    try:
        await place_loose(parse(f"{command.name} {before}", [command]), context)
    except UserError:
        return False
    return True


def _named_before(command: Command, rest: str) -> set[str]:
    """Return the names of the arguments that are named before the last word."""
    before = rest[: _last_word(rest)]
    keys = {match["key"].lower() for match in argument_pattern(command).finditer(before)}
    return {param.name for param in command.params if keys.intersection(param.keys)}


async def _values_of(named: re.Match[str], param: Param, context: Context) -> list[Completion]:
    options = await param.type.complete(named["value"].lstrip('"'), context)
    start = named.start("value")
    return [Completion(start, _quoted(option.value), option.label) for option in options[:MOST]]


async def _positional(
    text: str, head: FirstWord, command: Command, param: Param, context: Context
) -> list[Completion]:
    """Complete a positional argument, which takes the rest of the text."""
    start = _after_named(text, head, command)
    start += len(text[start:]) - len(text[start:].lstrip())
    options = await param.type.complete(text[start:], context)
    return [Completion(start, option.value, option.label) for option in options[:MOST]]


async def _matched_by_look(
    text: str, head: FirstWord, command: Command, context: Context
) -> list[Completion]:
    """Complete arguments that are matched by look: each that the last few words may begin.

    A completion is kept only if the whole text is parsed so.
    """
    found: dict[str, Completion] = {}
    for start in _starts(text, head, command):
        before = text[head.end : start]
        for param in await _free_params(command, before, context):
            for option in await param.type.complete(text[start:], context):
                if _reads_so(command, before, param, option.value):
                    completion = Completion(start, option.value, option.label)
                    found.setdefault(text[:start] + option.value, completion)
    return list(found.values())[:MOST]


def _starts(text: str, head: FirstWord, command: Command) -> list[int]:
    """Return where an argument at the end may begin: the last few words, longest first.

    It can't contain a named argument. Behind a blank none is begun yet.
    """
    if text[-1:].isspace() or head.end == len(text):
        return [len(text)]
    named = _after_named(text, head, command)
    return [named + word.start() for word in re.finditer(r"\S+", text[named:])][-LONGEST_RUN:]


def _after_named(text: str, head: FirstWord, command: Command) -> int:
    """Return the end of the last named argument, or of the command's name."""
    named = argument_pattern(command).finditer(text, head.end)
    return max([head.end, *(found.end() for found in named)])


async def _free_params(command: Command, before: str, context: Context) -> list[Param]:
    """Return the placed parameters that the text before leaves, none if that has an error.

    What is required comes before all others.
    """
    try:
        call = await place_loose(parse(f"{command.name} {before}", [command]), context)
        for param in command.placed:
            if param.name in call.arguments:
                await param.type.read(call.arguments[param.name], context)
    except UserError:
        return []
    free = [param for param in command.placed if param.name not in call.arguments]
    return [param for param in free if param.required] or free


def _reads_so(command: Command, before: str, param: Param, value: str) -> bool:
    """Tell whether a value behind a text is read as the argument of a parameter."""
    try:
        call = parse(f"{command.name} {before}{value}", [command])
    except UserError:
        return False
    is_loose = param.type.looks is None and call.loose[-1:] == (value,)
    return is_loose or call.arguments.get(param.name) == value


async def _keys(
    text: str, command: Command, present: set[str], context: Context
) -> list[Completion]:
    """Complete the key of a named argument, with its first few values."""
    start = _last_word(text)
    typed = text[start:].lower()
    if not typed:
        return []
    found = []
    for param in command.shown:
        if param.key and param.name not in present and f"{param.key}:".startswith(typed):
            for option in (await param.type.complete("", context))[:5]:
                named = f"{param.key}:{_quoted(option.value)}"
                found.append(Completion(start, named, option.label))
    return found


def _last_word(text: str) -> int:
    found = _LAST_WORD.search(text)
    return found.start() if found else len(text)


def _quoted(value: str) -> str:
    return f'"{value}"' if " " in value else value
