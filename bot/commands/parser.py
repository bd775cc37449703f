"""From what was typed to a command and its arguments, and back. Pure."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from bot.commands.types import Call, Command, Param
from bot.errors import Suggestion, UserError
from bot.replies.plain_text import quoted

DEFAULT_COMMAND = "latest"
# A line must fit whole behind a button; Slack's hold 2,000 characters.
LONGEST_LINE = 1000
LONGEST_RUN = 3  # words that may look like one argument together: "at 9 am"
_ALIKE = 0.65  # one letter in three may be wrong
_MEANT = 2  # commands that are offered for one that there isn't
_SHORTEST = 3  # letters that begin a command which was meant


def parse(text: str, commands: Sequence[Command]) -> Call:
    """Read a line: a command's name, or its group and name, then its arguments.

    An empty line is `latest`.

    Raises:
        UserError: for an unknown command, or arguments that its declaration has no place for, and
            for a line that is too long.
    """
    require_short(len(text))
    head = read_head(text, commands)
    if head.command is None:
        raise _unknown(head.word, text, commands)
    return Call(head.command, _arguments(head.command, text[head.end :]))


def require_short(length: int) -> None:
    """Refuse a line of so many characters if no button can carry it.

    Raises:
        UserError: if it is longer than `LONGEST_LINE`.
    """
    if length > LONGEST_LINE:
        raise UserError(
            f"That is {length:,} characters long; a command may have {LONGEST_LINE:,}.",
            "Ask for it in fewer words.",
        )


@dataclass(frozen=True, slots=True)
class Head:
    """How a line begins: the word, its command if it is one, and where it ends in the line."""

    word: str
    command: Command | None
    end: int


# What is pasted as it stands in an answer or a page begins with what opens it in a chat.
_WORD = re.compile(r"\s*(?:/papers(?!\S)\s*)?/?(\S*)", re.IGNORECASE)


def read_head(text: str, commands: Sequence[Command]) -> Head:
    """Find the command that a line begins with; a group before it says nothing more."""
    by_name = {command.name: command for command in commands}
    first = _next_word(text, 0)
    if not first[1]:
        return Head("", by_name.get(DEFAULT_COMMAND), first.end())
    word, end = first[1].lower(), first.end()
    if word not in by_name and any(command.group == word for command in commands):
        second = _next_word(text, end)
        if second[1].lower() in by_name:
            word, end = second[1].lower(), second.end()
    return Head(word, by_name.get(word), end)


def write(command: Command, arguments: Mapping[str, object]) -> str:
    """Return the line that calls a command with these arguments: what a button carries.

    Those that are `None` are left out.
    """
    texts = {
        name: " ".join(str(value).split()) for name, value in arguments.items() if value is not None
    }
    by_place = _by_looks(command, texts) if finds_by_looks(command) else _in_order(command, texts)
    placed = [_unnamed(command, texts[name]) for name in by_place]
    named = [
        f"{param.key or param.name}:{_quoted(texts[param.name])}"
        for param in command.params
        if param.name in texts and param.name not in by_place
    ]
    return " ".join([command.name, *placed, *named])


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


def argument_pattern(command: Command) -> re.Pattern[str]:
    """Match `key:value` and `key:"two words"` for this command's keys only.

    Any other word with a colon, such as a ref or an address, is left as it is. Quotes may be curly,
    as telephones make them. A value that may be several goes on after a comma: `topic:agents, rag`.
    """
    keys = _any(key for param in command.params for key in param.keys)
    listed = _any(key for param in command.params if param.type.several for key in param.keys)
    on = rf"(?:(?<=,)\s+|\s+(?=,))(?!(?:{keys}):)\S+"
    return re.compile(
        rf"(?<!\S)(?P<key>(?P<listed>{listed})|{keys}):"
        r'(?:"(?P<quoted>[^"]*)"|[“”„](?P<curly>[^"“”]*)[“”]|'
        rf"(?P<plain>(?(listed)\S+(?:{on})*|\S+)))",
        re.IGNORECASE,
    )


def _any(keys: Iterable[str]) -> str:
    """Return a pattern that matches any of some keys; of none it matches nothing."""
    return "|".join(map(re.escape, keys)) or "(?!)"


def _next_word(text: str, start: int) -> re.Match[str]:
    found = _WORD.match(text, start)
    if found is None:
        raise AssertionError("the pattern matches the empty text")
    return found


def _unknown(name: str, text: str, commands: Sequence[Command]) -> UserError:
    names = [command.name for command in commands]
    _, _, rest = text.strip().partition(" ")
    near = [find(each, commands) for each in _near(name, names)]
    suggestions = [Suggestion(line, line) for each in near for line in [_meant(each, rest)]]
    suggestions.append(Suggestion(f"Search for {text.strip()[:40]}", f"search {text.strip()}"))
    return _no_command(name, names, suggestions)


def _meant(command: Command, rest: str) -> str:
    """Return the line that may have been meant, or help where it would lack an argument."""
    if not rest and any(param.required for param in command.params):
        return f"help {command.name}"
    takes_words = any(param.key is None for param in command.shown)
    kept = takes_words or argument_pattern(command).search(rest)
    return f"{command.name} {rest}".strip() if kept else command.name


def _near(name: str, names: list[str]) -> list[str]:
    """Return the names that begin so, then those that are spelt alike."""
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


def _arguments(command: Command, rest: str) -> dict[str, str]:
    by_key = {key: param for param in command.params for key in param.keys}
    arguments: dict[str, str] = {}

    def take(match: re.Match[str]) -> str:
        param = by_key[match["key"].lower()]
        _give(command, arguments, param, _value(match))
        return " "

    rest = argument_pattern(command).sub(take, rest).strip()
    _require_value(command, rest)
    for param, value in _by_place(command, rest, arguments):
        _give(command, arguments, param, value)
    return arguments


def _require_value(command: Command, rest: str) -> None:
    """Refuse a name at the end of a line that has no value, but where any words may stand."""
    if any(param.type.free or param.type.long for param in command.params):
        return
    last = (rest.lower().split() or [""])[-1]
    for param in command.params:
        if last.endswith(":") and last[:-1] in param.keys:
            raise UserError(f"Nothing stands after {last}", param.type.expected)


def _value(match: re.Match[str]) -> str:
    return match["plain"] or match["quoted"] or match["curly"] or ""


def _give(command: Command, arguments: dict[str, str], param: Param, value: str) -> None:
    if param.name in arguments:
        named = f"{param.key}:" if param.key else f"The {param.name}"
        raise UserError(f"{named} is given twice.", f"Usage: {command.usage}")
    arguments[param.name] = value


def _by_place(command: Command, rest: str, arguments: Collection[str]) -> list[tuple[Param, str]]:
    params = command.placed
    if not params and rest:
        raise UserError(
            f"{command.name} has no place for {quoted(rest, 60)}.",
            f"Usage: {command.usage}",
            (Suggestion(command.name, command.name),),
        )
    if finds_by_looks(command):
        return _claimed(params, rest.split(), arguments)
    # What is named already takes no place: note paper:"two words" and so on.
    free = [param for param in params if param.name not in arguments] or params
    return list(zip(free, rest.split(maxsplit=len(free) - 1), strict=False))


def finds_by_looks(command: Command) -> bool:
    """Tell whether the words of a command find their arguments by what they look like."""
    return any(param.type.looks for param in command.placed)


def _claimed(
    params: Sequence[Param], words: Sequence[str], given: Collection[str]
) -> list[tuple[Param, str]]:
    """Give each run of words to the argument that it looks like, one without words if there is.

    What looks like none is the last argument's, so that its error speaks of it. The longest run
    counts: "9 am" is one time.
    """
    found: list[tuple[Param, str]] = []
    unclaimed: list[str] = []
    taken = set(given)
    start = 0
    while start < len(words):
        claim = _claim(params, words[start : start + LONGEST_RUN], taken)
        if claim:
            found.append(claim)
            taken.add(claim[0].name)
        else:
            unclaimed.append(words[start])
        start += len(claim[1].split()) if claim else 1
    return [*found, (params[-1], " ".join(unclaimed))] if unclaimed else found


def _claim(
    params: Sequence[Param], words: Sequence[str], taken: Collection[str]
) -> tuple[Param, str] | None:
    """Return the argument that the longest run of first words looks like, and that run."""
    for length in range(len(words), 0, -1):
        run = " ".join(words[:length])
        looked = [param for param in params if param.type.looks and param.type.looks(run)]
        free = (param for param in looked if param.name not in taken)
        # One that has words already gets these too: that it is given twice is the error.
        claimant = next(free, looked[0] if looked else None)
        if claimant:
            return claimant, run
    return None


def _by_looks(command: Command, texts: Mapping[str, str]) -> list[str]:
    """Return the arguments that a line can give by what they look like: all of them, or none."""
    names = [param.name for param in command.placed if param.name in texts]
    words = [word for name in names for word in texts[name].split()]
    claimed = [(param.name, text) for param, text in _claimed(command.placed, words, ())]
    is_same = sorted(claimed) == sorted((name, texts[name]) for name in names)
    return names if is_same and not argument_pattern(command).search(" ".join(words)) else []


def _in_order(command: Command, texts: Mapping[str, str]) -> list[str]:
    """Return the arguments that a line can give by their place; the others need their names.

    Behind one that is left out places would be another's. Only the last may have any words.
    """
    names = [param.name for param in command.params if param.key is None]
    found: list[str] = []
    for name in names:
        text = texts.get(name)
        if text is None:
            break
        if name == names[-1] or _is_word(command, text):
            found.append(name)
    return found


def _is_word(command: Command, text: str) -> bool:
    return len(text.split()) == 1 and not argument_pattern(command).search(text)


def _quoted(value: str) -> str:
    plain = " ".join(value.replace('"', " ").split())
    is_one = plain and not re.search(r"[\s“”„]|^,|,$", plain)
    return plain if is_one else f'"{plain}"'


def _unnamed(command: Command, text: str) -> str:
    """Keep words that look like a named argument from being read as one.

    Such a word may hold another: from:from:dair.
    """
    keys = _any(key for param in command.params for key in param.keys)
    named = re.compile(rf"(?<!\S)(?:(?:{keys}):)+(?=\S)", re.IGNORECASE)
    return named.sub(lambda found: found[0].replace(":", ": "), text)
