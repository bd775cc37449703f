"""The answer to a word that is no command: the nearest ones, and a search. Pure."""

import re
from collections.abc import Sequence
from difflib import get_close_matches

from bot.commands.typed_lines import argument_pattern, without_carried
from bot.commands.types import Command
from bot.domain.typed_text import STOPS
from bot.errors import Suggestion, UserError
from bot.replies.plain_text import quoted

_ALIKE = 0.65  # one letter in three may be wrong
_MEANT = 2  # commands that are suggested for an unknown one
_SHORTEST_SLIP = 4  # letters
_SHORTEST = 3  # letters of a beginning that suggests a command


def find_command(name: str, commands: Sequence[Command]) -> Command:
    """Find a command by its name, or raise `UserError` with the nearest."""
    by_name = {command.name: command for command in commands}
    if command := by_name.get(name.lower()):
        return command
    names = list(by_name)
    near = (f"help {each}" for each in _near(name, names))
    raise _no_command(name, names, [Suggestion(line, line) for line in near])


def unknown_command(name: str, text: str, commands: Sequence[Command]) -> UserError:
    """Return the error for a text that begins with an unknown name."""
    by_name = {command.name: command for command in commands}
    names = list(by_name)
    _, _, rest = text.strip().partition(" ")
    meant = (_meant(by_name[each], rest) for each in _near(name, names))
    suggestions = [Suggestion(line, line) for line in meant]
    suggestions.append(Suggestion(f"Search for {text.strip()[:40]}", f"search {text.strip()}"))
    return _no_command(name, names, suggestions)


def _meant(command: Command, rest: str) -> str:
    """Return the command string that may have been meant, or help if it lacks an argument."""
    if not rest and any(param.required for param in command.params):
        return f"help {command.name}"
    rest = without_carried(command, rest)
    takes_words = any(param.key is None for param in command.shown)
    kept = takes_words or argument_pattern(command).search(rest)
    return f"{command.name} {rest}".strip() if kept else command.name


def _near(name: str, names: list[str]) -> list[str]:
    """Return the names that begin so, then the similar ones."""
    typed = name.lower()
    begun = [each for each in names if len(typed) >= _SHORTEST and each.startswith(typed)]
    alike = get_close_matches(typed, names, n=_MEANT, cutoff=_ALIKE)
    return list(dict.fromkeys([*begun, *alike]))[:_MEANT]


def _no_command(name: str, names: list[str], suggestions: list[Suggestion]) -> UserError:
    return UserError(
        f"There is no command {quoted(name)}.",
        f"The commands are {', '.join(names)}.",
        tuple(suggestions),
    )


def is_slip(text: str, command: Command, error: UserError) -> bool:
    """Tell whether a suggested command string has a word that is a slip away from a typed one."""
    from rapidfuzz.distance import OSA  # here, because few lines need it

    suggested = {
        word
        for each in error.suggestions
        if each.command.startswith(f"{command.name} ")
        for word in re.split(r"[\s:]+", each.command.lower())
    }
    words = (word.rstrip(f"{STOPS}?") for word in text.lower().split()[1:])
    typed = [word for word in words if word not in suggested]
    return any(
        OSA.distance(word, other) == 1
        for word in typed
        if len(word) >= _SHORTEST_SLIP
        for other in suggested
    )
