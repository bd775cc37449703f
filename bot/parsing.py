"""From what was typed to a command and its arguments. Pure."""

import re
from collections.abc import Sequence
from difflib import get_close_matches

from bot.command import Call, Command, Param
from bot.errors import Suggestion, UserError

DEFAULT_COMMAND = "latest"


def parse(text: str, commands: Sequence[Command]) -> Call:
    """Read a line: a command's name, or its group and name, then its arguments.

    An empty line is `latest`.

    Raises:
        UserError: for an unknown command, or arguments that its declaration has no place for.
    """
    words = text.split(maxsplit=1)
    if not words:
        words = [DEFAULT_COMMAND]
    by_name = {command.name: command for command in commands}
    first, rest = words[0].lower().lstrip("/"), words[1] if len(words) > 1 else ""
    if first not in by_name and rest and _is_group(first, commands):
        first, _, rest = rest.partition(" ")
    command = by_name.get(first)
    if command is None:
        raise _unknown(first, text, list(by_name))
    return Call(command, _arguments(command, rest))


def find(name: str, commands: Sequence[Command]) -> Command:
    """Find a command by its name, as one asks for help with it.

    Raises:
        UserError: if there is none, with the nearest.
    """
    for command in commands:
        if command.name == name.lower():
            return command
    names = [command.name for command in commands]
    near = (f"help {each}" for each in _near(name, names))
    raise _no_command(name, names, [Suggestion(line, line) for line in near])


def _is_group(word: str, commands: Sequence[Command]) -> bool:
    return any(command.group == word for command in commands)


def _unknown(name: str, text: str, names: list[str]) -> UserError:
    _, _, rest = text.strip().partition(" ")
    suggestions = [
        Suggestion(line, line) for each in _near(name, names) for line in [f"{each} {rest}".strip()]
    ]
    suggestions.append(Suggestion(f"Search for {text.strip()[:40]}", f"search {text.strip()}"))
    return _no_command(name, names, suggestions)


def _near(name: str, names: list[str]) -> list[str]:
    return get_close_matches(name.lower(), names, n=2, cutoff=0.5)


def _no_command(name: str, names: list[str], suggestions: list[Suggestion]) -> UserError:
    return UserError(
        f"There is no command {name[:40]!r}.",
        f"The commands are {', '.join(names)}.",
        tuple(suggestions),
    )


def _arguments(command: Command, rest: str) -> dict[str, str]:
    named = {param.key: param for param in command.params if param.key}
    arguments: dict[str, str] = {}

    def take(match: re.Match[str]) -> str:
        param = named[match["key"].lower()]
        if param.name in arguments:
            raise UserError(f"{match['key']}: is given twice.", f"Usage: {command.usage}")
        quoted, plain = match["quoted"], match["plain"]
        arguments[param.name] = plain if quoted is None else quoted
        return " "

    if named:
        rest = _named(named).sub(take, rest)
    return arguments | _by_place(command, rest.strip())


def _named(named: dict[str, Param]) -> re.Pattern[str]:
    """Match `key:value` and `key:"two words"` for this command's keys only.

    Any other word with a colon, such as a ref or an address, is left as it is.
    """
    keys = "|".join(map(re.escape, named))
    return re.compile(
        rf'(?<!\S)(?P<key>{keys}):(?:"(?P<quoted>[^"]*)"|(?P<plain>\S+))', re.IGNORECASE
    )


def _by_place(command: Command, rest: str) -> dict[str, str]:
    params = [param for param in command.params if param.key is None]
    if not params and rest:
        raise UserError(
            f"{command.name} has no place for {rest[:60]!r}.", f"Usage: {command.usage}"
        )
    words = rest.split(maxsplit=len(params) - 1)
    return {param.name: word for param, word in zip(params, words, strict=False)}
